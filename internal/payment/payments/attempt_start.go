package payments

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/payment"
	"servery/internal/queue"
	"servery/internal/site"
	"servery/internal/visit"
)

// How long an acquirer may take to answer. A customer who returns from the bank's page gets an
// answer within two seconds, with what is known by then.
const (
	startTimeout   = 40 * time.Second
	cancelTimeout  = 10 * time.Second
	statusTimeout  = 10 * time.Second
	refreshTimeout = 1500 * time.Millisecond
	// callLease is how long no other process makes the same call; more than startTimeout.
	callLease = time.Minute
)

// createAttempt stores a new attempt of the visitor and the job that polls it, before the
// acquirer is called. It also sets the payment type of the order to the requested one. It
// returns [ErrChanged] when the order no longer waits for payment, has an active attempt, or has one
// with the idempotency key of the visitor: it was changed concurrently. It returns the fault
// order.payment_type (Invalid) when the type cannot be paid online here.
func (s *Service) createAttempt(ctx context.Context, v visit.Context, bill payment.Bill, city *site.City, r payment.PayRequest, call payment.Call) (payment.Attempt, error) {
	account, _, method, ok := s.FindAccount(v.Site, city, r.PaymentType)
	if !ok {
		return payment.Attempt{}, unknownPaymentType()
	}
	// The acquirer is sent the same instant in each call, so it has the precision that both engines
	// store. The clock is read here and not earlier: the call may have waited for longer than a lease.
	now := s.clock.Now().UTC().Truncate(time.Millisecond)
	a := payment.Attempt{
		ID: acquiring.ID(rand.Text()), OrderID: bill.OrderID, Site: bill.Site, Account: account, Method: method,
		Sum: bill.Sum, State: payment.Starting, StartedAt: now, Deadline: bill.Deadline, Call: call, IdempotencyKey: v.IdempotencyKey,
		LeaseUntil: now.Add(callLease), PollAt: now.Add(callLease),
	}
	a.Call.HasToken = r.Token != ""
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.orders.Lock(ctx, tx, bill.OrderID); err != nil {
			return err
		}
		current, err := s.orders.Bill(ctx, tx.Q, bill.OrderID)
		if err != nil {
			return err
		}
		attempts, err := listAttempts(ctx, tx.Q, bill.OrderID)
		if err != nil {
			return err
		}
		if _, hasActive := payment.ActiveAttempt(attempts); hasActive || current.State != payment.BillDue {
			return ErrChanged
		}
		if _, keyIsUsed := payment.AttemptWithKey(attempts, v.IdempotencyKey); keyIsUsed {
			return ErrChanged
		}
		// Attempts are listed by their start, so the new one has to start after the last.
		if n := len(attempts); n > 0 && !a.StartedAt.After(attempts[n-1].StartedAt) {
			a.StartedAt = attempts[n-1].StartedAt.Add(time.Millisecond)
		}
		if current.PaymentType != r.PaymentType {
			if err := s.orders.SetPaymentType(ctx, tx, bill.OrderID, r.PaymentType); err != nil {
				return err
			}
		}
		if err := insertAttempt(ctx, tx.Q, a); err != nil {
			return err
		}
		return s.enqueuePoll(ctx, tx, a.ID, a.PollAt)
	})
	if err != nil {
		return payment.Attempt{}, err
	}
	return loadAttempt(ctx, s.db.Read(), a.ID)
}

// enqueuePoll stores the job that polls the acquirer about an attempt.
func (s *Service) enqueuePoll(ctx context.Context, tx *db.Tx, id acquiring.ID, at time.Time) error {
	return s.queue.Enqueue(ctx, tx, pollJob{ID: id}, queue.At(at))
}

// dueAfter returns the instant after a pause, rounded down to a whole second. Every table stores
// that exactly, so the job for a row never runs before the row is due.
func dueAfter(now time.Time, pause time.Duration) time.Time {
	return now.Add(pause).Truncate(time.Second)
}

// Arguments of [Service.startAttempt]: which call for the attempt it is, and the absence of a card,
// for an attempt that is paid on the acquirer's page.
const (
	firstCall, laterCall = true, false

	noToken       = acquiring.Secret("")
	noVerifyParam = ""
)

// startAttempt calls the acquirer to start an attempt that this caller has claimed, stores the
// answer and returns the attempt. It must not be called in a transaction. isFirst is firstCall
// or laterCall. An error of the first call means that nothing was taken, so the attempt fails;
// an error of a later call says nothing about the calls before, so the attempt keeps its next
// action.
func (s *Service) startAttempt(ctx context.Context, a payment.Attempt, bill payment.Bill, token acquiring.Secret, verify string, isFirst bool) (payment.Attempt, error) {
	callCtx, cancel := detachContext(ctx, startTimeout)
	defer cancel()
	acquirer, err := s.acquirerOf(a)
	var next acquiring.Next
	if err == nil {
		next, err = acquirer.StartPayment(callCtx, a.Intent(bill, token, verify))
	}
	ctx = context.WithoutCancel(ctx) // the answer is stored although the caller may be gone
	if err == nil {
		return s.storeAnswer(ctx, a, next)
	}
	s.logFailedCall(ctx, a, "start", err)
	if isFirst {
		failed := acquiring.Event{ID: a.ID, State: acquiring.Failed, Sum: a.Sum, Reason: reasonOf(err), Code: codeOf(err)}
		return s.applyEvent(ctx, a.ID, failed, asConfirmed)
	}
	kept := a.Next
	kept.Ref = "" // the stored one stays
	return s.storeAnswer(ctx, a, kept)
}

// storeAnswer stores what an acquirer answered to StartPayment or Finish3DS and returns the
// attempt. A certain outcome is applied as an event; any other answer sets the next action and
// the next poll.
func (s *Service) storeAnswer(ctx context.Context, a payment.Attempt, next acquiring.Next) (payment.Attempt, error) {
	if next.Kind == acquiring.Done || next.Kind == acquiring.Declined {
		if next.Event.Ref == "" {
			next.Event.Ref = next.Ref
		}
		return s.applyVerified(ctx, a, next.Event)
	}
	state := payment.Pending
	if next.Kind == acquiring.Unknown { // the acquirer may not have the attempt yet
		state = a.State
	}
	now := s.clock.Now()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		due := dueAfter(now, payment.FirstPause)
		isStored, err := updateAnswer(ctx, tx.Q, a, state, next, due)
		if err != nil || !isStored {
			return err
		}
		return s.enqueuePoll(ctx, tx, a.ID, due)
	})
	if err != nil {
		return a, err
	}
	return loadAttempt(ctx, s.db.Read(), a.ID)
}

// reasonOf returns why the acquirer did not start an attempt: its deadline was over, or it was
// refused.
func reasonOf(err error) acquiring.Reason {
	if acquiring.KindOf(err) == acquiring.Late {
		return acquiring.Expired
	}
	return acquiring.Refused
}

// queryStatus asks the acquirer for the outcome of an attempt and waits at most for the limit.
func (s *Service) queryStatus(ctx context.Context, a payment.Attempt, limit time.Duration) (acquiring.Event, error) {
	acquirer, err := s.acquirerOf(a)
	if err != nil {
		return acquiring.Event{}, err
	}
	ctx, cancel := detachContext(ctx, limit)
	defer cancel()
	return acquirer.QueryStatus(ctx, a.Lookup())
}

// logFailedCall logs a warning about a call of the given name that failed. Errors of acquirers
// contain nothing about customers.
func (s *Service) logFailedCall(ctx context.Context, a payment.Attempt, call string, err error) {
	s.log.WarnContext(ctx, "acquirer call failed", slog.String("call", call), slog.String("site", a.Site),
		slog.String("account", a.Account), slog.Int64("order_id", a.OrderID), slog.String("payment_id", string(a.ID)), slog.Any("error", err))
}

// unknownPaymentType returns the fault for a payment type that the order cannot be paid by.
func unknownPaymentType() error {
	return fault.New(fault.Invalid, "order.payment_type", fault.Field("payment_type", "order.payment_type"))
}
