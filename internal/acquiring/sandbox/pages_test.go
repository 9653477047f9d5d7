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

func (s *shop) begin(m acquiring.Method, id string) (acquiring.Intent, acquiring.Next) {
	s.t.Helper()
	in := s.intent(m, id)
	next, err := s.StartPayment(s.t.Context(), in)
	if err != nil {
		s.t.Fatal(err)
	}
	return in, next
}

func TestThePageOfCardsLeadsThrough3DSecureBackToTheShop(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		in, next := s.begin(acquiring.CardOnline, "page")
		if next.Kind != acquiring.Redirect || next.URL != "https://shop.example"+sandbox.Root+"pay/"+next.Ref {
			t.Fatalf("%+v", next)
		}
		filled := s.get("pay/" + next.Ref + "?card=three_ds_1").Body.String()
		if !strings.Contains(filled, `value="4000 0000 0000 0101"`) || !strings.Contains(filled, `value="12/29"`) {
			t.Error("the card is not filled in")
		}
		entered := s.post("pay/"+next.Ref, url.Values{"number": {number("three_ds_1")}, "expiry": {"12/30"}, "cvc": {"123"}})
		if entered.Code != http.StatusSeeOther || entered.Header().Get("Location") != sandbox.Root+"pay/"+next.Ref {
			t.Errorf("%d %s", entered.Code, entered.Header().Get("Location"))
		}
		if e := s.status(in); e.State != acquiring.Pending {
			t.Errorf("before the answer: %s", e.State)
		}
		back := s.post("pay/"+next.Ref+"/check", url.Values{"answer": {"yes"}})
		if e := s.status(in); e.State != acquiring.Paid || back.Header().Get("Location") != in.ReturnURL {
			t.Errorf("%s, back to %s", e.State, back.Header().Get("Location"))
		}
		if over := s.get("pay/" + next.Ref).Body.String(); !strings.Contains(over, "https://shop.example/back?ok") {
			t.Error("no way back")
		}
	})
}

func TestPages_returnAddressSaysWhetherItIsPaid(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		in, next := s.begin(acquiring.CardOnline, "declined")
		back := s.post("pay/"+next.Ref, url.Values{"number": {number("fraud")}, "expiry": {"12/30"}, "cvc": {"123"}})
		if e := s.status(in); e.Reason != acquiring.Fraud || back.Header().Get("Location") != in.FailURL {
			t.Errorf("%s, back to %s", e.Reason, back.Header().Get("Location"))
		}
		in, next = s.begin(acquiring.CardOnline, "cancelled")
		back = s.post("cancel/"+next.Ref, nil)
		if e := s.status(in); e.Reason != acquiring.CustomerCancelled || back.Header().Get("Location") != in.FailURL {
			t.Errorf("%s, back to %s", e.Reason, back.Header().Get("Location"))
		}
		in, next = s.begin(acquiring.ApplePay, "sheet")
		back = s.post("wallet/"+next.Ref, url.Values{"outcome": {"paid"}})
		if e := s.status(in); e.State != acquiring.Paid || back.Header().Get("Location") != in.ReturnURL {
			t.Errorf("%s, back to %s", e.State, back.Header().Get("Location"))
		}
	})
}

func TestAnotherCardMayBeTriedOnThePage(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		in, next := s.begin(acquiring.CardOnline, "again")
		s.post("pay/"+next.Ref, url.Values{"number": {number("another_try")}, "expiry": {"12/30"}, "cvc": {"123"}})
		if e := s.status(in); e.State != acquiring.Pending || e.Reason != acquiring.InsufficientFunds {
			t.Errorf("%s %s", e.State, e.Reason)
		}
		if !strings.Contains(s.get("pay/"+next.Ref).Body.String(), `role="alert"`) {
			t.Error("the page does not say what happened")
		}
		s.SettlePayment(next.Ref, "")
		if e := s.status(in); e.State != acquiring.Paid || e.Reason != acquiring.NoReason {
			t.Errorf("%s %s", e.State, e.Reason)
		}
	})
}

func TestEveryPageIsWholeAndInTheCustomersLanguage(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		_, card := s.begin(acquiring.CardOnline, "one")
		_, sbp := s.begin(acquiring.SBP, "two")
		_, push := s.begin(acquiring.SberPay, "three")
		_, wallet := s.begin(acquiring.GooglePay, "four")
		_, paid := s.begin(acquiring.SBP, "five")
		s.SettlePayment(paid.Ref, "")
		_, thinking := s.begin(acquiring.SBP, "six")
		s.SettlePayment(thinking.Ref, "delayed")
		if sbp.Kind != acquiring.MobileLink || sbp.URL != sbp.QR || push.Kind != acquiring.Push {
			t.Errorf("%+v, %+v", sbp, push)
		}
		for path, words := range map[string]string{
			"pay/" + card.Ref: "Оплата картой", "sbp/" + sbp.Ref: "Выберите банк", "sbp/" + sbp.Ref + "?bank=Beta": "Отказаться",
			"phone/" + push.Ref: "SberPay", "wallet/" + wallet.Ref: "Google Pay", "sbp/" + paid.Ref: "Оплачено",
			"sbp/" + thinking.Ref: "Банк думает", "": "4242 4242 4242 4242", "phone?id=three": "phone/" + push.Ref, "pay/sbunknown": "Nothing here",
		} {
			w := s.get(path)
			page := w.Body.String()
			if !strings.Contains(page, words) || !strings.HasSuffix(strings.TrimSpace(page), "</html>") || strings.Contains(page, "sandbox.") {
				t.Errorf("%q: %d %s", path, w.Code, page)
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") || !strings.Contains(policy, "form-action 'self'") {
				t.Errorf("%q: %s", path, policy)
			}
		}
		if got := s.get("phone?id=three").Body.String(); strings.Contains(got, sbp.Ref) {
			t.Error("the phone shows what is not asked of it")
		}
	})
}

func TestToolsReadCardsAndPayments(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		s.charge("seen", "paid")
		var payments struct {
			Payments []struct{ State, Amount string }
		}
		if err := json.Unmarshal(s.get("payments.json?id=seen").Body.Bytes(), &payments); err != nil || len(payments.Payments) != 1 || payments.Payments[0].State != "paid" {
			t.Errorf("%+v, %v", payments, err)
		}
		var cards struct {
			Cards []struct{ Key, Number, Reason string }
		}
		if err := json.Unmarshal(s.get("cards.json").Body.Bytes(), &cards); err != nil || len(cards.Cards) != len(sandbox.Cards()) {
			t.Errorf("%d cards, %v", len(cards.Cards), err)
		}
	})
}

func TestFaultsAreOrderedOnThePage(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		s.post("faults", url.Values{"site": {s.site}, "call": {"start"}, "fault": {"lost_after"}, "times": {"1"}})
		in, next := s.charge("faulty", "paid")
		if e := s.status(in); next.Kind != acquiring.Unknown || e.State != acquiring.Paid {
			t.Errorf("%s, then %s", next.Kind, e.State)
		}
		if _, next := s.charge("whole", "paid"); next.Kind != acquiring.Done {
			t.Errorf("the next one: %s", next.Kind)
		}
		if w := s.post("faults", url.Values{"call": {"nothing"}, "fault": {"busy"}, "times": {"1"}}); w.Code != http.StatusNotFound {
			t.Errorf("a call that there is not: %d", w.Code)
		}
	})
}
