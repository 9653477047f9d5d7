//go:build !release

package sandbox_test

import (
	"net/url"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/sandbox"
	"servery/internal/money"
)

func (s *shop) PaymentsOf(id string) []double.Payment {
	entries, err := s.bank.Entries(s.ctx(), s.site, id)
	if err != nil {
		s.t.Error(err)
	}
	var all []double.Payment
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
		all = append(all, p)
	}
	return all
}

func (s *shop) FindPayment(ref string) (double.Payment, bool) {
	for _, p := range s.PaymentsOf("") {
		if p.Ref == ref {
			return p, true
		}
	}
	return double.Payment{}, false
}

func (s *shop) SumCharged(id string) (times int, taken, returned money.Amount) {
	for _, p := range s.PaymentsOf(id) {
		if p.State == double.Paid {
			times++
			taken, returned = taken.Add(p.Amount), returned.Add(p.Refunded())
		}
	}
	return times, taken, returned
}

// SettlePayment is the customer on the bank's pages.
func (s *shop) SettlePayment(ref, code string) bool {
	before, ok := s.FindPayment(ref)
	if !ok || before.State != double.Open || before.Awaits3DS {
		return false
	}
	if code == "" {
		code = "paid"
	}
	if before.Method == acquiring.CardOnline.String() {
		s.post("pay/"+ref, url.Values{"number": {number(code)}, "expiry": {"12/30"}, "cvc": {"123"}})
	} else {
		kind := map[string]string{"sbp": "sbp", "sberpay": "phone", "apple_pay": "wallet", "google_pay": "wallet"}[before.Method]
		s.post(kind+"/"+ref, url.Values{"outcome": {code}})
	}
	after, _ := s.FindPayment(ref)
	return after.State != before.State || after.Code != before.Code
}

func (s *shop) PayAll(id string) {
	for _, p := range s.PaymentsOf(id) {
		s.SettlePayment(p.Ref, "")
	}
}

func (s *shop) PayLate(id string) {
	entries, err := s.bank.Entries(s.ctx(), s.site, id)
	if err != nil {
		s.t.Error(err)
	}
	for _, e := range entries {
		if e.Open || e.Expired {
			if err := s.bank.Force(s.ctx(), e.Event.Ref); err != nil {
				s.t.Error(err)
			}
		}
	}
}

func (s *shop) ChangeOpened(twist func(*double.Payment)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.twist = twist
}

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
	if err := s.bank.SetFault(s.ctx(), s.site, op, fault, 1000); err != nil {
		s.t.Error(err)
	}
}

func (s *shop) ClearFaults() {
	for _, op := range s.armed {
		if err := s.bank.SetFault(s.ctx(), s.site, op, sandbox.NoFault, 0); err != nil {
			s.t.Error(err)
		}
	}
	s.armed = nil
}

func (s *shop) BeforeAnswer(op string, hook func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks[op] = hook
}

func (s *shop) HeldRequests() <-chan struct{} { return nil }

func (s *shop) ListRequests() []double.Entry {
	return []double.Entry{{Op: "log", Body: s.log.String()}}
}

func (s *shop) CountRequests(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[op]
}

// Hands of a customer.
