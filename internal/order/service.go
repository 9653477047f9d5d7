package order

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/guess"
	"servery/internal/limit"
	"servery/internal/payment"
	"servery/internal/queue"
	"servery/internal/visit"
)

// Service places orders and moves them. It is safe for concurrent use.
//
// An order is seen by the session that placed it, by its customer, and by those that
// LookUp has let in: by its link as a whole, by phone and number in brief (see [View]).
// To everybody else it does not exist: order.not_found (NotFound), the same for an
// order of another and for a number that nobody has.
type Service struct {
	db        *db.DB
	carts     *cart.Service
	payments  *payment.Service
	addresses *geo.Addresses
	queue     *queue.Queue
	clock     clock.Clock
	lookups   *guess.Limiter
	watchers  *watchers
	payWithin time.Duration
	limits    limit.Limits
	// number gives the next order's number, which may be taken already.
	number func() int64
}

// Options are what orders need of the program's settings.
type Options struct {
	// PayWithin is how long an order that is paid online waits for its payment; 0 means [HoldFor].
	PayWithin time.Duration
	// Limits bound what guests may order and checkouts may hold; the zero value bounds nothing.
	Limits limit.Limits
}

// New makes the service on a migrated database and hands its jobs to the queue, which
// must not be started yet. The payments are attached to it.
func New(d *db.DB, carts *cart.Service, addresses *geo.Addresses, payments *payment.Service, q *queue.Queue, c clock.Clock, with Options) *Service {
	s := &Service{
		db: d, carts: carts, payments: payments, addresses: addresses, queue: q, clock: c,
		lookups: guess.NewLimiter(guess.Default()), watchers: newWatchers(), number: newNumber,
		payWithin: with.PayWithin, limits: with.Limits,
	}
	if s.payWithin == 0 {
		s.payWithin = HoldFor
	}
	queue.Handle(q, s.release)
	queue.HandleAside(q, s.runExpire) // it calls acquirers, and no sign-in should wait for those
	payments.Attach(bills{s})
	return s
}

// Get returns what the visitor may see of an order. Fault: order.not_found (NotFound).
func (s *Service) Get(ctx context.Context, v visit.Context, id int64) (Order, error) {
	o, err := load(ctx, s.db.Read(), id)
	if err != nil {
		return Order{}, hide(err)
	}
	as, ok, err := viewOf(ctx, s.db.Read(), v, o)
	switch {
	case err != nil:
		return Order{}, err
	case !ok:
		return Order{}, notFound()
	}
	return o.seenAs(as), nil
}

// Cancel cancels an accepted order that the visitor placed or has the link of, and releases all that it has taken:
// its interval, what there is only so much of, the bonuses, the money that was paid online.
// An order that is canceled already stays so. Faults: order.not_found
// (NotFound), order.not_cancelable (Conflict) with the state that it has come to.
func (s *Service) Cancel(ctx context.Context, v visit.Context, id int64) (Order, error) {
	for range maxRetries {
		var canceled Order
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			canceled, err = s.cancelOnce(ctx, tx, v, id)
			return err
		})
		if !errors.Is(err, errMoved) {
			return canceled, err
		}
	}
	return Order{}, fault.New(fault.Conflict, "order.not_cancelable")
}

// errMoved says that somebody else moved the order first; it is to be looked at anew.
var errMoved = errors.New("the order was moved meanwhile")

// notCancelable refuses to cancel an order that has come that far.
func notCancelable(s State) error {
	return fault.New(fault.Conflict, "order.not_cancelable_"+string(s))
}

func (s *Service) cancelOnce(ctx context.Context, tx *db.Tx, v visit.Context, id int64) (Order, error) {
	o, err := load(ctx, tx.Q, id)
	if err != nil {
		return Order{}, hide(err)
	}
	as, ok, err := viewOf(ctx, tx.Q, v, o)
	o.View = as
	switch {
	case err != nil:
		return Order{}, err
	case !ok || as == BriefView:
		return Order{}, notFound()
	case o.State == Canceled:
		return o, nil
	case !o.State.CanCancel():
		return Order{}, notCancelable(o.State)
	}
	moved, err := advance(ctx, tx, &o, Canceled, string(Customer), v.Now)
	if err == nil && !moved {
		err = errMoved
	}
	if err != nil {
		return Order{}, err
	}
	if err := giveBack(ctx, tx, o, v.Now); err != nil {
		return Order{}, err
	}
	return o, s.payments.RefundCanceled(ctx, tx, o.PaidBy, v.Now)
}

// MostOrdered gives the ids of the products that were ordered most in a city of a
// brand during the last 30 days, the most ordered first.
func (s *Service) MostOrdered(ctx context.Context, siteAlias string, cityID int64) ([]int64, error) {
	return mostOrdered(ctx, s.db.Read(), siteAlias, cityID, s.clock.Now().AddDate(0, 0, -30))
}

// belongsTo reports whether the visitor placed the order: in this session, or as the
// customer that he is known to be.
func (o Order) belongsTo(v visit.Context) bool {
	inSession := v.SessionID != 0 && o.sessionID == v.SessionID
	asCustomer := v.CustomerID != 0 && o.customerID == v.CustomerID
	return (inSession || asCustomer) && o.Site == v.Site.Alias
}

func notFound() error {
	return fault.New(fault.NotFound, "order.not_found", fault.Field("order_id", "order.not_found"))
}

// hide makes an order that is not there look like one that is another's.
func hide(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return notFound()
	}
	return err
}

// The holders of intervals.
func cacheHolder(key string) string { return "cache:" + key }
func orderHolder(id int64) string   { return fmt.Sprintf("order:%d", id) }

const (
	lowestNumber = 10_000_000
	numbers      = 90_000_000
)

// newNumber gives a random number of eight digits. The few numbers that come a little
// more often than others give nothing away.
func newNumber() int64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return lowestNumber + int64(binary.LittleEndian.Uint64(b[:])%numbers)
}

// newSecret gives 128 random bits as text.
func newSecret() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}
