package cart

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/db/gen"
	"servery/internal/site"
)

// keyPrefix keeps the keys of carts apart from those of other areas.
const keyPrefix = "cart "

// owner is whose cart in which city.
type owner struct {
	sessionID int64
	site      string
	cityID    int64
}

// stored is what the database has of a cart.
type stored struct {
	cart Cart
	body []byte
	// answeredHash is of the request that was answered under the key before, and
	// answered the cart that it was answered with; both nil when none was.
	answeredHash []byte
	answered     []byte
}

// errLost says that another call was first; the change is to be made anew.
var errLost = errors.New("the cart was changed meanwhile")

func read(ctx context.Context, q *gen.Queries, o owner, key string) (stored, error) {
	row, err := q.ReadCart(ctx, gen.ReadCartParams{
		Site: o.site, CityID: o.cityID, Key: keyPrefix + key, SessionID: o.sessionID,
	})
	if err != nil {
		return stored{}, fmt.Errorf("read cart: %w", err)
	}
	s := stored{body: row.Body, answeredHash: row.AnsweredHash, answered: row.AnsweredBody}
	s.cart, err = parse(row.Body, o.cityID)
	s.cart.Version = row.Version
	return s, err
}

// save writes the cart over its version. It gives errLost when another call was
// first.
func save(ctx context.Context, q *gen.Queries, o owner, c Cart, body []byte, now time.Time) error {
	var rows int64
	var err error
	if c.Version == 0 {
		rows, err = q.InsertCart(ctx, gen.InsertCartParams{
			SessionID: o.sessionID, Site: o.site, CityID: o.cityID, Body: body, Now: now,
		})
	} else {
		rows, err = q.UpdateCart(ctx, gen.UpdateCartParams{
			Body: body, Now: now, SessionID: o.sessionID, Site: o.site, CityID: o.cityID, Version: c.Version,
		})
	}
	return one(rows, err, "save cart")
}

// keep remembers what was answered under the key. It gives errLost when the key was
// used meanwhile.
func keep(ctx context.Context, q *gen.Queries, o owner, key string, hash, body []byte, now time.Time) error {
	rows, err := q.KeepCartAnswer(ctx, gen.KeepCartAnswerParams{
		SessionID: o.sessionID, Key: keyPrefix + key, RequestHash: hash, Body: body, Now: now,
	})
	return one(rows, err, "keep the answer of the cart")
}

func one(rows int64, err error, operation string) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", operation, err)
	case rows == 0:
		return errLost
	}
	return nil
}

// parse reads a cart's body; no body is an empty cart.
func parse(body []byte, cityID int64) (Cart, error) {
	c := Cart{CityID: cityID, OrderType: site.Delivery}
	if len(body) == 0 {
		return c, nil
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return Cart{}, fmt.Errorf("read cart: %w", err)
	}
	return c, nil
}
