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
	other := func(back money.Amount) payment.Attempt {
		return payment.Attempt{ID: "a", State: payment.Disputed, Sum: sum(whole), OtherSum: sum(900_00), Refunded: back}
	}
	try := func(id acquiring.ID, state payment.AttemptState, back money.Amount) payment.Attempt {
		return payment.Attempt{ID: id, State: state, Sum: sum(whole), Refunded: back}
	}
	back := func(of acquiring.ID, cause payment.RefundCause, state payment.RefundState, a money.Amount, minute int) payment.Refund {
		return payment.Refund{PaymentID: of, Cause: cause, State: state, Sum: sum(a), CreatedAt: carttest.Noon.Add(time.Duration(minute) * time.Minute)}
	}
	accepted, canceled := payment.Bill{State: payment.BillAccepted, PaidBy: "a"}, payment.Bill{State: payment.BillCanceled, PaidBy: "a"}
	kept := payment.Bill{State: payment.BillCanceled, PaidBy: "a", Kept: 800_00}
	for name, c := range map[string]struct {
		of    payment.Bill
		tries []payment.Attempt
		backs []payment.Refund
		state payment.Status
		shown string
		sum   string
	}{
		"nothing was begun":            {of: payment.Bill{State: payment.BillDue}, state: payment.StatusWaiting},
		"it is not known":              {of: payment.Bill{State: payment.BillDue}, tries: []payment.Attempt{try("a", payment.Starting, 0)}, state: payment.StatusChecking},
		"paid":                         {of: accepted, tries: []payment.Attempt{try("a", payment.Paid, 0)}, state: payment.StatusPaid},
		"not paid in time":             {of: payment.Bill{State: payment.BillCanceled}, tries: []payment.Attempt{try("a", payment.Failed, 0)}, state: payment.StatusCanceled},
		"it is unknown what was taken": {of: payment.Bill{State: payment.BillCanceled}, tries: []payment.Attempt{try("a", payment.Disputed, 0)}, state: payment.StatusChecking, shown: "refund.disputed"},
		"it is unknown, and it waits":  {of: payment.Bill{State: payment.BillDue}, tries: []payment.Attempt{try("a", payment.Disputed, 0)}, state: payment.StatusChecking, shown: "refund.disputed"},
		"another sum, on its way":      {of: payment.Bill{State: payment.BillCanceled}, tries: []payment.Attempt{other(850_00)}, backs: []payment.Refund{back("a", payment.Mismatch, payment.RefundRunning, 900_00, 1)}, state: payment.StatusRefunding, shown: "refund.going_mismatch", sum: "900"},
		"another sum, given back":      {of: payment.Bill{State: payment.BillCanceled}, tries: []payment.Attempt{other(900_00)}, backs: []payment.Refund{back("a", payment.Mismatch, payment.RefundDone, 900_00, 1)}, state: payment.StatusRefunded, shown: "refund.done_mismatch", sum: "900"},
		"another sum, and it waits":    {of: payment.Bill{State: payment.BillDue}, tries: []payment.Attempt{other(0)}, backs: []payment.Refund{back("a", payment.Mismatch, payment.RefundWaiting, 900_00, 1)}, state: payment.StatusWaiting, shown: "refund.going_mismatch", sum: "900"},
		"another sum, then paid":       {of: payment.Bill{State: payment.BillAccepted, PaidBy: "b"}, tries: []payment.Attempt{other(0), try("b", payment.Paid, 0)}, backs: []payment.Refund{back("a", payment.Mismatch, payment.RefundDone, 900_00, 1)}, state: payment.StatusPaid, shown: "refund.done_mismatch", sum: "900"},
		"canceled, on its way":         {of: canceled, tries: []payment.Attempt{try("a", payment.Paid, 0)}, backs: []payment.Refund{back("a", payment.OnCancel, payment.RefundWaiting, whole, 1)}, state: payment.StatusRefunding, shown: "refund.going_canceled", sum: "850"},
		"canceled, given back":         {of: canceled, tries: []payment.Attempt{try("a", payment.Paid, whole)}, backs: []payment.Refund{back("a", payment.OnCancel, payment.RefundDone, whole, 1)}, state: payment.StatusRefunded, shown: "refund.done_canceled", sum: "850"},
		"paid late":                    {of: payment.Bill{State: payment.BillCanceled}, tries: []payment.Attempt{try("a", payment.Paid, 0)}, backs: []payment.Refund{back("a", payment.PaidLate, payment.RefundRunning, whole, 1)}, state: payment.StatusRefunding, shown: "refund.going_late", sum: "850"},
		"paid twice":                   {of: accepted, tries: []payment.Attempt{try("a", payment.Paid, 0), try("b", payment.Paid, whole)}, backs: []payment.Refund{back("b", payment.PaidTwice, payment.RefundDone, whole, 1)}, state: payment.StatusPaid, shown: "refund.done_duplicate", sum: "850"},
		"a part was given back":        {of: accepted, tries: []payment.Attempt{try("a", payment.Paid, 150_00)}, backs: []payment.Refund{back("a", payment.ByOperator, payment.RefundDone, 100_00, 1), back("a", payment.ByOperator, payment.RefundDone, 50_00, 2)}, state: payment.StatusPaid, shown: "refund.done_operator", sum: "150"},
		"failed, and asked for again":  {of: canceled, tries: []payment.Attempt{try("a", payment.Paid, 0)}, backs: []payment.Refund{back("a", payment.OnCancel, payment.RefundFailed, whole, 1), back("a", payment.OnCancel, payment.RefundWaiting, whole, 2)}, state: payment.StatusRefunding, shown: "refund.going_canceled", sum: "850"},
		"canceled with a part kept":    {of: kept, tries: []payment.Attempt{try("a", payment.Paid, 0)}, backs: []payment.Refund{back("a", payment.OnCancel, payment.RefundWaiting, 50_00, 1)}, state: payment.StatusRefunding, shown: "refund.going_part", sum: "50"},
		"the other part given back":    {of: kept, tries: []payment.Attempt{try("a", payment.Paid, 50_00)}, backs: []payment.Refund{back("a", payment.OnCancel, payment.RefundDone, 50_00, 1)}, state: payment.StatusRefunded, shown: "refund.done_part", sum: "50"},
		"canceled with all kept":       {of: payment.Bill{State: payment.BillCanceled, PaidBy: "a", Kept: whole}, tries: []payment.Attempt{try("a", payment.Paid, 0)}, state: payment.StatusPaid, shown: "refund.kept"},
		"failed for good":              {of: canceled, tries: []payment.Attempt{try("a", payment.Paid, 0)}, backs: []payment.Refund{back("a", payment.OnCancel, payment.RefundFailed, whole, 1)}, state: payment.StatusRefunding, shown: "refund.stuck", sum: "850"},
	} {
		m := payment.History{Bill: c.of, Attempts: c.tries, Refunds: c.backs}
		if got := m.Status(); got != c.state {
			t.Errorf("%s: it stands at %s, want %s", name, got, c.state)
		}
		said, ok := m.RefundMessage(func(sum acquiring.Sum) string { return sum.Amount.String() })
		if said.Key != c.shown || ok != (c.shown != "") || c.sum != "" && said.Args["sum"] != c.sum {
			t.Errorf("%s: shown %+v, want %s of %s", name, said, c.shown, c.sum)
		}
		for _, l := range lang.All() {
			if ok && lang.T(l, said.Key, said.Args) == said.Key {
				t.Errorf("%s: no words for %s in %s", name, said.Key, l)
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
