package carts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/cart"
	"servery/internal/db"
)

// RemoveBought removes from the stored cart what its order has bought. It must be called in the
// transaction that accepts the order as paid. Everything that was added to the cart since stays.
// It returns an error when other calls have changed the cart twenty times in a row.
func (s *Service) RemoveBought(ctx context.Context, tx *db.Tx, b cart.Bought, now time.Time) error {
	o := owner{sessionID: b.SessionID, customerID: b.CustomerID, site: b.Site, cityID: b.CityID}
	for range manyAttempts {
		found, err := readCartOnly(ctx, tx.Q, o)
		if err != nil || found.cart.Version == 0 {
			return err
		}
		left := found.cart.Without(b)
		body, err := json.Marshal(left)
		if err != nil {
			return fmt.Errorf("write cart: %w", err)
		}
		if bytes.Equal(body, found.body) {
			return nil
		}
		if err := saveCart(ctx, tx.Q, o, left, body, now); !errors.Is(err, errVersionConflict) {
			return err
		}
	}
	return fmt.Errorf("change the cart of an order: %w", errVersionConflict)
}

// manyAttempts are for changes that must not fail because the customer is changing the cart at the
// same time.
const manyAttempts = 20
