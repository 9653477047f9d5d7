//go:build !release

package sandbox

import (
	"net/http"
	"time"

	"servery/internal/acquiring"
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

func folded() []Outcome {
	var others []Outcome
	for _, o := range buttons() {
		if o.Key != "paid" && o.Key != "customer_cancelled" {
			others = append(others, o)
		}
	}
	return others
}

// showSBP is the choice of a bank, and then the program of that bank.
func (s pages) showSBP(w http.ResponseWriter, r *http.Request) {
	p := s.payment(w, r, acquiring.SBP)
	switch {
	case p == nil:
	case !p.waits():
		s.over(w, *p)
	default:
		data := choices{More: folded(), Banks: banks, Close: p.failURL}
		for _, name := range banks {
			if name == r.URL.Query().Get("bank") {
				data.Bank = name
			}
		}
		name := "banks"
		if data.Bank != "" {
			name = "choice"
		}
		v := of(*p, name)
		if data.Bank != "" {
			v.Title = v.T("bank_title", "bank", data.Bank)
		}
		v.Data = data
		s.render(w, http.StatusOK, v)
	}
}

// showWallet is the sheet of a wallet.
func (s pages) showWallet(w http.ResponseWriter, r *http.Request) {
	p := s.payment(w, r, acquiring.ApplePay, acquiring.GooglePay)
	switch {
	case p == nil:
	case !p.waits():
		s.over(w, *p)
	default:
		v := of(*p, "choice")
		v.Title = map[acquiring.Method]string{acquiring.ApplePay: "Apple Pay", acquiring.GooglePay: "Google Pay"}[p.method]
		v.Data = choices{More: folded(), Close: p.failURL}
		s.render(w, http.StatusOK, v)
	}
}

// showPhone is what SberPay asks on the customer's telephone.
func (s pages) showPhone(w http.ResponseWriter, r *http.Request) {
	p := s.payment(w, r, acquiring.SberPay)
	switch {
	case p == nil:
	case !p.waits():
		s.over(w, *p)
	default:
		v := of(*p, "choice")
		v.Title = "SberPay"
		v.Data = choices{More: folded(), Close: Root + "phone"}
		s.render(w, http.StatusOK, v)
	}
}

// showPhones is the telephone: everything that SberPay asks just now.
func (s pages) showPhones(w http.ResponseWriter, r *http.Request) {
	latest, err := s.bank.latest(r.Context(), r.URL.Query().Get("id"), 100)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	var asks []*shown
	for _, p := range latest {
		if p.method == acquiring.SberPay && p.waits() {
			asks = append(asks, p.show())
		}
	}
	v := view{Lang: own(r), Name: "phones", Data: asks}
	v.Title = v.T("phones_title")
	s.render(w, http.StatusOK, v)
}

// takeChoice is the customer who pressed a button.
func (s pages) takeChoice(w http.ResponseWriter, r *http.Request) {
	p := s.payment(w, r, acquiring.SBP, acquiring.SberPay, acquiring.ApplePay, acquiring.GooglePay)
	if p == nil {
		return
	}
	o, ok := outcomeOf(r.PostFormValue("outcome"))
	if !ok {
		s.missing(w, r, nil)
		return
	}
	after, err := s.bank.change(r.Context(), p.ref, func(p *payment, now time.Time) bool {
		if !p.waits() {
			return false
		}
		p.choose(o, now)
		return true
	})
	switch {
	case err != nil:
		s.missing(w, r, err)
	case p.method == acquiring.ApplePay || p.method == acquiring.GooglePay:
		leave(w, r, after)
	default: // the telephone stays in the program of the bank
		http.Redirect(w, r, after.page(), http.StatusSeeOther)
	}
}
