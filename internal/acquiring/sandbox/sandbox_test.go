//go:build !release

package sandbox_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/paytest"
	"servery/internal/acquiring/sandbox"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// newIntent returns an intent to pay by the method under the id within ten minutes.
func (s *shop) newIntent(m acquiring.Method, id string) acquiring.Intent {
	in := paytest.NewIntent(s.t, m, "RUB")
	in.ID, in.Started = acquiring.ID(id), s.clock.Now()
	in.Deadline = in.Started.Add(10 * time.Minute)
	in.ReturnURL, in.FailURL = "https://shop.example/back?ok", "https://shop.example/back?fail"
	in.CallbackURL, in.TermURL = "https://shop.example/api/callback/sandbox", "https://shop.example/term"
	return in
}

// chargeCard pays with the test card of a key on the shop's own form, and returns the intent and
// the answer.
func (s *shop) chargeCard(id, card string) (acquiring.Intent, acquiring.Next) {
	s.t.Helper()
	in := s.newIntent(acquiring.CardForm, id)
	in.Token = s.encryptCard(numberOf(card), noVerifyParam)
	next, err := s.StartPayment(s.t.Context(), in)
	if err != nil {
		s.t.Fatal(err)
	}
	return in, next
}

// mustQuery returns the payment of an intent as the bank has it, which it must know how to find.
func (s *shop) mustQuery(in acquiring.Intent) acquiring.Event {
	s.t.Helper()
	e, err := s.QueryStatus(s.t.Context(), in.Lookup(acquiring.NoRef))
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// doDueWork makes the bank do what is due now: captures, refunds and callbacks.
func (s *shop) doDueWork() {
	s.t.Helper()
	if err := s.bank.DoDueWork(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// eachShop runs a parallel test on both database engines, each with a new bank and a shop at it.
func eachShop(t *testing.T, test func(t *testing.T, s *shop)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, newShop(t, d)) })
}

// Every test card has a valid number (the sum of Luhn) and is answered as its entry says:
// charged, declined for its reason, 3-D Secure, or no answer.
func TestCards_endAsTheyAreListed(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		for _, c := range sandbox.Cards() {
			sum := 0
			for i := range len(c.Number) {
				digit := int(c.Number[len(c.Number)-1-i] - '0')
				if i%2 == 1 {
					if digit *= 2; digit > 9 {
						digit -= 9
					}
				}
				sum += digit
			}
			if len(c.Number) != 16 || sum%10 != 0 {
				t.Errorf("%s: %s is no card number", c.Key, c.Number)
			}
			_, next := s.chargeCard("card-"+strings.ReplaceAll(c.Key, "_", "-"), c.Key)
			want := acquiring.Done
			switch {
			case c.Check == sandbox.Version1:
				want = acquiring.ThreeDS1
			case c.Check != sandbox.NoCheck:
				want = acquiring.ThreeDS2
			case c.Reason != acquiring.NoReason:
				want = acquiring.Declined
			case c.Trouble == sandbox.LostAfter, c.Trouble == sandbox.LostBefore, c.Trouble == sandbox.Delayed, c.Trouble == sandbox.TooLate:
				want = acquiring.Unknown
			}
			if next.Kind != want || want == acquiring.Declined && next.Event.Reason != c.Reason {
				t.Errorf("%s = %s %s, want %s %s", c.Key, next.Kind, next.Event.Reason, want, c.Reason)
			}
		}
	})
}

// A number that is no test card, an expiry in the past and a code of two digits are each refused
// for that reason; a good card pays.
func TestCards_refuseOthers(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		for key, form := range map[string]url.Values{
			"card_number": {"number": {"4111 1111 1111 1111"}, "expiry": {"12/30"}, "cvc": {"123"}},
			"card_expiry": {"number": {"4242 4242 4242 4242"}, "expiry": {"10/26"}, "cvc": {"123"}},
			"card_code":   {"number": {"4242 4242 4242 4242"}, "expiry": {"11/26"}, "cvc": {"12"}},
			"":            {"number": {"4242 4242 4242 4242"}, "expiry": {"11/26"}, "cvc": {"012"}},
		} {
			in := s.newIntent(acquiring.CardOnline, "other-"+strings.ReplaceAll(key, "_", "-")+"1")
			next, err := s.StartPayment(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			s.postForm("pay/"+next.Ref, form)
			if e := s.mustQuery(in); e.Reason.String() != key {
				t.Errorf("%s: %s %s", key, e.State, e.Reason)
			}
		}
	})
}

// One test card is charged and its answer lost; with another the request is lost, the bank knows
// nothing, and a repeated request is charged.
func TestCards_loseTheAnswerBeforeOrAfterTheCharge(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		in, _ := s.chargeCard("after", "lost_after")
		if e := s.mustQuery(in); e.State != acquiring.Paid {
			t.Errorf("after: %s", e.State)
		}
		in, _ = s.chargeCard("before", "lost_before")
		if e := s.mustQuery(in); e.State != acquiring.Absent {
			t.Errorf("before: %s", e.State)
		}
		if _, next := s.chargeCard("before", "lost_before"); next.Kind != acquiring.Done {
			t.Errorf("the second try: %s", next.Kind)
		}
	})
}

// One test card is charged half a minute later, another sixteen seconds after the deadline;
// until then it is pending and cannot be canceled.
func TestCards_areChargedLaterEvenAfterTheDeadline(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		soon, _ := s.chargeCard("soon", "delayed")
		late, _ := s.chargeCard("late", "too_late")
		s.clock.Advance(31 * time.Second)
		s.doDueWork()
		if e := s.mustQuery(soon); e.State != acquiring.Paid {
			t.Errorf("half a minute later: %s", e.State)
		}
		s.clock.Set(late.Deadline)
		if e, err := s.CancelPayment(t.Context(), late.Lookup(acquiring.NoRef)); err != nil || e.State != acquiring.Pending {
			t.Errorf("cancel at the deadline = %s, %v", e.State, err)
		}
		s.clock.Advance(16 * time.Second)
		if e := s.mustQuery(late); e.State != acquiring.Paid {
			t.Errorf("after the deadline: %s", e.State)
		}
	})
}

// A test card takes another sum than requested, which CheckEvent finds.
func TestCards_takeAnotherSum(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		in, next := s.chargeCard("sum", "other_sum")
		if err := acquiring.CheckEvent("sandbox", in.ID, in.Sum, next.Event); acquiring.KindOf(err) != acquiring.Mismatch {
			t.Errorf("%s passes for %s", next.Event.Sum, in.Sum)
		}
	})
}

// Refunds end as the test card says, also when repeated: at once, at the second try, half a
// minute later, or never. Another sum under the same id is rejected.
func TestRefundPayment_isLostSlowOrRefused(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		for card, want := range map[string][]acquiring.RefundState{
			"paid": {acquiring.RefundDone, acquiring.RefundDone}, "refund_lost": {acquiring.RefundUnknown, acquiring.RefundDone},
			"refund_slow": {acquiring.RefundPending, acquiring.RefundDone}, "refund_refused": {acquiring.RefundFailed, acquiring.RefundFailed},
		} {
			in, next := s.chargeCard("of-"+strings.ReplaceAll(card, "_", "-"), card)
			r := acquiring.Refund{ID: "back-" + in.ID, Of: in.Lookup(next.Ref), Paid: in.Sum, Sum: in.Sum}
			for i, state := range want {
				if got, err := s.RefundPayment(t.Context(), r); err != nil || got.State != state {
					t.Errorf("%s, try %d: %s, %v", card, i, got.State, err)
				}
				s.clock.Advance(31 * time.Second)
			}
			other := r
			other.Sum.Amount -= 100
			if got, err := s.RefundPayment(t.Context(), other); acquiring.KindOf(err) != acquiring.Rejected {
				t.Errorf("%s: another sum under the same id = %+v, %v", card, got, err)
			}
			e := s.mustQuery(in)
			if back := e.Refunded == in.Sum.Amount; back != (card != "refund_refused") {
				t.Errorf("%s: %s given back", card, acquiring.Decimal(e.Refunded))
			}
		}
	})
}

// Of eight concurrent refunds of a third each, three are made.
func TestRefundPayment_refundsAtMostWhatWasPaid(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		in, next := s.chargeCard("shared", "paid")
		var work sync.WaitGroup
		for i := range 8 {
			work.Go(func() {
				r := acquiring.Refund{ID: acquiring.ID(fmt.Sprintf("part-%d", i)), Of: in.Lookup(next.Ref), Paid: in.Sum, Sum: in.Sum}
				r.Sum.Amount = in.Sum.Amount / 3
				if _, err := s.RefundPayment(t.Context(), r); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if e := s.mustQuery(in); e.Refunded != in.Sum.Amount/3*3 {
			t.Errorf("%s of %s given back", acquiring.Decimal(e.Refunded), in.Sum)
		}
	})
}

// A payment that waits for 3-D Secure is finished by another process on the same database, which
// also reads a card that was encrypted with the first one's key.
func TestBank_keepsItsBooksWhenTheProcessEnds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		in := s.newIntent(acquiring.CardForm, "kept")
		in.Token = s.encryptCard(numberOf("three_ds_1"), noVerifyParam)
		next, err := s.StartPayment(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		result := s.passChallenge(next, agrees)
		result.Lookup = in.Lookup(next.Ref)
		second := sandbox.New(sandbox.Options{DB: d, Clock: s.clock, Log: slog.New(slog.DiscardHandler)}).Acquirer(s.site)
		if next, err := second.Finish3DS(t.Context(), result); err != nil || next.Kind != acquiring.Done {
			t.Errorf("finish = %s, %v", next.Kind, err)
		}
		in.ID, in.Token = "kept-2", s.encryptCard(numberOf("paid"), noVerifyParam)
		if next, err := second.StartPayment(t.Context(), in); err != nil || next.Kind != acquiring.Done {
			t.Errorf("a cryptogram by the key of the first process = %s, %v", next.Kind, err)
		}
	})
}

// An open payment of each method is canceled; the customer cannot pay it afterwards.
func TestCancelPayment_makesThePaymentUnpayable(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		for _, m := range []acquiring.Method{acquiring.CardOnline, acquiring.SBP, acquiring.SberPay, acquiring.GooglePay} {
			in := s.newIntent(m, "stop-"+strings.ReplaceAll(m.String(), "_", "-"))
			next, err := s.StartPayment(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if e, err := s.CancelPayment(t.Context(), in.Lookup(next.Ref)); err != nil || e.State != acquiring.Failed || e.Reason != acquiring.Canceled {
				t.Errorf("%s: cancel = %s, %v", m, e.State, err)
			}
			s.SettlePayment(next.Ref, isPaid)
			if e := s.mustQuery(in); e.State != acquiring.Failed {
				t.Errorf("%s: %s", m, e.State)
			}
		}
	})
}

// No column of the bank's table has a card number, only its last four digits, and the log has
// none at all.
func TestBank_storesAndLogsNoCardNumber(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.chargeCard("form", "paid")
		next, err := s.StartPayment(t.Context(), s.newIntent(acquiring.CardOnline, "page"))
		if err != nil {
			t.Fatal(err)
		}
		s.SettlePayment(next.Ref, isPaid)
		rows, err := d.Reader().QueryContext(t.Context(), "SELECT * FROM sandbox_payment")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, _ := rows.Columns()
		count := 0
		for ; rows.Next(); count++ {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, v := range values {
				text += fmt.Sprintf("%s ", *v.(*any))
			}
			if strings.Contains(text, "424242") || !strings.Contains(text, "•••• 4242") {
				t.Errorf("kept: %s", text)
			}
		}
		if err := rows.Err(); err != nil || count != 2 || strings.Contains(s.log.String(), "4242") {
			t.Errorf("%d rows, %v, log %s", count, err, s.log)
		}
	})
}

// A result of another payment is refused, a customer who does not agree fails the payment, and
// the other payment stays pending.
func TestFinish3DS_refusesForeignAndMadeUpResults(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		mine, next := s.chargeCard("mine", "three_ds_2_plain")
		other, theirs := s.chargeCard("theirs", "three_ds_2_plain")
		foreign := s.passChallenge(theirs, agrees)
		foreign.Lookup = mine.Lookup(next.Ref)
		if got, err := s.Finish3DS(t.Context(), foreign); acquiring.KindOf(err) != acquiring.Foreign {
			t.Errorf("an answer of another payment = %s, %v", got.Kind, err)
		}
		// The customer never said yes, and writes the answer without the bank.
		fake := s.passChallenge(next, refuses)
		fake.Lookup = mine.Lookup(next.Ref)
		if got, err := s.Finish3DS(t.Context(), fake); err != nil || got.Kind != acquiring.Declined || got.Event.Reason != acquiring.ThreeDSFailed {
			t.Errorf("a no = %+v, %v", got, err)
		}
		if e := s.mustQuery(other); e.State != acquiring.Pending {
			t.Errorf("the other: %s", e.State)
		}
	})
}
