package cart

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/money"
)

// Bought is the part of a cart that went into an order that was placed before it was paid.
type Bought struct {
	Site                          string
	CityID, SessionID, CustomerID int64
	// Lines are the counts of the lines by key, Gifts and Presents those by id.
	Lines           map[string]int
	Gifts, Presents map[int64]int
	IntervalID      string
	Promocode       string
	Bonuses         money.Amount
}

// RemoveBought removes from the stored cart what its order has bought. It must be called in the
// transaction that accepts the order as paid. Everything that was added to the cart since stays.
// It returns an error when other calls have changed the cart twenty times in a row.
func (s *Service) RemoveBought(ctx context.Context, tx *db.Tx, b Bought, now time.Time) error {
	o := owner{sessionID: b.SessionID, customerID: b.CustomerID, site: b.Site, cityID: b.CityID}
	for range manyAttempts {
		found, err := readOwn(ctx, tx.Q, o)
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

// Without returns the cart without what was bought: its lines, gifts, presents and bonuses. Time
// and promocode leave only when they are still those of the order.
func (c Cart) Without(b Bought) Cart {
	c.Before = nil // the cart from before it was filled is not offered again after the order
	lines := slices.Clone(c.Lines)
	for i := range lines {
		lines[i].Count -= b.Lines[lines[i].Key]
	}
	c.Lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Count <= 0 })
	c.Gifts, c.Presents = withoutBought(c.Gifts, b.Gifts), withoutBought(c.Presents, b.Presents)
	if c.IntervalID == b.IntervalID {
		c.IntervalID = ""
	}
	if c.Promocode == b.Promocode {
		c.Promocode = ""
	}
	if b.Bonuses > 0 {
		c.Bonuses = 0
	}
	return c
}

// withoutBought returns a copy of the list without the gifts that were bought.
func withoutBought(given []Given, bought map[int64]int) []Given {
	left := slices.Clone(given)
	for i := range left {
		left[i].Count -= bought[left[i].ID]
	}
	return slices.DeleteFunc(left, func(g Given) bool { return g.Count <= 0 })
}
