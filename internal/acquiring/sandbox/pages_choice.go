//go:build !release

package sandbox

import (
	"net/http"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
)

// choices are the buttons of a page where no card is asked for.
type choices struct {
	// More are the outcomes under the fold.
	More []Outcome
	// Bank is that which was chosen, Banks those to choose from.
	Bank  string
	Banks []string
	// Wallet is the name of the wallet.
	Wallet string
	// Close is where one goes without having chosen.
	Close string
}

var banks = []string{"Alpha", "Beta", "Gamma", "Delta"}

// foldedOutcomes returns the outcomes that the pages fold away: all but paying and leaving.
func foldedOutcomes() []Outcome {
	var others []Outcome
	for _, o := range listButtons() {
		if o.Key != "paid" && o.Key != "customer_cancelled" {
			others = append(others, o)
		}
	}
	return others
}

// showSBP answers with the choice of a bank or, with the parameter bank, with the page of that
// bank. A payment that is over has a page of its own.
func (s pages) showSBP(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.SBP)
	switch {
	case p == nil:
	case !p.isOpen():
		s.renderFinished(w, *p)
	default:
		data := choices{More: foldedOutcomes(), Banks: banks, Close: p.failURL}
		for _, name := range banks {
			if name == r.URL.Query().Get("bank") {
				data.Bank = name
			}
		}
		name := "banks"
		if data.Bank != "" {
			name = "choice"
		}
		v := newView(*p, name)
		if data.Bank != "" {
			v.Title = v.T("bank_title", "bank", data.Bank)
		}
		v.Data = data
		s.renderView(w, http.StatusOK, v)
	}
}

// showWallet answers with the sheet of Apple Pay or Google Pay, on which the customer chooses
// how the payment ends.
func (s pages) showWallet(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.ApplePay, acquiring.GooglePay)
	switch {
	case p == nil:
	case !p.isOpen():
		s.renderFinished(w, *p)
	default:
		v := newView(*p, "choice")
		v.Title = map[acquiring.Method]string{acquiring.ApplePay: "Apple Pay", acquiring.GooglePay: "Google Pay"}[p.method]
		v.Data = choices{More: foldedOutcomes(), Close: p.failURL}
		s.renderView(w, http.StatusOK, v)
	}
}

// showPhone answers with the question that SberPay asks on the customer's phone, whose buttons
// choose how the payment ends.
func (s pages) showPhone(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.SberPay)
	switch {
	case p == nil:
	case !p.isOpen():
		s.renderFinished(w, *p)
	default:
		v := newView(*p, "choice")
		v.Title = "SberPay"
		v.Data = choices{More: foldedOutcomes(), Close: Root + "phone"}
		s.renderView(w, http.StatusOK, v)
	}
}

// showPhones answers with all open questions of SberPay; the parameter id selects one payment.
func (s pages) showPhones(w http.ResponseWriter, r *http.Request) {
	const most = 100
	latest, err := s.bank.listLatest(r.Context(), r.URL.Query().Get("id"), most)
	if err != nil {
		s.renderMissing(w, r, err)
		return
	}
	var waiting []*paymentView
	for _, p := range latest {
		if p.method == acquiring.SberPay && p.isOpen() {
			waiting = append(waiting, p.toView())
		}
	}
	v := view{Lang: pageLanguage(r), Name: "phones", Data: waiting}
	v.Title = v.T("phones_title")
	s.renderView(w, http.StatusOK, v)
}

// submitChoice chooses the outcome of the button that the customer has pressed, when the payment is
// open. It redirects back to the shop for Apple Pay and Google Pay, and to the payment's own page
// for the other methods.
func (s pages) submitChoice(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.SBP, acquiring.SberPay, acquiring.ApplePay, acquiring.GooglePay)
	if p == nil {
		return
	}
	o, ok := outcomeOf(r.PostFormValue("outcome"))
	if !ok {
		s.renderMissing(w, r, db.ErrNotFound)
		return
	}
	after, err := s.bank.changePayment(r.Context(), p.ref, func(p *payment, now time.Time) bool {
		if !p.isOpen() {
			return false
		}
		p.chooseOutcome(o, now)
		return true
	})
	switch {
	case err != nil:
		s.renderMissing(w, r, err)
	case p.method == acquiring.ApplePay || p.method == acquiring.GooglePay:
		redirectBack(w, r, after)
	default: // the phone stays in the program of the bank
		http.Redirect(w, r, after.pagePath(), http.StatusSeeOther)
	}
}
