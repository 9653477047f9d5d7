// Package orders places orders, moves them and releases what they hold, by the rules of package order.
//
// Each call of [Service] that changes an order is one transaction.
package orders

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/cart/carts"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/geo"
	"servery/internal/guess"
	"servery/internal/limit"
	"servery/internal/order"
	"servery/internal/payment/payments"
	"servery/internal/queue"
)

// Service places orders and moves them. It is safe for concurrent use.
//
// An order is seen by the session that placed it, by its customer, and by those that
// [Service.LookUp] has let in: by its link as a whole, by phone and number in brief (see [order.View]).
// For all others it does not exist: order.not_found (NotFound), the same for an order of
// another customer and for a number without an order.
type Service struct {
	db        *db.DB
	carts     *carts.Service
	payments  *payments.Service
	addresses *geo.Addresses
	queue     *queue.Queue
	clock     clock.Clock
	lookups   *guess.Limiter
	// phones counts orders of guests that show, by a refusal, what their phone has ordered.
	phones    *guess.Limiter
	payWithin time.Duration
	limits    limit.Limits
	// announce is called in the transaction of each change; nil for none.
	announce func(ctx context.Context, tx *db.Tx, o order.Order, c order.Change) error
	// moves counts the states that orders come into.
	moves *prometheus.CounterVec
	// late counts orders that came later than agreed.
	late *prometheus.CounterVec
	// number returns the next order's number, which may be taken already.
	number func() int64
}

// Options are what orders need of the program's settings.
type Options struct {
	// Sites are the aliases of the brands whose accepted orders the metrics have before the first one.
	Sites []string
	// PayWithin is how long an order that is paid online waits for its payment; 0 means [HoldFor].
	PayWithin time.Duration
	// Limits bound what guests may order and checkouts may hold; the zero value bounds nothing.
	Limits limit.Limits
	// LowestNumber and HighestNumber are the ends of the range that the numbers of orders are taken from; both 0 mean
	// the numbers of eight digits. Databases whose numbers shall differ have ranges that do not meet.
	LowestNumber, HighestNumber int64
	// Announce is called in the transaction of each change of an order, with the order after it; nil for
	// none.
	Announce func(ctx context.Context, tx *db.Tx, o order.Order, c order.Change) error
}

// New returns the service on a migrated database. It registers its jobs with the queue, which
// must not be started yet, and attaches itself to the payments.
func New(d *db.DB, carts *carts.Service, addresses *geo.Addresses, payments *payments.Service, q *queue.Queue, c clock.Clock, options Options) *Service {
	s := &Service{
		db: d, carts: carts, payments: payments, addresses: addresses, queue: q, clock: c,
		lookups: guess.NewLimiter(guess.Default()), phones: guess.NewLimiter(phoneLimits),
		payWithin: options.PayWithin, limits: options.Limits, announce: options.Announce, moves: newMoveCounter(options.Sites), late: newLateCounter(),
	}
	if s.payWithin == 0 {
		s.payWithin = HoldFor
	}
	lowest, highest := options.LowestNumber, options.HighestNumber
	if highest == 0 {
		lowest, highest = lowestNumber, highestNumber
	}
	s.number = func() int64 { return newNumber(lowest, highest) }
	queue.Handle(q, s.runRelease)
	queue.HandleAside(q, s.runExpire) // it calls acquirers, and other jobs must not wait for those
	payments.AttachOrders(bills{s})
	return s
}

// hideNotFound returns order.not_found (NotFound) in place of [db.ErrNotFound], and any other
// error as it is.
func hideNotFound(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return order.NotFound()
	}
	return err
}

// checkoutHolder returns the name under which a checkout reserves its interval.
func checkoutHolder(key string) string { return "cache:" + key }

// lowestNumber and highestNumber are the numbers that orders take when the options name none: all of eight digits.
const (
	lowestNumber  = 10_000_000
	highestNumber = 99_999_999
)

// newNumber returns a random number from lowest to highest. Some numbers come a little more often than others, which
// helps no one to guess.
func newNumber(lowest, highest int64) int64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return lowest + int64(binary.LittleEndian.Uint64(b[:])%uint64(highest-lowest+1))
}
