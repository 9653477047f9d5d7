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

// mergeAttempts is how often a merge is repeated while other calls change the customer's cart.
const mergeAttempts = 20

// Merge merges the carts of a guest's session, 0 for none, into those of the customer who signs in;
// it must be called in the transaction of the sign-in. The guest has none afterwards, so a second
// merge changes nothing. Per city the lines of both stay, and a line that is in both has the higher
// count (decision 0028). It returns cart.changed (Conflict) when other calls were first too often.
func (s *Service) Merge(ctx context.Context, tx *db.Tx, v visit.Context, guestID int64) error {
	visits, err := detachSessionCarts(ctx, tx.Q, guestID)
	if err != nil {
		return err
	}
	for _, visit := range visits {
		if err := mergeCart(ctx, tx, v, visit); err != nil {
			return err
		}
	}
	return nil
}

// mergeCart merges one cart of the session into the customer's of that city.
func mergeCart(ctx context.Context, tx *db.Tx, v visit.Context, visit visited) error {
	o := owner{customerID: v.CustomerID, site: visit.site, cityID: visit.cart.CityID}
	for range mergeAttempts {
		own, err := readOwn(ctx, tx.Q, o)
		if err != nil {
			return err
		}
		joined := visit.cart
		if own.cart.Version > 0 {
			joined = own.cart.mergedWith(visit.cart)
		}
		body, err := json.Marshal(joined)
		if err != nil {
			return fmt.Errorf("write cart: %w", err)
		}
		if bytes.Equal(body, own.body) {
			return nil
		}
		if err := saveCart(ctx, tx.Q, o, joined, body, v.Now); !errors.Is(err, errVersionConflict) {
			return err
		}
	}
	return fault.New(fault.Conflict, "cart.changed")
}

// mergedWith returns the cart of a customer merged with the guest's cart of the visit. What a cart
// has only once is the visit's where it was chosen, since that choice is newer. Code, gifts and
// bonuses are the visit's only where the customer has none.
func (c Cart) mergedWith(visit Cart) Cart {
	c.Lines, c.Before = slices.Clone(c.Lines), nil
	for _, line := range visit.Lines {
		if at := c.findLine(line.Key); at >= 0 {
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
