package orders

import (
	"context"
	"errors"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/site"
	"servery/internal/visit"
)

// bills implement [payments.Orders].
type bills struct{ *Service }

var _ payments.Orders = bills{}

// FindBill returns the bill of an order that the visitor placed and that is paid online. It
// returns order.not_found (NotFound) for any other order, also for one that the visitor has only
// looked up, and when cacheKey is set but is not the key of the order's checkout.
func (b bills) FindBill(ctx context.Context, v visit.Context, id int64, cacheKey string) (payment.Bill, error) {
	o, err := b.loadFor(ctx, v, id)
	switch {
	case err != nil:
		return payment.Bill{}, hideNotFound(err)
	case !o.BelongsTo(v), cacheKey != "" && cacheKey != o.CacheKey, o.IsPaidOnReceipt():
		return payment.Bill{}, order.NotFound()
	}
	return o.Bill(), nil
}

// Bill returns the bill of an order, read with the queries of the caller. It returns
// [db.ErrNotFound] when there is no such order.
func (b bills) Bill(ctx context.Context, q *payments.Queries, id int64) (payment.Bill, error) {
	o, err := Load(ctx, q, id)
	return o.Bill(), err
}

// Lock makes other transactions that lock the order wait until this one ends. It returns
// [db.ErrNotFound] when there is no such order.
func (b bills) Lock(ctx context.Context, tx *db.Tx, id int64) error { return lockOrder(ctx, tx.Q, id) }

// RecallPayment makes the order of a payment come back from the archive, if it is archived.
func (b bills) RecallPayment(ctx context.Context, id acquiring.ID) error {
	return archive.RecallPayment(ctx, b.db, string(id), b.clock.Now())
}

// SetPaymentType stores how the order is going to be paid.
func (b bills) SetPaymentType(ctx context.Context, tx *db.Tx, id int64, paymentType string) error {
	return setPaymentType(ctx, tx.Q, id, paymentType)
}

// Accept accepts an order that waits for its payment: it stores the attempt that has paid,
// confirms the reservations and removes from the cart what was bought. It returns
// [payments.ErrChanged] when the order is no longer waiting or was moved concurrently; the caller must then
// roll back.
func (b bills) Accept(ctx context.Context, tx *db.Tx, id int64, paid payment.Attempt, now time.Time) error {
	return b.accept(ctx, tx, id, paid, now)
}

// StoreRefund stores among the changes of the order, which must be locked, that the amount was
// refunded. With a part of the money it returns its share of the bonuses that were spent. Once all of the
// money is refunded, it marks the order as refunded and reverses the order's effect on bonuses, once.
func (b bills) StoreRefund(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) error {
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return err
	}
	c := order.Change{Kind: order.Refunded, State: o.State, Actor: string(order.Acquirer), At: now, Amount: amount}
	if err := b.StoreChange(ctx, tx, &o, c); err != nil {
		return err
	}
	isRefunded, err := setRefunded(ctx, tx.Q, id, now)
	if err != nil {
		return err
	}
	if !isRefunded {
		return returnBonuses(ctx, tx, o, now)
	}
	return refundBonuses(ctx, tx, o, now)
}

// Expire cancels an order whose deadline for paying is over and releases all that it has
// reserved. An order that turns out to be paid is accepted instead. It must not be called in a
// transaction.
func (b bills) Expire(ctx context.Context, id int64, now time.Time) error {
	_, err := b.cancelUnpaidOrder(ctx, id, order.Deadline, now)
	return err
}

// ReadPayment returns an order with all that happened to its payment online, both as of one instant. An
// order that is paid online is read again, so it may be newer than o. For an order paid on receipt it
// returns o with its bill. The caller must be allowed to see o.
func (s *Service) ReadPayment(ctx context.Context, o order.Order) (order.WithPayment, error) {
	if !site.IsOnline(o.PaymentType) {
		return order.WithPayment{Order: o, Payment: payment.History{Bill: o.Bill()}}, nil
	}
	return s.readWithPayment(ctx, o.ID)
}

// FindWithPayment returns an order for an operator, with all that happened to its payment.
// Fault: order.not_found (NotFound).
func (s *Service) FindWithPayment(ctx context.Context, id int64) (order.WithPayment, error) {
	found, err := s.readWithPayment(ctx, id)
	if err != nil {
		return order.WithPayment{}, hideNotFound(err)
	}
	return found, nil
}

// readWithPayment returns an order with its payment, both as of one instant. It returns
// [db.ErrNotFound] when there is no such order. An archived order comes back from the archive.
func (s *Service) readWithPayment(ctx context.Context, id int64) (order.WithPayment, error) {
	found, err := s.snapshotWithPayment(ctx, id)
	if !errors.Is(err, db.ErrNotFound) {
		return found, err
	}
	if err := archive.Recall(ctx, s.db, s.clock.Now(), id); err != nil {
		return order.WithPayment{}, err
	}
	return s.snapshotWithPayment(ctx, id)
}

// snapshotWithPayment returns an order with its payment, both as of one instant. It returns [db.ErrNotFound]
// when there is no such order, or it is archived.
func (s *Service) snapshotWithPayment(ctx context.Context, id int64) (order.WithPayment, error) {
	var found order.WithPayment
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		if found.Order, err = Load(ctx, at.Q, id); err != nil {
			return err
		}
		found.Payment, err = payments.ReadHistory(ctx, at, found.Order.Bill())
		return err
	})
	return found, err
}
