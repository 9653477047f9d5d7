package push

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/queue"
)

const (
	// maxBrowsers is how many browsers are sent the states of one order.
	maxBrowsers = 5
	// life is how long a subscription is stored; orders are placed for days ahead.
	life = 14 * 24 * time.Hour
	// maxSweeps bounds the transactions of one sweep.
	maxSweeps = 20
)

// Options are the parts of a [Service].
type Options struct {
	DB    *db.DB
	Queue *queue.Queue
	Clock clock.Clock
	Log   *slog.Logger
	// Contact is where push services write to when messages do them harm: the address of the default
	// site.
	Contact string
	// Describe returns what is to be said of an order, in the language. It returns [db.ErrNotFound] for
	// one that is not there, or whose brand is not in the content.
	Describe func(ctx context.Context, orderID int64, l lang.Lang) (State, error)
	// Client calls push services; nil for one that reaches public addresses alone.
	Client *http.Client
}

// State is what is said of an order.
type State struct {
	ChangeID int64
	// IsFinal says that no other state follows.
	IsFinal bool
	// Title and Body are the texts, Path is where a press leads to.
	Title, Body, Path string
}

// Service stores who is to be sent the states of an order, and sends them. It is safe for concurrent
// use.
type Service struct {
	Options

	keys keys
	sent *prometheus.CounterVec
}

// New returns the service on a migrated database, makes its keys where there are none, and registers
// its job; it must be called before the queue starts.
func New(ctx context.Context, o Options) (*Service, error) {
	k, err := openKeys(ctx, o.DB, o.Clock.Now())
	if err != nil {
		return nil, err
	}
	if o.Client == nil {
		o.Client = newClient()
	}
	s := &Service{Options: o, keys: k, sent: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "servery_push_messages_total", Help: "Messages to browsers by what became of them.",
	}, []string{"outcome"})}
	queue.HandleAside(o.Queue, s.send)
	return s, nil
}

// Collectors returns the metrics of the messages.
func (s *Service) Collectors() []prometheus.Collector { return []prometheus.Collector{s.sent} }

// PublicKey returns the key that browsers subscribe with, in base64url.
func (s *Service) PublicKey() string { return s.keys.Public }

// Watcher is who is to be sent the states of an order that they may see.
type Watcher struct {
	OrderID, SessionID int64
	// ChangeID is the change that they have seen.
	ChangeID int64
	Lang     lang.Lang
	Now      time.Time
}

// Subscribe stores that the browser is to be sent every later state. Faults: push.bad_subscription
// (Invalid); push.too_many (TooMany) when the order has too many browsers.
func (s *Service) Subscribe(ctx context.Context, w Watcher, sub Subscription) error {
	if err := sub.check(); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		others, err := countOthers(ctx, tx.Q, w.OrderID, sub.Endpoint)
		if err != nil {
			return err
		}
		if others >= maxBrowsers {
			return fault.New(fault.TooMany, "push.too_many", fault.RetryAfter(time.Hour))
		}
		return saveSubscription(ctx, tx.Q, sub, w)
	})
}

// Unsubscribe deletes the subscriptions of a session to an order.
func (s *Service) Unsubscribe(ctx context.Context, orderID, sessionID int64) error {
	return s.DB.InTx(ctx, func(tx *db.Tx) error { return deleteOfSession(ctx, tx.Q, orderID, sessionID) })
}

// Announce enqueues the messages of a change of an order. It must be called in the transaction of the
// change.
func (s *Service) Announce(ctx context.Context, tx *db.Tx, orderID, changeID int64) error {
	ids, err := listSubscriptions(ctx, tx.Q, orderID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.Queue.Enqueue(ctx, tx, message{Subscription: id, Change: changeID}); err != nil {
			return err
		}
	}
	return nil
}

// Sweep deletes subscriptions that are over their term.
func (s *Service) Sweep(ctx context.Context) error {
	before := s.Clock.Now().Add(-life)
	for range maxSweeps {
		var deleted int64
		err := s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
			deleted, err = deleteOld(ctx, tx.Q, before)
			return err
		})
		if err != nil || deleted == 0 {
			return err
		}
	}
	return nil
}
