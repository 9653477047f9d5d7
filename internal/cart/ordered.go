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

// Bought is what of a cart went into an order that was placed before it was paid.
type Bought struct {
	Site                          string
	CityID, SessionID, CustomerID int64
	// Lines gives the count of each line by its key, Gifts and Presents by the id.
	Lines           map[string]int
	Gifts, Presents map[int64]int
	IntervalID      string
	Promocode       string
	Bonuses         money.Amount
}

// Ordered takes what was bought out of the cart that it was in, in the transaction that
// accepts the order. What came into the cart since stays.
func (s *Service) Ordered(ctx context.Context, tx *db.Tx, b Bought, now time.Time) error {
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
		if err := save(ctx, tx.Q, o, left, body, now); !errors.Is(err, errLost) {
			return err
		}
	}
	return fmt.Errorf("change the cart of an order: %w", errLost)
}

// manyAttempts are for what must not fail because a customer is busy with his cart.
const manyAttempts = 20

// Without gives the cart without what was bought.
func (c Cart) Without(b Bought) Cart {
	c.Before = nil // with what was bought out of it, nothing is to be undone
	lines := slices.Clone(c.Lines)
	for i := range lines {
		lines[i].Count -= b.Lines[lines[i].Key]
	}
	c.Lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Count <= 0 })
	c.Gifts, c.Presents = without(c.Gifts, b.Gifts), without(c.Presents, b.Presents)
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

func without(given []Given, bought map[int64]int) []Given {
	left := slices.Clone(given)
	for i := range left {
		left[i].Count -= bought[left[i].ID]
	}
	return slices.DeleteFunc(left, func(g Given) bool { return g.Count <= 0 })
}
