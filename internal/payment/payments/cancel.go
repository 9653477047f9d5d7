package payments

import (
	"context"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/payment"
)

// CancelActive asks the acquirer to cancel the active attempt of an order, if there is one. It
// must not be called in a transaction. When the attempt turns out to be paid, the order is
// accepted; when it cannot be canceled, it stays active.
func (s *Service) CancelActive(ctx context.Context, orderID int64) error {
	attempts, err := listAttempts(ctx, s.db.Read(), orderID)
	if err != nil {
		return err
	}
	if active, ok := payment.ActiveAttempt(attempts); ok {
		_, _, err = s.cancelAttempt(ctx, active)
	}
	return err
}

// AbandonActive abandons the active attempt of an order, if there is one. Money that it takes
// later is found by polls and refunded. It must be called in a transaction that has locked the
// order.
func (s *Service) AbandonActive(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	attempts, err := listAttempts(ctx, tx.Q, orderID)
	if err != nil {
		return err
	}
	active, ok := payment.ActiveAttempt(attempts)
	if !ok {
		return nil
	}
	return s.abandonAndPoll(ctx, tx, active, now)
}

// abandonAndPoll stores that an attempt is abandoned, with the job that polls it from pollAt
// on. It must be called in a transaction that has locked the order.
func (s *Service) abandonAndPoll(ctx context.Context, tx *db.Tx, a payment.Attempt, pollAt time.Time) error {
	if err := abandonAttempt(ctx, tx.Q, a.ID, pollAt); err != nil {
		return err
	}
	return s.enqueuePoll(ctx, tx, a.ID, pollAt)
}

// abandonIfActive abandons an attempt unless it is over by now, and returns it as it is then. The
// first poll follows a minute later. It must not be called in a transaction.
func (s *Service) abandonIfActive(ctx context.Context, a payment.Attempt, now time.Time) (payment.Attempt, error) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		current, err := s.lockAttempt(ctx, tx, a.ID)
		if err != nil || !current.IsActive() {
			return err
		}
		return s.abandonAndPoll(ctx, tx, current, now.Add(time.Minute))
	})
	if err != nil {
		return a, err
	}
	return loadAttempt(ctx, s.db.Read(), a.ID)
}

// cancelAttempt asks the acquirer to cancel an attempt, applies the answer and returns the
// attempt. It must not be called in a transaction. It returns false, and no error, when the
// acquirer did not answer.
func (s *Service) cancelAttempt(ctx context.Context, a payment.Attempt) (payment.Attempt, bool, error) {
	e, err := s.callCancel(ctx, a)
	if err != nil {
		s.logFailedCall(ctx, a, "cancel", err)
		return a, false, nil
	}
	current, err := s.applyVerified(ctx, a, e)
	return current, true, err
}

// callCancel asks the acquirer to cancel an attempt and returns what the payment is afterwards.
// It stores nothing.
func (s *Service) callCancel(ctx context.Context, a payment.Attempt) (acquiring.Event, error) {
	acquirer, err := s.acquirerOf(a)
	if err != nil {
		return acquiring.Event{}, err
	}
	ctx, cancel := detachContext(ctx, cancelTimeout)
	defer cancel()
	return acquirer.CancelPayment(ctx, a.Lookup())
}
