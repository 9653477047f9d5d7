//go:build !release

package sandbox_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/acquiring/sandbox"
)

// beginPayment starts a payment of the method under the id, and returns its intent and what comes
// next.
func (s *shop) beginPayment(m acquiring.Method, id string) (acquiring.Intent, acquiring.Next) {
	s.t.Helper()
	in := s.newIntent(m, id)
	next, err := s.StartPayment(s.t.Context(), in)
	if err != nil {
		s.t.Fatal(err)
	}
	return in, next
}

// A customer opens the bank's page, enters a test card, agrees to the challenge and is sent back
// to the shop. The payment is pending before the answer and paid afterwards.
func TestPages_leadThrough3DSecureBackToTheShop(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		in, next := s.beginPayment(acquiring.CardOnline, "page")
		if next.Kind != acquiring.Redirect || next.URL != "https://shop.example"+sandbox.Root+"pay/"+next.Ref {
			t.Fatalf("%+v", next)
		}
		filled := s.getPage("pay/" + next.Ref + "?card=three_ds_1").Body.String()
		if !strings.Contains(filled, `value="4000 0000 0000 0101"`) || !strings.Contains(filled, `value="12/29"`) {
			t.Error("the card is not filled in")
		}
		entered := s.postForm("pay/"+next.Ref, url.Values{"number": {numberOf("three_ds_1")}, "expiry": {"12/30"}, "cvc": {"123"}})
		if entered.Code != http.StatusSeeOther || entered.Header().Get("Location") != sandbox.Root+"pay/"+next.Ref {
			t.Errorf("%d %s", entered.Code, entered.Header().Get("Location"))
		}
		if e := s.mustQuery(in); e.State != acquiring.Pending {
			t.Errorf("before the answer: %s", e.State)
		}
		back := s.postForm("pay/"+next.Ref+"/check", url.Values{"answer": {"yes"}})
		if e := s.mustQuery(in); e.State != acquiring.Paid || back.Header().Get("Location") != in.ReturnURL {
			t.Errorf("%s, back to %s", e.State, back.Header().Get("Location"))
		}
		if over := s.getPage("pay/" + next.Ref).Body.String(); !strings.Contains(over, "https://shop.example/back?ok") {
			t.Error("no way back")
		}
	})
}

// A customer is sent to the address for failure after a declined card and after leaving, and to
// the return address after paying.
func TestPages_returnAddressSaysWhetherItIsPaid(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		in, next := s.beginPayment(acquiring.CardOnline, "declined")
		back := s.postForm("pay/"+next.Ref, url.Values{"number": {numberOf("fraud")}, "expiry": {"12/30"}, "cvc": {"123"}})
		if e := s.mustQuery(in); e.Reason != acquiring.Fraud || back.Header().Get("Location") != in.FailURL {
			t.Errorf("%s, back to %s", e.Reason, back.Header().Get("Location"))
		}
		in, next = s.beginPayment(acquiring.CardOnline, "cancelled")
		back = s.postForm("cancel/"+next.Ref, nil)
		if e := s.mustQuery(in); e.Reason != acquiring.CustomerCancelled || back.Header().Get("Location") != in.FailURL {
			t.Errorf("%s, back to %s", e.Reason, back.Header().Get("Location"))
		}
		in, next = s.beginPayment(acquiring.ApplePay, "sheet")
		back = s.postForm("wallet/"+next.Ref, url.Values{"outcome": {"paid"}})
		if e := s.mustQuery(in); e.State != acquiring.Paid || back.Header().Get("Location") != in.ReturnURL {
			t.Errorf("%s, back to %s", e.State, back.Header().Get("Location"))
		}
	})
}

// After a card that may be followed by another the payment stays pending, the page shows an
// alert, and the second card pays.
func TestPages_acceptASecondCard(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		in, next := s.beginPayment(acquiring.CardOnline, "again")
		s.postForm("pay/"+next.Ref, url.Values{"number": {numberOf("another_try")}, "expiry": {"12/30"}, "cvc": {"123"}})
		if e := s.mustQuery(in); e.State != acquiring.Pending || e.Reason != acquiring.InsufficientFunds {
			t.Errorf("%s %s", e.State, e.Reason)
		}
		if !strings.Contains(s.getPage("pay/"+next.Ref).Body.String(), `role="alert"`) {
			t.Error("the page does not say what happened")
		}
		s.SettlePayment(next.Ref, isPaid)
		if e := s.mustQuery(in); e.State != acquiring.Paid || e.Reason != acquiring.NoReason {
			t.Errorf("%s %s", e.State, e.Reason)
		}
	})
}

// Every page has its texts in the customer's language, is complete, and allows forms and frames
// only where they belong.
func TestPages_areWholeAndInTheCustomersLanguage(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		_, card := s.beginPayment(acquiring.CardOnline, "one")
		_, sbp := s.beginPayment(acquiring.SBP, "two")
		_, push := s.beginPayment(acquiring.SberPay, "three")
		_, wallet := s.beginPayment(acquiring.GooglePay, "four")
		_, paid := s.beginPayment(acquiring.SBP, "five")
		s.SettlePayment(paid.Ref, isPaid)
		_, thinking := s.beginPayment(acquiring.SBP, "six")
		s.SettlePayment(thinking.Ref, "delayed")
		if sbp.Kind != acquiring.MobileLink || sbp.URL != sbp.QR || push.Kind != acquiring.Push {
			t.Errorf("%+v, %+v", sbp, push)
		}
		for path, words := range map[string]string{
			"pay/" + card.Ref: "Оплата картой", "sbp/" + sbp.Ref: "Выберите банк", "sbp/" + sbp.Ref + "?bank=Beta": "Отказаться",
			"phone/" + push.Ref: "SberPay", "wallet/" + wallet.Ref: "Google Pay", "sbp/" + paid.Ref: "Оплачено",
			"sbp/" + thinking.Ref: "Банк думает", "": "4242 4242 4242 4242", "phone?id=three": "phone/" + push.Ref, "pay/sbunknown": "Nothing here",
		} {
			w := s.getPage(path)
			page := w.Body.String()
			if !strings.Contains(page, words) || !strings.HasSuffix(strings.TrimSpace(page), "</html>") || strings.Contains(page, "sandbox.") {
				t.Errorf("%q: %d %s", path, w.Code, page)
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") || !strings.Contains(policy, "form-action 'self'") {
				t.Errorf("%q: %s", path, policy)
			}
		}
		if got := s.getPage("phone?id=three").Body.String(); strings.Contains(got, sbp.Ref) {
			t.Error("the phone shows what is not asked of it")
		}
	})
}

// payments.json has the payment that the parameter id names, cards.json all test cards.
func TestPages_listCardsAndPaymentsInJSON(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.chargeCard("seen", "paid")
		var payments struct {
			Payments []struct{ State, Amount string }
		}
		if err := json.Unmarshal(s.getPage("payments.json?id=seen").Body.Bytes(), &payments); err != nil || len(payments.Payments) != 1 || payments.Payments[0].State != "paid" {
			t.Errorf("%+v, %v", payments, err)
		}
		var cards struct {
			Cards []struct{ Key, Number, Reason string }
		}
		if err := json.Unmarshal(s.getPage("cards.json").Body.Bytes(), &cards); err != nil || len(cards.Cards) != len(sandbox.Cards()) {
			t.Errorf("%d cards, %v", len(cards.Cards), err)
		}
	})
}

// The form makes one call lose its answer; the next call works. A form with an unknown call is
// answered 404.
func TestPages_setFaults(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.postForm("faults", url.Values{"site": {s.site}, "call": {"start"}, "fault": {"lost_after"}, "times": {"1"}})
		in, next := s.chargeCard("faulty", "paid")
		if e := s.mustQuery(in); next.Kind != acquiring.Unknown || e.State != acquiring.Paid {
			t.Errorf("%s, then %s", next.Kind, e.State)
		}
		if _, next := s.chargeCard("whole", "paid"); next.Kind != acquiring.Done {
			t.Errorf("the next one: %s", next.Kind)
		}
		if w := s.postForm("faults", url.Values{"call": {"nothing"}, "fault": {"busy"}, "times": {"1"}}); w.Code != http.StatusNotFound {
			t.Errorf("a call that there is not: %d", w.Code)
		}
	})
}
