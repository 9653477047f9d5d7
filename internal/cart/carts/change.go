package carts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/site"
	"servery/internal/visit"
)

// request is a call that changes a cart, with its arguments. Its hash distinguishes a repeated call
// from another one under the same idempotency key.
type request struct {
	Change string            `json:"change"`
	Place  cart.PlaceRequest `json:"place"`
	What   any               `json:"what"`
}

// claim is a request that is made once under its key; the zero value has no key.
type claim struct {
	hash []byte
	// keepsCart says that a repeated request returns the cart of the first answer, and not the cart
	// as it is then.
	keepsCart bool
}

// answer returns what is stored under the key of the request, whose cart has the body.
func (c claim) answer(key string, body []byte) answer {
	if !c.keepsCart {
		body = nil
	}
	return answer{key: key, hash: c.hash, body: body}
}

// edit returns a cart with a change made. It may load facts about the cart.
type edit func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error)

// updateAtPlace moves the visitor's cart of a city to the place, makes a change to it, saves it
// and returns it with its prices. The hash of call is stored under the idempotency key of the
// visit. It returns the faults of the place and of the change, and cart.changed (Conflict) when
// other calls were first.
func (s *Service) updateAtPlace(ctx context.Context, v visit.Context, p cart.PlaceRequest, call request, change edit) (cart.Quoted, error) {
	return s.updateInCity(ctx, v, p.CityID, call, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		c, err := cart.MoveTo(v, c, p, loader.city)
		if err != nil {
			return c, err
		}
		return change(ctx, c, loader)
	})
}

// updateInCity makes a change to the visitor's cart of a city, saves it and returns it with its
// prices. The hash of call is stored under the idempotency key of the visit, so
// that the change is made once under that key. It returns cart.changed (Conflict) when other
// calls were first, and customer.session_rotated (Conflict) when a sign-in has overtaken the
// call.
func (s *Service) updateInCity(ctx context.Context, v visit.Context, cityID int64, call request, change edit) (cart.Quoted, error) {
	city, err := v.City(cityID)
	if err != nil {
		return cart.Quoted{}, err
	}
	var claimed claim
	if v.IdempotencyKey != "" {
		if claimed, err = newClaim(call); err != nil {
			return cart.Quoted{}, err
		}
	}
	changed, err := s.update(ctx, v, city, claimed, change)
	if _, isRefused := fault.Of(err); isRefused && v.CustomerID == 0 && v.SessionID != 0 {
		err = s.checkGuestSession(ctx, v, err)
	}
	return changed, err
}

// checkGuestSession returns customer.session_rotated (Conflict) when the guest's session has signed
// in, and else the refusal of a change as it is. A sign-in moves the session's carts to the customer,
// so the change was refused for an empty cart. The page sends the change again with the customer's
// session.
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

// update makes a change, saves the cart and returns it with its prices. It holds no lock between
// reading and writing: the version of the cart is an optimistic lock. When another call has saved
// the cart first, it starts again. After the last attempt it returns cart.changed (Conflict) with
// the fresh cart.
func (s *Service) update(ctx context.Context, v visit.Context, city *site.City, claimed claim, change edit) (cart.Quoted, error) {
	if v.SessionID == 0 && v.BeginSession != nil {
		return s.insertFirst(ctx, v, city, claimed, change)
	}
	for range attempts {
		changed, err := s.tryUpdate(ctx, v, city, claimed, change)
		if !errors.Is(err, errVersionConflict) {
			return changed, err
		}
	}
	found, err := readCart(ctx, s.db.Read(), ownerOf(v, city), noKey, v.Now)
	if err != nil {
		return cart.Quoted{}, err
	}
	fresh, err := s.factLoader(v, city).withStored(found).priceCart(ctx, found.cart)
	if err != nil {
		return cart.Quoted{}, err
	}
	return cart.Quoted{}, cart.Refuse(fault.New(fault.Conflict, "cart.changed"), fresh)
}

// insertFirst makes a change to the empty cart of a visitor without a session, and stores session, cart and the
// answer under the idempotency key in one transaction. No other call can have the session by then, so nothing is read
// before. A refused change stores nothing; a Conflict carries the empty cart.
func (s *Service) insertFirst(ctx context.Context, v visit.Context, city *site.City, claimed claim, change edit) (cart.Quoted, error) {
	empty, err := parseCart(noBody, city.ID)
	if err != nil {
		return cart.Quoted{}, err
	}
	found := storedCart{cart: empty, readAt: v.Now}
	loader := s.factLoader(v, city).withStored(found)
	q, body, err := loader.makeChange(ctx, empty, change)
	if err != nil {
		return cart.Quoted{}, err
	}
	toStore := claimed.answer(v.IdempotencyKey, body)
	o := ownerOf(v, city)
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if o.sessionID, err = v.BeginSession(ctx, tx); err != nil {
			return err
		}
		return insertOfNewSession(ctx, tx, o, body, toStore, v.Now)
	})
	if err != nil {
		return cart.Quoted{}, err
	}
	s.memory.storeCart(o, found, body, found.cart.Version+1)
	q.Cart.Version++
	return q, nil
}

// tryUpdate makes a change once, and returns errVersionConflict when another call has saved the
// cart first. It first takes the cart from memory. Only a successful save shows that this cart was not
// stale; after any other outcome the cart is read and the change is made again.
func (s *Service) tryUpdate(ctx context.Context, v visit.Context, city *site.City, claimed claim, change edit) (cart.Quoted, error) {
	o := ownerOf(v, city)
	if found, ok := s.memory.loadCart(o, v.Now); ok {
		changed, err := s.applyAndSave(ctx, v, city, claimed, found, change)
		if err == nil || ctx.Err() != nil {
			return changed, err
		}
		s.memory.removeCart(o)
	}
	found, err := readCart(ctx, s.db.Read(), o, v.IdempotencyKey, v.Now)
	if err != nil {
		return cart.Quoted{}, err
	}
	found.readAt = v.Now
	return s.applyAndSave(ctx, v, city, claimed, found, change)
}

// applyAndSave makes the change to the cart that was found, prices it, which may remove gifts, saves
// it and returns it. It also stores the answer under the idempotency key. When that key was used
// before, it changes nothing and returns the earlier answer. A Conflict carries the unchanged cart.
// It returns errVersionConflict when another call was first, and for an unchanged cart from memory, which
// may be stale.
func (s *Service) applyAndSave(ctx context.Context, v visit.Context, city *site.City, claimed claim, found storedCart, change edit) (cart.Quoted, error) {
	o := ownerOf(v, city)
	loader := s.factLoader(v, city).withStored(found)
	if found.answeredHash != nil {
		return loader.answerAgain(ctx, claimed, found)
	}
	q, body, err := loader.makeChange(ctx, found.cart, change)
	if err != nil {
		return cart.Quoted{}, err
	}
	toStore := claimed.answer(v.IdempotencyKey, body)
	if bytes.Equal(body, found.body) {
		if found.isRecalled { // only a save shows that the cart from memory is not stale
			return cart.Quoted{}, errVersionConflict
		}
		s.memory.storeCart(o, found, body, found.cart.Version)
		return q, storeAnswer(ctx, s.db, o, toStore, v.Now)
	}
	isEmptied := len(q.Cart.Lines) == 0 && len(found.cart.Lines) > 0
	if err := saveWithAnswer(ctx, s.db, o, q.Cart, body, toStore, isEmptied, v.Now); err != nil {
		return cart.Quoted{}, err
	}
	s.memory.storeCart(o, found, body, found.cart.Version+1)
	q.Cart.Version++
	return q, nil
}

// makeChange makes a change to the cart c and prices it, which may remove gifts. It returns the priced cart, and its
// cart as it is stored. A Conflict carries the unchanged cart.
func (l *factLoader) makeChange(ctx context.Context, c cart.Cart, change edit) (cart.Quoted, []byte, error) {
	changed, err := change(ctx, c, l)
	if err != nil {
		return cart.Quoted{}, nil, l.attachCart(ctx, err, c)
	}
	q, err := l.priceCart(ctx, changed.WithoutStaleBefore(c))
	if err != nil {
		return cart.Quoted{}, nil, err
	}
	body, err := json.Marshal(q.Cart)
	if err != nil {
		return cart.Quoted{}, nil, fmt.Errorf("write cart: %w", err)
	}
	return q, body, nil
}

// answerAgain returns the answer to a request whose idempotency key was used before: the cart of
// the first answer where that is stored, else the cart as found. It returns cart.key_reused
// (Invalid) when the key was used for another request.
func (l *factLoader) answerAgain(ctx context.Context, claimed claim, found storedCart) (cart.Quoted, error) {
	if !bytes.Equal(found.answeredHash, claimed.hash) {
		return cart.Quoted{}, fault.New(fault.Invalid, "cart.key_reused")
	}
	if !claimed.keepsCart || found.answered == nil {
		return l.priceCart(ctx, found.cart)
	}
	answered, err := parseCart(found.answered, l.city.ID)
	if err != nil {
		return cart.Quoted{}, err
	}
	return l.priceCart(ctx, answered)
}

// attachCart returns a Conflict as a refusal that carries the priced cart c. Any other error is
// returned as it is.
func (l *factLoader) attachCart(ctx context.Context, refused error, c cart.Cart) error {
	if fault.CodeOf(refused) != fault.Conflict {
		return refused
	}
	q, err := l.priceCart(ctx, c)
	if err != nil {
		return err
	}
	return cart.Refuse(refused, q)
}

// newClaim returns the claim of a request. The cart of its answer is stored for [Service.Fill] only.
func newClaim(call request) (claim, error) {
	text, err := json.Marshal(call)
	if err != nil {
		return claim{}, fmt.Errorf("hash the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return claim{hash: sum[:], keepsCart: call.Change == fillChange}, nil
}

// isUnsavedAndEmpty reports whether the cart was never saved and holds nothing that is worth
// saving; order type, zone and refused packages are not.
func isUnsavedAndEmpty(c cart.Cart) bool {
	return c.Version == 0 && len(c.Lines) == 0 && c.ShopID == 0 && c.Address == nil && c.IntervalID == "" &&
		len(c.Gifts) == 0 && len(c.Presents) == 0 && c.Promocode == "" && c.Bonuses == 0 && c.Phone == ""
}

// ownerOf returns the owner of the visitor's cart in a city.
func ownerOf(v visit.Context, city *site.City) owner {
	return owner{
		sessionID: v.SessionID, customerID: v.CustomerID, phone: v.CustomerPhone, mark: v.MarkPhone(v.CustomerPhone),
		site: v.Site.Alias, cityID: city.ID,
	}
}
