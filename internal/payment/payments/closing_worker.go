package payments

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/parallel"
	"servery/internal/payment"
	"servery/internal/queue"
)

const (
	// closingTimeout is how long a call may last, closingLease how long no other process makes it.
	closingTimeout = 40 * time.Second
	closingLease   = 2 * time.Minute
	// maxClosingTime is how long a register may take before a person has to look.
	maxClosingTime = 72 * time.Hour
	// After closingAlarm calls without an outcome a person is alerted, and again after each
	// closingAlarmAgain further calls.
	closingAlarm, closingAlarmAgain = 6, 24
	// retryAfterRefund is how long a closing receipt waits for open refunds.
	retryAfterRefund = time.Minute
	// closingBatch bounds one sweep, closingConcurrency how many calls it makes at a time.
	closingBatch, closingConcurrency = 40, 8
)

// closingPauses are how long to wait after each call; the last one repeats.
var closingPauses = []time.Duration{5 * time.Second, 30 * time.Second, 5 * time.Minute, time.Hour}

// closingPause returns how long to wait before the next call for a closing receipt, after the
// given number of calls.
func closingPause(calls int64) time.Duration {
	return closingPauses[min(max(calls, 1), int64(len(closingPauses)))-1]
}

// closingJob is the job that calls the acquirer for the closing receipt of an attempt.
type closingJob struct {
	PaymentID acquiring.ID `json:"payment_id"`
}

// Kind returns the name of the job.
func (closingJob) Kind() string { return "order.close_receipt" }

// SendsReceipt reports whether an attempt has a receipt at its acquirer. For an account that
// was removed from the settings it assumes that the acquirer registers receipts.
func (s *Service) SendsReceipt(a payment.Attempt) bool {
	acquirer, ok := s.accounts.FindAcquirer(a.Site, a.Account)
	return a.HasReceipt() && (!ok || acquirer.ReceiptSupport() != acquiring.NoReceipts)
}

// CloseReceipt stores a closing receipt for the order that was just handed over, and the job
// that makes it. It must be called in the transaction that moves the order. paidBy is the
// attempt that paid, empty for an order that was not paid online. An order without a receipt of
// prepayment needs no closing receipt.
func (s *Service) CloseReceipt(ctx context.Context, tx *db.Tx, paidBy acquiring.ID, now time.Time) error {
	if paidBy == "" {
		return nil
	}
	a, err := loadAttempt(ctx, tx.Q, paidBy)
	if err != nil || !s.SendsReceipt(a) || a.ReceiptMode() != acquiring.FullPrepayment {
		return err
	}
	isNew, err := insertClosing(ctx, tx.Q, payment.ClosingReceipt{ID: newID(), PaymentID: a.ID, OrderID: a.OrderID, CreatedAt: now})
	if err != nil || !isNew {
		return err
	}
	return s.queue.Enqueue(ctx, tx, closingJob{PaymentID: a.ID}, queue.At(now))
}

// runClosing calls the acquirer for a closing receipt, once, and stores the answer. It does
// nothing for a receipt that is certain, not due, or waits for a refund, so the job may run any
// number of times.
func (s *Service) runClosing(ctx context.Context, job closingJob) error {
	c, a, bill, ok, err := s.claimClosing(ctx, job.PaymentID)
	if err != nil || !ok {
		return err
	}
	outcome := s.callClosing(ctx, c, a, bill)
	// The answer is stored although the caller may be gone.
	ctx, cancel := detachContext(ctx, closingTimeout)
	defer cancel()
	return s.storeClosingOutcome(ctx, c, a, outcome)
}

// claimClosing leases the closing receipt to this caller for as long as a call may last, and
// returns it with its attempt and bill. Before the first call it also sets the lines of the receipt.
// It returns false when there is nothing to do now.
func (s *Service) claimClosing(ctx context.Context, paymentID acquiring.ID) (c payment.ClosingReceipt, a payment.Attempt, bill payment.Bill, ok bool, err error) {
	ok, err = s.claimWork(ctx, func(tx *db.Tx) (bool, error) {
		var err error
		if a, err = s.lockAttempt(ctx, tx, paymentID); err != nil {
			return false, err
		}
		now := s.clock.Now()
		due, err := findClosing(ctx, tx.Q, paymentID)
		if err != nil || due == nil || !due.State.IsOpen() || now.Before(due.CallAt) {
			return false, err
		}
		if bill, err = s.orders.Bill(ctx, tx.Q, a.OrderID); err != nil {
			return false, err
		}
		if due.State == payment.ClosingWaiting {
			if isReady, err := s.fillClosing(ctx, tx, due, a, bill, now); err != nil || !isReady {
				return false, err
			}
		}
		isLeased, err := leaseClosing(ctx, tx.Q, *due, now, now.Add(closingLease))
		if err != nil || !isLeased {
			return false, err
		}
		due.State = payment.ClosingRunning
		due.Calls++
		c = *due
		return true, nil
	})
	return c, a, bill, ok, err
}

// fillClosing sets the lines and the sum of a closing receipt: what was sold and not refunded.
// It returns false when there is nothing to register now. While a refund of the attempt is open,
// it postpones the receipt and enqueues the next try; when nothing is left to close, it finishes
// the receipt. It must be called in a transaction that has locked the order.
func (s *Service) fillClosing(ctx context.Context, tx *db.Tx, c *payment.ClosingReceipt, a payment.Attempt, bill payment.Bill, now time.Time) (bool, error) {
	refunds, err := listRefunds(ctx, tx.Q, a.OrderID)
	if err != nil {
		return false, err
	}
	for _, r := range refunds {
		if r.PaymentID == a.ID && r.State.IsOpen() {
			due := dueAfter(now, retryAfterRefund)
			if isPostponed, err := postponeClosing(ctx, tx.Q, a.ID, acquiring.Closed{}, due); err != nil || !isPostponed {
				return false, err
			}
			return false, s.queue.Enqueue(ctx, tx, closingJob{PaymentID: a.ID}, queue.At(due))
		}
	}
	l, err := loadLedger(ctx, tx, bill, a)
	if err != nil {
		return false, err
	}
	c.Lines = l.Refunded.RemainingLines(l.Parts)
	if c.Sum.Amount = payment.SumOf(c.Lines); c.Sum.Amount > 0 {
		return true, nil
	}
	_, err = finishClosing(ctx, tx.Q, a.ID, payment.ClosingNotNeeded, acquiring.Closed{}, now)
	return false, err
}

// closingOutcome is what became of a call for a closing receipt.
type closingOutcome struct {
	acquiring.Closed

	// final is set when the receipt is finished although the acquirer was not called.
	final payment.ClosingState
}

// callClosing asks the acquirer to register a closing receipt. The outcome is unknown when the acquirer
// has not clearly answered, and when the settings no longer have its account. It is ClosingManual for an
// acquirer that registers none.
func (s *Service) callClosing(ctx context.Context, c payment.ClosingReceipt, a payment.Attempt, bill payment.Bill) closingOutcome {
	acquirer, ok := s.accounts.FindAcquirer(a.Site, a.Account)
	if !ok {
		return closingOutcome{Closed: acquiring.Closed{Code: "account"}}
	}
	closer, ok := acquirer.(acquiring.ReceiptCloser)
	if !ok {
		return closingOutcome{final: payment.ClosingManual}
	}
	ctx, cancel := context.WithTimeout(ctx, closingTimeout)
	defer cancel()
	answer, err := closer.CloseReceipt(ctx, acquiring.Closing{
		ID: c.ID, Of: a.Lookup(), Sum: c.Sum, Receipt: a.ClosingReceipt(bill, c.Lines), Ref: c.Ref, Repeated: c.Calls > 1,
	})
	switch {
	case err != nil && acquiring.KindOf(err) == acquiring.Invalid: // repeating it would not help
		return closingOutcome{Closed: acquiring.Closed{State: acquiring.ClosingFailed, Code: codeOf(err)}}
	case err != nil:
		s.log.LogAttrs(ctx, slog.LevelWarn, "closing receipt call failed", append(closingAttrs(c, a), slog.Any("error", err))...)
		return closingOutcome{}
	}
	return closingOutcome{Closed: answer}
}

// closingAttrs returns the attributes of a closing receipt for the log.
func closingAttrs(c payment.ClosingReceipt, a payment.Attempt) []slog.Attr {
	return []slog.Attr{
		slog.Int64("order_id", c.OrderID), slog.String("payment_id", string(c.PaymentID)), slog.String("receipt_id", string(c.ID)),
		slog.String("site", a.Site), slog.String("account", a.Account), slog.Int64("calls", c.Calls),
	}
}

// storeClosingOutcome stores the outcome of a call for a closing receipt. Without a certain
// outcome it enqueues the next call; a receipt that is pending for longer than maxClosingTime
// fails. Then it counts the outcome and, where needed, alerts a person. It does nothing when the
// outcome was stored before.
func (s *Service) storeClosingOutcome(ctx context.Context, c payment.ClosingReceipt, a payment.Attempt, outcome closingOutcome) error {
	now := s.clock.Now()
	outcome.Code = acquiring.CleanCode(outcome.Code)
	if outcome.State == acquiring.ClosingPending && !now.Before(c.CreatedAt.Add(maxClosingTime)) {
		outcome.State, outcome.Code = acquiring.ClosingFailed, "pending_too_long"
	}
	final := outcome.final
	switch outcome.State {
	case acquiring.ClosingDone:
		final = payment.ClosingDone
	case acquiring.ClosingFailed:
		final = payment.ClosingFailed
	case acquiring.ClosingUnknown, acquiring.ClosingPending:
	}
	isStored := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if final != "" {
			isStored, err = finishClosing(ctx, tx.Q, c.PaymentID, final, outcome.Closed, now)
			return err
		}
		due := dueAfter(now, closingPause(c.Calls))
		if isStored, err = postponeClosing(ctx, tx.Q, c.PaymentID, outcome.Closed, due); err != nil || !isStored {
			return err
		}
		return s.queue.Enqueue(ctx, tx, closingJob{PaymentID: c.PaymentID}, queue.At(due))
	})
	if err != nil || !isStored {
		return err
	}
	s.reportClosing(ctx, c, a, final, outcome.Code)
	return nil
}

// reportClosing counts a finished closing receipt. It alerts a person when the receipt failed,
// or when many calls had no outcome.
func (s *Service) reportClosing(ctx context.Context, c payment.ClosingReceipt, a payment.Attempt, final payment.ClosingState, code string) {
	attrs := append(closingAttrs(c, a), slog.String("code", code))
	switch {
	case final == payment.ClosingFailed:
		s.alertPerson(ctx, alertClosingFailed, "closing receipt failed for good", attrs...)
	case final == "" && c.Calls >= closingAlarm && (c.Calls-closingAlarm)%closingAlarmAgain == 0:
		s.alertPerson(ctx, alertClosingUnknown, "closing receipt has no outcome after many calls", attrs...)
	}
	if final != "" {
		s.metrics.closings.WithLabelValues(a.Account, string(final)).Inc()
	}
}

// sweepClosings calls the acquirers for closing receipts that are due, at most closingBatch of
// them. It is for receipts whose job was lost.
func (s *Service) sweepClosings(ctx context.Context, now time.Time) error {
	ids, err := listDueClosings(ctx, s.db.Read(), now, closingBatch)
	if err != nil {
		return err
	}
	return parallel.Each(ids, closingConcurrency, func(id acquiring.ID) error {
		if err := s.runClosing(ctx, closingJob{PaymentID: id}); err != nil {
			return fmt.Errorf("closing receipt of payment %s: %w", id, err)
		}
		return nil
	})
}
