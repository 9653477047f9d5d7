// Package payments charges bills online and refunds them, by the rules of package payment: it calls
// acquirers, takes their webhooks, completes 3-D Secure, polls what is not certain, and makes refunds and
// closing receipts.
//
// It reads of an order only its bill, and changes an order only through [Orders].
package payments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/payment"
	"servery/internal/queue"
)

// Service charges and refunds bills. It is safe for concurrent use after [Service.AttachOrders].
type Service struct {
	db       *db.DB
	orders   Orders
	queue    *queue.Queue
	clock    clock.Clock
	accounts acquiring.Accounts
	settings *settingsCache
	log      *slog.Logger
	metrics  *metrics
}

// Options are what payments need of the program. Without accounts nothing is paid online.
type Options struct {
	Accounts acquiring.Accounts
	// Log gets what needs a person; nil means slog.Default.
	Log *slog.Logger
}

// New returns the service on a migrated database and registers its jobs with the queue, which
// must not be started yet. [Service.AttachOrders] must be called before any other method.
func New(d *db.DB, q *queue.Queue, c clock.Clock, with Options) *Service {
	s := &Service{
		db: d, queue: q, clock: c, accounts: with.Accounts, settings: newSettingsCache(), log: with.Log, metrics: newMetrics(),
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	// These jobs call acquirers and may take long. They run apart, so that no sign-in waits for them.
	queue.HandleAside(q, s.runPoll)
	queue.HandleAside(q, s.runRefund)
	queue.HandleAside(q, s.runClosing)
	return s
}

// AttachOrders sets the service by which payments read and change orders. Orders need payments too, so it
// is set after both are made: once, before the first call.
func (s *Service) AttachOrders(orders Orders) { s.orders = orders }

// eventLife is how long applied events of an attempt are remembered: acquirers repeat one for
// days.
const eventLife = 180 * 24 * time.Hour

// Sweep does the work of lost jobs: it polls attempts that are due and makes the refunds and
// closing receipts that are still open. It also removes old events. It may be called
// concurrently.
func (s *Service) Sweep(ctx context.Context, now time.Time) error {
	return errors.Join(s.PollDue(ctx, now), s.sweepRefunds(ctx, now), s.sweepClosings(ctx, now), s.removeOldEvents(ctx, now))
}

// removeOldEvents removes the events that are older than eventLife, in batches.
func (s *Service) removeOldEvents(ctx context.Context, now time.Time) error {
	err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return deleteOldEvents(ctx, tx.Q, now.Add(-eventLife)) })
	if err != nil {
		return fmt.Errorf("remove old payment events: %w", err)
	}
	return nil
}

// claimWork runs take in its own transaction and reports whether take has leased the work to
// this caller. A lease ends by itself, so another process does the work of a process that died.
func (s *Service) claimWork(ctx context.Context, take func(tx *db.Tx) (bool, error)) (bool, error) {
	isClaimed := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		isClaimed, err = take(tx)
		return err
	})
	return isClaimed && err == nil, err
}

// detachContext returns a context for a call that goes on when the customer hangs up, with its
// own time limit.
func detachContext(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// acquirerOf returns the acquirer at which an attempt was made. It returns an error of kind
// [acquiring.Denied] when the account was removed from the settings.
func (s *Service) acquirerOf(a payment.Attempt) (acquiring.Acquirer, error) {
	found, ok := s.accounts.FindAcquirer(a.Site, a.Account)
	if !ok {
		return nil, &acquiring.Error{Acquirer: a.Account, Op: "find", Kind: acquiring.Denied, Code: "account"}
	}
	return found, nil
}

// codeOf returns the acquirer's code of an error, empty for none.
func codeOf(err error) string {
	var e *acquiring.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// notFound returns the fault for an order or an attempt that does not exist for the caller.
func notFound() error {
	return fault.New(fault.NotFound, "order.not_found", fault.Field("order_id", "order.not_found"))
}

// hideNotFound replaces [db.ErrNotFound] by the fault that customers receive, and returns any
// other error as it is.
func hideNotFound(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return notFound()
	}
	return err
}
