package cart

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/site"
)

// request is what was asked for, so that an idempotency key can tell the same from
// another.
type request struct {
	Change string `json:"change"`
	Place  Place  `json:"place"`
	What   any    `json:"what"`
}

// changeAt makes a change to the cart of a city, moved to the place before.
func (s *Service) changeAt(ctx context.Context, v Visitor, p Place, asked request, do func(Cart, *site.City) (Cart, error)) (Quoted, error) {
	return s.changeIn(ctx, v, p.CityID, asked, func(c Cart, city *site.City) (Cart, error) {
		c, err := v.Move(c, p, city)
		if err != nil {
			return c, err
		}
		return do(c, city)
	})
}

// changeIn makes a change to the cart of a city.
func (s *Service) changeIn(ctx context.Context, v Visitor, cityID int64, asked request, do func(Cart, *site.City) (Cart, error)) (Quoted, error) {
	city, err := v.City(cityID)
	if err != nil {
		return Quoted{}, err
	}
	var hash []byte
	if v.IdempotencyKey != "" {
		if hash, err = hashOf(asked); err != nil {
			return Quoted{}, err
		}
	}
	return s.change(ctx, v, city, hash, func(c Cart) (Cart, error) { return do(c, city) })
}

// change makes the change, again when another call was first. It reads before it
// writes and holds nothing in between: it writes only over the version that it has read.
func (s *Service) change(ctx context.Context, v Visitor, city *site.City, hash []byte, do func(Cart) (Cart, error)) (Quoted, error) {
	for range attempts {
		changed, err := s.once(ctx, v, city, hash, do)
		if err == nil {
			return v.Price(changed, city), nil
		}
		if !errors.Is(err, errLost) {
			return Quoted{}, err
		}
	}
	found, err := read(ctx, s.db.Read(), v.owner(city), "")
	if err != nil {
		return Quoted{}, err
	}
	return Quoted{}, fault.New(fault.Conflict, "cart.changed", fault.Data(v.Price(found.cart, city)))
}

// once reads the cart, changes and saves it. What was answered under the key before
// is given again instead.
func (s *Service) once(ctx context.Context, v Visitor, city *site.City, hash []byte, do func(Cart) (Cart, error)) (Cart, error) {
	o := v.owner(city)
	found, err := read(ctx, s.db.Read(), o, v.IdempotencyKey)
	if err != nil {
		return Cart{}, err
	}
	if found.answeredHash != nil {
		if !bytes.Equal(found.answeredHash, hash) {
			return Cart{}, fault.New(fault.Invalid, "cart.key_reused")
		}
		return parse(found.answered, city.ID)
	}
	c, err := do(found.cart)
	if err != nil {
		if fault.CodeOf(err) == fault.Conflict {
			err = fault.Beside(err, v.Price(found.cart, city))
		}
		return Cart{}, err
	}
	c = v.known(c, city)
	body, err := json.Marshal(c)
	if err != nil {
		return Cart{}, fmt.Errorf("write cart: %w", err)
	}
	kept := answer{v.IdempotencyKey, hash, body}
	if bytes.Equal(body, found.body) {
		return c, keepAnswer(ctx, s.db, o, kept, v.Now)
	}
	if err := saveWithAnswer(ctx, s.db, o, c, kept, v.Now); err != nil {
		return Cart{}, err
	}
	c.Version++
	return c, nil
}

func hashOf(asked request) ([]byte, error) {
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("hash the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// withInterval gives the cart with the time chosen, which must be there now.
func (c Cart) withInterval(id string, v Visitor, city *site.City) (Cart, error) {
	if id != "" {
		spot := v.spotOf(c, city)
		if err := spot.check(); err != nil {
			return c, err
		}
		if _, err := spot.Plan().Resolve(id, v.Now); err != nil {
			return c, err
		}
	}
	c.IntervalID = id
	return c, nil
}

// isUnsavedAndEmpty reports whether there is nothing yet that is worth a row.
func isUnsavedAndEmpty(c Cart) bool {
	return c.Version == 0 && len(c.Lines) == 0 && c.ShopID == 0 && c.Address == nil && c.IntervalID == ""
}

func (v Visitor) owner(city *site.City) owner { return owner{v.SessionID, v.Site.Alias, city.ID} }

func (v Visitor) known(c Cart, city *site.City) Cart { return c.known(v.menu(v.spotOf(c, city))) }

func (v Visitor) menu(s Spot) *catalog.Menu {
	var shopID int64
	if s.Shop != nil {
		shopID = s.Shop.ID
	}
	return v.Snapshot.Menu(v.Site, s.City, s.OrderType, shopID, v.Now)
}
