// Package payment charges bills online and refunds them: payment attempts at acquirers, their
// 3-D Secure and webhooks, refunds, and the fiscal receipts of both.
//
// It reads of an order only its [Bill], and changes an order only through [Orders]: it imports
// neither carts nor schedules, stock or bonuses.
package payment

import (
	"context"
	"errors"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
	"servery/internal/visit"
)

// Orders is what payments read and change of orders.
//
// Bill, Lock and Expire return [db.ErrNotFound] for an order that does not exist.
type Orders interface {
	// FindBill returns the bill of an order that the visitor placed and that is paid online.
	// The key of the checkout may be empty. Fault: order.not_found (NotFound).
	FindBill(ctx context.Context, v visit.Context, orderID int64, cacheKey string) (Bill, error)
	// Bill returns the bill of an order as the queries see it.
	Bill(ctx context.Context, q *Queries, orderID int64) (Bill, error)
	// Lock makes other transactions that lock the order wait until this one ends.
	Lock(ctx context.Context, tx *db.Tx, orderID int64) error
	// SetPaymentType stores how the order is going to be paid.
	SetPaymentType(ctx context.Context, tx *db.Tx, orderID int64, paymentType string) error
	// Accept accepts an order that waits for its payment, which must be locked. It returns
	// [ErrChanged] when the order was moved concurrently.
	Accept(ctx context.Context, tx *db.Tx, orderID int64, paid Attempt, now time.Time) error
	// StoreRefund stores with the order, which must be locked, that the amount was refunded. Once
	// nothing of its money is left here, it marks the order as refunded and reverses what it did to
	// bonuses.
	StoreRefund(ctx context.Context, tx *db.Tx, orderID int64, amount money.Amount, now time.Time) error
	// Expire cancels an order whose deadline for paying is over, unless it is paid by then.
	Expire(ctx context.Context, orderID int64, now time.Time) error
}

// ErrChanged is returned when an order or its attempts were changed concurrently. The caller
// has to read them again.
var ErrChanged = errors.New("the order was changed concurrently")

// BillState is whether a bill still has to be paid. The set is closed.
type BillState uint8

// The states of a bill.
const (
	BillDue      BillState = iota // the order waits for its payment
	BillAccepted                  // the order was accepted
	BillCanceled                  // the order was canceled
)

// Bill is what an order costs, what for, and who pays.
type Bill struct {
	OrderID int64
	Site    string
	CityID  int64
	Type    site.OrderType
	// CacheKey names the payment page of the order, Link opens the order itself.
	CacheKey, Link string
	CreatedAt      time.Time
	State          BillState
	// OrderState is the state of the order as it is stored and shown.
	OrderState string
	Sum        acquiring.Sum
	// Deadline is until when it can be paid; zero for an order that is paid on receipt.
	Deadline    time.Time
	PaymentType string
	// PaidBy is the attempt that the order was accepted for, empty for none.
	PaidBy acquiring.ID
	Payer  Payer
	// Kept is what of the money of a canceled bill is not refunded.
	Kept money.Amount
	// Parts are what was sold. What was paid for them adds up to the sum. Bills of orders
	// that are listed without their lines have none.
	Parts []Part
}

// Payer is the customer of an order. Email may be empty.
type Payer struct{ Name, Phone, Email string }

// Part is a part of an order that was sold: a line, a package or the delivery. Gifts cost
// nothing and are none.
type Part struct {
	Key  string
	Name lang.Text
	// Modifiers complete the name on receipts.
	Modifiers []Modifier
	Count     int
	// Paid is for all of it: its price without its share of discounts and bonuses.
	Paid      money.Amount
	IsService bool // the delivery, which has a tax of its own
}

// Modifier is a chosen modifier of a part.
type Modifier struct {
	Name  lang.Text
	Count int
}

// notFound returns the fault for an order or an attempt that does not exist for the caller.
func notFound() error {
	return fault.New(fault.NotFound, "order.not_found", fault.Field("order_id", "order.not_found"))
}

// hideNotFound replaces [db.ErrNotFound] by the fault that customers receive, and returns any
// other error as it is.
func hideNotFound(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return notFound()
	}
	return err
}
