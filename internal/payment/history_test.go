package payment_test

import (
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/payment"
)

// For each combination of bill, attempts and refunds the customer is shown the right status and
// message, with the right sum, and the message exists in every language.
func TestHistory_showsTheCustomerWhereTheMoneyIs(t *testing.T) {
	t.Parallel()
	const whole = 850_00
	sum := func(a money.Amount) acquiring.Sum { return acquiring.Sum{Amount: a} }
	disputed := func(refunded money.Amount) payment.Attempt {
		return payment.Attempt{ID: "a", State: payment.Disputed, Sum: sum(whole), OtherSum: sum(900_00), Refunded: refunded}
	}
	attempt := func(id acquiring.ID, state payment.AttemptState, refunded money.Amount) payment.Attempt {
		return payment.Attempt{ID: id, State: state, Sum: sum(whole), Refunded: refunded}
	}
	refund := func(attempt acquiring.ID, cause payment.RefundCause, state payment.RefundState, a money.Amount, minute int) payment.Refund {
		return payment.Refund{PaymentID: attempt, Cause: cause, State: state, Sum: sum(a), CreatedAt: carttest.Noon.Add(time.Duration(minute) * time.Minute)}
	}
	accepted, canceled := payment.Bill{State: payment.BillAccepted, PaidBy: "a"}, payment.Bill{State: payment.BillCanceled, PaidBy: "a"}
	kept := payment.Bill{State: payment.BillCanceled, PaidBy: "a", Kept: 800_00}
	for name, c := range map[string]struct {
		bill     payment.Bill
		attempts []payment.Attempt
		refunds  []payment.Refund
		state    payment.Status
		shown    string // the key of the message, empty for none
		sum      string // the sum in the message
	}{
		"nothing was begun":            {bill: payment.Bill{State: payment.BillDue}, state: payment.StatusWaiting},
		"it is not known":              {bill: payment.Bill{State: payment.BillDue}, attempts: []payment.Attempt{attempt("a", payment.Starting, 0)}, state: payment.StatusChecking},
		"paid":                         {bill: accepted, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, state: payment.StatusPaid},
		"not paid in time":             {bill: payment.Bill{State: payment.BillCanceled}, attempts: []payment.Attempt{attempt("a", payment.Failed, 0)}, state: payment.StatusCanceled},
		"it is unknown what was taken": {bill: payment.Bill{State: payment.BillCanceled}, attempts: []payment.Attempt{attempt("a", payment.Disputed, 0)}, state: payment.StatusChecking, shown: "refund.disputed"},
		"it is unknown, and it waits":  {bill: payment.Bill{State: payment.BillDue}, attempts: []payment.Attempt{attempt("a", payment.Disputed, 0)}, state: payment.StatusChecking, shown: "refund.disputed"},
		"another sum, on its way":      {bill: payment.Bill{State: payment.BillCanceled}, attempts: []payment.Attempt{disputed(850_00)}, refunds: []payment.Refund{refund("a", payment.Mismatch, payment.RefundRunning, 900_00, 1)}, state: payment.StatusRefunding, shown: "refund.going_mismatch", sum: "900"},
		"another sum, given back":      {bill: payment.Bill{State: payment.BillCanceled}, attempts: []payment.Attempt{disputed(900_00)}, refunds: []payment.Refund{refund("a", payment.Mismatch, payment.RefundDone, 900_00, 1)}, state: payment.StatusRefunded, shown: "refund.done_mismatch", sum: "900"},
		"another sum, and it waits":    {bill: payment.Bill{State: payment.BillDue}, attempts: []payment.Attempt{disputed(0)}, refunds: []payment.Refund{refund("a", payment.Mismatch, payment.RefundWaiting, 900_00, 1)}, state: payment.StatusWaiting, shown: "refund.going_mismatch", sum: "900"},
		"another sum, then paid":       {bill: payment.Bill{State: payment.BillAccepted, PaidBy: "b"}, attempts: []payment.Attempt{disputed(0), attempt("b", payment.Paid, 0)}, refunds: []payment.Refund{refund("a", payment.Mismatch, payment.RefundDone, 900_00, 1)}, state: payment.StatusPaid, shown: "refund.done_mismatch", sum: "900"},
		"canceled, on its way":         {bill: canceled, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, refunds: []payment.Refund{refund("a", payment.OnCancel, payment.RefundWaiting, whole, 1)}, state: payment.StatusRefunding, shown: "refund.going_canceled", sum: "850"},
		"canceled, given back":         {bill: canceled, attempts: []payment.Attempt{attempt("a", payment.Paid, whole)}, refunds: []payment.Refund{refund("a", payment.OnCancel, payment.RefundDone, whole, 1)}, state: payment.StatusRefunded, shown: "refund.done_canceled", sum: "850"},
		"paid late":                    {bill: payment.Bill{State: payment.BillCanceled}, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, refunds: []payment.Refund{refund("a", payment.PaidLate, payment.RefundRunning, whole, 1)}, state: payment.StatusRefunding, shown: "refund.going_late", sum: "850"},
		"paid twice":                   {bill: accepted, attempts: []payment.Attempt{attempt("a", payment.Paid, 0), attempt("b", payment.Paid, whole)}, refunds: []payment.Refund{refund("b", payment.PaidTwice, payment.RefundDone, whole, 1)}, state: payment.StatusPaid, shown: "refund.done_duplicate", sum: "850"},
		"a part was given back":        {bill: accepted, attempts: []payment.Attempt{attempt("a", payment.Paid, 150_00)}, refunds: []payment.Refund{refund("a", payment.ByOperator, payment.RefundDone, 100_00, 1), refund("a", payment.ByOperator, payment.RefundDone, 50_00, 2)}, state: payment.StatusPaid, shown: "refund.done_operator", sum: "150"},
		"failed, and asked for again":  {bill: canceled, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, refunds: []payment.Refund{refund("a", payment.OnCancel, payment.RefundFailed, whole, 1), refund("a", payment.OnCancel, payment.RefundWaiting, whole, 2)}, state: payment.StatusRefunding, shown: "refund.going_canceled", sum: "850"},
		"canceled with a part kept":    {bill: kept, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, refunds: []payment.Refund{refund("a", payment.OnCancel, payment.RefundWaiting, 50_00, 1)}, state: payment.StatusRefunding, shown: "refund.going_part", sum: "50"},
		"the other part given back":    {bill: kept, attempts: []payment.Attempt{attempt("a", payment.Paid, 50_00)}, refunds: []payment.Refund{refund("a", payment.OnCancel, payment.RefundDone, 50_00, 1)}, state: payment.StatusRefunded, shown: "refund.done_part", sum: "50"},
		"a part before, then canceled": {bill: kept, attempts: []payment.Attempt{attempt("a", payment.Paid, 20_00)}, refunds: []payment.Refund{refund("a", payment.ByOperator, payment.RefundDone, 20_00, 1), refund("a", payment.OnCancel, payment.RefundWaiting, 30_00, 2)}, state: payment.StatusRefunding, shown: "refund.going_part", sum: "50"},
		"both given back":              {bill: kept, attempts: []payment.Attempt{attempt("a", payment.Paid, 50_00)}, refunds: []payment.Refund{refund("a", payment.ByOperator, payment.RefundDone, 20_00, 1), refund("a", payment.OnCancel, payment.RefundDone, 30_00, 2)}, state: payment.StatusRefunded, shown: "refund.done_part", sum: "50"},
		"a part before, the rest kept": {bill: kept, attempts: []payment.Attempt{attempt("a", payment.Paid, 50_00)}, refunds: []payment.Refund{refund("a", payment.ByOperator, payment.RefundDone, 50_00, 1)}, state: payment.StatusRefunded, shown: "refund.done_part", sum: "50"},
		"canceled with all kept":       {bill: payment.Bill{State: payment.BillCanceled, PaidBy: "a", Kept: whole}, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, state: payment.StatusPaid, shown: "refund.kept"},
		"failed for good":              {bill: canceled, attempts: []payment.Attempt{attempt("a", payment.Paid, 0)}, refunds: []payment.Refund{refund("a", payment.OnCancel, payment.RefundFailed, whole, 1)}, state: payment.StatusRefunding, shown: "refund.stuck", sum: "850"},
	} {
		h := payment.History{Bill: c.bill, Attempts: c.attempts, Refunds: c.refunds}
		if got := h.Status(); got != c.state {
			t.Errorf("%s: the status is %s, want %s", name, got, c.state)
		}
		message, ok := h.RefundMessage(func(sum acquiring.Sum) string { return sum.Amount.String() })
		if message.Key != c.shown || ok != (c.shown != "") || c.sum != "" && message.Args["sum"] != c.sum {
			t.Errorf("%s: shown %+v, want %s of %s", name, message, c.shown, c.sum)
		}
		for _, l := range lang.All() {
			if ok && lang.T(l, message.Key, message.Args) == message.Key {
				t.Errorf("%s: no words for %s in %s", name, message.Key, l)
			}
		}
	}
}

// Every reason for which a bank takes nothing has words that say what to do next.
func TestAttempt_FailureMessage_hasWordsForEachReason(t *testing.T) {
	t.Parallel()
	attempts := []payment.Attempt{{State: payment.Disputed, OtherSum: acquiring.Sum{Amount: 100}}}
	for r := acquiring.NoReason; r <= acquiring.Refused; r++ {
		attempts = append(attempts, payment.Attempt{State: payment.Failed, Reason: r})
	}
	for _, a := range attempts {
		m := a.FailureMessage()
		for _, l := range lang.All() {
			if lang.T(l, m.Key, m.Args) == m.Key {
				t.Errorf("no words for %s in %s", m.Key, l)
			}
		}
	}
}
