// Package operator answers the operator's calls of the contract: what the kitchen's system, the
// courier's and the operator's desk ask of orders, payments, stops, customers and forms. That a call has the
// operator's token is checked before it comes here.
package operator

import (
	"servery/internal/bonus"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/feedback"
	"servery/internal/order"
	"servery/internal/order/feed"
	"servery/internal/order/follow"
	"servery/internal/order/search"
	"servery/internal/payment"
)

// Options are what [Calls] use.
type Options struct {
	Clock     clock.Clock
	Catalog   *catalog.Catalog
	Customers *customer.Customers
	Bonuses   *bonus.Service
	Orders    *order.Service
	Feed      *feed.Service
	Follow    *follow.Service
	Finder    *search.Finder
	Payments  *payment.Service
	Feedback  *feedback.Service
}

// Calls answers the operator's calls. Make it with [New]. It is safe for concurrent use.
type Calls struct {
	clock     clock.Clock
	catalog   *catalog.Catalog
	customers *customer.Customers
	bonuses   *bonus.Service
	orders    *order.Service
	feed      *feed.Service
	follow    *follow.Service
	finder    *search.Finder
	payments  *payment.Service
	feedback  *feedback.Service
}

// New returns the calls over the areas of the options.
func New(o Options) *Calls {
	return &Calls{
		clock: o.Clock, catalog: o.Catalog, customers: o.Customers, bonuses: o.Bonuses, orders: o.Orders,
		feed: o.Feed, finder: o.Finder, follow: o.Follow, payments: o.Payments, feedback: o.Feedback,
	}
}
