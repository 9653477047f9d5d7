// Package message sends customers text messages about their orders, each at most once.
package message

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/notify"
	"servery/internal/order"
	"servery/internal/queue"
	"servery/internal/remote"
	"servery/internal/site"
)

const (
	// lostAfter is how long after a process has taken it a message counts as lost. It is longer than all
	// senders of a brand take together.
	lostAfter = 5 * time.Minute
	// life is how long the outcome of a message is stored.
	life = 90 * 24 * time.Hour
	// recent is how long after its promised time an order still counts as one of this night.
	recent = 3 * time.Hour
)

// pauses are the times from an attempt that surely delivered nothing to the next one. There are as many
// repeats as pauses.
var pauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute}

// State is what became of a message. The set is closed; the values are stored and go over the wire.
type State string

// The states.
const (
	Waiting State = "waiting"
	Sending State = "sending"
	Sent    State = "sent"
	Failed  State = "failed"   // no sender took it
	Unknown State = "unknown"  // it may have been taken; it is not sent again
	LeftOut State = "left_out" // when its time came it was not true any more, or its order, person or brand was gone
)

// Options are the parts of a [Service].
type Options struct {
	DB      *db.DB
	Queue   *queue.Queue
	Clock   clock.Clock
	Log     *slog.Logger
	Senders notify.Senders
	// Site returns a brand of the content in use; false when there is none.
	Site func(alias string) (*site.Site, bool)
	// Address returns the public address of a brand, without a slash at its end; empty when it has none.
	Address func(*site.Site) string
}

// Service stores which messages are to be sent, and sends them. It is safe for concurrent use.
type Service struct {
	Options

	sent *prometheus.CounterVec
}

// New returns the service on a migrated database and registers its job; it must be called before the
// queue starts.
func New(o Options) *Service {
	s := &Service{Options: o, sent: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "servery_order_messages_total", Help: "Text messages about orders, by occasion and what became of them.",
	}, []string{"site", "occasion", "state"})}
	queue.HandleAside(o.Queue, s.send)
	return s
}

// Collectors returns the metrics of the messages.
func (s *Service) Collectors() []prometheus.Collector { return []prometheus.Collector{s.sent} }

// occasionOf returns the occasion of c, the last change of the order; empty when customers get no
// message about such a change.
func occasionOf(o order.Order, c order.Change) site.OrderMessage {
	switch c.Kind {
	case order.Placed:
		if c.State == order.Accepted {
			return site.OnAccepted
		}
	case order.Paid:
		return site.OnAccepted
	case order.Taken, order.Promised:
		if !o.AgreedTo.IsZero() && c.PromisedTo.After(o.AgreedTo) {
			return site.OnDelayed
		}
	case order.Moved:
		if c.State == order.Sent {
			return site.OnSent
		}
	case order.Cancellation:
		if strings.HasPrefix(c.Actor, string(order.Operator)) {
			return site.OnCanceled
		}
	case order.Refunded:
		if c.Actor == string(order.Acquirer) { // nobody waits for what was handed back by hand
			return site.OnRefunded
		}
	case order.SteppedBack, order.RefundOwed, order.CourierAssigned, order.CourierRemoved, order.Corrected:
	}
	return ""
}

// Announce stores and enqueues the message about a change of an order, where the brand sends one and has a
// public address and a sender of text messages. It must be called in the transaction of the change.
func (s *Service) Announce(ctx context.Context, tx *db.Tx, o order.Order, c order.Change) error {
	occasion := occasionOf(o, c)
	brand, ok := s.Site(o.Site)
	if occasion == "" || !ok || !brand.Settings.Sends(occasion) || s.Address(brand) == "" || len(notify.TextSenders(s.Senders, o.Site)) == 0 {
		return nil
	}
	city, ok := brand.City(o.CityID)
	if !ok {
		return nil
	}
	if occasion == site.OnSent {
		// A step back after a mistake brings the order to the same state again.
		isAnnounced, err := hasAnnounced(ctx, tx.Q, o.ID, occasion)
		if err != nil || isAnnounced {
			return err
		}
	}
	due := dueAt(o, city.Location, c.At)
	id, err := insertMessage(ctx, tx.Q, o.ID, c.ID, occasion, due, c.At)
	if err != nil {
		return err
	}
	return s.Queue.Enqueue(ctx, tx, job{ID: id}, queue.At(due))
}

// dueAt returns when a message about an order may be sent. That is now by day, and also at night when
// the order is promised for this night; otherwise it is ten in the morning.
func dueAt(o order.Order, location *time.Location, now time.Time) time.Time {
	morning := notify.InDaytime(now, location)
	if o.PromisedFrom.Before(morning) && o.PromisedTo.After(now.Add(-recent)) {
		return now
	}
	return morning
}

// job sends a message. It contains nothing of the person.
type job struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (job) Kind() string { return "order.message" }

// send sends the message of a job, at most once: it takes the message before it sends it, and enqueues
// another attempt only when the message surely was not delivered.
func (s *Service) send(ctx context.Context, j job) error {
	var m storedMessage
	err := s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		m, err = takeMessage(ctx, tx.Q, j.ID, s.Clock.Now())
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil // another caller has it, or it is not due
	}
	if err != nil {
		return err
	}
	text, brand, err := s.compose(ctx, m)
	if err != nil {
		return err
	}
	state := LeftOut
	if text.Text != "" { // then there is a brand too
		state = s.deliver(ctx, brand.Alias, m, text)
	}
	ctx = context.WithoutCancel(ctx) // the outcome must be stored even when the program stops
	return s.DB.InTx(ctx, func(tx *db.Tx) error { return s.finish(ctx, tx, m, brand, state) })
}

// finish stores and counts what became of a message. For a message that is still Waiting it stores and
// enqueues the next attempt instead; after the last attempt the message is Failed.
func (s *Service) finish(ctx context.Context, tx *db.Tx, m storedMessage, brand *site.Site, state State) error {
	now := s.Clock.Now()
	if state == Waiting && m.attempts <= int64(len(pauses)) {
		due := now.Add(pauses[m.attempts-1])
		if err := postponeMessage(ctx, tx.Q, m.id, due, now); err != nil {
			return err
		}
		return s.Queue.Enqueue(ctx, tx, job{ID: m.id}, queue.At(due))
	}
	if state == Waiting {
		state = Failed
	}
	alias := ""
	if brand != nil {
		alias = brand.Alias
	}
	s.sent.WithLabelValues(alias, string(m.occasion), string(state)).Inc()
	return finishMessage(ctx, tx.Q, m.id, state, now)
}

// deliver tries the senders of a brand in their order until one takes the message, and returns what
// became of it: Sent, Unknown, Failed for a number that cannot be reached or has opted out, or Waiting when
// it surely was not delivered. It must not be called in a transaction.
func (s *Service) deliver(ctx context.Context, alias string, m storedMessage, text notify.Message) State {
	for _, sender := range notify.TextSenders(s.Senders, alias) {
		_, err := sender.Send(ctx, text)
		if err == nil {
			return Sent
		}
		s.Log.WarnContext(ctx, "message about an order not sent", slog.String("site", alias), slog.Int64("order_id", m.orderID),
			slog.String("occasion", string(m.occasion)), slog.String("sender", sender.Name()), slog.Any("error", err))
		var remoteErr *remote.Error
		switch {
		case notify.IsFinal(err):
			return Failed
		case errors.As(err, &remoteErr) && remoteErr.MayHaveArrived:
			return Unknown
		}
	}
	return Waiting
}

// Sweep enqueues messages whose job was lost, stores as unknown those that a process has taken and not
// finished within lostAfter, and deletes old ones.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := sweepMessages(ctx, tx.Q, now); err != nil {
			return err
		}
		ids, err := listDue(ctx, tx.Q, now.Add(-lostAfter))
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.Queue.Enqueue(ctx, tx, job{ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Message is a message about an order, as its restaurant sees it.
type Message struct {
	Occasion site.OrderMessage
	State    State
	ChangeID int64
	At       time.Time
}

// List returns the messages about an order, the first one first.
func (s *Service) List(ctx context.Context, orderID int64) ([]Message, error) {
	return listMessages(ctx, s.DB.Read(), orderID)
}
