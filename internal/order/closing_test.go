package order_test

import (
	"context"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/acquiring"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/phone"
	"servery/internal/queue"
)

func TestClosingReceipt_followsWhenAPrepaidOrderIsHandedOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.move(t, o, order.Cooking, order.Sent)
		c.pass(t, 2*time.Minute)
		if calls := c.bank.closed(); len(calls) != 0 || len(c.money(t, o.ID).Closings) != 0 {
			t.Fatalf("before it is handed over: %+v", calls)
		}
		c.move(t, o, order.Done)
		if got := c.closing(t, o.ID); got.State != order.ClosingWaiting || len(c.bank.closed()) != 0 {
			t.Errorf("nothing leaves the machine inside of a transaction: %+v", got)
		}
		c.pass(t, 3*time.Minute)
		calls := c.bank.closed()
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		m := c.money(t, o.ID)
		p := m.Payments[0]
		call := calls[0]
		if call.Receipt.Mode != acquiring.FullPayment || call.Sum != p.Sum || call.Receipt.Total() != o.Prices.Total || call.Of != p.Lookup() ||
			call.Receipt.Email != "anna@example.org" || call.Receipt.Tax != acquiring.TaxGeneral || call.Repeated || call.ID == p.ID {
			t.Errorf("asked for %+v", call)
		}
		if got := c.closing(t, o.ID); got.State != order.ClosingDone || got.Ref != "rt-"+string(call.ID) || got.Sum != p.Sum || got.FinishedAt.IsZero() {
			t.Errorf("at last %+v", got)
		}
		c.bank.want(t, 0)
	})
}

func TestClosingReceipt_isNotNeeded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		for name, told := range map[string]string{
			"where receipts say full payment": strings.Replace(asked, `"vat":"10"`, `"mode":"full_payment","vat":"10"`, 1),
			"where none are sent":             `{"language":"en","phone":"79161234567"}`,
			"where nobody is to be sent it":   `{"language":"en","fiscal":{"vat":"10","delivery_vat":"20"}}`,
		} {
			_, o := c.bought(t)
			c.say(t, o.ID, told)
			c.handOver(t, o)
			if got := c.money(t, o.ID).Closings; len(got) != 0 {
				t.Errorf("%s: %+v", name, got)
			}
		}
		v := c.Visitor(t, "sushi")
		cash := c.place(t, v, c.fetch(t, v, 1))
		c.move(t, cash, order.Cooking, order.Done)
		canceled, o := c.bought(t)
		if _, err := c.orders.Cancel(t.Context(), canceled, o.ID); err != nil {
			t.Fatal(err)
		}
		c.pass(t, 2*time.Minute)
		if calls := c.bank.closed(); len(calls) != 0 {
			t.Errorf("asked for %+v", calls)
		}
	})
}

func TestClosingReceipt_leavesOutWhatWasGivenBackBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		parts := c.money(t, o.ID).Refundable()
		c.giveBack(t, o.ID, "before", order.RefundLine{Key: parts[0].Key, Count: 1})
		c.pass(t, time.Minute)
		c.bank.says = []func(acquiring.Refund) (acquiring.Refunded, error){onItsWay, onItsWay}
		c.giveBack(t, o.ID, "on its way", order.RefundLine{Key: parts[1].Key, Count: 1})
		c.handOver(t, o)
		c.sweep(t)
		if got := c.closing(t, o.ID); got.State != order.ClosingWaiting {
			t.Errorf("while a refund is on its way: %+v", got)
		}
		c.giveBack(t, o.ID, "after, before the acquirer was asked", order.RefundLine{Key: parts[2].Key, Count: 1})
		c.pass(t, 10*time.Minute)
		m := c.money(t, o.ID)
		rest := o.Prices.Total
		prepaid, handedOver := linesOf(order.ReceiptOf(m.Payments[0], o)), map[string]int{}
		for _, r := range c.bank.calls() {
			handedOver[r.Receipt.Mode.String()]++
		}
		for _, r := range m.Refunds {
			rest = rest.Sub(r.Sum.Amount)
			for name, amount := range linesOf(order.RefundReceiptOf(m.Payments[0], o, r)) {
				if prepaid[name] = prepaid[name].Sub(amount); prepaid[name] == 0 {
					delete(prepaid, name)
				}
			}
		}
		if len(m.Refunds) != 3 || handedOver["full_payment"] != 0 {
			t.Fatalf("refunds %+v, receipts %v", m.Refunds, handedOver)
		}
		calls := c.bank.closed()
		if len(calls) != 1 || calls[0].Sum.Amount != rest || !maps.Equal(linesOf(calls[0].Receipt), prepaid) {
			t.Errorf("closed %+v, want %s: %v", calls, rest, prepaid)
		}
		if got := c.closing(t, o.ID); got.State != order.ClosingDone || got.Sum.Amount != rest {
			t.Errorf("at last %+v", got)
		}
	})
}

func TestClosingReceipt_isNotNeededOnceAllIsGivenBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.handOver(t, o)
		c.giveBack(t, o.ID, "all")
		c.pass(t, 4*time.Minute)
		if got := c.closing(t, o.ID); got.State != order.ClosingNotNeeded || len(c.bank.closed()) != 0 {
			t.Errorf("got %+v", got)
		}
		if calls := c.bank.calls(); len(calls) != 1 || calls[0].Receipt.Mode != acquiring.FullPrepayment {
			t.Errorf("refunds %+v", calls)
		}
	})
}

func TestRefundAfterTheClosingReceiptSaysFullPayment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		parts := c.money(t, o.ID).Refundable()
		c.giveBack(t, o.ID, "before", order.RefundLine{Key: parts[0].Key, Count: 1})
		c.pass(t, time.Minute)
		c.handOver(t, o)
		c.pass(t, 2*time.Minute)
		c.bank.says = []func(acquiring.Refund) (acquiring.Refunded, error){refused} // the next one has the same receipt
		c.giveBack(t, o.ID, "after", order.RefundLine{Key: parts[1].Key, Count: 1})
		c.pass(t, 3*time.Minute)
		c.giveBack(t, o.ID, "the rest")
		c.pass(t, 3*time.Minute)
		var modes []string
		for _, r := range c.bank.calls() {
			modes = append(modes, r.Receipt.Mode.String())
		}
		if got := strings.Join(modes, " "); got != "full_prepayment full_payment full_payment full_payment" {
			t.Errorf("receipts of refunds: %s", got)
		}
		c.bank.want(t, o.Prices.Total)
	})
}

func TestRefundSaysFullPaymentWhereThePaymentDid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.say(t, o.ID, strings.Replace(asked, `"vat":"10"`, `"mode":"full_payment","prepayment_vat":"calculated","vat":"10"`, 1))
		c.giveBack(t, o.ID, "all")
		c.pass(t, 2*time.Minute)
		calls := c.bank.calls()
		if len(calls) != 1 || calls[0].Receipt.Mode != acquiring.FullPayment || calls[0].Receipt.Lines[0].VAT != acquiring.VAT10 {
			t.Errorf("asked for %+v", calls)
		}
	})
}

func TestClosingReceipt_isAskedForAgainUntilItIsCertain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.bank.closes = []acquiring.Closed{{}, {}, {State: acquiring.ClosingPending, Ref: "rt-7"}, {State: acquiring.ClosingPending, Ref: "rt-7"}, {State: acquiring.ClosingDone, Ref: "rt-7"}}
		c.handOver(t, o)
		c.seconds(t, 1)
		if got := c.closing(t, o.ID); got.State != order.ClosingRunning || len(c.bank.closed()) != 1 {
			t.Errorf("at first %+v", got)
		}
		c.seconds(t, 3)
		if len(c.bank.closed()) != 1 {
			t.Error("asked again before it is due")
		}
		c.seconds(t, 2)
		if len(c.bank.closed()) != 2 {
			t.Error("not asked again after five seconds")
		}
		c.pass(t, 3*time.Hour)
		calls := c.bank.closed()
		if len(calls) != 5 {
			t.Fatalf("%d calls", len(calls))
		}
		for i, call := range calls {
			if call.ID != calls[0].ID || call.Repeated != (i > 0) || (call.Ref == "rt-7") != (i > 2) {
				t.Errorf("call %d: %+v", i, call)
			}
		}
		if got := c.closing(t, o.ID); got.State != order.ClosingDone || got.Ref != "rt-7" {
			t.Errorf("at last %+v", got)
		}
	})
}

func TestClosingReceipt_isAskedForByOneProcessAtATimeAndSurvivesItsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.handOver(t, o)
		payment := c.money(t, o.ID).Payments[0].ID
		if taken, err := order.TakeClosing(t.Context(), c.orders, payment); err != nil || !taken {
			t.Fatalf("taken %t, %v", taken, err)
		}
		// That process died before it asked, and the time of its lease is over.
		c.sweep(t)
		if n := len(c.bank.closed()); n != 0 {
			t.Errorf("%d calls while another has it", n)
		}
		c.Clock.Advance(3 * time.Minute)
		other := c.process(t, c.bank)
		var all sync.WaitGroup
		for _, s := range []*order.Service{c.orders, other, c.orders, other} {
			all.Go(func() {
				if err := s.Sweep(t.Context(), c.Clock.Now()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if calls := c.bank.closed(); len(calls) != 1 || !calls[0].Repeated {
			t.Errorf("calls %+v", calls)
		}
	})
}

func TestClosingReceipt_hasAJobThatAsksForIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		asked := make(chan struct{}, 8)
		c.bank.onClose = func() { asked <- struct{}{} }
		q, err := queue.New(d, queue.Options{Poll: 10 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		c.orders = order.New(d, c.carts, c.addresses, q, c.Clock, order.Options{Accounts: acquiring.Accounts{"sushi": {"till": c.bank}}})
		_, o := c.bought(t)
		c.handOver(t, o)
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

func TestClosingReceipt_thatFailsAlertsAPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, says := range map[string][]acquiring.Closed{
			"refused": {{State: acquiring.ClosingFailed, Code: "receipt.items"}},
			"pending": {{State: acquiring.ClosingPending, Ref: "rt-1"}},
		} {
			c := newCounter(t, d)
			_, o := c.bought(t)
			c.bank.closes = says
			want := "receipt.items"
			if name == "pending" {
				want = "pending_too_long"
				for range 80 {
					c.bank.closes = append(c.bank.closes, says[0])
				}
			}
			c.handOver(t, o)
			for range 74 {
				c.sweep(t)
				c.Clock.Advance(time.Hour)
			}
			calls := len(c.bank.closed())
			if got := c.closing(t, o.ID); got.State != order.ClosingFailed || got.Code != want || got.FinishedAt.IsZero() {
				t.Errorf("%s: %+v", name, got)
			}
			c.pass(t, 2*time.Minute)
			if len(c.bank.closed()) != calls {
				t.Errorf("%s: asked again after it failed", name)
			}
			if n := c.diary.count("a closing receipt was not registered: a person has to make it\" alert=true kind=closing_receipt_failed"); n != 1 {
				t.Errorf("%s: logged %d times", name, n)
			}
			if n, _ := measure(c.orders, "servery_closing_receipts_total", "failed"); n != 1 {
				t.Errorf("%s: counted %d times", name, n)
			}
			if n, _ := measure(c.orders, "servery_order_alerts_total", "closing_receipt_failed"); n != 1 {
				t.Errorf("%s: %d alerts", name, n)
			}
		}
	})
}

// measure returns a measure that has a label of that value; false when there is none.
func measure(s *order.Service, name, label string) (int, bool) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		return 0, false
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, l := range m.GetLabel() {
				if family.GetName() == name && l.GetValue() == label {
					return int(m.GetCounter().GetValue()), true
				}
			}
		}
	}
	return 0, false
}

func TestClosingReceipt_withoutAnAnswerAlertsAPersonAndGoesOn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.orders = c.process(t, nil)
		c.handOver(t, o)
		for range 40 {
			c.sweep(t)
			c.Clock.Advance(time.Hour)
		}
		if got := c.closing(t, o.ID); got.State != order.ClosingRunning || got.Code != "account" {
			t.Errorf("without its account: %+v", got)
		}
		if n := c.diary.count("a closing receipt is not certain after many calls: a person has to look\" alert=true"); n != 2 {
			t.Errorf("alerted %d times in forty hours", n)
		}
		c.orders = c.process(t, c.bank)
		c.pass(t, time.Minute)
		if got := c.closing(t, o.ID); got.State != order.ClosingDone || got.Code != "" {
			t.Errorf("with it again: %+v", got)
		}
	})
}

func TestClosingReceipt_isSomebodyElsesWhereTheAcquirerRegistersNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		_, other := c.bought(t)
		c.orders = c.process(t, withoutClosing{c.bank})
		c.handOver(t, o)
		c.pass(t, 2*time.Minute)
		if got := c.closing(t, o.ID); got.State != order.ClosingManual || got.Sum.Amount != o.Prices.Total {
			t.Errorf("got %+v", got)
		}
		c.giveBack(t, o.ID, "all")
		c.pass(t, 2*time.Minute)
		if calls := c.bank.calls(); len(calls) != 1 || calls[0].Receipt.Mode != acquiring.FullPayment {
			t.Errorf("refunds %+v", calls)
		}
		c.orders = c.process(t, withoutReceipts{c.bank})
		c.handOver(t, other)
		if got := c.money(t, other.ID).Closings; len(got) != 0 {
			t.Errorf("where no receipts are registered: %+v", got)
		}
		if n := c.diary.count("alert=true"); n != 0 {
			t.Errorf("%d alerts: the start has said so already", n)
		}
	})
}

func TestForgetWaitsForTheClosingReceipt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		v := c.known(t, c.Visitor(t, "sushi"), "79161234567", 0)
		o, _ := c.paid(t, c.place(t, v, c.fetch(t, v, 1)))
		c.move(t, o, order.Cooking, order.Done)
		forget := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				who := customer.Customer{ID: v.CustomerID, Phone: "79161234567"}
				return c.orders.Forget(t.Context(), tx, customer.Erased{Customer: who, Site: "sushi"}, phone.NewMarks([]byte("secret")))
			})
		}
		if err := forget(); fault.KeyOf(err) != "customer.receipt_running" {
			t.Errorf("got %v", err)
		}
		c.pass(t, time.Minute)
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		if got := c.closing(t, o.ID); got.State != order.ClosingDone || got.Sum.Amount != o.Prices.Total {
			t.Errorf("in the books stands %+v", got)
		}
	})
}

func TestAlertsAreCountedFromZero(t *testing.T) {
	t.Parallel()
	c := newCounter(t, dbtest.Open(t, db.SQLite))
	for _, kind := range []string{"refund_failed", "refund_unknown", "foreign_refund", "other_sum", "payment_unknown", "closing_receipt_unknown", "account_gone"} {
		if n, ok := measure(c.orders, "servery_order_alerts_total", kind); n != 0 || !ok {
			t.Errorf("%s is %d, counted: %t", kind, n, ok)
		}
	}
}
