package order

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/queue"
)

const (
	// refundCallLimit is how long a call may last, refundLease how long nobody else makes
	// it: some acquirers know a refund only by how much was given back before.
	refundCallLimit = 40 * time.Second
	refundLease     = 2 * time.Minute
	// refundAttempts is how many refunds that failed for certain are followed by another.
	refundAttempts = 5
	// refundAlarm is after how many unanswered calls a person is told.
	refundAlarm = 12
	// mostDueRefunds bounds one sweep, refundsAtATime how many calls it makes side by side.
	mostDueRefunds, refundsAtATime = 40, 8
)

// refundJob is the job that asks the acquirer for a refund.
type refundJob struct {
	ID acquiring.ID `json:"id"`
}

// Kind names the job.
func (refundJob) Kind() string { return "order.refund" }

// refundPause is how long to wait after so many calls: a quarter of a minute at first,
// half an hour at last.
func refundPause(calls int64) time.Duration {
	const first, longest = 15 * time.Second, 30 * time.Minute
	return min(longest, first<<min(max(calls-1, 0), 10))
}

// runRefund asks the acquirer for a refund, once, and writes down what it said. A refund
// that is over, not due, or has to wait for another is left alone, so the job may be run
// any number of times.
func (s *Service) runRefund(ctx context.Context, job refundJob) error {
	r, p, o, ok, err := s.takeRefund(ctx, job.ID)
	if err != nil || !ok {
		return err
	}
	said := s.askForRefund(ctx, r, p, o)
	// The answer is kept although whoever wanted it may be gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundCallLimit)
	defer cancel()
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.keepRefund(ctx, tx, r, said, s.clock.Now()) })
}

// takeRefund makes the refund this caller's, for as long as a call may last.
func (s *Service) takeRefund(ctx context.Context, id acquiring.ID) (r Refund, p Payment, o Order, ok bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if r, err = readRefund(ctx, tx.Q, id); err != nil {
			return err
		}
		if err := lockOrder(ctx, tx.Q, r.OrderID); err != nil {
			return err
		}
		now := s.clock.Now()
		if ok, err = beginRefund(ctx, tx.Q, id, now, now.Add(refundLease)); err != nil || !ok {
			return err
		}
		r.tries++
		if p, err = loadPayment(ctx, tx.Q, r.PaymentID); err != nil {
			return err
		}
		o, err = load(ctx, tx.Q, r.OrderID)
		return err
	})
	return r, p, o, ok, err
}

// askForRefund asks the acquirer. Whatever it did not clearly say is unknown.
func (s *Service) askForRefund(ctx context.Context, r Refund, p Payment, o Order) acquiring.Refunded {
	about := []slog.Attr{
		slog.Int64("order_id", o.ID), slog.String("payment_id", string(p.ID)), slog.String("refund_id", string(r.ID)),
		slog.String("account", p.Account),
	}
	if r.tries >= refundAlarm {
		s.alert(ctx, alertRefundUnknown, "a refund is not certain after many calls: a person has to look", append(about, slog.Int64("calls", r.tries))...)
	}
	acquirer, ok := s.accounts.Find(p.Site, p.Account)
	if !ok {
		s.alert(ctx, alertAccountGone, "the account that was paid to is not in the settings any more: its refunds wait for it", about...)
		return acquiring.Refunded{}
	}
	ctx, cancel := context.WithTimeout(ctx, refundCallLimit)
	defer cancel()
	said, err := acquirer.Refund(ctx, acquiring.Refund{
		ID: r.ID, Of: p.Lookup(), Paid: p.taken(), Sum: r.Sum, Before: p.Refunded, Receipt: p.refundReceipt(o, r),
		Customer:    p.Payer(),
		Description: lang.T(p.asked.receiptLanguage(), "refund.description", fault.Args{"order": o.ID}),
	})
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "a refund was not made yet", append(about, slog.Any("err", err))...)
		return acquiring.Refunded{}
	}
	return said
}

// keepRefund writes down what the acquirer said of a refund.
func (s *Service) keepRefund(ctx context.Context, tx *db.Tx, r Refund, said acquiring.Refunded, now time.Time) error {
	if err := lockOrder(ctx, tx.Q, r.OrderID); err != nil {
		return err
	}
	said.Code = acquiring.CleanCode(said.Code)
	switch said.State {
	case acquiring.RefundDone:
		ended, err := endRefund(ctx, tx.Q, r.ID, RefundDone, said, now)
		if err != nil || !ended {
			return err
		}
		if err := countRefund(ctx, tx, r, now); err != nil {
			return err
		}
	case acquiring.RefundFailed:
		ended, err := endRefund(ctx, tx.Q, r.ID, RefundFailed, said, now)
		if err != nil || !ended {
			return err
		}
		if err := s.refundAgain(ctx, tx, r, said, now); err != nil {
			return err
		}
	case acquiring.RefundUnknown, acquiring.RefundPending:
		due := now.Add(refundPause(r.tries))
		postponed, err := postponeRefund(ctx, tx.Q, r.ID, said, due)
		if err != nil || !postponed {
			return err
		}
		return s.queue.Enqueue(ctx, tx, refundJob{ID: r.ID}, queue.At(due))
	}
	next, err := nextRefund(ctx, tx.Q, r.OrderID, r.PaymentID)
	if err != nil || next == "" {
		return err
	}
	return s.queue.Enqueue(ctx, tx, refundJob{ID: next}, queue.At(now))
}

// countRefund adds a refund that was made to the books. With the last of the money the order
// is one that was paid back, and what it did to bonuses is undone.
func countRefund(ctx context.Context, tx *db.Tx, r Refund, now time.Time) error {
	if err := addRefunded(ctx, tx.Q, r); err != nil {
		return err
	}
	all, err := setRefunded(ctx, tx.Q, r.OrderID, now)
	if err != nil || !all {
		return err
	}
	o, err := load(ctx, tx.Q, r.OrderID)
	if err != nil {
		return err
	}
	return undoBonuses(ctx, tx, o, now)
}

// refundAgain follows a refund that certainly was not made with another one under a new id,
// until a person has to look.
func (s *Service) refundAgain(ctx context.Context, tx *db.Tx, r Refund, said acquiring.Refunded, now time.Time) error {
	if r.attempt >= refundAttempts {
		s.alert(ctx, alertRefundFailed, "money could not be given back: a person has to do it", slog.Int64("order_id", r.OrderID),
			slog.String("payment_id", string(r.PaymentID)), slog.String("refund_id", string(r.ID)), slog.String("code", said.Code))
		return nil
	}
	again := Refund{
		PaymentID: r.PaymentID, OrderID: r.OrderID, Sum: r.Sum, Cause: r.Cause, Reason: r.Reason, Lines: r.Lines,
		AfterClosing: r.AfterClosing, attempt: r.attempt + 1, checkAt: now.Add(refundPause(r.attempt)),
	}
	return s.writeRefund(ctx, tx, again, refundCall{}, now)
}

// sweepRefunds makes the refunds whose job was lost, some at a time, so that an acquirer that
// does not answer keeps neither the others nor what is swept after them waiting for long.
func (s *Service) sweepRefunds(ctx context.Context, now time.Time) error {
	ids, err := dueRefunds(ctx, s.db.Read(), now, mostDueRefunds)
	if err != nil {
		return err
	}
	failed := make([]error, len(ids))
	var all sync.WaitGroup
	turns := make(chan struct{}, refundsAtATime)
	for i, id := range ids {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			if err := s.runRefund(ctx, refundJob{ID: id}); err != nil {
				failed[i] = fmt.Errorf("refund %s: %w", id, err)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// noteStrangeRefund tells a person when an acquirer says that more was given back than we
// have asked for, as somebody does in its cabinet. The books stay as they are.
func (s *Service) noteStrangeRefund(ctx context.Context, tx *db.Tx, p Payment, e acquiring.Event) error {
	taken := p.taken()
	if e.ID != p.ID || taken.Amount == 0 || e.State != acquiring.Paid {
		return nil
	}
	if e.Sum != taken && p.State == Disputed {
		s.alert(ctx, alertOtherSum, "an acquirer says again another sum: a person has to look", slog.Int64("order_id", p.OrderID),
			slog.String("payment_id", string(p.ID)), slog.String("by_acquirer", e.Sum.String()), slog.String("by_books", taken.String()))
	}
	if e.Refunded <= p.Refunded {
		return nil
	}
	refunds, err := refundsOf(ctx, tx.Q, p.OrderID)
	if err != nil {
		return err
	}
	known := p.Refunded
	for _, r := range refunds {
		if r.PaymentID == p.ID && r.State == RefundRunning {
			known = known.Add(r.Sum.Amount)
		}
	}
	if e.Refunded > known {
		s.alert(ctx, alertForeignRefund, "an acquirer gave back more than we asked for: a person has to look", slog.Int64("order_id", p.OrderID),
			slog.String("payment_id", string(p.ID)), slog.String("by_acquirer", e.Refunded.String()), slog.String("by_books", known.String()))
	}
	return nil
}
