package order

import (
	"bytes"
	"context"
	"errors"
	"time"

	"servery/internal/cart"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order/guestlimit"
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
	// Consents are the aliases of the city's consents that the customer agrees to.
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

// Create places the order of the visitor's cart, in one transaction: the interval and limited stock
// are reserved and the cart is emptied, or nothing happens at all. An order that is paid online waits
// for its payment, unless it costs nothing; until then it holds its reservations and leaves the cart
// as it is. The key of the checkout is an idempotency key: the same request returns the same order,
// also concurrently.
//
// Where guests may not order, only a customer who has signed in does: order.sign_in_first
// (Unauthenticated) otherwise. Customers order with the phone that they signed in with, whatever is
// sent, and get the name that they order under when they have none yet.
//
// Faults: what is wrong with single fields, all at once, under order.check_fields;
// order.city_stopped, order.shop_stopped, order.alert, order.minimum, order.empty,
// order.other_request (Invalid); those of [guestlimit.Check]; with the fresh cart, all Conflict: order.no_cache,
// order.cache_expired, order.place_changed, order.lines_changed, order.total_changed,
// order.changed, order.time_changed, cart.changed, those of the interval and of reserveBenefits.
// After a refusal the cart has the phone of the request, and a time that is lost is not chosen in it
// any more.
func (s *Service) Create(ctx context.Context, v visit.Context, r Request) (Order, error) {
	if err := checkMayOrder(v); err != nil {
		return Order{}, err
	}
	city, err := v.City(r.CityID)
	if err != nil {
		return Order{}, err
	}
	hash, err := visit.HashRequest(r)
	if err != nil {
		return Order{}, err
	}
	address, err := s.findAddress(ctx, v, r) // not inside the transaction, which holds a connection of its own
	if err != nil {
		return Order{}, err
	}
	var placed Order
	for range maxRetries {
		err = s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			placed, err = s.createIn(ctx, tx, v, city, r, hash, address)
			return err
		})
		again, broken := s.shouldRetry(ctx, v, city, err)
		if broken != nil {
			return Order{}, broken
		}
		if !again {
			break
		}
	}
	if err != nil {
		return Order{}, s.rememberRefusal(ctx, v, city, r, address, err)
	}
	return placed, nil
}

// shouldRetry reports whether another call was first, so that the order has to be created again: its
// number was drawn, the cart changed or its hold was released concurrently. A time that is lost may
// be lost to an order of this very cart, which is then another refusal, and the right one.
func (s *Service) shouldRetry(ctx context.Context, v visit.Context, city *site.City, refused error) (bool, error) {
	for _, retryable := range []error{
		errNumberTaken, fault.New(fault.Conflict, "cart.changed"), fault.New(fault.Conflict, "schedule.hold_lost"),
	} {
		if errors.Is(refused, retryable) {
			return true, nil
		}
	}
	f, ok := fault.Of(refused)
	if !ok || f.Code != fault.Conflict || f.Fields["interval_id"] == nil {
		return false, nil
	}
	priced, ok := cart.FreshCart(refused)
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

// checkMayOrder refuses guests where only customers order.
func checkMayOrder(v visit.Context) error {
	if v.CustomerID == 0 && !v.Site.Settings.GuestsOrder() {
		return fault.New(fault.Unauthenticated, "order.sign_in_first")
	}
	return nil
}

// orderPhone returns the phone that the visitor orders with: the customer's own after sign-in.
func orderPhone(v visit.Context, city *site.City, r Request) (string, error) {
	if v.CustomerID != 0 {
		return v.CustomerPhone, nil
	}
	return phone.Parse(r.Phone, city)
}

// isUnexpected reports whether something failed that is no refusal: what is only kept for
// later must not hide why an order is refused.
func isUnexpected(err error) bool {
	_, refused := fault.Of(err)
	return err != nil && !refused
}

// quoteIn prices a cart by what is known in the transaction, and of the phone that it is
// ordered with.
func (s *Service) quoteIn(ctx context.Context, tx *db.Tx, v visit.Context, c cart.Cart, city *site.City, r Request) (cart.Quoted, error) {
	if number, err := orderPhone(v, city, r); err == nil {
		c.Phone = number
	}
	return s.carts.PriceIn(ctx, tx, v, c, city)
}

// rememberRefusal stores in the cart what a refused order has shown: the phone, because gifts and codes
// for a first order follow it, so that the customer sees at once what this phone gets; and that the
// time is lost. It returns the refusal with the fresh cart beside it.
func (s *Service) rememberRefusal(ctx context.Context, v visit.Context, city *site.City, r Request, address *geo.Address, refused error) error {
	f, ok := fault.Of(refused)
	if !ok || f.Code != fault.Conflict || v.SessionID == 0 {
		return refused
	}
	if number, err := orderPhone(v, city, r); err == nil {
		if err := s.carts.RememberPhone(ctx, v, city.ID, number); isUnexpected(err) {
			return err
		}
	}
	if _, isFresh := cart.FreshCart(refused); !isFresh { // what was priced before is not true any more
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			kept, err := s.carts.ReadIn(ctx, tx, v, city)
			if err != nil {
				return err
			}
			c, _, err := placeCart(v, city, kept, r, address)
			if err != nil {
				return err
			}
			fresh, err := s.quoteIn(ctx, tx, v, c, city, r)
			refused = cart.Refuse(refused, fresh)
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.dropInterval(ctx, v, city, refused)
}

// createIn creates the order of a checkout in one transaction: it claims the checkout, prices the cart
// again, reserves what is limited, writes the order and saves the cart. A checkout that has become an
// order already is answered with that order. Faults: those of [Service.Create]; errNumberTaken and
// cart.changed (Conflict) when it has to be created again.
func (s *Service) createIn(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r Request, hash []byte, address *geo.Address) (Order, error) {
	if err := claimSession(ctx, tx, v); err != nil {
		return Order{}, err
	}
	id := s.number()
	checkout, err := claimCheckout(ctx, tx.Q, ownerOf(v, city), r.CacheKey, id)
	if errors.Is(err, db.ErrNotFound) {
		return s.replay(ctx, tx, v, city, r, hash)
	}
	if err != nil {
		return Order{}, err
	}
	kept, err := s.carts.ReadIn(ctx, tx, v, city)
	if err != nil {
		return Order{}, err
	}
	c, fields, err := placeCart(v, city, kept, r, address)
	if err != nil {
		return Order{}, err
	}
	// The cart of an order that waits for its payment is kept, and must not be ordered twice.
	// This is asked before the price, which leaves out what waiting orders of the cart hold.
	waiting, err := listUnpaidOf(ctx, tx.Q, ownerOf(v, city), v.CustomerID)
	if err != nil {
		return Order{}, err
	}
	q, err := s.quoteIn(ctx, tx, v, c, city, r)
	if err != nil {
		return Order{}, err
	}
	if !checkout.ExpiresAt.After(v.Now) {
		return Order{}, cart.Refuse(fault.New(fault.Conflict, "order.cache_expired"), q)
	}
	contact, fields := s.validateFields(r, v, q, fields)
	if err := findRefusal(r, q, fields, v); err != nil {
		return Order{}, err
	}
	if len(waiting) > 0 {
		return Order{}, cart.Refuse(fault.New(fault.Conflict, "order.no_cache"), q)
	}
	isCounted, err := guestlimit.Check(ctx, tx, v, q, contact.phone, s.limits)
	if err != nil {
		return Order{}, err
	}
	// Other checkouts of this cart, of a second tab or a second tap, become no order any more.
	if err := releaseHolds(ctx, tx, ownerOf(v, city), q); err != nil {
		return Order{}, err
	}
	interval, err := s.reserveInterval(ctx, tx, checkout, q, r.IntervalID, v.Now)
	if err != nil {
		return Order{}, explainIntervalFault(err, q)
	}
	o := newOrder(q, v, r, contact)
	o.ID, o.requestHash, o.CacheKey = id, hash, r.CacheKey
	if site.IsOnline(o.PaymentType) && o.Prices.Total > 0 { // no acquirer takes a payment of nothing
		o.State, o.PayUntil = WaitingForPayment, v.Now.Add(s.payWithin).Truncate(time.Millisecond)
	}
	o.PromisedFrom, o.PromisedTo = q.Spot.Plan().Handover(interval, v.Now)
	if err := checkETA(r, o, q, interval, v.Lang); err != nil {
		return Order{}, err
	}
	if err := insertOrder(ctx, tx, &o, r.CacheKey, string(Customer)); err != nil {
		return Order{}, err
	}
	origin := guestlimit.Origin{OrderID: o.ID, Site: o.Site, IsCounted: isCounted, At: o.CreatedAt}
	if err := guestlimit.InsertOrigin(ctx, tx, v, origin); err != nil {
		return Order{}, err
	}
	// Only now is it certain that no other order has the number, which may hold a time under it.
	if err := schedule.Confirm(ctx, tx, checkoutHolder(r.CacheKey), orderHolder(id)); err != nil {
		return Order{}, err
	}
	if err := reserveBenefits(ctx, tx, o, q, v); err != nil {
		return Order{}, err
	}
	if o.State == Accepted {
		if err := confirmReservations(ctx, tx, id, v.Now); err != nil {
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
		return Order{}, cart.Refuse(err, q)
	}
	return o, s.enqueueExpire(ctx, tx, o)
}

// enqueueExpire stores the job that cancels an order that is not paid in time.
func (s *Service) enqueueExpire(ctx context.Context, tx *db.Tx, o Order) error {
	if o.State != WaitingForPayment {
		return nil
	}
	return s.queue.Enqueue(ctx, tx, expireJob{OrderID: o.ID}, queue.At(o.PayUntil))
}

// claimSession makes sure that a customer has not logged out or left since the request came,
// and keeps the account from being deleted before the order is written.
func claimSession(ctx context.Context, tx *db.Tx, v visit.Context) error {
	if v.CustomerID == 0 {
		return nil
	}
	return customer.Claim(ctx, tx, customer.Session{ID: v.SessionID, CustomerID: v.CustomerID}, v.Now)
}

// replay returns the order that the checkout has already become.
func (s *Service) replay(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r Request, hash []byte) (Order, error) {
	id, err := findOrderOfCheckout(ctx, tx.Q, ownerOf(v, city), r.CacheKey)
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
		return Order{}, cart.Refuse(refused, q)
	}
	if err != nil {
		return Order{}, err
	}
	o, err := loadOrder(ctx, tx.Q, id)
	if err != nil {
		return Order{}, err
	}
	if !bytes.Equal(o.requestHash, hash) {
		return Order{}, fault.New(fault.Invalid, "order.other_request")
	}
	return o, nil
}
