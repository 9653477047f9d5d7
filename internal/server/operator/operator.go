// Package operator answers the operator's calls of the contract: what the kitchen's system, the
// courier's and the operator's desk ask of orders, payments, stops, customers and forms. Before a call comes here it
// is known who makes it ([access.From]), that they have its right, and that the order, the brand and the shop
// which it names are in their scope. A handler itself leaves out other rows that are not in the scope.
package operator

import (
	"context"
	"net/http"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/bonus"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/feedback"
	"servery/internal/kitchen"
	"servery/internal/order/correct"
	"servery/internal/order/feed"
	"servery/internal/order/follow"
	"servery/internal/order/message"
	"servery/internal/order/orders"
	"servery/internal/order/search"
	"servery/internal/payment/payments"
	"servery/internal/phone"
	"servery/internal/server/stream"
	"servery/internal/staff"
)

// Options are what [Calls] use.
type Options struct {
	Clock     clock.Clock
	Catalog   *catalog.Catalog
	Kitchen   *kitchen.Service
	Customers *customer.Customers
	Bonuses   *bonus.Service
	Orders    *orders.Service
	Feed      *feed.Service
	Delivery  *feed.Delivery
	Messages  *message.Service
	Follow    *follow.Service
	Finder    *search.Finder
	Correct   *correct.Service
	Payments  *payments.Service
	Feedback  *feedback.Service
	// Marks stand for phones in what each phone gets once.
	Marks  phone.Marks
	Audit  *audit.Log
	Tokens *access.Tokens
	Staff  *staff.Service
	// Problem answers a stream that cannot begin. StreamContext returns the context of a request without
	// the deadline of calls.
	Problem       func(w http.ResponseWriter, r *http.Request, err error)
	StreamContext func(r *http.Request) context.Context
	// Caller returns the address that a call comes from and what its browser calls itself.
	Caller func(ctx context.Context) (address, browser string)
	// Origin returns the scheme, host and port at which the browser of a call has the page, without a path.
	Origin func(ctx context.Context) string
	// Drained is closed when the server begins to drain, to end streams.
	Drained <-chan struct{}
	// Beats returns the beats of a stream, and what ends them; nil for one in 25 seconds.
	Beats func() (beats <-chan time.Time, stop func())
}

// Calls answers the operator's calls. Make it with [New]. It is safe for concurrent use.
type Calls struct {
	clock     clock.Clock
	catalog   *catalog.Catalog
	kitchen   *kitchen.Service
	customers *customer.Customers
	bonuses   *bonus.Service
	orders    *orders.Service
	feed      *feed.Service
	delivery  *feed.Delivery
	messages  *message.Service
	follow    *follow.Service
	finder    *search.Finder
	correct   *correct.Service
	payments  *payments.Service
	feedback  *feedback.Service
	marks     phone.Marks
	audit     *audit.Log
	tokens    *access.Tokens
	staff     *staff.Service

	problem       func(w http.ResponseWriter, r *http.Request, err error)
	streamContext func(r *http.Request) context.Context
	caller        func(ctx context.Context) (address, browser string)
	origin        func(ctx context.Context) string
	drained       <-chan struct{}
	beats         func() (beats <-chan time.Time, stop func())
	streams       streams
}

// New returns the calls over the areas of the options.
func New(o Options) *Calls {
	if o.Beats == nil {
		o.Beats = stream.EveryBeat
	}
	return &Calls{
		problem: o.Problem, streamContext: o.StreamContext, caller: o.Caller, origin: o.Origin, drained: o.Drained, beats: o.Beats,
		clock: o.Clock, catalog: o.Catalog, kitchen: o.Kitchen, customers: o.Customers, bonuses: o.Bonuses, orders: o.Orders,
		feed: o.Feed, delivery: o.Delivery, messages: o.Messages, finder: o.Finder, correct: o.Correct, follow: o.Follow, payments: o.Payments, feedback: o.Feedback, marks: o.Marks, audit: o.Audit, tokens: o.Tokens, staff: o.Staff,
	}
}
