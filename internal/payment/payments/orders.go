package payments

import (
	"context"
	"errors"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/payment"
	"servery/internal/visit"
)

// Orders is what payments read and change of orders.
//
// Bill, Lock and Expire return [db.ErrNotFound] for an order that does not exist.
type Orders interface {
	// FindBill returns the bill of an order that the visitor placed and that is paid online.
	// The key of the checkout may be empty. Fault: order.not_found (NotFound).
	FindBill(ctx context.Context, v visit.Context, orderID int64, cacheKey string) (payment.Bill, error)
	// Bill returns the bill of an order as the queries see it.
	Bill(ctx context.Context, q *Queries, orderID int64) (payment.Bill, error)
	// RecallPayment makes the order of a payment come back from the archive with its payments, if it
	// is archived.
	RecallPayment(ctx context.Context, id acquiring.ID) error
	// Lock makes other transactions that lock the order wait until this one ends.
	Lock(ctx context.Context, tx *db.Tx, orderID int64) error
	// SetPaymentType stores how the order is going to be paid.
	SetPaymentType(ctx context.Context, tx *db.Tx, orderID int64, paymentType string) error
	// Accept accepts an order that waits for its payment, which must be locked. It returns
	// [ErrChanged] when the order was moved concurrently.
	Accept(ctx context.Context, tx *db.Tx, orderID int64, paid payment.Attempt, now time.Time) error
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
