package order_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/phone"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// bought gives an order that was paid online: a delivery of two dishes by a guest.
func (c *counter) bought(t *testing.T) (visit.Context, order.Order) {
	t.Helper()
	v := c.Visitor(t, "sushi")
	o, _ := c.paid(t, c.place(t, v, c.delivery(t, v, schedule.ASAP)))
	return v, o
}

func TestACanceledOrderThatWasPaidIsPaidBackOnce(t *testing.T) {
	t.Parallel()
	cancel := map[string]func(c *counter, v visit.Context, id int64) error{
		"by its customer": func(c *counter, v visit.Context, id int64) error {
			_, err := c.orders.Cancel(t.Context(), v, id)
			return err
		},
		"by the operator": func(c *counter, _ visit.Context, id int64) error {
			_, err := c.orders.SetState(t.Context(), id, order.Canceled, "", c.Clock.Now())
			return err
		},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, cancel := range cancel {
			c := newCounter(t, d)
			v := c.known(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
			before := c.balance(t, v)
			o, id := c.paid(t, c.place(t, v, c.pay(t, v, c.fetch(t, v, 1), money.Major(40))))
			for range 2 {
				if err := cancel(c, v, o.ID); err != nil {
					t.Fatal(name, err)
				}
			}
			if m := c.money(t, o.ID); m.State() != order.MoneyRefunding || len(m.Refunds) != 1 || m.Refunds[0].Cause != order.OnCancel ||
				m.Refunds[0].PaymentID != id || m.Refunds[0].Sum.Amount != o.Prices.Total {
				t.Errorf("%s: at first %s, %+v", name, m.State(), m.Refunds)
			}
			c.bank.want(t, 0) // nothing leaves the machine inside of a transaction
			c.pass(t, 2*time.Minute)
			c.bank.want(t, o.Prices.Total)
			m := c.money(t, o.ID)
			if m.State() != order.MoneyRefunded || m.Payments[0].Refunded != o.Prices.Total || !m.Order.IsRefunded() ||
				m.Refunds[0].State != order.RefundDone || m.Refunds[0].FinishedAt.IsZero() {
				t.Errorf("%s: at last %s, %+v", name, m.State(), m)
			}
			c.wantBalance(t, v, before)
		}
	})
}

func TestAnOrderIsPaidBackByLineToTheLastKopeck(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.move(t, o, order.Cooking, order.Sent, order.Done)
		line := func(key string, count int) order.RefundLine { return order.RefundLine{Key: key, Count: count} }
		parts := c.money(t, o.ID).Refundable()
		if len(parts) < 3 {
			t.Fatalf("too simple an order: %+v", parts)
		}
		c.giveBack(t, o.ID, "a", line(parts[0].Key, 1))
		c.giveBack(t, o.ID, "a", line(parts[0].Key, 1))
		if err := c.tryGiveBack(t, o.ID, "a", line(parts[1].Key, 1)); fault.KeyOf(err) != "order.refund_key_used" {
			t.Errorf("another refund with the same key: %v", err)
		}
		c.Clock.Advance(time.Second) // of two at one instant nobody knows which came first
		c.giveBack(t, o.ID, "b", line(parts[1].Key, 1))
		for want, l := range map[string]order.RefundLine{
			"order.refund_line_unknown": line("nothing", 1), "order.refund_line_over": line(parts[0].Key, parts[0].Count),
		} {
			if err := c.tryGiveBack(t, o.ID, "c", l); fault.KeyOf(err) != want {
				t.Errorf("%+v: %v, want %s", l, err, want)
			}
		}
		if err := c.tryGiveBack(t, o.ID, "c", line(parts[2].Key, 1), line(parts[2].Key, parts[2].Count)); fault.KeyOf(err) != "order.refund_line_over" {
			t.Errorf("a line twice: %v", err)
		}
		c.pass(t, 3*time.Minute)
		m := c.money(t, o.ID)
		if len(m.Refunds) != 2 || m.State() != order.MoneyPaid || m.Order.IsRefunded() {
			t.Fatalf("got %s, %+v", m.State(), m.Refunds)
		}
		if after := m.Refundable(); after[0].Refunded != 1 || after[0].Back != m.Refunds[0].Sum.Amount {
			t.Errorf("told as left %+v", after)
		}
		c.bank.want(t, m.Refunds[0].Sum.Amount.Add(m.Refunds[1].Sum.Amount))
		c.giveBack(t, o.ID, "rest")
		c.giveBack(t, o.ID, "rest")
		c.pass(t, 2*time.Minute)
		c.bank.want(t, o.Prices.Total)
		if err := c.tryGiveBack(t, o.ID, "d"); fault.KeyOf(err) != "order.nothing_to_refund" {
			t.Errorf("when all is given back: %v", err)
		}
		if m := c.money(t, o.ID); m.State() != order.MoneyRefunded || !m.Order.IsRefunded() {
			t.Errorf("at last %s", m.State())
		}
		for _, r := range c.bank.calls() {
			if r.Receipt.Total() != r.Sum.Amount || r.Receipt.Tax != acquiring.TaxGeneral || r.Customer.Email == "" || r.Description == "" {
				t.Errorf("asked for %s with %+v", r.Sum, r)
			}
		}
	})
}

func TestAWholeRefundUndoesTheBonusesOfADoneOrderAndAPartDoesNot(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		v := c.known(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := c.delivery(t, v, schedule.ASAP)
		r.Phone = "+79161230001"
		o, _ := c.paid(t, c.place(t, v, r))
		c.move(t, o, order.Cooking, order.Sent, order.Done)
		earned := c.balance(t, v)
		if earned <= money.Major(100) {
			t.Fatal("the order earned nothing")
		}
		c.giveBack(t, o.ID, "part", order.RefundLine{Key: o.Lines[0].Key, Count: 1})
		c.pass(t, 2*time.Minute)
		c.wantBalance(t, v, earned)
		c.giveBack(t, o.ID, "rest")
		c.wantBalance(t, v, earned) // it is not paid back yet
		c.pass(t, 2*time.Minute)
		c.wantBalance(t, v, money.Major(100))
		c.wantBalanced(t)
	})
}

func TestWhatIsNotKnownOfARefundIsAskedAgainUnderTheSameID(t *testing.T) {
	t.Parallel()
	type answer = func(acquiring.Refund) (acquiring.Refunded, error)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, says := range map[string]func(b *till) []answer{
			"not sent":        func(*till) []answer { return []answer{unsent, unsent, unsent} },
			"unknown":         func(*till) []answer { return []answer{unknown, unknown} },
			"on its way":      func(*till) []answer { return []answer{onItsWay, onItsWay, onItsWay} },
			"made, then lost": func(b *till) []answer { return []answer{b.thenLost, unknown, b.thenLost} },
		} {
			c := newCounter(t, d)
			_, o := c.bought(t)
			c.bank.says = says(c.bank)
			tries := len(c.bank.says) + 1
			c.giveBack(t, o.ID, "all")
			c.pass(t, 15*time.Minute)
			c.bank.want(t, o.Prices.Total)
			calls := c.bank.calls()
			if len(calls) != tries || slices.ContainsFunc(calls, func(r acquiring.Refund) bool { return r.ID != calls[0].ID || r.Before != 0 }) {
				t.Errorf("%s: asked %d times, want %d: %+v", name, len(calls), tries, calls)
			}
			if m := c.money(t, o.ID); len(m.Refunds) != 1 || m.Refunds[0].State != order.RefundDone {
				t.Errorf("%s: %+v", name, m.Refunds)
			}
		}
	})
}

func TestPausesBetweenCallsForARefundGrow(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		for range 100 {
			c.bank.says = append(c.bank.says, unknown)
		}
		c.giveBack(t, o.ID, "all")
		c.pass(t, 24*time.Hour)
		if n := len(c.bank.calls()); n < 40 || n > 60 {
			t.Errorf("asked %d times in a day", n)
		}
		if c.diary.count("a person has to look") == 0 {
			t.Error("nobody was told")
		}
		if m := c.money(t, o.ID); m.Refunds[0].State != order.RefundRunning {
			t.Errorf("it counts as %s", m.Refunds[0].State)
		}
		c.bank.says = nil
		c.pass(t, 31*time.Minute)
		c.bank.want(t, o.Prices.Total)
	})
}

func TestARefundThatFailedIsFollowedByAnotherUntilAPersonHasToLook(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		v, o := c.bought(t)
		for range 5 {
			c.bank.says = append(c.bank.says, refused)
		}
		if _, err := c.orders.Cancel(t.Context(), v, o.ID); err != nil {
			t.Fatal(err)
		}
		c.pass(t, time.Hour)
		m := c.money(t, o.ID)
		ids := map[acquiring.ID]bool{}
		for _, r := range c.bank.calls() {
			ids[r.ID] = true
		}
		failed := slices.IndexFunc(m.Refunds, func(r order.Refund) bool { return r.State != order.RefundFailed || r.Code != "no_funds" }) < 0
		if len(m.Refunds) != 5 || len(ids) != 5 || !failed {
			t.Errorf("asked under %d ids, in the books are %+v", len(ids), m.Refunds)
		}
		if n := c.diary.count("a person has to do it"); n != 1 {
			t.Errorf("a person was told %d times", n)
		}
		if m.State() != order.MoneyRefunding {
			t.Errorf("it counts as %s", m.State())
		}
		if said, ok := m.Message(func(sum acquiring.Sum) string { return sum.Amount.String() }); !ok || said.Key != "refund.stuck" {
			t.Errorf("the customer is told %+v", said)
		}
		c.bank.want(t, 0)
		c.giveBack(t, o.ID, "by hand") // what failed is left, and may be given back
		c.pass(t, 2*time.Minute)
		c.bank.want(t, o.Prices.Total)
	})
}

func TestARefundThatFailedOnceIsMade(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.bank.says = append(c.bank.says, refused)
		c.giveBack(t, o.ID, "all")
		c.giveBack(t, o.ID, "all")
		c.pass(t, 15*time.Minute)
		c.giveBack(t, o.ID, "all")
		c.bank.want(t, o.Prices.Total)
	})
}

func TestARefundWhoseProcessDiedIsMadeByAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		c.giveBack(t, o.ID, "all")
		refund := c.money(t, o.ID).Refunds[0].ID
		now := c.Clock.Now()
		took, err := order.TakeRefund(t.Context(), c.orders, refund) // and dies
		if err != nil || !took {
			t.Fatal(took, err)
		}
		c.orders = c.process(t, c.bank)
		c.pass(t, time.Minute)
		if len(c.bank.calls()) != 0 {
			t.Errorf("asked %s after, while the first may still be asking", c.Clock.Now().Sub(now))
		}
		c.pass(t, 2*time.Minute)
		c.bank.want(t, o.Prices.Total)
		if m := c.money(t, o.ID); m.Refunds[0].ID != refund || m.State() != order.MoneyRefunded {
			t.Errorf("got %+v", m.Refunds)
		}
	})
}

func TestOneRefundOfAPaymentIsMadeAtATime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		parts := c.money(t, o.ID).Refundable()
		for i, part := range parts {
			c.giveBack(t, o.ID, part.Key, order.RefundLine{Key: part.Key, Count: part.Count})
			if i == 0 {
				c.bank.says = append(c.bank.says, c.bank.thenLost, onItsWay, onItsWay)
			}
		}
		other := c.process(t, c.bank)
		for range 20 {
			now := c.Clock.Advance(time.Minute)
			var all sync.WaitGroup
			for _, s := range []*order.Service{c.orders, other, c.orders} {
				all.Go(func() {
					if err := s.Sweep(t.Context(), now); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		c.bank.want(t, o.Prices.Total)
		if m := c.money(t, o.ID); m.State() != order.MoneyRefunded || len(m.Refunds) != len(parts) {
			t.Errorf("got %+v", m.Refunds)
		}
	})
}

func TestTwoCallsAtOnceGiveNothingBackTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		v, o := c.bought(t)
		var all sync.WaitGroup
		for _, key := range []string{"a", "a", "b", "c", "d"} {
			all.Go(func() {
				if err := c.tryGiveBack(t, o.ID, key); err != nil && fault.KeyOf(err) != "order.nothing_to_refund" {
					t.Error(err)
				}
			})
		}
		all.Go(func() {
			if _, err := c.orders.Cancel(t.Context(), v, o.ID); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		c.pass(t, 2*time.Minute)
		c.bank.want(t, o.Prices.Total)
		if m := c.money(t, o.ID); len(m.Refunds) != 1 {
			t.Errorf("%d refunds", len(m.Refunds))
		}
	})
}

func TestAnOrderThatIsNotPaidHasNothingToRefund(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		v := c.Visitor(t, "sushi")
		o := c.place(t, v, c.takeaway(t, v, carttest.Arbat, schedule.ASAP))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE orders SET payment_type = 'sbp', state = 'waiting_for_payment' WHERE id = $1", o.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c.payment(t, o, order.Failed)
		if err := c.tryGiveBack(t, o.ID, "k"); fault.KeyOf(err) != "order.nothing_to_refund" {
			t.Errorf("got %v", err)
		}
		cash := c.Visitor(t, "sushi")
		paid := c.fetched(t, cash)
		if err := c.tryGiveBack(t, paid.ID, "k"); fault.KeyOf(err) != "order.not_refundable" {
			t.Errorf("an order that is paid on receipt and not done: %v", err)
		}
		c.move(t, paid, order.Cooking, order.Done)
		if err := c.tryGiveBack(t, paid.ID, "a", order.RefundLine{Key: paid.Lines[0].Key, Count: 1}); fault.KeyOf(err) != "order.refund_whole_only" {
			t.Errorf("a line of an order that was paid on receipt: %v", err)
		}
		if err := c.tryGiveBack(t, o.ID+1, "k"); !errors.Is(err, fault.New(fault.NotFound, "order.not_found")) {
			t.Errorf("an order that nobody has: %v", err)
		}
	})
}

func TestACustomerIsNotForgottenWhileHisMoneyIsOnItsWay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		v := c.known(t, c.Visitor(t, "sushi"), "79161234567", 0)
		o, id := c.paid(t, c.place(t, v, c.fetch(t, v, 1)))
		if _, err := c.orders.Cancel(t.Context(), v, o.ID); err != nil {
			t.Fatal(err)
		}
		forget := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				who := customer.Customer{ID: v.CustomerID, Phone: "79161234567"}
				return c.orders.Forget(t.Context(), tx, customer.Erased{Customer: who, Site: "sushi"}, phone.NewMarks([]byte("secret")))
			})
		}
		if err := forget(); fault.KeyOf(err) != "customer.refund_running" {
			t.Errorf("got %v", err)
		}
		c.pass(t, 2*time.Minute)
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		m := c.money(t, o.ID)
		if p := m.Payments[0]; p.Payer() != (acquiring.Customer{}) || p.ID != id || p.Ref == "" || p.Refunded != o.Prices.Total || p.Sum.Amount != o.Prices.Total {
			t.Errorf("in the books stands %+v", p)
		}
	})
}

func TestWhatSomebodyElseGaveBackIsToldAndChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		_, o := c.bought(t)
		p := c.money(t, o.ID).Payments[0]
		for i, strange := range []bool{false, true} {
			e := acquiring.Event{Ref: p.Ref, ID: p.ID, State: acquiring.Paid, Sum: p.Sum}
			if strange {
				e.Refunded = p.Sum.Amount
			}
			if err := order.Hear(t.Context(), c.orders, p.ID, e); err != nil {
				t.Fatal(err)
			}
			if n := c.diary.count("gave back more than we asked for"); n != i {
				t.Errorf("told %d times, want %d", n, i)
			}
		}
		if m := c.money(t, o.ID); m.State() != order.MoneyPaid || m.Refunded() != 0 {
			t.Errorf("it counts as %s", m.State())
		}
	})
}

func TestRefund_saysAllOrLines(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCounter(t, d)
		lines := []order.RefundLine{{Key: "delivery", Count: 1}}
		for _, wrong := range []order.RefundRequest{{Key: "k"}, {Key: "k", All: true, Lines: lines}} {
			if _, err := c.orders.Refund(t.Context(), 1, wrong, c.Clock.Now()); fault.KeyOf(err) != "order.refund_all_or_lines" {
				t.Errorf("all: %v, %d lines: %v", wrong.All, len(wrong.Lines), err)
			}
		}
		if _, err := c.orders.Refund(t.Context(), 1, order.RefundRequest{All: true}, c.Clock.Now()); fault.KeyOf(err) != "common.invalid" {
			t.Errorf("without a key: %v", err)
		}
	})
}
