package payments

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/parallel"
	"servery/internal/payment"
)

const (
	// pollBatch bounds one sweep, pollConcurrency how many calls it makes at a time.
	pollBatch       = 500
	pollConcurrency = 8
)

// pollJob polls the acquirer about an attempt.
type pollJob struct {
	ID acquiring.ID `json:"id"`
}

// Kind returns the name of the job.
func (pollJob) Kind() string { return "order.check_payment" }

// runPoll is the handler of pollJob: it polls the acquirer about the attempt if that is due.
func (s *Service) runPoll(ctx context.Context, job pollJob) error {
	return s.pollAttempt(ctx, job.ID, s.clock.Now())
}

// PollDue polls the acquirers about all attempts that are due, several at a time.
// [Service.Sweep] calls it too.
func (s *Service) PollDue(ctx context.Context, now time.Time) error {
	ids, err := listDueAttempts(ctx, s.db.Read(), now, pollBatch)
	if err != nil {
		return err
	}
	return parallel.Each(ids, pollConcurrency, func(id acquiring.ID) error { return s.pollAttempt(ctx, id, now) })
}

// pollAttempt asks the acquirer about an attempt that is due and applies the answer. The time
// of the next poll is stored first, so that of concurrent calls only one polls. An active attempt
// after its deadline makes the order expire. An attempt that is over is polled no more, and one for
// which a call is being made waits for the next poll.
func (s *Service) pollAttempt(ctx context.Context, id acquiring.ID, now time.Time) error {
	a, err := loadAttempt(ctx, s.db.Read(), id)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil || a.PollAt.IsZero() || a.PollAt.After(now) {
		return err
	}
	next := dueAfter(now, a.PollPause(now))
	isClaimed, err := s.claimWork(ctx, func(tx *db.Tx) (bool, error) {
		isClaimed, err := claimPoll(ctx, tx.Q, id, now, next)
		if err != nil || !isClaimed {
			return false, err
		}
		return true, s.enqueuePoll(ctx, tx, id, next)
	})
	if err != nil || !isClaimed {
		return err
	}
	switch {
	case a.State == payment.Abandoned:
		return s.pollAbandoned(ctx, a, now)
	case !a.IsActive(): // it is over
		return s.db.InTx(ctx, func(tx *db.Tx) error { return stopPolls(ctx, tx.Q, id) })
	case !now.Before(a.Deadline):
		return s.orders.Expire(ctx, a.OrderID, now)
	case a.LeaseUntil.After(now): // a call for it is being made
		return nil
	}
	return s.pollActive(ctx, a, now)
}

// pollActive polls an attempt that the customer may still finish. When its start was never
// answered, the attempt is continued.
func (s *Service) pollActive(ctx context.Context, a payment.Attempt, now time.Time) error {
	e, err := s.queryStatus(ctx, a, statusTimeout)
	if err != nil {
		s.logFailedCall(ctx, a, "status", err)
		return nil // the next poll asks again
	}
	current, err := s.applyVerified(ctx, a, e)
	if err != nil || current.State != payment.Starting {
		return err
	}
	_, err = s.resumeAttempt(ctx, current, e.State, now)
	return err
}

// resumeAttempt continues an attempt whose start was never answered; state is what the acquirer
// says of it. A page is requested again. A card is not stored and cannot be sent again: once
// its request is stale, the attempt is canceled or abandoned.
func (s *Service) resumeAttempt(ctx context.Context, a payment.Attempt, state acquiring.State, now time.Time) (payment.Attempt, error) {
	if !a.Call.HasToken {
		return s.restartAttempt(ctx, a, now)
	}
	if !a.IsStale(now) {
		return a, nil
	}
	if state != acquiring.Absent { // there is something to cancel
		var err error
		if a, _, err = s.cancelAttempt(ctx, a); err != nil || !a.IsActive() {
			return a, err
		}
	}
	return s.abandonIfActive(ctx, a, now)
}

// restartAttempt starts an attempt again under the same id and returns it. When the acquirer
// knows the attempt but returns no page any more, it is canceled, so that the customer can
// begin another.
func (s *Service) restartAttempt(ctx context.Context, a payment.Attempt, now time.Time) (payment.Attempt, error) {
	isClaimed, err := s.claimWork(ctx, func(tx *db.Tx) (bool, error) { return claimCall(ctx, tx.Q, a.ID, now, now.Add(callLease)) })
	if err != nil || !isClaimed {
		return a, err
	}
	bill, err := s.orders.Bill(ctx, s.db.Read(), a.OrderID)
	if err != nil {
		return a, err
	}
	if a, err = s.startAttempt(ctx, a, bill, noToken, noVerifyParam, laterCall); err != nil || a.State != payment.Starting || a.Ref == "" {
		return a, err
	}
	// It has a reference, so the acquirer knows it, and is still Starting, so no page was returned.
	a, _, err = s.cancelAttempt(ctx, a)
	return a, err
}

// pollAbandoned asks the acquirer to cancel an abandoned attempt, and applies the answer. An attempt
// that the acquirer does not know fails once MinutelyPollingTime is over after its deadline. After
// MaxPollingTime without an outcome the polls stop, and a person is alerted.
func (s *Service) pollAbandoned(ctx context.Context, a payment.Attempt, now time.Time) error {
	e, err := s.callCancel(ctx, a)
	if err != nil {
		s.logFailedCall(ctx, a, "cancel", err)
	} else {
		if e.State == acquiring.Absent && !now.Before(a.Deadline.Add(payment.MinutelyPollingTime)) {
			e = acquiring.Event{ID: a.ID, State: acquiring.Failed, Sum: a.Sum, Reason: acquiring.Expired}
		}
		if a, err = s.applyVerified(ctx, a, e); err != nil {
			return err
		}
	}
	if a.State != payment.Abandoned || now.Before(a.StartedAt.Add(payment.MaxPollingTime)) {
		return nil
	}
	s.alertPerson(ctx, alertPaymentUnknown, "acquirer never reported the outcome of a payment",
		slog.Int64("order_id", a.OrderID), slog.String("payment_id", string(a.ID)))
	return s.db.InTx(ctx, func(tx *db.Tx) error { return stopPolls(ctx, tx.Q, a.ID) })
}
