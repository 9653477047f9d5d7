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

// Merge moves the carts of a guest's session, 0 for none, into those of the customer who signs in;
// it must be called in the transaction of the sign-in. In each city the lines of both carts stay,
// and a line that is in both has the higher count (decision 0028). The guest has no cart
// afterwards, so that a second call changes nothing. It returns cart.changed (Conflict) when other
// calls changed the customer's cart too often.
func (s *Service) Merge(ctx context.Context, tx *db.Tx, v visit.Context, guestID int64) error {
	guestCarts, err := detachSessionCarts(ctx, tx.Q, guestID)
	if err != nil {
		return err
	}
	for _, guestCart := range guestCarts {
		if err := mergeCart(ctx, tx, v, guestCart); err != nil {
			return err
		}
	}
	return nil
}

// mergeCart merges one cart of the guest's session into the customer's cart of that city, and
// saves it. The customer gets the guest's cart where there is no other. It returns cart.changed
// (Conflict) when other calls changed the customer's cart too often.
func mergeCart(ctx context.Context, tx *db.Tx, v visit.Context, guest sessionCart) error {
	o := owner{customerID: v.CustomerID, site: guest.site, cityID: guest.cart.CityID}
	for range mergeAttempts {
		own, err := readOwn(ctx, tx.Q, o)
		if err != nil {
			return err
		}
		merged := guest.cart
		if own.cart.Version > 0 {
			merged = own.cart.mergedWith(guest.cart)
		}
		body, err := json.Marshal(merged)
		if err != nil {
			return fmt.Errorf("write cart: %w", err)
		}
		if bytes.Equal(body, own.body) {
			return nil
		}
		if err := saveCart(ctx, tx.Q, o, merged, body, v.Now); !errors.Is(err, errVersionConflict) {
			return err
		}
	}
	return fault.New(fault.Conflict, "cart.changed")
}

// mergedWith returns the customer's cart merged with the guest's. The place, the time and the
// packages are the guest's where the guest has chosen a place, since that choice is newer. Code,
// gifts, presents, bonuses and phone are the guest's only where the customer has none.
func (c Cart) mergedWith(guest Cart) Cart {
	c.Lines, c.Before = slices.Clone(c.Lines), nil
	for _, line := range guest.Lines {
		if own := c.findLine(line.Key); own >= 0 {
			line.Count -= c.Lines[own].Count // With adds the rest, so that the higher count stays
		}
		c = c.With(line)
	}
	if guest.ShopID != 0 || guest.Address != nil || guest.ZoneID != 0 {
		c.OrderType, c.IntervalID, c.WithoutBag = guest.OrderType, guest.IntervalID, guest.WithoutBag
		if guest.ShopID != 0 {
			c.ShopID = guest.ShopID
		}
		if guest.Address != nil {
			c.Address = guest.Address
		}
		if guest.ZoneID != 0 {
			c.ZoneID = guest.ZoneID
		}
	}
	if len(c.Gifts) == 0 {
		c.Gifts = guest.Gifts
	}
	if len(c.Presents) == 0 {
		c.Presents = guest.Presents
	}
	if c.Promocode == "" {
		c.Promocode = guest.Promocode
	}
	if c.Bonuses == 0 {
		c.Bonuses = guest.Bonuses
	}
	if c.Phone == "" {
		c.Phone = guest.Phone
	}
	return c
}
