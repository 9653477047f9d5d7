package cart

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/guess"
	"servery/internal/site"
	"servery/internal/visit"
)

// attempts is how often a change is tried when others keep being first.
const attempts = 3

// Service loads, changes and prices carts. A cart belongs to a session, or to the
// customer who has signed in with it, a brand and a city. It is safe for concurrent use.
//
// Each changing call is one transaction that writes over the version it has read; it
// gives cart.changed (Conflict) when others were first three times. Beside each
// Conflict is the fresh cart, as a Quoted. With a visitor's
// IdempotencyKey the change is made once: later calls with the key get the cart as it
// stands, and a call that asks for something else under it is refused with
// cart.key_reused (Invalid). A refused change uses no key up. The newest 200 keys of a
// session are known, for a day.
type Service struct {
	db     *db.DB
	gifts  giftCounts
	codes  *guess.Limiter
	known  guess.Known
	memory memory
}

// New makes the service on a migrated database.
func New(d *db.DB) *Service {
	return &Service{db: d, gifts: newGiftCounts(), codes: guess.NewLimiter(codeLimits()), memory: newMemory()}
}

// Load gives the visitor's cart in a city, moved to the place; interval, when it is
// not nil, is chosen too. It writes only when something has changed, a gift that has left
// too. A visitor without a session gets an empty cart at the place. Faults: those of the
// place.
func (s *Service) Load(ctx context.Context, v visit.Context, p PlaceRequest, interval *string) (Quoted, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return Quoted{}, err
	}
	move := func(ctx context.Context, c Cart, known *inquiry) (Cart, error) {
		c, err := MoveTo(v, c, p, city)
		if err != nil || interval == nil {
			return c, err
		}
		return known.choose(ctx, c, *interval)
	}
	// Most loads change nothing, and reading needs no transaction.
	found, err := s.find(ctx, v, city)
	if err != nil {
		return Quoted{}, err
	}
	known := s.inquire(v, city).told(found)
	c, err := move(ctx, found.cart, known)
	if err != nil {
		return Quoted{}, err
	}
	q, err := known.price(ctx, c)
	if err != nil || v.SessionID == 0 {
		return q, err
	}
	if body, err := json.Marshal(q.Cart); err != nil || bytes.Equal(body, found.body) || isUnsavedAndEmpty(q.Cart) {
		return q, err
	}
	v.IdempotencyKey = "" // the same load may give another answer later
	return s.change(ctx, v, city, claim{}, move)
}

// Look gives the visitor's cart in a city as it would be at the place, and saves
// nothing: to ask about another place is not to choose it. Faults: those of the place.
func (s *Service) Look(ctx context.Context, v visit.Context, p PlaceRequest) (Quoted, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return Quoted{}, err
	}
	found, err := s.find(ctx, v, city)
	if err != nil {
		return Quoted{}, err
	}
	c, err := MoveTo(v, found.cart, p, city)
	if err != nil {
		return Quoted{}, err
	}
	return s.inquire(v, city).told(found).price(ctx, c)
}

// find gives what is kept of the visitor's cart, which is empty when nothing is
// remembered of him.
func (s *Service) find(ctx context.Context, v visit.Context, city *site.City) (stored, error) {
	if v.SessionID == 0 {
		c, err := parse(nil, city.ID)
		return stored{cart: c}, err
	}
	return read(ctx, s.db.Read(), ownerOf(v, city), "")
}

// Add puts a product into the cart; see [Cart.Add].
func (s *Service) Add(ctx context.Context, v visit.Context, p PlaceRequest, a Addition) (Quoted, error) {
	return s.changeAt(ctx, v, p, request{"add", p, a}, func(_ context.Context, c Cart, known *inquiry) (Cart, error) {
		spot := placeOf(v, c, known.city)
		return c.Add(a, spot, menuAt(v, spot), v.Lang, v.Now)
	})
}

// Remove takes count of a line out of the cart; see [Cart.Remove].
func (s *Service) Remove(ctx context.Context, v visit.Context, p PlaceRequest, key string, count int) (Quoted, error) {
	asked := request{"remove", p, Addition{ProductKey: key, Count: count}}
	return s.changeAt(ctx, v, p, asked, func(_ context.Context, c Cart, known *inquiry) (Cart, error) {
		spot := placeOf(v, c, known.city)
		return c.Remove(key, count, spot, menuAt(v, spot))
	})
}

// Forget takes a whole line out of the cart; see [Cart.Forget].
func (s *Service) Forget(ctx context.Context, v visit.Context, p PlaceRequest, key string) (Quoted, error) {
	return s.changeAt(ctx, v, p, request{"forget", p, key}, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) {
		return c.Forget(key)
	})
}

// SetBag takes the refusable packages or refuses them.
func (s *Service) SetBag(ctx context.Context, v visit.Context, p PlaceRequest, without bool) (Quoted, error) {
	return s.changeAt(ctx, v, p, request{"bag", p, without}, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) {
		c.WithoutBag = without
		return c, nil
	})
}

// Clear takes everything out of the cart of a city.
func (s *Service) Clear(ctx context.Context, v visit.Context, cityID int64) (Quoted, error) {
	return s.changeIn(ctx, v, cityID, request{"clear", PlaceRequest{CityID: cityID}, nil}, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) {
		return c.Emptied(), nil
	})
}

// SetInterval chooses the time of the order; an empty id takes the choice back.
// Faults: those of [schedule.Plan.Resolve], cart.no_shop, cart.no_address, and when it is too
// full for the cart schedule.unavailable or, for a large one, those of WhyTooLarge (Conflict).
func (s *Service) SetInterval(ctx context.Context, v visit.Context, cityID int64, id string) (Quoted, error) {
	return s.changeIn(ctx, v, cityID, request{"interval", PlaceRequest{CityID: cityID}, id}, func(ctx context.Context, c Cart, known *inquiry) (Cart, error) {
		return known.choose(ctx, c, id)
	})
}

// SetShop chooses a shop for takeaway, which the cart of its city becomes. Fault:
// cart.unknown_shop (Invalid) at shop_id.
func (s *Service) SetShop(ctx context.Context, v visit.Context, shopID int64) (Quoted, error) {
	shop, ok := v.Snapshot.Atlas(v.Site).Shop(shopID)
	if !ok {
		return Quoted{}, fault.New(fault.Invalid, "cart.unknown_shop", fault.Field("shop_id", "cart.unknown_shop"))
	}
	p := PlaceRequest{CityID: shop.CityID, OrderType: site.Takeaway, ShopID: shopID}
	return s.changeAt(ctx, v, p, request{"shop", p, nil}, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) { return c, nil })
}

// SetAddress chooses where to deliver, which the cart of that city becomes. The
// address must be the visitor's own; whether it is delivered to shows in the spot.
func (s *Service) SetAddress(ctx context.Context, v visit.Context, a geo.Address) (Quoted, error) {
	asked := request{"address", PlaceRequest{CityID: a.CityID}, a}
	return s.changeIn(ctx, v, a.CityID, asked, func(_ context.Context, c Cart, known *inquiry) (Cart, error) {
		if !known.city.Delivery {
			return c, fault.New(fault.Invalid, "cart.order_type", fault.Field("order_type", "cart.order_type"))
		}
		c.OrderType, c.Address = site.Delivery, &a
		return c, nil
	})
}

// ForgetAddress takes an address that is no longer kept out of the cart of its city.
func (s *Service) ForgetAddress(ctx context.Context, v visit.Context, cityID, addressID int64) error {
	asked := request{"forget address", PlaceRequest{CityID: cityID}, addressID}
	_, err := s.changeIn(ctx, v, cityID, asked, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) {
		if c.Address != nil && c.Address.ID == addressID {
			c.Address = nil
		}
		c.Before = nil // it may have the address too
		return c, nil
	})
	return err
}

// Save writes the cart over its version in the caller's transaction. Fault:
// cart.changed (Conflict) when another call was first.
func (s *Service) Save(ctx context.Context, tx *db.Tx, v visit.Context, c Cart) error {
	body, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("write cart: %w", err)
	}
	err = save(ctx, tx.Q, owner{sessionID: v.SessionID, customerID: v.CustomerID, site: v.Site.Alias, cityID: c.CityID}, c, body, v.Now)
	if errors.Is(err, errLost) {
		return fault.New(fault.Conflict, "cart.changed")
	}
	return err
}

// In gives the visitor's cart in a city, read in the caller's transaction.
func (s *Service) In(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City) (Cart, error) {
	found, err := read(ctx, tx.Q, ownerOf(v, city), "")
	return withKnownLines(v, found.cart, city), err
}

// Price prices a cart of the visitor at its place. Counts of gifts may be a second old.
func (s *Service) Price(ctx context.Context, v visit.Context, c Cart, city *site.City) (Quoted, error) {
	return s.inquire(v, city).price(ctx, c)
}

// PriceIn prices a cart of the visitor at its place by what is known in the caller's
// transaction, where nothing is old.
func (s *Service) PriceIn(ctx context.Context, tx *db.Tx, v visit.Context, c Cart, city *site.City) (Quoted, error) {
	return inquireIn(tx, v, city).price(ctx, c)
}

// KnowPhone remembers the phone of an order that was refused: from then on gifts and
// codes for a first order follow it.
func (s *Service) KnowPhone(ctx context.Context, v visit.Context, cityID int64, phone string) error {
	v.IdempotencyKey = ""
	_, err := s.changeIn(ctx, v, cityID, request{}, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) {
		c.Phone = phone
		return c, nil
	})
	return err
}

// Quote prices a cart at its place by the facts; see [Quote].
func QuoteFor(v visit.Context, c Cart, city *site.City, facts Facts) Quoted {
	spot := placeOf(v, c, city)
	menu := menuAt(v, spot)
	return Quote(c.known(menu), spot, menu, facts, v.Lang, v.Now)
}

// Menu gives the menu of a cart's place.
func MenuOf(v visit.Context, c Cart, city *site.City) *catalog.Menu {
	return menuAt(v, placeOf(v, c, city))
}
