package payments_test

import (
	"context"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/order/erase"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/phone"
	"servery/internal/queue"
)

// A prepaid order is handed over. A closing receipt is stored with that and waits; the acquirer
// is called once afterwards, for the whole order, as a full payment.
func TestClosingReceipt_followsWhenAPrepaidOrderIsHandedOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.Move(t, o, order.Cooking, order.Sent)
		c.SweepEachMinute(t, 2*time.Minute)
		if calls := c.Bank.ClosingCalls(); len(calls) != 0 || len(c.WithPayment(t, o.ID).Payment.Closings) != 0 {
			t.Fatalf("before it is handed over: %+v", calls)
		}
		c.Move(t, o, order.Done)
		if got := c.Closing(t, o.ID); got.State != payment.ClosingWaiting || len(c.Bank.ClosingCalls()) != 0 {
			t.Errorf("nothing leaves the machine inside of a transaction: %+v", got)
		}
		c.SweepEachMinute(t, 3*time.Minute)
		calls := c.Bank.ClosingCalls()
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		m := c.WithPayment(t, o.ID)
		p := m.Payment.Attempts[0]
		call := calls[0]
		if call.Receipt.Mode != acquiring.FullPayment || call.Sum != p.Sum || call.Receipt.Total() != o.Prices.Total || call.Of != p.Lookup() ||
			call.Receipt.Email != "anna@example.org" || call.Receipt.Tax != acquiring.TaxGeneral || call.Repeated || call.ID == p.ID {
			t.Errorf("asked for %+v", call)
		}
		if got := c.Closing(t, o.ID); got.State != payment.ClosingDone || got.Ref != "rt-"+string(call.ID) || got.Sum != p.Sum || got.FinishedAt.IsZero() {
			t.Errorf("at last %+v", got)
		}
		c.Bank.WantRefunded(t, 0)
	})
}

// No closing receipt is made when receipts say full payment, when none are sent or there is no
// address to send them to, for an order paid in cash, and for a canceled order.
func TestClosingReceipt_isNotNeeded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		for name, shown := range map[string]string{
			"where receipts say full payment": strings.Replace(ordertest.Requested, `"vat":"10"`, `"mode":"full_payment","vat":"10"`, 1),
			"where none are sent":             `{"language":"en","phone":"79161234567"}`,
			"where it has no address":         `{"language":"en","fiscal":{"vat":"10","delivery_vat":"20"}}`,
		} {
			_, o := c.PlacePaid(t)
			c.SetRequest(t, o.ID, shown)
			c.HandOver(t, o)
			if got := c.WithPayment(t, o.ID).Payment.Closings; len(got) != 0 {
				t.Errorf("%s: %+v", name, got)
			}
		}
		v := c.Visitor(t, "sushi")
		cash := c.Place(t, v, c.TakeawayFromPhone(t, v, 1))
		c.Move(t, cash, order.Cooking, order.Done)
		canceled, o := c.PlacePaid(t)
		if _, err := c.Orders.Cancel(t.Context(), canceled, o.ID); err != nil {
			t.Fatal(err)
		}
		c.SweepEachMinute(t, 2*time.Minute)
		if calls := c.Bank.ClosingCalls(); len(calls) != 0 {
			t.Errorf("asked for %+v", calls)
		}
	})
}

// Three lines are refunded: one before the order is handed over, one whose refund is running at
// that time, and one before the acquirer is called for the closing receipt. The closing receipt
// waits for the running refund and has the lines that are left.
func TestClosingReceipt_leavesOutWhatWasGivenBackBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		parts := c.WithPayment(t, o.ID).Payment.Refundable()
		c.RefundLines(t, o.ID, "before", payment.RefundLine{Key: parts[0].Key, Count: 1})
		c.SweepEachMinute(t, time.Minute)
		c.Bank.Answers = []func(acquiring.Refund) (acquiring.Refunded, error){ordertest.RefundPending, ordertest.RefundPending}
		c.RefundLines(t, o.ID, "on its way", payment.RefundLine{Key: parts[1].Key, Count: 1})
		c.HandOver(t, o)
		c.Sweep(t)
		if got := c.Closing(t, o.ID); got.State != payment.ClosingWaiting {
			t.Errorf("while a refund is on its way: %+v", got)
		}
		c.RefundLines(t, o.ID, "after, before the acquirer was asked", payment.RefundLine{Key: parts[2].Key, Count: 1})
		c.SweepEachMinute(t, 10*time.Minute)
		m := c.WithPayment(t, o.ID)
		rest := o.Prices.Total
		prepaid, handedOver := ordertest.LinesOf(m.Payment.Attempts[0].PaymentReceipt(o.Bill())), map[string]int{}
		for _, r := range c.Bank.RefundCalls() {
			handedOver[r.Receipt.Mode.String()]++
		}
		for _, r := range m.Payment.Refunds {
			rest = rest.Sub(r.Sum.Amount)
			for name, amount := range ordertest.LinesOf(m.Payment.Attempts[0].RefundReceipt(o.Bill(), r)) {
				if prepaid[name] = prepaid[name].Sub(amount); prepaid[name] == 0 {
					delete(prepaid, name)
				}
			}
		}
		if len(m.Payment.Refunds) != 3 || handedOver["full_payment"] != 0 {
			t.Fatalf("refunds %+v, receipts %v", m.Payment.Refunds, handedOver)
		}
		calls := c.Bank.ClosingCalls()
		if len(calls) != 1 || calls[0].Sum.Amount != rest || !maps.Equal(ordertest.LinesOf(calls[0].Receipt), prepaid) {
			t.Errorf("closed %+v, want %s: %v", calls, rest, prepaid)
		}
		if got := c.Closing(t, o.ID); got.State != payment.ClosingDone || got.Sum.Amount != rest {
			t.Errorf("at last %+v", got)
		}
	})
}

// All is refunded between handing over and the call for the closing receipt: no call is made,
// and the refund counts as one of a prepayment.
func TestClosingReceipt_isNotNeededOnceAllIsGivenBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.HandOver(t, o)
		c.RefundLines(t, o.ID, "all")
		c.SweepEachMinute(t, 4*time.Minute)
		if got := c.Closing(t, o.ID); got.State != payment.ClosingNotNeeded || len(c.Bank.ClosingCalls()) != 0 {
			t.Errorf("got %+v", got)
		}
		if calls := c.Bank.RefundCalls(); len(calls) != 1 || calls[0].Receipt.Mode != acquiring.FullPrepayment {
			t.Errorf("refunds %+v", calls)
		}
	})
}

// A line refunded before the closing receipt has a receipt of a prepayment; refunds after it
// have receipts of a full payment, also the retry of one that failed.
func TestRefund_afterTheClosingReceiptSaysFullPayment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		parts := c.WithPayment(t, o.ID).Payment.Refundable()
		c.RefundLines(t, o.ID, "before", payment.RefundLine{Key: parts[0].Key, Count: 1})
		c.SweepEachMinute(t, time.Minute)
		c.HandOver(t, o)
		c.SweepEachMinute(t, 2*time.Minute)
		c.Bank.Answers = []func(acquiring.Refund) (acquiring.Refunded, error){ordertest.RefundRefused} // the next one has the same receipt
		c.RefundLines(t, o.ID, "after", payment.RefundLine{Key: parts[1].Key, Count: 1})
		c.SweepEachMinute(t, 3*time.Minute)
		c.RefundLines(t, o.ID, "the rest")
		c.SweepEachMinute(t, 3*time.Minute)
		var modes []string
		for _, r := range c.Bank.RefundCalls() {
			modes = append(modes, r.Receipt.Mode.String())
		}
		if got := strings.Join(modes, " "); got != "full_prepayment full_payment full_payment full_payment" {
			t.Errorf("receipts of refunds: %s", got)
		}
		c.Bank.WantRefunded(t, o.Prices.Total)
	})
}

// The receipt of the payment said full payment, so the receipt of its refund does too, with the
// plain tax.
func TestRefund_saysFullPaymentWhereThePaymentDid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.SetRequest(t, o.ID, strings.Replace(ordertest.Requested, `"vat":"10"`, `"mode":"full_payment","prepayment_vat":"calculated","vat":"10"`, 1))
		c.RefundLines(t, o.ID, "all")
		c.SweepEachMinute(t, 2*time.Minute)
		calls := c.Bank.RefundCalls()
		if len(calls) != 1 || calls[0].Receipt.Mode != acquiring.FullPayment || calls[0].Receipt.Lines[0].VAT != acquiring.VAT10 {
			t.Errorf("asked for %+v", calls)
		}
	})
}

// The acquirer fails twice, answers pending twice and then done. It is called five times under
// the same id: at once, after five seconds, and later. Each later call is marked as repeated and
// has the reference once it is known.
func TestClosingReceipt_isAskedForAgainUntilItIsCertain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.Bank.ClosingAnswers = []acquiring.Closed{{}, {}, {State: acquiring.ClosingPending, Ref: "rt-7"}, {State: acquiring.ClosingPending, Ref: "rt-7"}, {State: acquiring.ClosingDone, Ref: "rt-7"}}
		c.HandOver(t, o)
		c.SweepEachSecond(t, 1)
		if got := c.Closing(t, o.ID); got.State != payment.ClosingRunning || len(c.Bank.ClosingCalls()) != 1 {
			t.Errorf("at first %+v", got)
		}
		c.SweepEachSecond(t, 3)
		if len(c.Bank.ClosingCalls()) != 1 {
			t.Error("asked again before it is due")
		}
		c.SweepEachSecond(t, 2)
		if len(c.Bank.ClosingCalls()) != 2 {
			t.Error("not asked again after five seconds")
		}
		c.SweepEachMinute(t, 3*time.Hour)
		calls := c.Bank.ClosingCalls()
		if len(calls) != 5 {
			t.Fatalf("%d calls", len(calls))
		}
		for i, call := range calls {
			if call.ID != calls[0].ID || call.Repeated != (i > 0) || (call.Ref == "rt-7") != (i > 2) {
				t.Errorf("call %d: %+v", i, call)
			}
		}
		if got := c.Closing(t, o.ID); got.State != payment.ClosingDone || got.Ref != "rt-7" {
			t.Errorf("at last %+v", got)
		}
	})
}

// A process claims the closing receipt and dies. No other calls the acquirer during its lease;
// after it, of four concurrent sweeps one calls once.
func TestClosingReceipt_isAskedForByOneProcessAtATimeAndSurvivesItsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.HandOver(t, o)
		attempt := c.WithPayment(t, o.ID).Payment.Attempts[0].ID
		if taken, err := payments.ClaimClosing(t.Context(), c.Payments, attempt); err != nil || !taken {
			t.Fatalf("taken %t, %v", taken, err)
		}
		// That process has died before it asked, and its lease is not over yet.
		c.Sweep(t)
		if n := len(c.Bank.ClosingCalls()); n != 0 {
			t.Errorf("%d calls while another has it", n)
		}
		c.Clock.Advance(3 * time.Minute)
		first := c.Orders
		c.Restart(t, c.Bank)
		var all sync.WaitGroup
		for _, s := range []*orders.Service{first, c.Orders, first, c.Orders} {
			all.Go(func() {
				if err := s.Sweep(t.Context(), c.Clock.Now()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if calls := c.Bank.ClosingCalls(); len(calls) != 1 || !calls[0].Repeated {
			t.Errorf("calls %+v", calls)
		}
	})
}

// The job of a closing receipt calls the acquirer without any sweep.
func TestClosingReceipt_hasAJobThatAsksForIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		asked := make(chan struct{}, 8)
		c.Bank.OnClose = func() { asked <- struct{}{} }
		q, err := queue.New(d, queue.Options{Poll: 10 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		c.StartProcessOn(q, orders.Options{}, payments.Options{Accounts: acquiring.Accounts{"sushi": {"till": c.Bank}}})
		_, o := c.PlacePaid(t)
		c.HandOver(t, o)
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := q.Stop(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		select {
		case <-asked:
		case <-time.After(30 * time.Second):
			t.Fatal("the acquirer was never asked")
		}
	})
}

// An acquirer that closes no receipts leaves the receipt to be made by hand, without an alert;
// later refunds say full payment. Where it registers no receipts at all, none is stored.
func TestClosingReceipt_isSomebodyElsesWhereTheAcquirerRegistersNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		_, other := c.PlacePaid(t)
		c.Restart(t, ordertest.WithoutClosing{Acquirer: c.Bank})
		c.HandOver(t, o)
		c.SweepEachMinute(t, 2*time.Minute)
		if got := c.Closing(t, o.ID); got.State != payment.ClosingManual || got.Sum.Amount != o.Prices.Total {
			t.Errorf("got %+v", got)
		}
		c.RefundLines(t, o.ID, "all")
		c.SweepEachMinute(t, 2*time.Minute)
		if calls := c.Bank.RefundCalls(); len(calls) != 1 || calls[0].Receipt.Mode != acquiring.FullPayment {
			t.Errorf("refunds %+v", calls)
		}
		c.Restart(t, ordertest.WithoutReceipts{Acquirer: c.Bank})
		c.HandOver(t, other)
		if got := c.WithPayment(t, other.ID).Payment.Closings; len(got) != 0 {
			t.Errorf("where no receipts are registered: %+v", got)
		}
		if n := c.Diary.Count("alert=true"); n != 0 {
			t.Errorf("%d alerts: the start has said so already", n)
		}
	})
}

// A customer cannot be erased while the closing receipt of their order is open. Afterwards they
// can, and the receipt stays in the books.
func TestForget_waitsForTheClosingReceipt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", 0)
		o, _ := c.MarkPaid(t, c.Place(t, v, c.TakeawayFromPhone(t, v, 1)))
		c.Move(t, o, order.Cooking, order.Done)
		forget := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				who := customer.Customer{ID: v.CustomerID, Phone: "79161234567"}
				return erase.Forget(t.Context(), tx, customer.Erased{Customer: who, Site: "sushi"}, phone.NewMarks([]byte("secret")))
			})
		}
		if err := forget(); fault.KeyOf(err) != "customer.receipt_running" {
			t.Errorf("got %v", err)
		}
		c.SweepEachMinute(t, time.Minute)
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		if got := c.Closing(t, o.ID); got.State != payment.ClosingDone || got.Sum.Amount != o.Prices.Total {
			t.Errorf("in the books stands %+v", got)
		}
	})
}
