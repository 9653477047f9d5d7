package carts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/visit"
)

// Saved is a stored cart with the time of its last change.
type Saved struct {
	cart.Cart

	ChangedAt time.Time
}

// ListSaved returns the stored carts of the signed-in customer, in all cities of the brand.
func (s *Service) ListSaved(ctx context.Context, v visit.Context) ([]Saved, error) {
	rows, err := s.db.Read().ListCartsOfCustomer(ctx, gen.ListCartsOfCustomerParams{CustomerID: v.CustomerID, Site: v.Site.Alias})
	if err != nil {
		return nil, fmt.Errorf("list carts: %w", err)
	}
	list := make([]Saved, len(rows))
	for i, row := range rows {
		if list[i].Cart, err = parseCart(row.Body, row.CityID); err != nil {
			return nil, err
		}
		list[i].ChangedAt = row.UpdatedAt
	}
	return list, nil
}

// FindLastCity returns the city of the visitor's cart that changed last; found is false when the
// visitor has no cart at the brand.
func (s *Service) FindLastCity(ctx context.Context, v visit.Context) (cityID int64, found bool, err error) {
	o := owner{sessionID: v.SessionID, customerID: v.CustomerID}
	cityID, err = s.db.Read().FindLastCartCity(ctx, gen.FindLastCartCityParams{Owner: o.storeKey(), Site: v.Site.Alias})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the cart that changed last: %w", err)
	}
	return cityID, true, nil
}
