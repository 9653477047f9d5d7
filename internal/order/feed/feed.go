// Package feed lists the changes of all orders for the restaurant, in order and without a gap.
package feed

import (
	"context"

	"servery/internal/db"
	"servery/internal/order"
	"servery/internal/order/orders"
)

// Service lists changes. It is safe for concurrent use.
type Service struct{ db *db.DB }

// New returns the service on a migrated database.
func New(d *db.DB) *Service { return &Service{d} }

// Query says which changes are listed.
type Query struct {
	// After is the number of the change after which the list begins.
	After int64
	// Site is the alias of a brand, Shops are ids of shops; empty for all.
	Site  string
	Shops []int64
	// Limit is how many changes are read, those of other brands and shops too.
	Limit int
}

// Entry is a change with the order that it belongs to.
type Entry struct {
	order.Change

	OrderID int64
	Site    string
	ShopID  int64
}

// Page is a part of the list.
type Page struct {
	Entries []Entry
	// Last is the number after which the list continues.
	Last int64
	// HasMore is set when there may be more changes after Last.
	HasMore bool
}

// List returns the next changes in the order of their numbers. A reader that continues from the last
// number of each page gets every change, because a change is listed only once all with lower numbers
// are visible.
func (s *Service) List(ctx context.Context, q Query) (Page, error) {
	last, err := orders.LastVisibleChange(ctx, s.db)
	if err != nil {
		return Page{}, err
	}
	return listChanges(ctx, s.db.Read(), q, last)
}
