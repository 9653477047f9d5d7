package cart

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db/gen"
	"servery/internal/visit"
)

// Kept is a cart as it is kept, and since when.
type Kept struct {
	Cart

	ChangedAt time.Time
}

// Kept gives the carts of a customer who has signed in, in all cities of the brand.
func (s *Service) Kept(ctx context.Context, v visit.Context) ([]Kept, error) {
	rows, err := s.db.Read().ListCartsOfCustomer(ctx, gen.ListCartsOfCustomerParams{CustomerID: v.CustomerID, Site: v.Site.Alias})
	if err != nil {
		return nil, fmt.Errorf("list carts: %w", err)
	}
	list := make([]Kept, len(rows))
	for i, row := range rows {
		if list[i].Cart, err = parse(row.Body, row.CityID); err != nil {
			return nil, err
		}
		list[i].ChangedAt = row.UpdatedAt
	}
	return list, nil
}
