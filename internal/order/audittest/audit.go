// Package audittest audits a database, and the bank's books, for what must never be, whatever
// failed before: two orders for one key, money without an order or an order without its money, a
// count over its limit, a reservation without a holder, a ledger that lost a kopeck. Tests call it
// once nothing changes any more.
//
// The rules are numbered as the invariants of the product. I11 is not here, because only the
// sender of a message knows whether it arrived, nor is I14, which has tests of its own.
package audittest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/order/orders"
)

// Books are what is known outside of the database.
type Books struct {
	// Now is the time that deadlines are held against; the zero value leaves them out.
	Now time.Time
	// PayWithin is how long an order may wait for its payment; orders.HoldFor when zero.
	PayWithin time.Duration
	// Confirmed are the orders that customers saw confirmed.
	Confirmed []Confirmed
	// Bank are all payments in the bank's own books. Nil leaves the bank out.
	Bank []Charge
	// Settled says that enough time has passed: no refund is open any more, and no payment is
	// waited for.
	Settled bool
}

// Confirmed is an order as its customer saw it confirmed. A field with its zero value is not compared.
type Confirmed struct {
	// Key is that of the checkout.
	Key         string
	ID          int64
	Total       money.Amount
	PaymentType string
	Phone       string // digits
	// Products are how many portions there are of each product.
	Products map[int64]int
	// Paid says that the customer saw that it is paid.
	Paid bool
}

// Charge is a payment in the bank's books.
type Charge struct {
	Ref string
	ID  acquiring.ID
	// Sum is what was charged, Taken whether the bank has the money, Refunded how much of it was
	// refunded.
	Sum      acquiring.Sum
	Taken    bool
	Refunded money.Amount
	// Receipts are those of its fiscal register; nil where it keeps none.
	Receipts []Receipt
}

// Receipt is a receipt in the bank's books.
type Receipt struct {
	// Kind is payment, refund or closing.
	Kind string
	Mode string
	// Items are what was paid for each name.
	Items map[string]money.Amount
}

// Check fails the test with each breach of a rule that [Breaches] returns.
func Check(t testing.TB, d *db.DB, b Books) {
	t.Helper()
	breaches, err := Breaches(t.Context(), d, b)
	if err != nil {
		t.Fatalf("audit: %v", err)
	}
	for _, breach := range breaches {
		t.Errorf("audit: %s", breach)
	}
}

// Breaches returns what in the database breaks a rule, each as a sentence that begins with the
// number of the rule, such as I3. It returns an error when the database cannot be read.
func Breaches(ctx context.Context, d *db.DB, b Books) ([]string, error) {
	if b.PayWithin == 0 {
		b.PayWithin = orders.HoldFor
	}
	a := &audit{ctx: ctx, db: d.Writer(), books: b}
	if err := errors.Join(a.readOrders(), a.readPayments()); err != nil {
		return nil, err
	}
	return a.breaches, errors.Join(
		a.checkOrders(), a.checkAttempts(), a.checkClosings(), a.checkBank(), a.checkBonuses(), a.checkStock(), a.checkSlots())
}

// audit is one audit of a database.
type audit struct {
	ctx      context.Context // of the one call that it lives as long as
	db       *sql.DB
	books    Books
	orders   map[int64]*orderRow
	payments map[acquiring.ID]*paymentRow
	refunds  []refundRow
	breaches []string
}

// report adds a breach: the number of the rule and a sentence.
func (a *audit) report(rule, format string, args ...any) {
	a.breaches = append(a.breaches, rule+": "+fmt.Sprintf(format, args...))
}

// eachRow runs a query and calls see for each row, after the columns of the row were read into the
// variables that into points at.
func (a *audit) eachRow(query string, into []any, see func()) error {
	rows, err := a.db.QueryContext(a.ctx, query)
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		see()
	}
	return rows.Err()
}
