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
	"servery/internal/queue"
)

// ClosingState is where a closing receipt stands. The set is closed; the values are stored.
type ClosingState string

// The states of a closing receipt.
const (
	// ClosingWaiting: written down with the state done of the order. What refunds take before
	// the acquirer is asked is left out of it.
	ClosingWaiting ClosingState = "waiting"
	// ClosingRunning: the acquirer was asked for it with these lines, and is asked under the
	// same id until it is certain what became of it.
	ClosingRunning ClosingState = "running"
	ClosingDone    ClosingState = "done"
	// ClosingFailed: certainly not registered. A person has to make it.
	ClosingFailed ClosingState = "failed"
	// ClosingManual: the acquirer registers none, so somebody else makes it.
	ClosingManual ClosingState = "manual"
	// ClosingNotNeeded: all was given back before.
	ClosingNotNeeded ClosingState = "not_needed"
)

// isOnItsWay reports whether the acquirer still has to be asked for such a receipt.
func (s ClosingState) isOnItsWay() bool { return s == ClosingWaiting || s == ClosingRunning }

// coversLines reports whether the lines of such a receipt were handed over by the books of the
// fiscal register, so that a refund of them is no longer one of a prepayment.
func (s ClosingState) coversLines() bool { return s != ClosingWaiting && s != ClosingNotNeeded }

// ClosingReceipt is the receipt that follows a receipt of prepayment once the order is handed
// over (54-FZ). A payment has at most one.
type ClosingReceipt struct {
	ID        acquiring.ID
	PaymentID acquiring.ID
	OrderID   int64
	// Lines are what was handed over and Sum what it comes to; both are empty while it waits.
	Lines []RefundLine
	Sum   acquiring.Sum
	State ClosingState
	// Ref is the acquirer's name of it, Code its word for why it failed.
	Ref, Code             string
	CreatedAt, FinishedAt time.Time

	tries int64
	// checkAt is when the acquirer is to be asked; zero once the outcome is certain.
	checkAt time.Time
}

const (
	// closingCallLimit is how long a call may last, closingLease how long no other process makes it.
	closingCallLimit = 40 * time.Second
	closingLease     = 2 * time.Minute
	// closingPatience is how long a register may take before a person has to look.
	closingPatience = 72 * time.Hour
	// After closingAlarm calls without an outcome a person has to look, and again after each
	// further closingAlarmAgain.
	closingAlarm, closingAlarmAgain = 6, 24
	// afterRefund is how long a closing receipt waits for refunds that are on their way.
	afterRefund = time.Minute
	// mostDueClosings bounds one sweep, closingConcurrency how many calls it makes at once.
	mostDueClosings, closingConcurrency = 40, 8
)

// closingPauses are how long to wait after each call; the last one repeats.
var closingPauses = []time.Duration{5 * time.Second, 30 * time.Second, 5 * time.Minute, time.Hour}

func closingPause(calls int64) time.Duration {
	return closingPauses[min(max(calls, 1), int64(len(closingPauses)))-1]
}

// closingJob is the job that asks the acquirer for the closing receipt of a payment.
type closingJob struct {
	PaymentID acquiring.ID `json:"payment_id"`
}

// Kind names the job.
func (closingJob) Kind() string { return "order.close_receipt" }

// SendsReceipt reports whether a payment has a receipt. Of an account that is not in the
// settings any more nothing else is known than that it had one.
func (s *Service) SendsReceipt(p Payment) bool {
	acquirer, ok := s.accounts.Find(p.Site, p.Account)
	return p.HasReceipt() && (!ok || acquirer.Receipts() != acquiring.NoReceipts)
}

// writeClosing writes down that the order, which was just handed over, needs a closing receipt,
// with the job that asks for it. It must be called in the transaction that moves the order. An
// order without a receipt of prepayment needs none.
func (s *Service) writeClosing(ctx context.Context, tx *db.Tx, o Order, now time.Time) error {
	if o.PaidBy == "" {
		return nil
	}
	p, err := loadPayment(ctx, tx.Q, o.PaidBy)
	if err != nil || !s.SendsReceipt(p) || p.ReceiptMode() != acquiring.FullPrepayment {
		return err
	}
	written, err := insertClosing(ctx, tx.Q, ClosingReceipt{ID: newRefundID(), PaymentID: p.ID, OrderID: o.ID, CreatedAt: now})
	if err != nil || !written {
		return err
	}
	return s.queue.Enqueue(ctx, tx, closingJob{PaymentID: p.ID}, queue.At(now))
}

// runClosing asks the acquirer for a closing receipt, once, and writes down what it said. A
// receipt that is certain, not due, or waits for a refund is left alone, so the job may be run
// any number of times.
func (s *Service) runClosing(ctx context.Context, job closingJob) error {
	c, p, o, err := s.beginClosing(ctx, job.PaymentID)
	if err != nil || c == nil {
		return err
	}
	said := s.askToClose(ctx, *c, p, o)
	// The answer is kept although the caller may be gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closingCallLimit)
	defer cancel()
	return s.keepClosing(ctx, *c, p, said)
}

// beginClosing makes the closing receipt this caller's for as long as a call may last, with the
// lines that it is of. It returns nil when there is nothing to ask now.
func (s *Service) beginClosing(ctx context.Context, payment acquiring.ID) (c *ClosingReceipt, p Payment, o Order, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c = nil
		var err error
		if p, err = lockedPayment(ctx, tx, payment); err != nil {
			return err
		}
		now := s.clock.Now()
		due, err := closingOf(ctx, tx.Q, payment)
		if err != nil || due == nil || !due.State.isOnItsWay() || now.Before(due.checkAt) {
			return err
		}
		if o, err = load(ctx, tx.Q, p.OrderID); err != nil {
			return err
		}
		if due.State == ClosingWaiting {
			if isReady, err := s.fillClosing(ctx, tx, due, p, now); err != nil || !isReady {
				return err
			}
		}
		begun, err := beginClosing(ctx, tx.Q, *due, now, now.Add(closingLease))
		if err != nil || !begun {
			return err
		}
		due.State, c = ClosingRunning, due
		c.tries++
		return nil
	})
	return c, p, o, err
}

// fillClosing decides what a closing receipt is of: what was sold and not given back. It
// returns false when the receipt waits for a refund, or nothing is left to close.
func (s *Service) fillClosing(ctx context.Context, tx *db.Tx, c *ClosingReceipt, p Payment, now time.Time) (bool, error) {
	refunds, err := refundsOf(ctx, tx.Q, p.OrderID)
	if err != nil {
		return false, err
	}
	for _, r := range refunds {
		if r.PaymentID == p.ID && r.State.isOnItsWay() {
			due := checkTime(now, afterRefund)
			if postponed, err := postponeClosing(ctx, tx.Q, p.ID, acquiring.Closed{}, due); err != nil || !postponed {
				return false, err
			}
			return false, s.queue.Enqueue(ctx, tx, closingJob{PaymentID: p.ID}, queue.At(due))
		}
	}
	b, err := openBooks(ctx, tx, p)
	if err != nil {
		return false, err
	}
	c.Lines = b.given.rest(b.parts)
	if c.Sum.Amount = sumOf(c.Lines); c.Sum.Amount > 0 {
		return true, nil
	}
	_, err = endClosing(ctx, tx.Q, p.ID, ClosingNotNeeded, acquiring.Closed{}, now)
	return false, err
}

// outcome is what became of a call for a closing receipt.
type outcome struct {
	acquiring.Closed

	// ends is set when the receipt ends although the acquirer was not asked.
	ends ClosingState
}

// askToClose asks the acquirer. Whatever it did not clearly say is unknown.
func (s *Service) askToClose(ctx context.Context, c ClosingReceipt, p Payment, o Order) outcome {
	acquirer, ok := s.accounts.Find(p.Site, p.Account)
	if !ok {
		return outcome{Closed: acquiring.Closed{Code: "account"}}
	}
	closer, ok := acquirer.(acquiring.ReceiptCloser)
	if !ok {
		return outcome{ends: ClosingManual}
	}
	ctx, cancel := context.WithTimeout(ctx, closingCallLimit)
	defer cancel()
	said, err := closer.CloseReceipt(ctx, acquiring.Closing{
		ID: c.ID, Of: p.Lookup(), Sum: c.Sum, Receipt: p.closingReceipt(o, c.Lines), Ref: c.Ref, Repeated: c.tries > 1,
	})
	switch {
	case acquiring.KindOf(err) == acquiring.Invalid && err != nil: // it will never be another
		return outcome{Closed: acquiring.Closed{State: acquiring.ClosingFailed, Code: codeOf(err)}}
	case err != nil:
		s.log.LogAttrs(ctx, slog.LevelWarn, "a closing receipt was not registered yet", append(c.about(p), slog.Any("err", err))...)
		return outcome{}
	}
	return outcome{Closed: said}
}

// about returns what logs say of a closing receipt.
func (c ClosingReceipt) about(p Payment) []slog.Attr {
	return []slog.Attr{
		slog.Int64("order_id", c.OrderID), slog.String("payment_id", string(c.PaymentID)), slog.String("receipt_id", string(c.ID)),
		slog.String("account", p.Account), slog.Int64("calls", c.tries),
	}
}

// keepClosing writes down what the acquirer said of a closing receipt.
func (s *Service) keepClosing(ctx context.Context, c ClosingReceipt, p Payment, said outcome) error {
	now := s.clock.Now()
	said.Code = acquiring.CleanCode(said.Code)
	if said.State == acquiring.ClosingPending && !now.Before(c.CreatedAt.Add(closingPatience)) {
		said.State, said.Code = acquiring.ClosingFailed, "pending_too_long"
	}
	ends := said.ends
	switch said.State {
	case acquiring.ClosingDone:
		ends = ClosingDone
	case acquiring.ClosingFailed:
		ends = ClosingFailed
	case acquiring.ClosingUnknown, acquiring.ClosingPending:
	}
	kept := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if ends != "" {
			kept, err = endClosing(ctx, tx.Q, c.PaymentID, ends, said.Closed, now)
			return err
		}
		due := checkTime(now, closingPause(c.tries))
		if kept, err = postponeClosing(ctx, tx.Q, c.PaymentID, said.Closed, due); err != nil || !kept {
			return err
		}
		return s.queue.Enqueue(ctx, tx, closingJob{PaymentID: c.PaymentID}, queue.At(due))
	})
	if err != nil || !kept {
		return err
	}
	s.tellOfClosing(ctx, c, p, ends, said.Code)
	return nil
}

// tellOfClosing counts what became of a closing receipt, and alerts a person who has to make it
// or to look why nothing becomes of it.
func (s *Service) tellOfClosing(ctx context.Context, c ClosingReceipt, p Payment, ends ClosingState, code string) {
	about := append(c.about(p), slog.String("code", code))
	switch {
	case ends == ClosingFailed:
		s.alert(ctx, alertClosingFailed, "a closing receipt was not registered: a person has to make it", about...)
	case ends == "" && c.tries >= closingAlarm && (c.tries-closingAlarm)%closingAlarmAgain == 0:
		s.alert(ctx, alertClosingUnknown, "a closing receipt is not certain after many calls: a person has to look", about...)
	}
	if ends != "" {
		s.metrics.closings.WithLabelValues(p.Account, string(ends)).Inc()
	}
}

// sweepClosings asks for the closing receipts whose job was lost, some at a time.
func (s *Service) sweepClosings(ctx context.Context, now time.Time) error {
	ids, err := dueClosings(ctx, s.db.Read(), now, mostDueClosings)
	if err != nil {
		return err
	}
	failed := make([]error, len(ids))
	var all sync.WaitGroup
	turns := make(chan struct{}, closingConcurrency)
	for i, id := range ids {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			if err := s.runClosing(ctx, closingJob{PaymentID: id}); err != nil {
				failed[i] = fmt.Errorf("closing receipt of payment %s: %w", id, err)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}
