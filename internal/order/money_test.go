package order_test

import (
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
)

func TestTheCustomerIsToldWhereHisMoneyIs(t *testing.T) {
	t.Parallel()
	const whole = 850_00
	sum := func(a money.Amount) acquiring.Sum { return acquiring.Sum{Amount: a} }
	other := func(back money.Amount) order.Payment {
		return order.Payment{ID: "a", State: order.Disputed, Sum: sum(whole), OtherSum: sum(900_00), Refunded: back}
	}
	try := func(id acquiring.ID, state order.PaymentState, back money.Amount) order.Payment {
		return order.Payment{ID: id, State: state, Sum: sum(whole), Refunded: back}
	}
	back := func(of acquiring.ID, cause order.RefundCause, state order.RefundState, a money.Amount, minute int) order.Refund {
		return order.Refund{PaymentID: of, Cause: cause, State: state, Sum: sum(a), CreatedAt: carttest.Noon.Add(time.Duration(minute) * time.Minute)}
	}
	accepted, canceled := order.Order{State: order.Accepted, PaidBy: "a"}, order.Order{State: order.Canceled, PaidBy: "a"}
	for name, c := range map[string]struct {
		of    order.Order
		tries []order.Payment
		backs []order.Refund
		state order.MoneyState
		told  string
		sum   string
	}{
		"nothing was begun":           {of: order.Order{State: order.WaitingForPayment}, state: order.MoneyWaiting},
		"it is not known":             {of: order.Order{State: order.WaitingForPayment}, tries: []order.Payment{try("a", order.Starting, 0)}, state: order.MoneyChecking},
		"paid":                        {of: accepted, tries: []order.Payment{try("a", order.Paid, 0)}, state: order.MoneyPaid},
		"not paid in time":            {of: order.Order{State: order.Canceled}, tries: []order.Payment{try("a", order.Failed, 0)}, state: order.MoneyCanceled},
		"nobody knows what was taken": {of: order.Order{State: order.Canceled}, tries: []order.Payment{try("a", order.Disputed, 0)}, state: order.MoneyChecking, told: "refund.disputed"},
		"nobody knows, and it waits":  {of: order.Order{State: order.WaitingForPayment}, tries: []order.Payment{try("a", order.Disputed, 0)}, state: order.MoneyChecking, told: "refund.disputed"},
		"another sum, on its way":     {of: order.Order{State: order.Canceled}, tries: []order.Payment{other(850_00)}, backs: []order.Refund{back("a", order.Mismatch, order.RefundRunning, 900_00, 1)}, state: order.MoneyRefunding, told: "refund.going_mismatch", sum: "900"},
		"another sum, given back":     {of: order.Order{State: order.Canceled}, tries: []order.Payment{other(900_00)}, backs: []order.Refund{back("a", order.Mismatch, order.RefundDone, 900_00, 1)}, state: order.MoneyRefunded, told: "refund.done_mismatch", sum: "900"},
		"another sum, and it waits":   {of: order.Order{State: order.WaitingForPayment}, tries: []order.Payment{other(0)}, backs: []order.Refund{back("a", order.Mismatch, order.RefundWaiting, 900_00, 1)}, state: order.MoneyWaiting, told: "refund.going_mismatch", sum: "900"},
		"another sum, then paid":      {of: order.Order{State: order.Accepted, PaidBy: "b"}, tries: []order.Payment{other(0), try("b", order.Paid, 0)}, backs: []order.Refund{back("a", order.Mismatch, order.RefundDone, 900_00, 1)}, state: order.MoneyPaid, told: "refund.done_mismatch", sum: "900"},
		"canceled, on its way":        {of: canceled, tries: []order.Payment{try("a", order.Paid, 0)}, backs: []order.Refund{back("a", order.OnCancel, order.RefundWaiting, whole, 1)}, state: order.MoneyRefunding, told: "refund.going_canceled", sum: "850"},
		"canceled, given back":        {of: canceled, tries: []order.Payment{try("a", order.Paid, whole)}, backs: []order.Refund{back("a", order.OnCancel, order.RefundDone, whole, 1)}, state: order.MoneyRefunded, told: "refund.done_canceled", sum: "850"},
		"paid late":                   {of: order.Order{State: order.Canceled}, tries: []order.Payment{try("a", order.Paid, 0)}, backs: []order.Refund{back("a", order.PaidLate, order.RefundRunning, whole, 1)}, state: order.MoneyRefunding, told: "refund.going_late", sum: "850"},
		"paid twice":                  {of: accepted, tries: []order.Payment{try("a", order.Paid, 0), try("b", order.Paid, whole)}, backs: []order.Refund{back("b", order.PaidTwice, order.RefundDone, whole, 1)}, state: order.MoneyPaid, told: "refund.done_duplicate", sum: "850"},
		"a part was given back":       {of: accepted, tries: []order.Payment{try("a", order.Paid, 150_00)}, backs: []order.Refund{back("a", order.ByOperator, order.RefundDone, 100_00, 1), back("a", order.ByOperator, order.RefundDone, 50_00, 2)}, state: order.MoneyPaid, told: "refund.done_operator", sum: "150"},
		"failed, and asked for again": {of: canceled, tries: []order.Payment{try("a", order.Paid, 0)}, backs: []order.Refund{back("a", order.OnCancel, order.RefundFailed, whole, 1), back("a", order.OnCancel, order.RefundWaiting, whole, 2)}, state: order.MoneyRefunding, told: "refund.going_canceled", sum: "850"},
		"failed for good":             {of: canceled, tries: []order.Payment{try("a", order.Paid, 0)}, backs: []order.Refund{back("a", order.OnCancel, order.RefundFailed, whole, 1)}, state: order.MoneyRefunding, told: "refund.stuck", sum: "850"},
	} {
		m := order.Money{Order: c.of, Payments: c.tries, Refunds: c.backs}
		if got := m.State(); got != c.state {
			t.Errorf("%s: it stands at %s, want %s", name, got, c.state)
		}
		said, ok := m.Message(func(sum acquiring.Sum) string { return sum.Amount.String() })
		if said.Key != c.told || ok != (c.told != "") || c.sum != "" && said.Args["sum"] != c.sum {
			t.Errorf("%s: told %+v, want %s of %s", name, said, c.told, c.sum)
		}
		for _, l := range lang.All() {
			if ok && lang.T(l, said.Key, said.Args) == said.Key {
				t.Errorf("%s: no words for %s in %s", name, said.Key, l)
			}
		}
	}
}
