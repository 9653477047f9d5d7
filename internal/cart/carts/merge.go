package carts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/visit"
)

// mergeAttempts is how often a merge is repeated while other calls change the customer's cart.
const mergeAttempts = 20

// Merge moves the carts of a guest's session into the carts of the customer who signs in; guestSessionID
// is 0 when there is no session. It must be called in the transaction of the sign-in. In each city the
// lines of both carts stay, and a line that is in both has the higher count (decision 0028). The guest has
// no cart afterwards, so that a second call changes nothing. It returns cart.changed (Conflict) when other
// calls changed the customer's cart too often.
func (s *Service) Merge(ctx context.Context, tx *db.Tx, v visit.Context, guestSessionID int64) error {
	guestCarts, err := detachSessionCarts(ctx, tx.Q, guestSessionID)
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
// saves it. A customer without a cart there gets the guest's cart. It returns cart.changed
// (Conflict) when other calls changed the customer's cart too often.
func mergeCart(ctx context.Context, tx *db.Tx, v visit.Context, guest sessionCart) error {
	o := owner{customerID: v.CustomerID, site: guest.site, cityID: guest.cart.CityID}
	for range mergeAttempts {
		own, err := readCartOnly(ctx, tx.Q, o)
		if err != nil {
			return err
		}
		merged := guest.cart
		if own.cart.Version > 0 {
			merged = own.cart.MergedWith(guest.cart)
		}
		body, err := json.Marshal(merged)
		if err != nil {
			return fmt.Errorf("write cart: %w", err)
		}
		if bytes.Equal(body, own.body) { // the guest's cart adds nothing
			return nil
		}
		if err := saveCart(ctx, tx.Q, o, merged, body, v.Now); !errors.Is(err, errVersionConflict) {
			return err
		}
	}
	return fault.New(fault.Conflict, "cart.changed")
}
