package order_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/queue"
)

// till is an acquirer that gives money back as it is told to: once for each id, and never
// two refunds of a payment at a time.
type till struct {
	acquiring.Acquirer // nothing else is asked of it

	mu sync.Mutex
	// says are its next answers; without any it gives the money back.
	says []func(acquiring.Refund) (acquiring.Refunded, error)
	// hold, when set, is waited for inside of each call, which was told of on began.
	hold, began chan struct{}
	asked       []acquiring.Refund
	given       map[acquiring.ID]money.Amount
	// closes are its next answers to calls for closing receipts, closings the calls; a zero
	// answer says that it is busy. onClose, when set, is called with each.
	closes   []acquiring.Closed
	closings []acquiring.Closing
	onClose  func()
	busy     map[acquiring.ID]bool
	broken   []string
}

func (b *till) Receipts() acquiring.ReceiptSupport { return acquiring.WithClosing }

func (b *till) Refund(_ context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	b.mu.Lock()
	if b.busy[r.Of.ID] {
		b.broken = append(b.broken, "two calls for a payment at once")
	}
	if b.given == nil {
		b.given, b.busy = map[acquiring.ID]money.Amount{}, map[acquiring.ID]bool{}
	}
	b.busy[r.Of.ID] = true
	if err := r.Check("till"); err != nil {
		b.broken = append(b.broken, err.Error())
	}
	b.asked = append(b.asked, r)
	say := b.giveBack
	if len(b.says) > 0 {
		say, b.says = b.says[0], b.says[1:]
	}
	hold := b.hold
	b.mu.Unlock()
	if hold != nil {
		b.began <- struct{}{}
		<-hold
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy[r.Of.ID] = false
	return say(r)
}

// giveBack gives the money back, as an acquirer does that knows refunds by what was given
// back before.
func (b *till) giveBack(r acquiring.Refund) (acquiring.Refunded, error) {
	if _, again := b.given[r.ID]; !again {
		if b.total() != r.Before {
			b.broken = append(b.broken, fmt.Sprintf("%s given back, %s by the books", b.total(), r.Before))
		}
		b.given[r.ID] = r.Sum.Amount
	}
	return acquiring.Refunded{State: acquiring.RefundDone, Ref: "ref-" + string(r.ID)}, nil
}

// thenLost gives the money back, and its answer never comes.
func (b *till) thenLost(r acquiring.Refund) (acquiring.Refunded, error) {
	_, _ = b.giveBack(r)
	return acquiring.Refunded{}, &acquiring.Error{Acquirer: "till", Op: "refund", Kind: acquiring.Lost}
}

func unsent(acquiring.Refund) (acquiring.Refunded, error) {
	return acquiring.Refunded{}, &acquiring.Error{Acquirer: "till", Op: "refund", Kind: acquiring.Unsent}
}

func unknown(acquiring.Refund) (acquiring.Refunded, error) { return acquiring.Refunded{}, nil }

func onItsWay(r acquiring.Refund) (acquiring.Refunded, error) {
	return acquiring.Refunded{State: acquiring.RefundPending, Ref: "ref-" + string(r.ID)}, nil
}

func refused(acquiring.Refund) (acquiring.Refunded, error) {
	return acquiring.Refunded{State: acquiring.RefundFailed, Code: "no_funds"}, nil
}

func (b *till) total() money.Amount {
	var sum money.Amount
	for _, part := range b.given {
		sum = sum.Add(part)
	}
	return sum
}

func (b *till) calls() []acquiring.Refund {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]acquiring.Refund(nil), b.asked...)
}

// want wants so much to be given back by now.
func (b *till) want(t *testing.T, sum money.Amount) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.total() != sum {
		t.Errorf("%s given back, want %s", b.total(), sum)
	}
	for _, what := range b.broken {
		t.Error(what)
	}
}

// diary keeps what is logged.
type diary struct {
	mu   sync.Mutex
	text strings.Builder
}

func (d *diary) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(p)
}

func (d *diary) count(what string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Count(d.text.String(), what)
}

// counter is a shop whose orders are paid online at a till.
type counter struct {
	*house

	bank  *till
	diary *diary
}

func newCounter(t *testing.T, d *db.DB) *counter {
	t.Helper()
	c := &counter{house: newShop(t, d), bank: &till{}, diary: &diary{}}
	c.orders = c.process(t, c.bank)
	return c
}

// process gives another process on the same database.
func (c *counter) process(t *testing.T, a acquiring.Acquirer) *order.Service {
	t.Helper()
	q, err := queue.New(c.DB, queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	accounts := acquiring.Accounts{}
	if a != nil {
		accounts["sushi"] = map[string]acquiring.Acquirer{"till": a}
	}
	return order.New(c.DB, c.carts, c.addresses, q, c.Clock, order.Options{
		Accounts: accounts, Log: slog.New(slog.NewTextHandler(c.diary, nil)),
	})
}

const asked = `{"language":"en","receipt_language":"ru","phone":"79161234567","email":"anna@example.org","name":"Anna",` +
	`"fiscal":{"vat":"10","delivery_vat":"20","tax":"general"}}`

// paid makes the order one that was paid online. It gives the order and its payment.
func (c *counter) paid(t *testing.T, o order.Order) (order.Order, acquiring.ID) {
	t.Helper()
	id := c.payment(t, o, "paid")
	err := c.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE orders SET payment_type = 'card_online', paid_by = $1 WHERE id = $2", string(id), o.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o.PaymentType, o.PaidBy = "card_online", id
	return o, id
}

// payment writes a try to pay the order down.
func (c *counter) payment(t *testing.T, o order.Order, state order.PaymentState) acquiring.ID {
	t.Helper()
	var n int
	err := c.DB.InTx(t.Context(), func(tx *db.Tx) error {
		if err := tx.SQL.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM payment").Scan(&n); err != nil {
			return err
		}
		_, err := tx.SQL.ExecContext(t.Context(), `INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref,
			reason, code, refunded, asked, next, proof, call_key, started_at, deadline, checks, finished_at)
			VALUES ($1, $2, 'sushi', 'till', 'card_online', $3, 'RUB', $4, $5, '', '', 0, $6, $7, '', '', $8, $8, 0, $8)`,
			fmt.Sprintf("payment-%d", n), o.ID, int64(o.Prices.Total), string(state), fmt.Sprintf("ref-%d", n), []byte(asked), []byte("{}"), c.Clock.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return acquiring.ID(fmt.Sprintf("payment-%d", n))
}

// pass lets time pass, with the sweep of each minute.
func (c *counter) pass(t *testing.T, d time.Duration) {
	t.Helper()
	for range d / time.Minute {
		c.Clock.Advance(time.Minute)
		c.sweep(t)
	}
}

func (c *counter) sweep(t *testing.T) {
	t.Helper()
	if err := c.orders.Sweep(t.Context(), c.Clock.Now()); err != nil {
		t.Fatal(err)
	}
}

// money gives how the paying of the order stands.
func (c *counter) money(t *testing.T, id int64) order.Money {
	t.Helper()
	m, err := c.orders.MoneyOf(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wholeOrder refunds all that is left of an order.
var wholeOrder = order.RefundRequest{Key: "whole", All: true}

// giveBack is the operator's call.
func (c *counter) giveBack(t *testing.T, id int64, key string, lines ...order.RefundLine) {
	t.Helper()
	if err := c.tryGiveBack(t, id, key, lines...); err != nil {
		t.Fatal(err)
	}
}

func (c *counter) tryGiveBack(t *testing.T, id int64, key string, lines ...order.RefundLine) error {
	t.Helper()
	_, err := c.orders.Refund(t.Context(), id, order.RefundRequest{Key: key, Reason: "cold", All: len(lines) == 0, Lines: lines}, c.Clock.Now())
	return err
}
