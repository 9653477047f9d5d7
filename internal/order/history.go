package order

import (
	"context"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/payment"
	"servery/internal/visit"
)

// PerPage is how many orders a page of a customer's list has.
const PerPage = 10

// Page is a part of a customer's orders.
type Page struct {
	// Orders are without their lines, the newest first.
	Orders []Listed
	// Number counts from 1, and Total counts all orders of the customer at the brand.
	Number, Total int
}

// Pages returns how many pages there are.
func (p Page) Pages() int { return (p.Total + PerPage - 1) / PerPage }

// Listed is an order of a list.
type Listed struct {
	Order

	// Portions is how many of everything it has, gifts too.
	Portions int
	// Payment is all that happened to its payment.
	Payment payment.History
}

// List returns a page of the customer's orders at the brand, from all devices. A page
// after the last is empty. Fault: customer.sign_in_first (Unauthenticated).
func (s *Service) List(ctx context.Context, v visit.Context, number int) (Page, error) {
	if v.CustomerID == 0 {
		return Page{}, customer.ErrSignInFirst
	}
	p := Page{Number: number}
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
			if o.Payment, err = payment.ReadHistory(ctx, at, o.Bill()); err != nil {
				return err
			}
		}
		return nil
	})
	return p, err
}

// Export returns all orders of the customer at the brand with their lines and their money, the
// newest first, all as of one instant. The number of queries is the same for any number of
// orders. Fault: customer.sign_in_first (Unauthenticated).
func (s *Service) Export(ctx context.Context, v visit.Context) ([]WithPayment, error) {
	if v.CustomerID == 0 {
		return nil, customer.ErrSignInFirst
	}
	var all []WithPayment
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		all, err = exportOfCustomer(ctx, at, v.Site.Alias, v.CustomerID)
		return err
	})
	return all, err
}

// Join moves the orders and checkouts of a guest's session, 0 for none, to the session of the
// customer that follows it, in the transaction of the sign-in. Those of the orders that have the
// phone that was just proved become the customer's. Orders of other sessions with that phone do
// not: it may have belonged to somebody else then.
func (s *Service) Join(ctx context.Context, tx *db.Tx, v visit.Context, guestID int64) error {
	if guestID == 0 {
		return nil
	}
	if err := moveSession(ctx, tx.Q, guestID, v.SessionID); err != nil {
		return err
	}
	return assignToCustomer(ctx, tx.Q, v)
}
