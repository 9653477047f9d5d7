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

// request is what a call asks for. Its hash distinguishes a repeated call from another one under
// the same idempotency key.
type request struct {
	Change string       `json:"change"`
	Place  PlaceRequest `json:"place"`
	What   any          `json:"what"`
}

// claim is a request that is made once under its key; the zero value has no key.
type claim struct {
	hash []byte
	// keepsCart says that the same request again is answered with the cart of its first answer, not
	// with the cart as it is now.
	keepsCart bool
}

// edit changes a cart. It decides by the facts that the loader reads for the cart.
type edit func(ctx context.Context, c Cart, loader *factLoader) (Cart, error)

// updateAtPlace makes a change to the cart of a city, after moving the cart to the place.
func (s *Service) updateAtPlace(ctx context.Context, v visit.Context, p PlaceRequest, asked request, do edit) (Quoted, error) {
	return s.updateInCity(ctx, v, p.CityID, asked, func(ctx context.Context, c Cart, loader *factLoader) (Cart, error) {
		c, err := MoveTo(v, c, p, loader.city)
		if err != nil {
			return c, err
		}
		return do(ctx, c, loader)
	})
}

// updateInCity makes a change to the cart of a city. It takes the idempotency key of the visit, if
// there is one. It returns customer.session_rotated (Conflict) when a sign-in has overtaken the call.
func (s *Service) updateInCity(ctx context.Context, v visit.Context, cityID int64, asked request, do edit) (Quoted, error) {
	city, err := v.City(cityID)
	if err != nil {
		return Quoted{}, err
	}
	var claimed claim
	if v.IdempotencyKey != "" {
		if claimed, err = newClaim(asked); err != nil {
			return Quoted{}, err
		}
	}
	changed, err := s.update(ctx, v, city, claimed, do)
	if _, isRefused := fault.Of(err); isRefused && v.CustomerID == 0 {
		err = s.checkGuestSession(ctx, v, err)
	}
	return changed, err
}

// checkGuestSession returns customer.session_rotated (Conflict) in place of the refusal of a change
// when a sign-in has taken the guest's session and its carts. The refusal is of an empty cart then,
// which is not the visitor's: the change is right when it is sent again with the customer's session.
func (s *Service) checkGuestSession(ctx context.Context, v visit.Context, refused error) error {
	isGuest, err := isGuestSession(ctx, s.db.Read(), v.SessionID)
	if err != nil {
		return err
	}
	if !isGuest {
		return fault.New(fault.Conflict, "customer.session_rotated")
	}
	return refused
}

// update makes the change, and repeats it when another call has saved the cart first. It holds no
// lock between reading and writing: the version of the cart is an optimistic lock. After the last
// attempt it returns cart.changed (Conflict) with the fresh cart.
func (s *Service) update(ctx context.Context, v visit.Context, city *site.City, claimed claim, do edit) (Quoted, error) {
	for range attempts {
		changed, err := s.tryUpdate(ctx, v, city, claimed, do)
		if !errors.Is(err, errVersionConflict) {
			return changed, err
		}
	}
	found, err := readCart(ctx, s.db.Read(), ownerOf(v, city), "")
	if err != nil {
		return Quoted{}, err
	}
	fresh, err := s.factLoader(v, city).withStored(found).priceCart(ctx, found.cart)
	if err != nil {
		return Quoted{}, err
	}
	return Quoted{}, Refuse(fault.New(fault.Conflict, "cart.changed"), fresh)
}

// tryUpdate finds the cart, changes, prices and saves it. The cart may come from memory: a change
// that is saved over that version is right, and any other outcome is discarded and repeated with
// the cart that is read.
func (s *Service) tryUpdate(ctx context.Context, v visit.Context, city *site.City, claimed claim, do edit) (Quoted, error) {
	o := ownerOf(v, city)
	if found, ok := s.memory.loadCart(o, v.Now); ok && claimed.hash != nil {
		changed, err := s.applyAndSave(ctx, v, city, claimed, found, do)
		if err == nil || ctx.Err() != nil {
			return changed, err
		}
		s.memory.removeCart(o)
	}
	found, err := readCart(ctx, s.db.Read(), o, v.IdempotencyKey)
	if err != nil {
		return Quoted{}, err
	}
	found.readAt = v.Now
	return s.applyAndSave(ctx, v, city, claimed, found, do)
}

// applyAndSave changes and prices the cart that was found and saves it as pricing has left it:
// gifts that are lost by the change are gone. A key that was used before changes nothing: it is
// answered with the cart as found, or with the stored answer where there is one. It returns
// errVersionConflict when another call was first.
func (s *Service) applyAndSave(ctx context.Context, v visit.Context, city *site.City, claimed claim, found stored, do edit) (Quoted, error) {
	o := ownerOf(v, city)
	loader := s.factLoader(v, city).withStored(found)
	if found.answeredHash != nil {
		if !bytes.Equal(found.answeredHash, claimed.hash) {
			return Quoted{}, fault.New(fault.Invalid, "cart.key_reused")
		}
		if !claimed.keepsCart || found.answered == nil {
			return loader.priceCart(ctx, found.cart)
		}
		answered, err := parseCart(found.answered, city.ID)
		if err != nil {
			return Quoted{}, err
		}
		return loader.priceCart(ctx, answered)
	}
	c, err := do(ctx, found.cart, loader)
	if err != nil {
		return Quoted{}, loader.attachCart(ctx, err, found.cart)
	}
	q, err := loader.priceCart(ctx, c.dropStaleBefore(found.cart))
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
		if found.isRecalled { // only a save shows that the cart is still this one
			return Quoted{}, errVersionConflict
		}
		return q, storeAnswer(ctx, s.db, o, kept, v.Now)
	}
	isEmptied := len(q.Cart.Lines) == 0 && len(found.cart.Lines) > 0
	if err := saveWithAnswer(ctx, s.db, o, q.Cart, body, kept, isEmptied, v.Now); err != nil {
		return Quoted{}, err
	}
	s.memory.storeCart(o, found, body)
	q.Cart.Version++
	return q, nil
}

// attachCart adds the priced cart to a conflict; other errors are returned as they are.
func (l *factLoader) attachCart(ctx context.Context, refused error, c Cart) error {
	if fault.CodeOf(refused) != fault.Conflict {
		return refused
	}
	q, err := l.priceCart(ctx, c)
	if err != nil {
		return err
	}
	return Refuse(refused, q)
}

func newClaim(asked request) (claim, error) {
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

// withKnownLines returns the cart without lines of products that content no longer has.
func withKnownLines(v visit.Context, c Cart, city *site.City) Cart {
	return c.withoutUnknownLines(menuAt(v, placeOf(v, c, city)))
}

func menuAt(v visit.Context, s Place) *catalog.Menu {
	var shopID int64
	if s.Shop != nil {
		shopID = s.Shop.ID
	}
	return v.Snapshot.Menu(v.Site, s.City, s.OrderType, shopID, v.Now)
}
