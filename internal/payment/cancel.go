package payment

import (
	"context"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
)

// CancelActive asks the acquirer to cancel the active attempt of an order, if it has one. It
// must not be called in a transaction. An attempt that turns out to be paid accepts the order.
// One that could not be canceled stays active.
func (s *Service) CancelActive(ctx context.Context, orderID int64) error {
	attempts, err := listAttempts(ctx, s.db.Read(), orderID)
	if err != nil {
		return err
	}
	if active, ok := activeAttempt(attempts); ok {
		_, _, err = s.cancelAttempt(ctx, active)
	}
	return err
}

// AbandonActive abandons the active attempt of an order, if it has one: from now on it is
// polled, and what is paid by it is refunded. The order must be locked.
func (s *Service) AbandonActive(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	attempts, err := listAttempts(ctx, tx.Q, orderID)
	if err != nil {
		return err
	}
	active, ok := activeAttempt(attempts)
	if !ok {
		return nil
	}
	return s.abandonIn(ctx, tx, active, now)
}

// abandonIn abandons an attempt; it is polled from the instant on.
func (s *Service) abandonIn(ctx context.Context, tx *db.Tx, a Attempt, pollAt time.Time) error {
	if err := abandonAttempt(ctx, tx.Q, a.ID, pollAt); err != nil {
		return err
	}
	return s.enqueuePoll(ctx, tx, a.ID, pollAt)
}

// abandon abandons an attempt that is active and returns it as it is then.
func (s *Service) abandon(ctx context.Context, a Attempt, now time.Time) (Attempt, error) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		current, err := s.lockAttempt(ctx, tx, a.ID)
		if err != nil || !current.IsActive() {
			return err
		}
		return s.abandonIn(ctx, tx, current, now.Add(time.Minute))
	})
	if err != nil {
		return a, err
	}
	return loadAttempt(ctx, s.db.Read(), a.ID)
}

// cancelAttempt makes sure, as far as the acquirer can, that an attempt will not be paid any
// more, and returns it as it is then. It must not be called in a transaction. It returns false
// when the acquirer did not answer.
func (s *Service) cancelAttempt(ctx context.Context, a Attempt) (Attempt, bool, error) {
	e, err := s.callCancel(ctx, a)
	if err != nil {
		s.logFailedCall(ctx, a, "cancel", err)
		return a, false, nil
	}
	current, err := s.applyVerified(ctx, a, e)
	return current, true, err
}

// callCancel asks the acquirer to cancel an attempt.
func (s *Service) callCancel(ctx context.Context, a Attempt) (acquiring.Event, error) {
	acquirer, err := s.acquirer(a)
	if err != nil {
		return acquiring.Event{}, err
	}
	ctx, cancel := detach(ctx, cancelTimeout)
	defer cancel()
	return acquirer.CancelPayment(ctx, a.Lookup())
}
