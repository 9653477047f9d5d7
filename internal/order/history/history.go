// Package history reads orders many at a time: a customer's list and their export, what is ordered most,
// and the pictures that orders show. What is archived of them comes back from the archive.
package history

import (
	"context"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/visit"
)

// Service reads lists of orders. It is safe for concurrent use.
type Service struct {
	db    *db.DB
	clock clock.Clock
}

// New returns the service on a migrated database.
func New(d *db.DB, c clock.Clock) *Service { return &Service{d, c} }

// PerPage is how many orders a page of a customer's list has.
const PerPage = 10

// Page is a part of a customer's orders.
type Page struct {
	// Orders are without their lines, the newest first.
	Orders []Listed
	// Number counts from 1, and Total counts all orders of the customer at the brand.
	Number, Total int
}

// Pages returns how many pages the customer's list has.
func (p Page) Pages() int { return (p.Total + PerPage - 1) / PerPage }

// Listed is an order of a list.
type Listed struct {
	order.Order

	// Portions is how many of everything it has, gifts too.
	Portions int
	// Payment is all that happened to its payment.
	Payment payment.History
}

// ReadPage returns a page of the customer's orders at the brand, from all devices; number counts
// from 1. A page after the last is empty. It returns customer.sign_in_first (Unauthenticated)
// for a guest.
func (s *Service) ReadPage(ctx context.Context, v visit.Context, number int) (Page, error) {
	if v.CustomerID == 0 {
		return Page{}, customer.ErrSignInFirst
	}
	p := Page{Number: number}
	if err := archive.RecallNewest(ctx, s.db, v.Site.Alias, v.CustomerID, number*PerPage, s.clock.Now()); err != nil {
		return Page{}, err
	}
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		if p.Total, err = countOfCustomer(ctx, at.Q, v.Site.Alias, v.CustomerID); err != nil || number > p.Pages() {
			return err
		}
		p.Orders, err = listOfCustomer(ctx, at.Q, v.Site.Alias, v.CustomerID, part{skipped: (number - 1) * PerPage, most: PerPage})
		if err != nil {
			return err
		}
		for i := range p.Orders {
			o := &p.Orders[i]
			if o.Payment, err = payments.ReadHistory(ctx, at, o.Bill()); err != nil {
				return err
			}
		}
		return nil
	})
	return p, err
}

// Export returns all orders of the customer at the brand with lines and payments, the newest
// first, all as of one instant. The number of queries does not depend on how many orders there
// are. It returns customer.sign_in_first (Unauthenticated) for a guest.
func (s *Service) Export(ctx context.Context, v visit.Context) ([]order.WithPayment, error) {
	if v.CustomerID == 0 {
		return nil, customer.ErrSignInFirst
	}
	if err := archive.RecallAllOfCustomer(ctx, s.db, v.Site.Alias, v.CustomerID, s.clock.Now()); err != nil {
		return nil, err
	}
	var all []order.WithPayment
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		all, err = exportOfCustomer(ctx, at, v.Site.Alias, v.CustomerID)
		return err
	})
	return all, err
}

// MostOrdered returns the ids of the products that were ordered most in a city of a
// brand during the last 30 days, the most ordered first.
func (s *Service) MostOrdered(ctx context.Context, siteAlias string, cityID int64) ([]int64, error) {
	return listMostOrdered(ctx, s.db.Read(), siteAlias, cityID, s.clock.Now().AddDate(0, 0, -30))
}
