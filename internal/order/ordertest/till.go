package ordertest

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
	"servery/internal/order/audittest"
	"servery/internal/order/orders"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// Till is an acquirer that refunds as the test sets, once for each id. It records each breach of the
// rules of acquirers, such as two refunds of a payment at a time.
type Till struct {
	acquiring.Acquirer // nil: no other method is called

	Mu sync.Mutex
	// Answers are the next answers to calls for refunds. Without any the till refunds.
	Answers []func(acquiring.Refund) (acquiring.Refunded, error)
	// When Hold is set, each call for a refund sends on Began and then waits for Hold.
	Hold, Began chan struct{}
	Requested   []acquiring.Refund
	Returned    map[acquiring.ID]money.Amount
	// ClosingAnswers are the next answers to calls for closing receipts; a zero answer says that the
	// till is busy. Closings are the calls. OnClose, when set, is called in each.
	ClosingAnswers []acquiring.Closed
	Closings       []acquiring.Closing
	OnClose        func()
	Busy           map[acquiring.ID]bool
	Breaches       []string
}

// ReceiptSupport returns WithClosing: the till registers receipts and closes them.
func (b *Till) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithClosing }

// RefundPayment returns the next of Answers, or refunds when there is none. When Hold is set, it
// reports the call on Began and waits for Hold. It records a breach when another call for the
// payment is under way or the request is not valid.
func (b *Till) RefundPayment(_ context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	b.Mu.Lock()
	if b.Busy[r.Of.ID] {
		b.Breaches = append(b.Breaches, "two calls for a payment at once")
	}
	if b.Returned == nil {
		b.Returned, b.Busy = map[acquiring.ID]money.Amount{}, map[acquiring.ID]bool{}
	}
	b.Busy[r.Of.ID] = true
	if err := r.Check("till"); err != nil {
		b.Breaches = append(b.Breaches, err.Error())
	}
	b.Requested = append(b.Requested, r)
	answer := b.RefundOnce
	if len(b.Answers) > 0 {
		answer, b.Answers = b.Answers[0], b.Answers[1:]
	}
	hold := b.Hold
	b.Mu.Unlock()
	if hold != nil {
		b.Began <- struct{}{}
		<-hold
	}
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Busy[r.Of.ID] = false
	return answer(r)
}

// RefundOnce refunds once under an id and returns that the refund is done. It records a breach
// when Before of the request is not what was refunded so far: some acquirers know a refund only
// by that sum. The caller must hold b.Mu.
func (b *Till) RefundOnce(r acquiring.Refund) (acquiring.Refunded, error) {
	if _, isRepeated := b.Returned[r.ID]; !isRepeated {
		if b.TotalRefunded() != r.Before {
			b.Breaches = append(b.Breaches, fmt.Sprintf("%s refunded, %s by the books", b.TotalRefunded(), r.Before))
		}
		b.Returned[r.ID] = r.Sum.Amount
	}
	return acquiring.Refunded{State: acquiring.RefundDone, Ref: "ref-" + string(r.ID)}, nil
}

// RefundAndLoseAnswer refunds once under an id, and returns an error of the kind Lost. The caller must
// hold b.Mu.
func (b *Till) RefundAndLoseAnswer(r acquiring.Refund) (acquiring.Refunded, error) {
	_, _ = b.RefundOnce(r) // the lost answer
	return acquiring.Refunded{}, &acquiring.Error{Acquirer: "till", Op: "refund", Kind: acquiring.Lost}
}

// RefundUnsent returns an error of the kind Unsent: the call never reached the acquirer.
func RefundUnsent(acquiring.Refund) (acquiring.Refunded, error) {
	return acquiring.Refunded{}, &acquiring.Error{Acquirer: "till", Op: "refund", Kind: acquiring.Unsent}
}

// RefundUnknown returns an answer without a state: the outcome is unknown.
func RefundUnknown(acquiring.Refund) (acquiring.Refunded, error) { return acquiring.Refunded{}, nil }

// RefundPending returns that the refund is pending.
func RefundPending(r acquiring.Refund) (acquiring.Refunded, error) {
	return acquiring.Refunded{State: acquiring.RefundPending, Ref: "ref-" + string(r.ID)}, nil
}

// RefundRefused returns that the refund has failed with the code no_funds.
func RefundRefused(acquiring.Refund) (acquiring.Refunded, error) {
	return acquiring.Refunded{State: acquiring.RefundFailed, Code: "no_funds"}, nil
}

// TotalRefunded returns the sum of all refunds. The caller must hold b.Mu.
func (b *Till) TotalRefunded() money.Amount {
	var sum money.Amount
	for _, part := range b.Returned {
		sum = sum.Add(part)
	}
	return sum
}

// RefundCalls returns the requests of all calls for refunds so far.
func (b *Till) RefundCalls() []acquiring.Refund {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return append([]acquiring.Refund(nil), b.Requested...)
}

// WantRefunded fails the test unless sum was refunded in all, and for each breach of the rules
// of acquirers.
func (b *Till) WantRefunded(t *testing.T, sum money.Amount) {
	t.Helper()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.TotalRefunded() != sum {
		t.Errorf("%s refunded, want %s", b.TotalRefunded(), sum)
	}
	for _, breach := range b.Breaches {
		t.Error(breach)
	}
}

// Diary records what is logged.
type Diary struct {
	Mu   sync.Mutex
	Text strings.Builder
}

// Write appends p to the log. It never fails.
func (d *Diary) Write(p []byte) (int, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Text.Write(p)
}

// Count returns how often the text occurs in what was logged.
func (d *Diary) Count(text string) int {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return strings.Count(d.Text.String(), text)
}

// Counter is a brand with offers whose online payments are refunded by a till.
type Counter struct {
	*Restaurant

	Bank  *Till
	Diary *Diary
}

// NewCounter returns a counter on the database, with a till and a log that the test can read.
func NewCounter(t *testing.T, d *db.DB) *Counter {
	t.Helper()
	c := &Counter{Restaurant: NewWithOffers(t, d), Bank: &Till{}, Diary: &Diary{}}
	c.Restart(t, c.Bank)
	return c
}

// Restart replaces the services by those of a new process on the same database, whose acquirer
// is a, none when it is nil.
func (c *Counter) Restart(t *testing.T, a acquiring.Acquirer) {
	t.Helper()
	accounts := acquiring.Accounts{}
	if a != nil {
		accounts["sushi"] = map[string]acquiring.Acquirer{"till": a}
	}
	c.StartProcess(t, orders.Options{}, payments.Options{Accounts: accounts, Log: slog.New(slog.NewTextHandler(c.Diary, nil))})
}

// Requested is the stored request of a payment attempt, with a receipt.
const Requested = `{"language":"en","receipt_language":"ru","phone":"79161234567","email":"anna@example.org","name":"Anna",` +
	`"fiscal":{"vat":"10","delivery_vat":"20","tax":"general"}}`

// MarkPaid stores that the order was paid online, with a paid attempt. It returns the order and
// the id of the attempt.
func (c *Counter) MarkPaid(t *testing.T, o order.Order) (order.Order, acquiring.ID) {
	t.Helper()
	id := c.AddAttempt(t, o, "paid")
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

// AddAttempt stores a payment attempt of the order in the state, over its total, and returns the
// id.
func (c *Counter) AddAttempt(t *testing.T, o order.Order, state payment.AttemptState) acquiring.ID {
	t.Helper()
	var n int
	err := c.DB.InTx(t.Context(), func(tx *db.Tx) error {
		if err := tx.SQL.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM payment").Scan(&n); err != nil {
			return err
		}
		_, err := tx.SQL.ExecContext(t.Context(), `INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref,
			reason, code, refunded, asked, next, proof, call_key, started_at, deadline, checks, finished_at)
			VALUES ($1, $2, 'sushi', 'till', 'card_online', $3, 'RUB', $4, $5, '', '', 0, $6, $7, '', '', $8, $8, 0, $8)`,
			fmt.Sprintf("payment-%d", n), o.ID, int64(o.Prices.Total), string(state), fmt.Sprintf("ref-%d", n), []byte(Requested), []byte("{}"), c.Clock.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return acquiring.ID(fmt.Sprintf("payment-%d", n))
}

// SweepEachMinute advances the clock by d, with a sweep each minute.
func (c *Counter) SweepEachMinute(t *testing.T, d time.Duration) {
	t.Helper()
	for range d / time.Minute {
		c.Clock.Advance(time.Minute)
		c.Sweep(t)
	}
}

// Sweep calls the sweep of the orders once. An error ends the test.
func (c *Counter) Sweep(t *testing.T) {
	t.Helper()
	if err := c.Orders.Sweep(t.Context(), c.Clock.Now()); err != nil {
		t.Fatal(err)
	}
}

// WithPayment returns the order with what happened to its payment.
func (c *Counter) WithPayment(t *testing.T, id int64) order.WithPayment {
	t.Helper()
	m, err := c.Orders.FindWithPayment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// CheckBooks fails the test with each breach of a rule that the audit finds. No refund may be on its way.
// It ignores that orders of [Counter.MarkPaid] have not waited for their payment.
func (c *Counter) CheckBooks(t *testing.T) {
	t.Helper()
	breaches, err := audittest.Breaches(t.Context(), c.DB, audittest.Books{Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breaches {
		if !strings.Contains(b, "begins in accepted, not in waiting_for_payment") {
			t.Error(b)
		}
	}
}

// WholeOrder refunds all that is left of an order.
var WholeOrder = payment.RefundRequest{Key: "whole", All: true}

// RefundLines refunds lines of an order on the operator's behalf under a key, the whole order
// when no lines are given. An error ends the test.
func (c *Counter) RefundLines(t *testing.T, id int64, key string, lines ...payment.RefundLine) {
	t.Helper()
	if err := c.TryRefundLines(t, id, key, lines...); err != nil {
		t.Fatal(err)
	}
}

// TryRefundLines refunds lines of an order on the operator's behalf under a key, the whole order
// when no lines are given, and returns the error.
func (c *Counter) TryRefundLines(t *testing.T, id int64, key string, lines ...payment.RefundLine) error {
	t.Helper()
	_, err := c.Orders.Refund(t.Context(), id, payment.RefundRequest{Key: key, Reason: "cold", All: len(lines) == 0, Lines: lines}, c.Clock.Now())
	return err
}

// CloseReceipt records the call and calls OnClose. It returns the next of ClosingAnswers, that
// the receipt is closed when there is none, and an error of the kind Busy for a zero answer. It
// records a breach when the request is not valid.
func (b *Till) CloseReceipt(_ context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if err := c.Check("till"); err != nil {
		b.Breaches = append(b.Breaches, err.Error())
	}
	b.Closings = append(b.Closings, c)
	if b.OnClose != nil {
		b.OnClose()
	}
	if len(b.ClosingAnswers) == 0 {
		return acquiring.Closed{State: acquiring.ClosingDone, Ref: "rt-" + string(c.ID)}, nil
	}
	answer := b.ClosingAnswers[0]
	b.ClosingAnswers = b.ClosingAnswers[1:]
	if answer.State == acquiring.ClosingUnknown {
		return acquiring.Closed{}, &acquiring.Error{Acquirer: "till", Op: "close", Kind: acquiring.Busy}
	}
	return answer, nil
}

// ClosingCalls returns the requests of all calls for closing receipts so far.
func (b *Till) ClosingCalls() []acquiring.Closing {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return append([]acquiring.Closing(nil), b.Closings...)
}

// WithoutClosing is an acquirer that registers receipts, but closes none.
type WithoutClosing struct{ acquiring.Acquirer }

// ReceiptSupport returns that receipts are not closed.
func (WithoutClosing) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithoutClosing }

// WithoutReceipts is an acquirer that registers no receipts.
type WithoutReceipts struct{ acquiring.Acquirer }

// ReceiptSupport returns that the acquirer registers none.
func (WithoutReceipts) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.NoReceipts }

// HandOver moves an accepted order for delivery through all states until it is done.
func (c *Counter) HandOver(t *testing.T, o order.Order) {
	t.Helper()
	c.Move(t, o, order.Cooking, order.Sent, order.Done)
}

// SetRequest replaces the stored request of each payment attempt of an order by the JSON text.
func (c *Counter) SetRequest(t *testing.T, id int64, request string) {
	t.Helper()
	err := c.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE payment SET asked = $1 WHERE order_id = $2", []byte(request), id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Closing returns the closing receipt of an order, of which there must be exactly one.
func (c *Counter) Closing(t *testing.T, id int64) payment.ClosingReceipt {
	t.Helper()
	receipts := c.WithPayment(t, id).Payment.Closings
	if len(receipts) != 1 {
		t.Fatalf("%d closing receipts: %+v", len(receipts), receipts)
	}
	return receipts[0]
}

// LinesOf returns the sum of the lines of a receipt by their name.
func LinesOf(r acquiring.Receipt) map[string]money.Amount {
	lines := map[string]money.Amount{}
	for _, l := range r.Lines {
		lines[l.Name] = lines[l.Name].Add(l.Total())
	}
	return lines
}

// SweepEachSecond advances the clock by n seconds, with a sweep each second.
func (c *Counter) SweepEachSecond(t *testing.T, n int) {
	t.Helper()
	for range n {
		c.Clock.Advance(time.Second)
		c.Sweep(t)
	}
}

// PlacePaid returns a new guest and their order that was paid online: a delivery of two dishes.
func (c *Counter) PlacePaid(t *testing.T) (visit.Context, order.Order) {
	t.Helper()
	v := c.Visitor(t, "sushi")
	o, _ := c.MarkPaid(t, c.Place(t, v, c.Delivery(t, v, schedule.ASAP)))
	return v, o
}
