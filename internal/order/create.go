package order

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/cart"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/phone"
	"servery/internal/queue"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
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
	// Allergens are the aliases of what the customer does not eat.
	Allergens []string `json:"allergens,omitempty"`
	// Consents are the aliases of the city's consents that the customer gives.
	Consents []string `json:"consents,omitempty"`
	// SeenTotal is the total that the customer agreed to, and Fingerprint that of the whole
	// cart; without one only the total is compared.
	SeenTotal   money.Amount `json:"seen_total"`
	Fingerprint string       `json:"fingerprint,omitempty"`
	// SeenEnd is the end of the interval that the customer agreed to; nil when the request
	// says nothing of it.
	SeenEnd *time.Time `json:"seen_end,omitempty"`
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

// maxRetries is how often something is done again that others keep changing: an order whose number
// is taken or whose cart was changed, a state that was moved.
const maxRetries = 8

// Create places the order of the visitor's cart, in one transaction: the interval and
// all else that there is only so much of is taken, the cart is emptied, or nothing happens
// at all. An order that is paid online waits for its payment, unless it costs nothing, holds all that until then,
// and leaves the cart as it is. The key of the checkout makes it safe to repeat: the same request gives the same
// order again, also side by side.
//
// Where guests may not order, only a customer who has signed in does: order.sign_in_first
// (Unauthenticated) else. He orders with the phone that he signed in with, whatever is sent,
// and is called by the name that he orders under when he has told none yet.
//
// Faults: what is wrong with single fields, all at once, under order.check_fields;
// order.city_stopped, order.shop_stopped, order.alert, order.minimum, order.empty,
// order.other_request (Invalid); those of boundGuest; with the fresh cart, all Conflict: order.no_cache,
// order.cache_expired, order.place_changed, order.lines_changed, order.total_changed,
// order.changed, order.time_changed, cart.changed, those of the interval and of hold.
// After a refusal the cart knows the phone of the request, and a time that is lost is
// chosen in it no longer.
func (s *Service) Create(ctx context.Context, v visit.Context, r Request) (Order, error) {
	if err := mayOrder(v); err != nil {
		return Order{}, err
	}
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
	var placed Order
	for range maxRetries {
		err = s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			placed, err = s.createOnce(ctx, tx, v, city, r, hash[:], address)
			return err
		})
		again, broken := s.isOvertaken(ctx, v, city, err)
		if broken != nil {
			return Order{}, broken
		}
		if !again {
			break
		}
	}
	if err != nil {
		return Order{}, s.learn(ctx, v, city, r, address, err)
	}
	return placed, nil
}

// isOvertaken reports whether another call was first, so that the order is to be tried again:
// its number was drawn, the cart changed or its hold was given up meanwhile. A time that is lost
// may be lost to an order of this very cart, which is then another refusal, and the right one.
func (s *Service) isOvertaken(ctx context.Context, v visit.Context, city *site.City, refused error) (bool, error) {
	for _, meanwhile := range []error{
		errNumberTaken, fault.New(fault.Conflict, "cart.changed"), fault.New(fault.Conflict, "schedule.hold_lost"),
	} {
		if errors.Is(refused, meanwhile) {
			return true, nil
		}
	}
	f, ok := fault.Of(refused)
	if !ok || f.Code != fault.Conflict || f.Fields["interval_id"] == nil {
		return false, nil
	}
	priced, ok := f.Data.(cart.Quoted)
	if !ok {
		return false, nil
	}
	var kept cart.Cart
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		kept, err = s.carts.ReadIn(ctx, tx, v, city)
		return err
	})
	return kept.Version != priced.Cart.Version, err
}

// mayOrder refuses guests where only customers order.
func mayOrder(v visit.Context) error {
	if v.CustomerID == 0 && !v.Site.Settings.GuestsOrder() {
		return fault.New(fault.Unauthenticated, "order.sign_in_first")
	}
	return nil
}

// phoneOf gives the phone that the visitor orders with: his own once he has signed in.
func phoneOf(v visit.Context, city *site.City, r Request) (string, error) {
	if v.CustomerID != 0 {
		return v.CustomerPhone, nil
	}
	return phone.Parse(r.Phone, city)
}

// isBroken reports whether something failed that is no refusal: what is only kept for
// later must not hide why an order is refused.
func isBroken(err error) bool {
	_, refused := fault.Of(err)
	return err != nil && !refused
}

// quoteIn prices a cart by what is known in the transaction, and of the phone that it is
// ordered with.
func (s *Service) quoteIn(ctx context.Context, tx *db.Tx, v visit.Context, c cart.Cart, city *site.City, r Request) (cart.Quoted, error) {
	if number, err := phoneOf(v, city, r); err == nil {
		c.Phone = number
	}
	return s.carts.PriceIn(ctx, tx, v, c, city)
}

// learn keeps in the cart what a refused order has told: the phone, because gifts and codes
// for a first order follow it, so that the customer sees at once what this phone gets; and
// that the time is lost. It gives the refusal with the fresh cart beside it.
func (s *Service) learn(ctx context.Context, v visit.Context, city *site.City, r Request, address *geo.Address, refused error) error {
	f, ok := fault.Of(refused)
	if !ok || f.Code != fault.Conflict || v.SessionID == 0 {
		return refused
	}
	if number, err := phoneOf(v, city, r); err == nil {
		if err := s.carts.RememberPhone(ctx, v, city.ID, number); isBroken(err) {
			return err
		}
	}
	if _, told := f.Data.(cart.Quoted); !told { // what was priced before is not true any more
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			kept, err := s.carts.ReadIn(ctx, tx, v, city)
			if err != nil {
				return err
			}
			c, _, err := placeOf(v, city, kept, r, address)
			if err != nil {
				return err
			}
			fresh, err := s.quoteIn(ctx, tx, v, c, city, r)
			refused = fault.WithData(refused, fresh)
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.loseTime(ctx, v, city, refused)
}

func (s *Service) createOnce(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r Request, hash []byte, address *geo.Address) (Order, error) {
	if err := stillHere(ctx, tx, v); err != nil {
		return Order{}, err
	}
	id := s.number()
	checkout, err := claim(ctx, tx.Q, ownerOf(v, city), r.CacheKey, id)
	if errors.Is(err, db.ErrNotFound) {
		return s.placedBefore(ctx, tx, v, city, r, hash)
	}
	if err != nil {
		return Order{}, err
	}
	kept, err := s.carts.ReadIn(ctx, tx, v, city)
	if err != nil {
		return Order{}, err
	}
	c, fields, err := placeOf(v, city, kept, r, address)
	if err != nil {
		return Order{}, err
	}
	// The cart of an order that waits for its payment is kept, and must not be ordered twice.
	// This is asked before the price, which leaves out what waiting orders of the cart hold.
	waiting, err := unpaidOf(ctx, tx.Q, ownerOf(v, city), v.CustomerID)
	if err != nil {
		return Order{}, err
	}
	q, err := s.quoteIn(ctx, tx, v, c, city, r)
	if err != nil {
		return Order{}, err
	}
	if !checkout.ExpiresAt.After(v.Now) {
		return Order{}, fault.New(fault.Conflict, "order.cache_expired", fault.Data(q))
	}
	contact, fields := s.checkFields(r, v, q, fields)
	if err := refuse(r, q, fields, v); err != nil {
		return Order{}, err
	}
	if len(waiting) > 0 {
		return Order{}, fault.New(fault.Conflict, "order.no_cache", fault.Data(q))
	}
	isCounted, err := s.boundGuest(ctx, tx, v, q, contact.phone)
	if err != nil {
		return Order{}, err
	}
	// Other checkouts of this cart, of a second tab or a second tap, become no order any more.
	if err := giveUp(ctx, tx, ownerOf(v, city), q); err != nil {
		return Order{}, err
	}
	interval, err := s.reserve(ctx, tx, checkout, q, r.IntervalID, v.Now)
	if err != nil {
		return Order{}, aboutInterval(err, q)
	}
	o := place(q, v, r, contact)
	o.ID, o.requestHash, o.CacheKey = id, hash, r.CacheKey
	if site.IsOnline(o.PaymentType) && o.Prices.Total > 0 { // nobody takes a payment of nothing
		o.State, o.PayUntil = WaitingForPayment, v.Now.Add(s.payWithin).Truncate(time.Millisecond)
	}
	o.PromisedFrom, o.PromisedTo = q.Spot.Plan().Handover(interval, v.Now)
	if err := checkPromise(r, o, q, interval, v.Lang); err != nil {
		return Order{}, err
	}
	if err := insert(ctx, tx, &o, r.CacheKey, string(Customer)); err != nil {
		return Order{}, err
	}
	if err := keepOrigin(ctx, tx.Q, v, o, isCounted); err != nil {
		return Order{}, err
	}
	// Only now is it certain that the number is nobody else's, who may hold a time under it.
	if err := schedule.Confirm(ctx, tx, cacheHolder(r.CacheKey), orderHolder(id)); err != nil {
		return Order{}, err
	}
	if err := hold(ctx, tx, o, q, v); err != nil {
		return Order{}, err
	}
	if o.State == Accepted {
		if err := settle(ctx, tx, id, v.Now); err != nil {
			return Order{}, err
		}
	}
	if v.CustomerID != 0 {
		if err := customer.SetNameIfEmpty(ctx, tx, v.CustomerID, o.Details.Username); err != nil {
			return Order{}, err
		}
	}
	left := kept // until it is paid
	if o.State == Accepted {
		left = kept.Emptied()
	}
	// Saved in both cases, so that no other order is made of the same cart at the same time.
	if err := s.carts.Save(ctx, tx, v, left); err != nil {
		return Order{}, fault.WithData(err, q)
	}
	return o, s.expire(ctx, tx, o)
}

// expire stores the job that cancels an order that is not paid in time.
func (s *Service) expire(ctx context.Context, tx *db.Tx, o Order) error {
	if o.State != WaitingForPayment {
		return nil
	}
	return s.queue.Enqueue(ctx, tx, expireJob{OrderID: o.ID}, queue.At(o.PayUntil))
}

// stillHere makes sure that a customer has not logged out or left since the request came,
// and keeps his account from being deleted before the order is written.
func stillHere(ctx context.Context, tx *db.Tx, v visit.Context) error {
	if v.CustomerID == 0 {
		return nil
	}
	return customer.Claim(ctx, tx, customer.Session{ID: v.SessionID, CustomerID: v.CustomerID}, v.Now)
}

// placedBefore gives the order that the checkout has already become.
func (s *Service) placedBefore(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r Request, hash []byte) (Order, error) {
	id, err := claimed(ctx, tx.Q, ownerOf(v, city), r.CacheKey)
	if errors.Is(err, db.ErrNotFound) {
		refused := fault.New(fault.Conflict, "order.no_cache")
		if v.SessionID == 0 {
			return Order{}, refused
		}
		c, err := s.carts.ReadIn(ctx, tx, v, city)
		if err != nil {
			return Order{}, err
		}
		q, err := s.carts.PriceIn(ctx, tx, v, c, city)
		if err != nil {
			return Order{}, err
		}
		return Order{}, fault.WithData(refused, q)
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
