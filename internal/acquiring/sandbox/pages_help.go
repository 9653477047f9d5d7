//go:build !release

package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"servery/internal/acquiring"
	"servery/internal/db"
)

// helpPage is the page about the bank.
type helpPage struct {
	Cards    []Card
	Payments []helpPayment
	Calls    []string
	Faults   []Fault
}

type helpPayment struct {
	*paymentView

	Callbacks []callbackView
}

type callbackView struct {
	Tries  int `json:"tries"`
	Status int `json:"status"`
	// Over says that no further try is made.
	Over bool `json:"over"`
}

// Spaced returns the number in groups of four.
func (c Card) Spaced() string { return groupDigits(c.Number) }

// listCallbacks returns the callbacks about a payment as the pages show them, an empty list for
// none.
func (s pages) listCallbacks(r *http.Request, p payment) ([]callbackView, error) {
	rows, err := s.bank.listCallbacks(r.Context(), p.ref)
	views := []callbackView{}
	for _, row := range rows {
		views = append(views, callbackView{Tries: row.tries, Status: row.status, Over: row.isDone})
	}
	return views, err
}

// showHelp answers with the page about the bank: test cards, newest payments and faults.
func (s pages) showHelp(w http.ResponseWriter, r *http.Request) {
	const allPayments, most = "", 20
	latest, err := s.bank.listLatest(r.Context(), allPayments, most)
	if err != nil {
		s.renderMissing(w, r, err)
		return
	}
	page := helpPage{Cards: Cards(), Calls: Calls(), Faults: Faults()}
	for _, p := range latest {
		callbacks, err := s.listCallbacks(r, p)
		if err != nil {
			s.renderMissing(w, r, err)
			return
		}
		page.Payments = append(page.Payments, helpPayment{p.toView(), callbacks})
	}
	v := view{Lang: pageLanguage(r), Name: "help", Data: page}
	v.Title = v.T("help_title")
	s.renderView(w, http.StatusOK, v)
}

// setFault handles the form that makes the next calls of a brand go wrong, at most a thousand.
// It answers 404 to a wrong form.
func (s pages) setFault(w http.ResponseWriter, r *http.Request) {
	times, err := strconv.Atoi(r.PostFormValue("times"))
	call, fault := r.PostFormValue("call"), Fault(r.PostFormValue("fault"))
	if err != nil || times < 0 || times > 1000 || !slices.Contains(Calls(), call) || !slices.Contains(Faults(), fault) {
		s.renderMissing(w, r, db.ErrNotFound)
		return
	}
	if err := s.bank.SetFault(r.Context(), r.PostFormValue("site"), call, fault, times); err != nil {
		s.renderMissing(w, r, err)
		return
	}
	http.Redirect(w, r, Root, http.StatusSeeOther)
}

// listCards answers with the test cards in JSON.
func (s pages) listCards(w http.ResponseWriter, _ *http.Request) {
	type cardView struct {
		Key     string  `json:"key"`
		Number  string  `json:"number"`
		Reason  string  `json:"reason,omitempty"`
		Check   Check   `json:"check,omitempty"`
		Trouble Trouble `json:"trouble,omitempty"`
	}
	cards := []cardView{}
	for _, c := range Cards() {
		cards = append(cards, cardView{c.Key, c.Number, c.Reason.String(), c.Check, c.Trouble})
	}
	writeJSON(w, map[string]any{"cards": cards})
}

// listPayments answers with the newest payments in JSON; the parameter id selects one.
func (s pages) listPayments(w http.ResponseWriter, r *http.Request) {
	type paymentView struct {
		Ref       string         `json:"ref"`
		ID        acquiring.ID   `json:"id"`
		Site      string         `json:"site"`
		Method    string         `json:"method"`
		State     string         `json:"state"`
		Reason    string         `json:"reason,omitempty"`
		Amount    string         `json:"amount"`
		Refunded  string         `json:"refunded"`
		Currency  string         `json:"currency"`
		Page      string         `json:"page,omitempty"`
		Callbacks []callbackView `json:"callbacks"`
	}
	const most = 100
	latest, err := s.bank.listLatest(r.Context(), r.URL.Query().Get("id"), most)
	if err != nil {
		s.renderMissing(w, r, err)
		return
	}
	list := []paymentView{}
	for _, p := range latest {
		callbacks, err := s.listCallbacks(r, p)
		if err != nil {
			s.renderMissing(w, r, err)
			return
		}
		list = append(list, paymentView{
			p.ref, p.id, p.site, p.method.String(), p.toEvent().State.String(), p.reason.String(), acquiring.Decimal(p.sum.Amount),
			acquiring.Decimal(p.refunded), p.sum.Currency.Code, p.pagePath(), callbacks,
		})
	}
	writeJSON(w, map[string]any{"payments": list})
}

// writeJSON answers with a value in JSON, which is not cached.
func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(value) // fails only when the client has closed the connection
}
