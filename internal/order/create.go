package order

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
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Request is what a customer sends to place an order.
type Request struct {
	CityID      int64          `json:"city_id"`
	OrderType   site.OrderType `json:"order_type"`
	ShopID      int64          `json:"shop_id"`
	CacheKey    string         `json:"cache_key"`
	Phone       string         `json:"phone"`
	Username    string         `json:"username"`
	Email       string         `json:"email"`
	PaymentType string         `json:"payment_type"`
	// Cash is what the customer pays with; nil or 0 when no change is needed.
	Cash       *money.Amount `json:"cash"`
	Comment    string        `json:"comment"`
	IntervalID string        `json:"interval_id"`
	// Address names one of the visitor's addresses and completes it; nil for takeaway.
	Address *AddressInput `json:"address"`
	// SeenTotal is the total that the customer agreed to.
	SeenTotal money.Amount `json:"seen_total"`
}

// AddressInput is one of the visitor's addresses with what the courier must know
// besides. What is nil stays as it is kept; what is empty is taken out.
type AddressInput struct {
	ID          int64   `json:"id"`
	Room        *string `json:"room"`
	Entrance    *string `json:"entrance"`
	Floor       *string `json:"floor"`
	Intercom    *string `json:"intercom"`
	Description *string `json:"description"`
}

// attempts is how often something is tried that others keep spoiling: an order whose
// number is taken or whose cart is changed meanwhile, a state that is moved.
const attempts = 8

// Create places the order of the visitor's cart, in one transaction: the interval is
// taken, the cart is emptied, or nothing happens at all. The key of the checkout makes
// it safe to repeat: the same request gives the same order again, also side by side.
//
// Faults: what is wrong with single fields, all at once, under order.check_fields;
// order.city_stopped, order.shop_stopped, order.alert, order.minimum, order.empty,
// order.other_request (Invalid); order.no_cache, order.cache_expired,
// order.lines_changed, order.total_changed, cart.changed and those of the interval
// (Conflict), with the fresh cart.
func (s *Service) Create(ctx context.Context, v cart.Visitor, r Request) (Order, error) {
	city, err := v.City(r.CityID)
	if err != nil {
		return Order{}, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return Order{}, fmt.Errorf("hash the request: %w", err)
	}
	hash := sha256.Sum256(text)
	address, err := s.addressOf(ctx, v, r) // not inside the transaction, which holds a connection of its own
	if err != nil {
		return Order{}, err
	}
	for range attempts {
		var placed Order
		err = s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			placed, err = s.createOnce(ctx, tx, v, city, r, hash[:], address)
			return err
		})
		if !errors.Is(err, errNumberTaken) && !errors.Is(err, fault.New(fault.Conflict, "cart.changed")) {
			return placed, err
		}
	}
	return Order{}, err
}

func (s *Service) createOnce(ctx context.Context, tx *db.Tx, v cart.Visitor, city *site.City, r Request, hash []byte, address *geo.Address) (Order, error) {
	id := newNumber()
	checkout, err := claim(ctx, tx.Q, ownerOf(v, city), r.CacheKey, id)
	if errors.Is(err, db.ErrNotFound) {
		return s.placedBefore(ctx, tx, v, city, r, hash)
	}
	if err != nil {
		return Order{}, err
	}
	kept, err := s.carts.In(ctx, tx, v, city)
	if err != nil {
		return Order{}, err
	}
	c, fields, err := placeOf(v, city, kept, r, address)
	if err != nil {
		return Order{}, err
	}
	q := v.Price(c, city)
	if !checkout.ExpiresAt.After(v.Now) {
		return Order{}, fault.New(fault.Conflict, "order.cache_expired", fault.Data(q))
	}
	contact, fields := checkFields(r, q, fields)
	if err := refuse(r, q, fields, v); err != nil {
		return Order{}, err
	}
	start, err := reserve(ctx, tx, checkout, id, q, r.IntervalID, v.Now)
	if err != nil {
		return Order{}, aboutInterval(err, q)
	}
	o := place(q, v, r, contact)
	o.ID, o.requestHash = id, hash
	o.PromisedFrom, o.PromisedTo = q.Spot.Plan().Handover(schedule.Interval{ID: r.IntervalID, Start: start}, v.Now)
	if err := insert(ctx, tx.Q, &o, r.CacheKey, string(Customer)); err != nil {
		return Order{}, err
	}
	if err := s.carts.Save(ctx, tx, v, kept.Emptied()); err != nil {
		return Order{}, fault.Beside(err, q)
	}
	return o, nil
}

// placedBefore gives the order that the checkout has already become.
func (s *Service) placedBefore(ctx context.Context, tx *db.Tx, v cart.Visitor, city *site.City, r Request, hash []byte) (Order, error) {
	id, err := claimed(ctx, tx.Q, ownerOf(v, city), r.CacheKey)
	if errors.Is(err, db.ErrNotFound) {
		refused := fault.New(fault.Conflict, "order.no_cache")
		if v.SessionID == 0 {
			return Order{}, refused
		}
		c, err := s.carts.In(ctx, tx, v, city)
		if err != nil {
			return Order{}, err
		}
		return Order{}, fault.Beside(refused, v.Price(c, city))
	}
	if err != nil {
		return Order{}, err
	}
	o, err := load(ctx, tx.Q, id)
	if err != nil {
		return Order{}, err
	}
	if !bytes.Equal(o.requestHash, hash) {
		return Order{}, fault.New(fault.Invalid, "order.other_request")
	}
	return o, nil
}

// place makes the order of a quoted cart, all but its number, hash and promise.
func place(q cart.Quoted, v cart.Visitor, r Request, contact contact) Order {
	o := Order{
		Site: v.Site.Alias, CityID: q.Spot.City.ID, ShopID: q.Spot.Shop.ID, Type: q.Spot.OrderType,
		State: Accepted, ChangedAt: v.Now, CreatedAt: v.Now, Link: newSecret(),
		Phone: contact.phone, PaymentType: r.PaymentType, IntervalID: r.IntervalID,
		Currency: q.Spot.City.Currency, Prices: q.Prices, Revision: q.Menu.Revision,
		Details: Details{
			Username: contact.username, Email: contact.email, Cash: contact.cash, Comment: contact.comment,
			Shop:       Shop{Name: q.Spot.Shop.Name, Street: q.Spot.Shop.Street, Point: q.Spot.Shop.Point},
			WithoutBag: q.Cart.WithoutBag,
		},
		sessionID: v.SessionID,
	}
	if q.Spot.Zone != nil {
		o.ZoneID, o.Details.Address = q.Spot.Zone.ID, q.Cart.Address
	}
	for _, p := range q.Packages {
		if p.Count > 0 {
			o.Details.Packages = append(o.Details.Packages, Package{
				ID: p.ID, Alias: p.Alias, Name: p.Name, Price: p.Price, Count: p.Count, CanRefuse: p.CanRefuse,
			})
		}
	}
	for _, l := range q.Lines {
		line := Line{
			Key: l.Key, ProductKey: l.Product.Key, ProductID: l.ProductID, GroupID: l.Product.GroupID,
			Name: l.Product.Name, Count: l.Count, Price: l.Product.Price, BasicPrice: l.Product.BasicPrice,
			WithModifiers: l.WithModifiers, Total: l.Total, Picture: l.Product.Picture, Weight: l.Product.Weight,
			Quantity: l.Product.Quantity, Step: l.Step, AddedAt: l.AddedAt,
		}
		for _, m := range l.Modifiers {
			line.Modifiers = append(line.Modifiers, Modifier{
				ID: m.ID, GroupID: m.GroupID, Name: m.Name, Count: m.Count, Price: m.Price,
			})
		}
		o.Lines = append(o.Lines, line)
	}
	return o
}
