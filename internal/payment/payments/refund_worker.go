package payments

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/parallel"
	"servery/internal/payment"
	"servery/internal/queue"
)

const (
	// refundTimeout is how long a call may last, refundLease how long no other process makes
	// it: some acquirers name a refund only by how much was returned before.
	refundTimeout = 40 * time.Second
	refundLease   = 2 * time.Minute
	// maxRefunds is how many refunds of the same money are made that certainly fail.
	maxRefunds = 5
	// refundAlarm is after how many calls without an outcome a person is alerted.
	refundAlarm = 12
	// refundBatch bounds one sweep, refundConcurrency how many calls it makes at a time.
	refundBatch, refundConcurrency = 40, 8
)

// refundJob is the job that calls the acquirer for a refund.
type refundJob struct {
	ID acquiring.ID `json:"id"`
}

// Kind returns the name of the job.
func (refundJob) Kind() string { return "order.refund" }

// refundPause returns how long to wait after the given number of calls: 15 seconds at first,
// then twice as long each time, at most half an hour.
func refundPause(calls int64) time.Duration {
	const first, longest = 15 * time.Second, 30 * time.Minute
	doublings := min(max(calls-1, 0), 10) // more would overflow, and ten exceed the longest
	return min(longest, first<<doublings)
}

// runRefund calls the acquirer for a refund, once, and stores the answer. It does nothing for a
// refund that is over, not due, or waits for another refund, so the job may run any number of
// times.
func (s *Service) runRefund(ctx context.Context, job refundJob) error {
	claim, ok, err := s.claimRefund(ctx, job.ID)
	if err != nil || !ok {
		return err
	}
	r := claim.refund
	answer, mayBeSent := s.callRefund(ctx, claim)
	if mayBeSent {
		r.State = payment.RefundRunning
	}
	// The answer is stored although the caller may be gone.
	ctx, cancel := detachContext(ctx, refundTimeout)
	defer cancel()
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.storeRefundAnswer(ctx, tx, r, answer, s.clock.Now()) })
}

// refundClaim is a refund that is reserved for a caller, with all that its call needs.
type refundClaim struct {
	refund  payment.Refund // its state is that before the claim
	attempt payment.Attempt
	bill    payment.Bill
	// earlier are the acquirer's references of the other refunds of the attempt.
	earlier []string
}

// claimRefund reserves the refund for this caller for as long as a call may last, so that no
// other makes it. It reports false when there is nothing to do now.
func (s *Service) claimRefund(ctx context.Context, id acquiring.ID) (c refundClaim, ok bool, err error) {
	ok, err = s.claimWork(ctx, func(tx *db.Tx) (bool, error) {
		r, err := loadRefund(ctx, tx.Q, id)
		if err != nil {
			return false, err
		}
		if err := s.orders.Lock(ctx, tx, r.OrderID); err != nil {
			return false, err
		}
		if r, err = loadRefund(ctx, tx.Q, id); err != nil { // again: a transaction that the lock waited for may have changed it
			return false, err
		}
		now := s.clock.Now()
		if ok, err := leaseRefund(ctx, tx.Q, id, now, now.Add(refundLease)); err != nil || !ok {
			return false, err
		}
		r.Calls++
		c.refund = r
		if c.attempt, err = loadAttempt(ctx, tx.Q, r.PaymentID); err != nil {
			return false, err
		}
		if c.earlier, err = listOtherRefs(ctx, tx.Q, r); err != nil {
			return false, err
		}
		c.bill, err = s.orders.Bill(ctx, tx.Q, r.OrderID)
		return true, err
	})
	return c, ok, err
}

// callRefund asks the acquirer to make a refund and returns the answer, and whether this call may have
// sent the refund. The outcome is unknown unless the acquirer clearly answered. It alerts a person after
// many calls, when the refund is too old to be sent again, and when the settings no longer have the
// account.
func (s *Service) callRefund(ctx context.Context, c refundClaim) (acquiring.Refunded, bool) {
	r, a, bill := c.refund, c.attempt, c.bill
	attrs := []slog.Attr{
		slog.Int64("order_id", bill.OrderID), slog.String("payment_id", string(a.ID)), slog.String("refund_id", string(r.ID)),
		slog.String("site", a.Site), slog.String("account", a.Account),
	}
	if r.Calls >= refundAlarm {
		s.alertPerson(ctx, alertRefundUnknown, "refund has no outcome after many calls", append(attrs, slog.Int64("calls", r.Calls))...)
	}
	acquirer, ok := s.accounts.FindAcquirer(a.Site, a.Account)
	if !ok {
		s.alertPerson(ctx, alertAccountGone, "refunds wait for an account that was removed from the settings", attrs...)
		return acquiring.Refunded{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, refundTimeout)
	defer cancel()
	answer, err := acquirer.RefundPayment(ctx, acquiring.Refund{
		ID: r.ID, Of: a.Lookup(), Paid: a.TakenSum(), Sum: r.Sum, Before: a.Refunded, Earlier: c.earlier, Since: r.SentSince(),
		Receipt:     a.RefundReceipt(bill, r),
		Customer:    a.Payer(),
		Description: lang.T(a.Call.NameLanguage(), "refund.description", fault.Args{"order": bill.OrderID}),
	})
	if err != nil {
		if acquiring.KindOf(err) == acquiring.Late && r.Calls < refundAlarm {
			s.alertPerson(ctx, alertRefundUnknown, "refund has no outcome and cannot be sent again", attrs...)
		}
		s.log.LogAttrs(ctx, slog.LevelWarn, "refund call failed", append(attrs, slog.Any("error", err))...)
		return acquiring.Refunded{}, acquiring.KindOf(err) == acquiring.Lost
	}
	return answer, true
}

// storeRefundAnswer stores the acquirer's answer to a refund. A refund that is done is added to the
// refunds of the attempt and of the order; see [Orders]. A refund that failed is replaced by a new one;
// see retryRefund. When the outcome is unknown or pending, the state of r is stored, and a job calls the
// acquirer again later for the same refund. Otherwise the next waiting refund of the attempt is enqueued.
func (s *Service) storeRefundAnswer(ctx context.Context, tx *db.Tx, r payment.Refund, answer acquiring.Refunded, now time.Time) error {
	if err := s.orders.Lock(ctx, tx, r.OrderID); err != nil {
		return err
	}
	answer.Code = acquiring.CleanCode(answer.Code)
	switch answer.State {
	case acquiring.RefundDone:
		isFinished, err := finishRefund(ctx, tx.Q, r.ID, payment.RefundDone, answer, now)
		if err != nil || !isFinished {
			return err
		}
		if err := addRefunded(ctx, tx.Q, r); err != nil {
			return err
		}
		if err := s.orders.StoreRefund(ctx, tx, r.OrderID, r.Sum.Amount, now); err != nil {
			return err
		}
	case acquiring.RefundFailed:
		isFinished, err := finishRefund(ctx, tx.Q, r.ID, payment.RefundFailed, answer, now)
		if err != nil || !isFinished {
			return err
		}
		if err := s.retryRefund(ctx, tx, r, answer, now); err != nil {
			return err
		}
	case acquiring.RefundUnknown, acquiring.RefundPending:
		due := now.Add(refundPause(r.Calls))
		isPostponed, err := postponeRefund(ctx, tx.Q, r, answer, due)
		if err != nil || !isPostponed {
			return err
		}
		return s.queue.Enqueue(ctx, tx, refundJob{ID: r.ID}, queue.At(due))
	}
	next, err := nextWaitingRefund(ctx, tx.Q, r.OrderID, r.PaymentID)
	if err != nil || next == "" {
		return err
	}
	return s.queue.Enqueue(ctx, tx, refundJob{ID: next}, queue.At(now))
}

// retryRefund stores another refund, with a new id, for one that certainly failed. After
// maxRefunds failures it alerts a person instead.
func (s *Service) retryRefund(ctx context.Context, tx *db.Tx, r payment.Refund, answer acquiring.Refunded, now time.Time) error {
	if r.Attempt >= maxRefunds {
		s.alertPerson(ctx, alertRefundFailed, "refund failed for good", slog.Int64("order_id", r.OrderID),
			slog.String("payment_id", string(r.PaymentID)), slog.String("refund_id", string(r.ID)), slog.String("code", answer.Code))
		return nil
	}
	retry := payment.Refund{
		PaymentID: r.PaymentID, OrderID: r.OrderID, Sum: r.Sum, Cause: r.Cause, Reason: r.Reason, Lines: r.Lines,
		AfterClosing: r.AfterClosing, Bearer: r.Bearer, Actor: r.Actor, Attempt: r.Attempt + 1, CallAt: now.Add(refundPause(r.Attempt)),
	}
	return s.storeRefund(ctx, tx, retry, refundCall{}, now)
}

// sweepRefunds makes due refunds whose job was lost. It takes a small batch at a time, so that
// an acquirer that does not answer does not hold up the rest of the sweep for long.
func (s *Service) sweepRefunds(ctx context.Context, now time.Time) error {
	ids, err := listDueRefunds(ctx, s.db.Read(), now, refundBatch)
	if err != nil {
		return err
	}
	return parallel.Each(ids, refundConcurrency, func(id acquiring.ID) error {
		if err := s.runRefund(ctx, refundJob{ID: id}); err != nil {
			return fmt.Errorf("refund %s: %w", id, err)
		}
		return nil
	})
}

// checkForeignRefund alerts a person when an acquirer reports a larger refund than was requested here,
// such as one made in its cabinet. It also does so when the acquirer now reports another sum for a
// disputed attempt than is stored. It stores nothing.
func (s *Service) checkForeignRefund(ctx context.Context, tx *db.Tx, a payment.Attempt, e acquiring.Event) error {
	taken := a.TakenSum()
	if e.ID != a.ID || taken.Amount == 0 || e.State != acquiring.Paid {
		return nil
	}
	if e.Sum != taken && a.State == payment.Disputed {
		s.alertPerson(ctx, alertOtherSum, "acquirer reports another sum again", slog.Int64("order_id", a.OrderID),
			slog.String("payment_id", string(a.ID)), slog.String("by_acquirer", e.Sum.String()), slog.String("by_books", taken.String()))
	}
	if e.Refunded <= a.Refunded {
		return nil
	}
	refunds, err := listRefunds(ctx, tx.Q, a.OrderID)
	if err != nil {
		return err
	}
	requested := a.Refunded
	for _, r := range refunds {
		if r.PaymentID == a.ID && r.State == payment.RefundRunning {
			requested = requested.Add(r.Sum.Amount)
		}
	}
	if e.Refunded > requested {
		s.alertPerson(ctx, alertForeignRefund, "acquirer refunded more than was requested", slog.Int64("order_id", a.OrderID),
			slog.String("payment_id", string(a.ID)), slog.String("by_acquirer", e.Refunded.String()), slog.String("by_books", requested.String()))
	}
	return nil
}
