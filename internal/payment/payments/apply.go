package payments

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/payment"
)

// errOtherSum is returned for an event with another sum than requested, which counts only when
// the acquirer confirms it.
var errOtherSum = errors.New("another sum or currency than requested")

// applyVerified applies an event and returns the attempt afterwards. When the event has another
// sum than requested, the acquirer is asked, and its answer is applied in place of the event.
// Without an answer it changes nothing and returns the error of the call.
func (s *Service) applyVerified(ctx context.Context, a payment.Attempt, e acquiring.Event) (payment.Attempt, error) {
	current, err := s.applyEvent(ctx, a.ID, e, asReported)
	if !errors.Is(err, errOtherSum) {
		return current, err
	}
	e, err = s.queryStatus(ctx, a, statusTimeout)
	if err != nil {
		return a, err
	}
	return s.applyEvent(ctx, a.ID, e, asConfirmed)
}

// How certain an event is: as somebody reported it, or as the acquirer confirmed it when asked.
const asReported, asConfirmed = false, true

// applyEvent applies an event of an acquirer to an attempt and its order in one transaction, and
// returns the attempt afterwards. It may be called any number of times with the same event, and
// with events in any order. isCertain is asConfirmed when the acquirer was asked. With
// asReported it returns errOtherSum, and changes nothing, for another sum than requested.
func (s *Service) applyEvent(ctx context.Context, id acquiring.ID, e acquiring.Event, isCertain bool) (payment.Attempt, error) {
	now := s.clock.Now()
	var a payment.Attempt
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if a, err = s.lockAttempt(ctx, tx, id); err != nil {
			return err
		}
		step := payment.InterpretEvent(a, e)
		if step == payment.ToDisputed && !isCertain {
			return errOtherSum
		}
		switch step {
		case payment.NoTransition: // a repeated event may still report a refund
			return s.checkForeignRefund(ctx, tx, a, e)
		case payment.ToPending:
			return updatePending(ctx, tx.Q, a, e)
		case payment.ToFailed, payment.ToPaid, payment.ToDisputed: // finishes the attempt, below
		}
		isNew, err := insertEvent(ctx, tx.Q, a.ID, payment.EventKey(e), now)
		if err != nil || !isNew { // an event that was applied before changes nothing
			return err
		}
		switch step {
		case payment.ToPaid:
			return s.applyPaid(ctx, tx, a, e, now)
		case payment.ToDisputed:
			return s.applyOtherSum(ctx, tx, a, e, now)
		default: // payment.ToFailed
			return finishAttempt(ctx, tx.Q, a, payment.Failed, e, now)
		}
	})
	if err != nil {
		return a, err
	}
	return loadAttempt(ctx, s.db.Read(), id)
}

// lockAttempt locks the order of an attempt until the end of the transaction, and returns the
// attempt. It returns [db.ErrNotFound] when there is no such attempt.
func (s *Service) lockAttempt(ctx context.Context, tx *db.Tx, id acquiring.ID) (payment.Attempt, error) {
	a, err := loadAttempt(ctx, tx.Q, id)
	if err != nil {
		return payment.Attempt{}, err
	}
	if err := s.orders.Lock(ctx, tx, a.OrderID); err != nil {
		return payment.Attempt{}, err
	}
	return loadAttempt(ctx, tx.Q, id) // again: a transaction that the lock waited for may have changed it
}

// applyPaid stores that an attempt has taken money, and logs an error when the attempt had failed.
// The order is accepted if it waits for its payment; its other active attempt is then abandoned. When
// another attempt has paid the order, or it no longer waits for payment, a refund of the money is
// stored; when this attempt has paid it already, nothing more happens. It must be called
// in a transaction that has locked the order.
func (s *Service) applyPaid(ctx context.Context, tx *db.Tx, a payment.Attempt, e acquiring.Event, now time.Time) error {
	if err := finishAttempt(ctx, tx.Q, a, payment.Paid, e, now); err != nil {
		return err
	}
	if a.State == payment.Failed {
		s.log.ErrorContext(ctx, "failed payment was paid after all",
			slog.Int64("order_id", a.OrderID), slog.String("payment_id", string(a.ID)))
	}
	a, err := loadAttempt(ctx, tx.Q, a.ID)
	if err != nil {
		return err
	}
	bill, err := s.orders.Bill(ctx, tx.Q, a.OrderID)
	switch {
	case err != nil:
		return err
	case bill.State == payment.BillDue:
		if err := s.orders.Accept(ctx, tx, a.OrderID, a, now); err != nil {
			return err
		}
		return s.AbandonActive(ctx, tx, a.OrderID, now)
	case bill.PaidBy == "":
		return s.refundAll(ctx, tx, a, payment.PaidLate, now)
	case bill.PaidBy != a.ID:
		return s.refundAll(ctx, tx, a, payment.PaidTwice, now)
	}
	return nil
}

// applyOtherSum stores that an attempt has taken another sum than requested, and alerts a
// person. That money pays for nothing: a refund of all of it is stored, and the customer may pay
// again. It must be called in a transaction that has locked the order.
func (s *Service) applyOtherSum(ctx context.Context, tx *db.Tx, a payment.Attempt, e acquiring.Event, now time.Time) error {
	s.alertPerson(ctx, alertOtherSum, "acquirer took another sum than requested",
		slog.Int64("order_id", a.OrderID), slog.String("payment_id", string(a.ID)),
		slog.String("requested", a.Sum.String()), slog.String("taken", e.Sum.String()))
	if err := finishAttempt(ctx, tx.Q, a, payment.Disputed, e, now); err != nil {
		return err
	}
	a, err := loadAttempt(ctx, tx.Q, a.ID)
	if err != nil {
		return err
	}
	return s.refundAll(ctx, tx, a, payment.Mismatch, now)
}
