//go:build !release

package sandbox_test

import (
	"net/url"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/sandbox"
	"servery/internal/money"
)

// PaymentsOf returns the payments in the bank's books with a merchant's id, all for
// [double.AnyID], in the form of the doubles.
func (s *shop) PaymentsOf(id string) []double.Payment {
	entries, err := s.bank.ListEntries(s.ctx(), s.site, id)
	if err != nil {
		s.t.Error(err)
	}
	var payments []double.Payment
	for _, e := range entries {
		p := double.Payment{
			Ref: e.Event.Ref, ID: string(e.Event.ID), Amount: e.Event.Sum.Amount, Currency: e.Event.Sum.Currency.Code,
			Method: e.Method.String(), Awaits3DS: e.Guarded || e.Method == acquiring.CardForm, MayTryAgain: e.Retry, Code: e.Event.Code,
			Receipts: e.Receipts,
		}
		switch e.Event.State {
		case acquiring.Paid:
			p.State = double.Paid
		case acquiring.Failed:
			p.State = double.Failed
		default:
		}
		if e.Returned > 0 {
			p.Refunds = []double.Refund{{Amount: e.Returned}}
		}
		payments = append(payments, p)
	}
	return payments
}

// FindPayment returns the payment in the bank's books with the reference, and false when there
// is none.
func (s *shop) FindPayment(ref string) (double.Payment, bool) {
	for _, p := range s.PaymentsOf(double.AnyID) {
		if p.Ref == ref {
			return p, true
		}
	}
	return double.Payment{}, false
}

// SumCharged returns how many payments of an id were paid, their sum, and the sum of their
// refunds.
func (s *shop) SumCharged(id string) (times int, taken, returned money.Amount) {
	for _, p := range s.PaymentsOf(id) {
		if p.State == double.Paid {
			times++
			taken, returned = taken.Add(p.Amount), returned.Add(p.Refunded())
		}
	}
	return times, taken, returned
}

// SettlePayment acts as the customer on the bank's page of an open payment: it enters the test
// card of the code or presses its button; an empty code pays. It reports whether the payment has
// changed.
func (s *shop) SettlePayment(ref, code string) bool {
	before, ok := s.FindPayment(ref)
	if !ok || before.State != double.Open || before.Awaits3DS {
		return false
	}
	if code == "" {
		code = "paid"
	}
	if before.Method == acquiring.CardOnline.String() {
		s.postForm("pay/"+ref, url.Values{"number": {numberOf(code)}, "expiry": {"12/30"}, "cvc": {"123"}})
	} else {
		kind := map[string]string{"sbp": "sbp", "sberpay": "phone", "apple_pay": "wallet", "google_pay": "wallet"}[before.Method]
		s.postForm(kind+"/"+ref, url.Values{"outcome": {code}})
	}
	after, _ := s.FindPayment(ref)
	return after.State != before.State || after.Code != before.Code
}

// PayAll acts as a customer who pays every payment of the id that can still be paid.
func (s *shop) PayAll(id string) {
	for _, p := range s.PaymentsOf(id) {
		s.SettlePayment(p.Ref, isPaid)
	}
}

// PayLate takes the money for the payments of the id that are open or have run out.
func (s *shop) PayLate(id string) {
	entries, err := s.bank.ListEntries(s.ctx(), s.site, id)
	if err != nil {
		s.t.Error(err)
	}
	for _, e := range entries {
		if e.Open || e.Expired {
			if err := s.bank.ForceCapture(s.ctx(), e.Event.Ref); err != nil {
				s.t.Error(err)
			}
		}
	}
}

// ChangeOpened makes StartPayment alter the sum of each payment from now on; nil ends that.
func (s *shop) ChangeOpened(change func(*double.Payment)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changeOpened = change
}

// ArmFault makes the bank's next thousand calls of an operation go wrong, as nearly like the
// double's fault as the bank can: nothing done, refused as too many, or no answer afterwards.
func (s *shop) ArmFault(op string, f double.Fault) {
	fault := sandbox.FaultAfter
	switch f {
	case double.LostBefore, double.BadBefore:
		fault = sandbox.FaultBefore
	case double.Busy:
		fault = sandbox.FaultBusy
	default:
	}
	s.armed = append(s.armed, op)
	const calls = 1000 // more than any test makes
	if err := s.bank.SetFault(s.ctx(), s.site, op, fault, calls); err != nil {
		s.t.Error(err)
	}
}

// ClearFaults ends all faults that ArmFault has set.
func (s *shop) ClearFaults() {
	for _, op := range s.armed {
		const noCalls = 0
		if err := s.bank.SetFault(s.ctx(), s.site, op, sandbox.NoFault, noCalls); err != nil {
			s.t.Error(err)
		}
	}
	s.armed = nil
}

// BeforeAnswer makes hook run once, after the next call of the operation was carried out and
// before it returns.
func (s *shop) BeforeAnswer(op string, hook func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks[op] = hook
}

// HeldRequests returns nil, a channel that never receives: this bank never holds a request.
func (s *shop) HeldRequests() <-chan struct{} { return nil }

// ListRequests returns the bank's log as one entry.
func (s *shop) ListRequests() []double.Entry {
	return []double.Entry{{Op: "log", Body: s.log.String()}}
}

// CountRequests returns how many calls of an operation there were.
func (s *shop) CountRequests(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[op]
}
