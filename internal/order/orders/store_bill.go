package orders

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
	"servery/internal/payment"
)

// nullTime returns an instant as a query parameter, null for the zero time.
func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// lockOrder makes other transactions that lock the order wait until this one ends. It returns
// [db.ErrNotFound] when there is no such order.
func lockOrder(ctx context.Context, q *gen.Queries, id int64) error {
	rows, err := q.LockOrder(ctx, id)
	if err != nil {
		return fmt.Errorf("lock order: %w", err)
	}
	if rows == 0 {
		return db.ErrNotFound
	}
	return nil
}

// setPaidBy stores the attempt that the order is accepted for, and the payment type of the attempt.
func setPaidBy(ctx context.Context, q *gen.Queries, orderID int64, a payment.Attempt) error {
	err := q.SetOrderPaidBy(ctx, gen.SetOrderPaidByParams{ID: orderID, PaymentID: string(a.ID), PaymentType: payment.TypeOf(a.Method)})
	if err != nil {
		return fmt.Errorf("write what an order is paid by: %w", err)
	}
	return nil
}

// setPaymentType stores how the order is going to be paid.
func setPaymentType(ctx context.Context, q *gen.Queries, orderID int64, paymentType string) error {
	if err := q.SetOrderPaymentType(ctx, gen.SetOrderPaymentTypeParams{ID: orderID, PaymentType: paymentType}); err != nil {
		return fmt.Errorf("write how an order is paid: %w", err)
	}
	return nil
}

// setRefunded stores that an order was refunded, if nothing of its money is left with us. It
// reports whether it did.
func setRefunded(ctx context.Context, q *gen.Queries, orderID int64, now time.Time) (bool, error) {
	rows, err := q.SetOrderRefunded(ctx, gen.SetOrderRefundedParams{ID: orderID, Now: nullTime(now)})
	if err != nil {
		return false, fmt.Errorf("write that an order was refunded: %w", err)
	}
	return rows > 0, nil
}

// setKept stores what the restaurant keeps of the money of a canceled order.
func setKept(ctx context.Context, q *gen.Queries, o order.Order) error {
	if err := q.SetOrderKept(ctx, gen.SetOrderKeptParams{Kept: int64(o.Kept), ID: o.ID}); err != nil {
		return fmt.Errorf("write what is kept: %w", err)
	}
	return nil
}

// listUnpaidOf returns the ids of the orders in a city that wait for their payment: those of the
// session and, unless customerID is 0, those of the customer.
func listUnpaidOf(ctx context.Context, q *gen.Queries, sessionInCity owner, customerID int64) ([]int64, error) {
	ids, err := q.ListUnpaidOrdersOf(ctx, gen.ListUnpaidOrdersOfParams{
		SessionID: sessionInCity.sessionID, Site: sessionInCity.site, CityID: sessionInCity.cityID, CustomerID: customerID,
	})
	if err != nil {
		return nil, fmt.Errorf("list unpaid orders: %w", err)
	}
	return ids, nil
}
