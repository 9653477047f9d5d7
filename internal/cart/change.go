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
	"servery/internal/visit"
)

// request is what was asked for, so that an idempotency key can tell the same from
// another.
type request struct {
	Change string       `json:"change"`
	Place  PlaceRequest `json:"place"`
	What   any          `json:"what"`
}

// claim is a request that is made once under its key; the zero value has no key.
type claim struct {
	hash []byte
	// keepsCart says that the same request again is answered with the cart that it was answered
	// with, not with the cart as it stands.
	keepsCart bool
}

// edit is a change to a cart. It decides by what is known beside the cart.
type edit func(ctx context.Context, c Cart, known *inquiry) (Cart, error)

// changeAt makes a change to the cart of a city, moved to the place before.
func (s *Service) changeAt(ctx context.Context, v visit.Context, p PlaceRequest, asked request, do edit) (Quoted, error) {
	return s.changeIn(ctx, v, p.CityID, asked, func(ctx context.Context, c Cart, known *inquiry) (Cart, error) {
		c, err := MoveTo(v, c, p, known.city)
		if err != nil {
			return c, err
		}
		return do(ctx, c, known)
	})
}

// changeIn makes a change to the cart of a city.
func (s *Service) changeIn(ctx context.Context, v visit.Context, cityID int64, asked request, do edit) (Quoted, error) {
	city, err := v.City(cityID)
	if err != nil {
		return Quoted{}, err
	}
	var claimed claim
	if v.IdempotencyKey != "" {
		if claimed, err = claimOf(asked); err != nil {
			return Quoted{}, err
		}
	}
	return s.change(ctx, v, city, claimed, do)
}

// change makes the change, again when another call was first. It knows the cart before it
// writes and holds nothing in between: it writes only over the version that it knows.
func (s *Service) change(ctx context.Context, v visit.Context, city *site.City, claimed claim, do edit) (Quoted, error) {
	for range attempts {
		changed, err := s.once(ctx, v, city, claimed, do)
		if !errors.Is(err, errLost) {
			return changed, err
		}
	}
	found, err := read(ctx, s.db.Read(), ownerOf(v, city), "")
	if err != nil {
		return Quoted{}, err
	}
	fresh, err := s.inquire(v, city).told(found).price(ctx, found.cart)
	if err != nil {
		return Quoted{}, err
	}
	return Quoted{}, fault.New(fault.Conflict, "cart.changed", fault.Data(fresh))
}

// once finds the cart, changes, prices and saves it. What it finds may be remembered: a
// change that is saved over that is right, and whatever else comes of it is thrown away and
// done again with the cart that is read.
func (s *Service) once(ctx context.Context, v visit.Context, city *site.City, claimed claim, do edit) (Quoted, error) {
	o := ownerOf(v, city)
	if found, ok := s.memory.recall(o, v.Now); ok && claimed.hash != nil {
		changed, err := s.over(ctx, v, city, claimed, found, do)
		if err == nil || ctx.Err() != nil {
			return changed, err
		}
		s.memory.forget(o)
	}
	found, err := read(ctx, s.db.Read(), o, v.IdempotencyKey)
	if err != nil {
		return Quoted{}, err
	}
	found.readAt = v.Now
	return s.over(ctx, v, city, claimed, found, do)
}

// over changes and prices the cart that was found and saves it as the price has left it:
// gifts that are lost by the change are gone. A key that was used before changes nothing: it
// is answered with the cart as found, or as it was answered where that is kept. It returns
// errLost when another call was first.
func (s *Service) over(ctx context.Context, v visit.Context, city *site.City, claimed claim, found stored, do edit) (Quoted, error) {
	o := ownerOf(v, city)
	known := s.inquire(v, city).told(found)
	if found.answeredHash != nil {
		if !bytes.Equal(found.answeredHash, claimed.hash) {
			return Quoted{}, fault.New(fault.Invalid, "cart.key_reused")
		}
		if !claimed.keepsCart || found.answered == nil {
			return known.price(ctx, found.cart)
		}
		answered, err := parse(found.answered, city.ID)
		if err != nil {
			return Quoted{}, err
		}
		return known.price(ctx, answered)
	}
	c, err := do(ctx, found.cart, known)
	if err != nil {
		return Quoted{}, known.beside(ctx, err, found.cart)
	}
	q, err := known.price(ctx, c.since(found.cart))
	if err != nil {
		return Quoted{}, err
	}
	body, err := json.Marshal(q.Cart)
	if err != nil {
		return Quoted{}, fmt.Errorf("write cart: %w", err)
	}
	kept := answer{key: v.IdempotencyKey, hash: claimed.hash}
	if claimed.keepsCart {
		kept.body = body
	}
	if bytes.Equal(body, found.body) {
		if found.isRecalled { // without a save, nothing proves that the cart is still this one
			return Quoted{}, errLost
		}
		return q, keepAnswer(ctx, s.db, o, kept, v.Now)
	}
	isEmptied := len(q.Cart.Lines) == 0 && len(found.cart.Lines) > 0
	if err := saveWithAnswer(ctx, s.db, o, q.Cart, body, kept, isEmptied, v.Now); err != nil {
		return Quoted{}, err
	}
	s.memory.remember(o, found, body)
	q.Cart.Version++
	return q, nil
}

// beside puts the cart as it is beside a conflict.
func (i *inquiry) beside(ctx context.Context, refused error, c Cart) error {
	if fault.CodeOf(refused) != fault.Conflict {
		return refused
	}
	q, err := i.price(ctx, c)
	if err != nil {
		return err
	}
	return fault.Beside(refused, q)
}

func claimOf(asked request) (claim, error) {
	text, err := json.Marshal(asked)
	if err != nil {
		return claim{}, fmt.Errorf("hash the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return claim{hash: sum[:], keepsCart: asked.Change == fillChange}, nil
}

// isUnsavedAndEmpty reports whether there is nothing yet that is worth a row.
func isUnsavedAndEmpty(c Cart) bool {
	return c.Version == 0 && len(c.Lines) == 0 && c.ShopID == 0 && c.Address == nil && c.IntervalID == "" &&
		len(c.Gifts) == 0 && len(c.Presents) == 0 && c.Promocode == "" && c.Bonuses == 0 && c.Phone == ""
}

func ownerOf(v visit.Context, city *site.City) owner {
	return owner{
		sessionID: v.SessionID, customerID: v.CustomerID, phone: v.CustomerPhone, mark: v.MarkPhone(v.CustomerPhone),
		site: v.Site.Alias, cityID: city.ID,
	}
}

// mark gives what stands for a phone at the visitor's brand.

func withKnownLines(v visit.Context, c Cart, city *site.City) Cart {
	return c.known(menuAt(v, placeOf(v, c, city)))
}

func menuAt(v visit.Context, s Place) *catalog.Menu {
	var shopID int64
	if s.Shop != nil {
		shopID = s.Shop.ID
	}
	return v.Snapshot.Menu(v.Site, s.City, s.OrderType, shopID, v.Now)
}
