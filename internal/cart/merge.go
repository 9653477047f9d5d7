package cart

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/visit"
)

// joins is how often a merge is tried while other calls keep changing the customer's
// cart.
const joins = 20

// Merge joins the carts of a guest's session, 0 for none, into those of the customer who takes
// its place in this transaction; none is the guest's afterwards, so that a second merge
// changes nothing. Of one city the lines of both stay, and one that is in both keeps
// the higher count (decision 0028). Fault: cart.changed (Conflict) when others were first
// too often.
func (s *Service) Merge(ctx context.Context, tx *db.Tx, v visit.Context, guestID int64) error {
	visits, err := takeFromSession(ctx, tx.Q, guestID)
	if err != nil {
		return err
	}
	for _, visit := range visits {
		if err := join(ctx, tx, v, visit); err != nil {
			return err
		}
	}
	return nil
}

// join joins one cart of the session into the customer's of that city.
func join(ctx context.Context, tx *db.Tx, v visit.Context, visit visited) error {
	o := owner{customerID: v.CustomerID, site: visit.site, cityID: visit.cart.CityID}
	for range joins {
		own, err := readOwn(ctx, tx.Q, o)
		if err != nil {
			return err
		}
		joined := visit.cart
		if own.cart.Version > 0 {
			joined = own.cart.joined(visit.cart)
		}
		body, err := json.Marshal(joined)
		if err != nil {
			return fmt.Errorf("write cart: %w", err)
		}
		if bytes.Equal(body, own.body) {
			return nil
		}
		if err := save(ctx, tx.Q, o, joined, body, v.Now); !errors.Is(err, errLost) {
			return err
		}
	}
	return fault.New(fault.Conflict, "cart.changed")
}

// joined gives the cart of a customer with that of the visit in which he signed in. What
// can be there only once is the visit's where it was chosen: it was chosen last. Code,
// gifts and bonuses are the visit's only where the customer has none.
func (c Cart) joined(visit Cart) Cart {
	c.Lines, c.Before = slices.Clone(c.Lines), nil
	for _, line := range visit.Lines {
		if at := c.find(line.Key); at >= 0 {
			line.Count -= c.Lines[at].Count
		}
		c = c.With(line)
	}
	if visit.ShopID != 0 || visit.Address != nil || visit.ZoneID != 0 {
		c.OrderType, c.IntervalID, c.WithoutBag = visit.OrderType, visit.IntervalID, visit.WithoutBag
		if visit.ShopID != 0 {
			c.ShopID = visit.ShopID
		}
		if visit.Address != nil {
			c.Address = visit.Address
		}
		if visit.ZoneID != 0 {
			c.ZoneID = visit.ZoneID
		}
	}
	if len(c.Gifts) == 0 {
		c.Gifts = visit.Gifts
	}
	if len(c.Presents) == 0 {
		c.Presents = visit.Presents
	}
	if c.Promocode == "" {
		c.Promocode = visit.Promocode
	}
	if c.Bonuses == 0 {
		c.Bonuses = visit.Bonuses
	}
	if c.Phone == "" {
		c.Phone = visit.Phone
	}
	return c
}
