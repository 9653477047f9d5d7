// Package carts loads, changes, saves and prices the carts of visitors, by the rules of package cart.
//
// Each call of [Service] that changes a cart is one transaction that writes only over the version it
// has read.
package carts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/guess"
	"servery/internal/site"
	"servery/internal/visit"
)

// attempts is how often a change is attempted when other calls save the cart first.
const attempts = 3

// Service loads, changes and prices carts. A cart belongs to a session, or to the customer who has
// signed in with it, a brand and a city. It is safe for concurrent use.
//
// Each changing call is one transaction that writes over the version it has read; it returns
// cart.changed (Conflict) when others were first three times. Each Conflict carries the fresh cart,
// as a Quoted. With a visitor's IdempotencyKey the change is made once: later calls with the key
// return the cart as it is then, those of [Service.Fill] the cart of the first answer. A call that asks
// for something else under the key is refused with cart.key_reused (Invalid). A refused change uses no
// key up. The newest 200 keys of a session are stored, for a day.
type Service struct {
	db           *db.DB
	gifts        giftCounts
	codes        *guess.Limiter
	codesEntered guess.Entered
	memory       memory
}

// New returns the service on a migrated database.
func New(d *db.DB) *Service {
	return &Service{db: d, gifts: newGiftCounts(), codes: guess.NewLimiter(codeLimits()), memory: newMemory()}
}

// Load returns the visitor's cart in a city, moved to the place and, when interval is not nil,
// with that interval chosen. It saves the cart only when something has changed, also when pricing
// has removed a gift, and never saves a first cart that is empty. A visitor without a session gets an
// empty cart at the place.
// Faults: cart.unknown_city (NotFound); an unknown order type, shop, zone or time (Invalid); a
// time without room for the cart (Conflict).
func (s *Service) Load(ctx context.Context, v visit.Context, p cart.PlaceRequest, interval *string) (cart.Quoted, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return cart.Quoted{}, err
	}
	move := func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		c, err := cart.MoveTo(v, c, p, city)
		if err != nil || interval == nil {
			return c, err
		}
		return loader.chooseInterval(ctx, c, *interval)
	}
	// Most calls change nothing, so the cart is read and priced without a transaction first.
	found, err := s.findCart(ctx, v, city)
	if err != nil {
		return cart.Quoted{}, err
	}
	loader := s.factLoader(v, city).withStored(found)
	c, err := move(ctx, found.cart, loader)
	if err != nil {
		return cart.Quoted{}, err
	}
	q, err := loader.priceCart(ctx, c)
	if err != nil || v.SessionID == 0 {
		return q, err
	}
	if body, err := json.Marshal(q.Cart); err != nil || bytes.Equal(body, found.body) || isUnsavedAndEmpty(q.Cart) {
		return q, err
	}
	v.IdempotencyKey = noKey // loading is not answered from a key: each call returns the cart as it is then
	return s.update(ctx, v, city, claim{}, move)
}

// Preview returns the visitor's cart in a city as it would be at the place, and saves nothing.
// Faults: cart.unknown_city (NotFound); an unknown order type, shop or zone (Invalid).
func (s *Service) Preview(ctx context.Context, v visit.Context, p cart.PlaceRequest) (cart.Quoted, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return cart.Quoted{}, err
	}
	found, err := s.findCart(ctx, v, city)
	if err != nil {
		return cart.Quoted{}, err
	}
	c, err := cart.MoveTo(v, found.cart, p, city)
	if err != nil {
		return cart.Quoted{}, err
	}
	return s.factLoader(v, city).withStored(found).priceCart(ctx, c)
}

// findCart reads the visitor's stored cart; the cart is empty when there is none or the visitor
// has no session.
func (s *Service) findCart(ctx context.Context, v visit.Context, city *site.City) (storedCart, error) {
	if v.SessionID == 0 {
		c, err := parseCart(noBody, city.ID)
		return storedCart{cart: c}, err
	}
	return readCart(ctx, s.db.Read(), ownerOf(v, city), noKey, v.Now)
}

// Add puts a product into the visitor's cart, saves it and returns it with its prices. It
// returns an Invalid fault when the place, the count or the modifiers are not allowed,
// cart.unknown_product (NotFound), and a Conflict with the fresh cart when the product or a
// modifier was stopped.
func (s *Service) Add(ctx context.Context, v visit.Context, p cart.PlaceRequest, a cart.Addition) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"add", p, a}, func(_ context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		place := cart.PlaceOf(v, c, loader.city)
		return c.Add(a, place, cart.MenuAt(v, place), v.Lang, v.Now)
	})
}

// Remove removes count portions of a line from the visitor's cart, and the line when none is
// left, saves the cart and returns it with its prices. A line that is not in the cart is no
// fault. It returns cart.bad_count or cart.multiplicity (Invalid) for a wrong count, cart.other_city
// (Invalid) for a key of another city, and cart.unknown_product (NotFound).
func (s *Service) Remove(ctx context.Context, v visit.Context, p cart.PlaceRequest, key string, count int) (cart.Quoted, error) {
	asked := request{"remove", p, cart.Addition{ProductKey: key, Count: count}}
	return s.updateAtPlace(ctx, v, p, asked, func(_ context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		place := cart.PlaceOf(v, c, loader.city)
		return c.Remove(key, count, place, cart.MenuAt(v, place))
	})
}

// Forget removes a whole line from the visitor's cart, saves the cart and returns it with its
// prices. A line that is not in the cart is no fault. It returns cart.unknown_product (NotFound)
// for a malformed key, and cart.other_city (Invalid) for a key of another city.
func (s *Service) Forget(ctx context.Context, v visit.Context, p cart.PlaceRequest, key string) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"forget", p, key}, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		return c.Forget(key)
	})
}

// SetBag stores whether the customer refuses the packages that can be refused, and returns the
// cart with its prices.
func (s *Service) SetBag(ctx context.Context, v visit.Context, p cart.PlaceRequest, refusesBag bool) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"bag", p, refusesBag}, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		c.WithoutBag = refusesBag
		return c, nil
	})
}

// Clear removes dishes, gifts, code, bonuses and chosen time from the visitor's cart of a city,
// and returns it. The place stays. The intervals that checkouts of the cart hold are released.
func (s *Service) Clear(ctx context.Context, v visit.Context, cityID int64) (cart.Quoted, error) {
	return s.updateInCity(ctx, v, cityID, request{Change: "clear", Place: cart.PlaceRequest{CityID: cityID}}, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		return c.Emptied(), nil
	})
}

// SetInterval chooses the time of the order in the visitor's cart of a city and returns the
// cart; an empty id removes the choice. It returns an Invalid fault for a time that does not
// exist or a cart without a shop, schedule.unavailable (Conflict) for a time without room, and
// for a large cart a Conflict that names the first time with room.
func (s *Service) SetInterval(ctx context.Context, v visit.Context, cityID int64, id string) (cart.Quoted, error) {
	return s.updateInCity(ctx, v, cityID, request{"interval", cart.PlaceRequest{CityID: cityID}, id}, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		return loader.chooseInterval(ctx, c, id)
	})
}

// SetShop chooses a shop and makes the cart of its city one for takeaway. It returns cart.unknown_shop
// (Invalid) at shop_id when there is no such shop or it has no takeaway, and cart.order_type (Invalid) when
// the city has none.
func (s *Service) SetShop(ctx context.Context, v visit.Context, shopID int64) (cart.Quoted, error) {
	shop, exists := v.Snapshot.Atlas(v.Site).Shop(shopID)
	if !exists {
		return cart.Quoted{}, fault.New(fault.Invalid, "cart.unknown_shop", fault.Field("shop_id", "cart.unknown_shop"))
	}
	p := cart.PlaceRequest{CityID: shop.CityID, OrderType: site.Takeaway, ShopID: shopID}
	noOtherChange := func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) { return c, nil }
	return s.updateAtPlace(ctx, v, p, request{Change: "shop", Place: p}, noOtherChange)
}

// SetAddress chooses where to deliver and makes the cart of that city one for delivery. The caller
// must have checked that the address is the visitor's own. It may be outside of all zones: then the
// place has no zone. It returns cart.order_type (Invalid) when the city does not deliver.
func (s *Service) SetAddress(ctx context.Context, v visit.Context, a geo.Address) (cart.Quoted, error) {
	asked := request{"address", cart.PlaceRequest{CityID: a.CityID}, a}
	return s.updateInCity(ctx, v, a.CityID, asked, func(_ context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		if !loader.city.Delivery {
			return c, fault.New(fault.Invalid, "cart.order_type", fault.Field("order_type", "cart.order_type"))
		}
		c.OrderType, c.Address = site.Delivery, &a
		return c, nil
	})
}

// ForgetAddress removes an address from the cart of its city. It must be called when the address is
// deleted. It also removes the former cart that [Service.BringBack] would restore, since its
// address may be the deleted one.
func (s *Service) ForgetAddress(ctx context.Context, v visit.Context, cityID, addressID int64) error {
	asked := request{"forget address", cart.PlaceRequest{CityID: cityID}, addressID}
	_, err := s.updateInCity(ctx, v, cityID, asked, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		if c.Address != nil && c.Address.ID == addressID {
			c.Address = nil
		}
		c.Before = nil
		return c, nil
	})
	return err
}

// Save writes the cart over its version in the caller's transaction. It returns cart.changed
// (Conflict) when another call was first.
func (s *Service) Save(ctx context.Context, tx *db.Tx, v visit.Context, c cart.Cart) error {
	body, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("write cart: %w", err)
	}
	err = saveCart(ctx, tx.Q, owner{sessionID: v.SessionID, customerID: v.CustomerID, site: v.Site.Alias, cityID: c.CityID}, c, body, v.Now)
	if errors.Is(err, errVersionConflict) {
		return fault.New(fault.Conflict, "cart.changed")
	}
	return err
}

// InTx is the visitor's cart in a city as a transaction has read it. It must not be used after the
// transaction.
type InTx struct {
	// Cart is the stored cart, without lines of products that content no longer has.
	Cart cart.Cart
	// IsWaiting says that an order of the session or the customer in the city waits for its payment.
	IsWaiting bool
	// HasCheckouts says that checkouts of the session in the city, which became no order, may hold intervals.
	HasCheckouts bool

	loader *factLoader
}

// ReadIn returns the visitor's cart in a city, read in the caller's transaction.
func (s *Service) ReadIn(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City) (InTx, error) {
	return s.ReadInFor(ctx, tx, v, city, v.CustomerPhone)
}

// ReadInFor does what [Service.ReadIn] does for a cart that is priced for a phone, and reads with it what that
// depends on. An empty phone is none.
func (s *Service) ReadInFor(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, phone string) (InTx, error) {
	o := ownerOf(v, city)
	o.phone, o.mark = phone, v.MarkPhone(phone)
	found, err := readCart(ctx, tx.Q, o, noKey, v.Now)
	return InTx{
		Cart: cart.WithKnownLines(v, found.cart, city), IsWaiting: found.isWaiting, HasCheckouts: found.hasCheckouts,
		loader: s.factLoaderIn(tx, v, city).withStored(found),
	}, err
}

// Price returns a cart that was made of the one that was read, with its prices at its place. All
// facts are those of the transaction; for a cart without gifts the number of gifts that are used may be a second old.
func (t InTx) Price(ctx context.Context, c cart.Cart) (cart.Quoted, error) {
	return t.loader.priceCart(ctx, c)
}

// Price returns a cart of the visitor with its prices at its place, and saves nothing. The
// number of gifts that are used may be a second old.
func (s *Service) Price(ctx context.Context, v visit.Context, c cart.Cart, city *site.City) (cart.Quoted, error) {
	return s.factLoader(v, city).priceCart(ctx, c)
}

// RememberPhone stores the phone of a refused order in the cart: from then on, gifts and codes for
// a first order depend on that phone.
func (s *Service) RememberPhone(ctx context.Context, v visit.Context, cityID int64, phone string) error {
	// The key belongs to the refused order. Without a key the request is not hashed, so an empty one is
	// enough.
	v.IdempotencyKey = noKey
	_, err := s.updateInCity(ctx, v, cityID, request{}, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		c.Phone = phone
		return c, nil
	})
	return err
}
