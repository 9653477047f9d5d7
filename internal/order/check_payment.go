package order

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
)

const (
	// firstPause is how soon after its answer an acquirer is asked what became of a try.
	firstPause = 3 * time.Second
	// stale is after how long a request with a card that has left no trace is given up, so
	// that the customer may try again; it is watched further on.
	stale = time.Minute
	// closeWatch is how long after the deadline what was given up is looked at each minute,
	// and never heard of may still come.
	closeWatch = 15 * time.Minute
	// longWatch is how long it is looked at at all.
	longWatch = 72 * time.Hour
	// mostDue and abreast are how many payments a sweep looks at, and how many at a time.
	mostDue = 500
	abreast = 8
)

// pauses are those between the checks of a try that the customer may still finish.
var pauses = []time.Duration{
	firstPause, 5 * time.Second, 5 * time.Second, 10 * time.Second, 10 * time.Second, 15 * time.Second, 15 * time.Second, 20 * time.Second,
}

// pause is how long after a check the next one comes.
func (p Payment) pause(now time.Time) time.Duration {
	if p.IsLive() {
		if p.checks < len(pauses) {
			return pauses[p.checks]
		}
		return 30 * time.Second
	}
	late := now.Sub(p.Deadline)
	if late < closeWatch {
		return time.Minute
	}
	return min(late/3, 6*time.Hour) // ever more rarely
}

// paymentJob is a check of a payment.
type paymentJob struct {
	ID acquiring.ID `json:"id"`
}

// Kind names the job.
func (paymentJob) Kind() string { return "order.check_payment" }

func (s *Service) checkPayment(ctx context.Context, job paymentJob) error {
	return s.check(ctx, job.ID, s.clock.Now())
}

// CheckPayments asks the acquirers what became of the payments that are due to be asked
// about. [Service.Sweep] does so too.
func (s *Service) CheckPayments(ctx context.Context, now time.Time) error {
	ids, err := duePayments(ctx, s.db.Read(), now, mostDue)
	if err != nil {
		return err
	}
	return side(ids, func(id acquiring.ID) error { return s.check(ctx, id, now) })
}

// side does something about each of many, some side by side, and joins what went wrong.
func side[T any](all []T, do func(T) error) error {
	var mu sync.Mutex
	var failed []error
	var work sync.WaitGroup
	places := make(chan struct{}, abreast)
	for _, one := range all {
		places <- struct{}{}
		work.Go(func() {
			defer func() { <-places }()
			if err := do(one); err != nil {
				mu.Lock()
				failed = append(failed, err)
				mu.Unlock()
			}
		})
	}
	work.Wait()
	return errors.Join(failed...)
}

// check asks the acquirer about a payment that is due, and does what follows. Of those
// that come at the same time one does so; it leaves the next check behind before.
func (s *Service) check(ctx context.Context, id acquiring.ID, now time.Time) error {
	p, err := loadPayment(ctx, s.db.Read(), id)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil || p.checkAt.IsZero() || p.checkAt.After(now) {
		return err
	}
	next := checkTime(now, p.pause(now))
	mine := false
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if mine, err = claimCheck(ctx, tx.Q, id, now, next); err != nil || !mine {
			return err
		}
		return s.checkAt(ctx, tx, id, next)
	})
	if err != nil || !mine {
		return err
	}
	switch {
	case p.State == Abandoned:
		return s.watch(ctx, p, now)
	case !p.IsLive():
		return s.db.InTx(ctx, func(tx *db.Tx) error { return stopChecks(ctx, tx.Q, id) })
	case !now.Before(p.Deadline):
		_, err := s.withdrawOrder(ctx, p.OrderID, Deadline, now)
		return err
	case p.busyUntil.After(now):
		return nil
	}
	return s.pursue(ctx, p, now)
}

// pursue follows a try that the customer may still finish.
func (s *Service) pursue(ctx context.Context, p Payment, now time.Time) error {
	e, err := s.statusOf(ctx, p, statusWithin)
	if err != nil {
		s.logRefusal(ctx, p, "status", err)
		return nil // it is asked again at the next check
	}
	known, err := s.believe(ctx, p, e)
	if err != nil || known.State != Starting {
		return err
	}
	_, err = s.resume(ctx, known, e.State, now)
	return err
}

// resume goes on with a try whose answer was lost, after the acquirer said how it stands
// there. A page is asked for again. A card cannot be sent again, because it is not kept:
// once its request is stale, it is given up.
func (s *Service) resume(ctx context.Context, p Payment, state acquiring.State, now time.Time) (Payment, error) {
	if !p.asked.HasToken {
		return s.startAgain(ctx, p, now)
	}
	if !p.isStale(now) {
		return p, nil
	}
	if state != acquiring.Absent {
		var err error
		if p, _, err = s.withdraw(ctx, p); err != nil || !p.IsLive() {
			return p, err
		}
	}
	return s.giveUp(ctx, p, now)
}

// giveUp abandons a try and gives it as it is then.
func (s *Service) giveUp(ctx context.Context, p Payment, now time.Time) (Payment, error) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		fresh, err := lockedPayment(ctx, tx, p.ID)
		if err != nil || !fresh.IsLive() {
			return err
		}
		return s.abandon(ctx, tx, fresh, now.Add(time.Minute))
	})
	if err != nil {
		return p, err
	}
	return loadPayment(ctx, s.db.Read(), p.ID)
}

// startAgain asks for a try again under the same id. One that stands there and whose page
// is lost is cancelled, so that the customer can begin another.
func (s *Service) startAgain(ctx context.Context, p Payment, now time.Time) (Payment, error) {
	mine := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		mine, err = claimCall(ctx, tx.Q, p.ID, now, now.Add(busyFor))
		return err
	})
	if err != nil || !mine {
		return p, err
	}
	o, err := load(ctx, s.db.Read(), p.OrderID)
	if err != nil {
		return p, err
	}
	if p, err = s.start(ctx, p, o, "", "", false); err != nil || p.State != Starting || p.Ref == "" {
		return p, err
	}
	p, _, err = s.withdraw(ctx, p)
	return p, err
}

// watch follows a try that nobody wants any more: it is cancelled again and again, until
// that is certain or it cannot come any more.
func (s *Service) watch(ctx context.Context, p Payment, now time.Time) error {
	a, err := s.acquirer(p)
	var e acquiring.Event
	if err == nil {
		calling, cancel := patient(ctx, cancelWithin)
		defer cancel()
		e, err = a.Cancel(calling, p.Lookup())
	}
	if err != nil {
		s.logRefusal(ctx, p, "cancel", err)
	} else {
		if e.State == acquiring.Absent && !now.Before(p.Deadline.Add(closeWatch)) {
			e = acquiring.Event{ID: p.ID, State: acquiring.Failed, Sum: p.Sum, Reason: acquiring.Expired}
		}
		if p, err = s.believe(ctx, p, e); err != nil {
			return err
		}
	}
	if p.State != Abandoned || now.Before(p.StartedAt.Add(longWatch)) {
		return nil
	}
	s.alert(ctx, alertPaymentUnknown, "an acquirer never said what became of a payment: a person has to look",
		slog.Int64("order_id", p.OrderID), slog.String("payment_id", string(p.ID)))
	return s.db.InTx(ctx, func(tx *db.Tx) error { return stopChecks(ctx, tx.Q, p.ID) })
}
