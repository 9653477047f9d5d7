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

// maxRetries bounds how often a change starts again because the order, its number or the cart was
// changed concurrently.
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

// shouldRetry reports whether Create has to start again after a refusal, because another call
// was first: the order's number is taken, the cart was changed, or its time released. When the
// time is full it does so if the cart was changed meanwhile, because an order of this very cart
// may have the time; the next try then gets the refusal that says so.
func (s *Service) shouldRetry(ctx context.Context, v visit.Context, city *site.City, refused error) (again bool, err error) {
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
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		kept, err = s.carts.ReadIn(ctx, tx, v, city)
		return err
	})
	return kept.Version != priced.Cart.Version, err
}

// checkMayOrder returns order.sign_in_first (Unauthenticated) for a guest where only customers
// may order, nil otherwise.
func checkMayOrder(v visit.Context) error {
	if v.CustomerID == 0 && !v.Site.Settings.GuestsOrder() {
		return fault.New(fault.Unauthenticated, "order.sign_in_first")
	}
	return nil
}

// orderPhone returns the phone of the order: a customer's own, whatever the request says, or a
// guest's from the request. It returns the faults of [phone.Parse].
func orderPhone(v visit.Context, city *site.City, r Request) (string, error) {
	if v.CustomerID != 0 {
		return v.CustomerPhone, nil
	}
	return phone.Parse(r.Phone, city)
}

// isUnexpected reports whether err is an error that is no fault. Callers ignore faults of what
// is only stored for later, so that they do not hide why an order is refused.
func isUnexpected(err error) bool {
	_, refused := fault.Of(err)
	return err != nil && !refused
}

// quoteIn returns the priced cart, in the transaction. It is priced with the phone of the
// request, because gifts and promocodes for a first order depend on it.
func (s *Service) quoteIn(ctx context.Context, tx *db.Tx, v visit.Context, c cart.Cart, city *site.City, r Request) (cart.Quoted, error) {
	if number, err := orderPhone(v, city, r); err == nil {
		c.Phone = number
	}
	return s.carts.PriceIn(ctx, tx, v, c, city)
}

// rememberRefusal stores the phone of a refused request in the cart, and removes a time that is
// lost from it. It returns the refusal with the fresh cart. A refusal that is no Conflict, and
// one of a visitor without a session, is returned as it is.
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
	if _, hasCart := cart.FreshCart(refused); !hasCart {
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

// createIn creates the order of a checkout in the transaction: it claims the checkout, prices
// the cart, reserves what is limited, writes the order and saves the cart. For a checkout that
// has become an order it returns that order. Faults: those of [Service.Create]; errNumberTaken
// and cart.changed (Conflict) when the caller has to try again.
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
	ordered, err := s.checkCart(ctx, tx, v, city, r, address, checkout)
	if err != nil {
		return Order{}, err
	}
	q := ordered.quoted
	isCounted, err := guestlimit.Check(ctx, tx, v, q, ordered.contact.phone, s.limits)
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
	o := newOrder(q, v, r, ordered.contact)
	o.ID, o.requestHash, o.CacheKey = id, hash, r.CacheKey
	if site.IsOnline(o.PaymentType) && o.Prices.Total > 0 { // no acquirer takes a payment of nothing
		o.State, o.PayUntil = WaitingForPayment, v.Now.Add(s.payWithin).Truncate(time.Millisecond)
	}
	o.PromisedFrom, o.PromisedTo = q.Spot.Plan().Handover(interval, v.Now)
	if err := checkETA(r, o, q, interval, v.Lang); err != nil {
		return Order{}, err
	}
	if err := s.writeOrder(ctx, tx, v, &o, q, isCounted, string(Customer)); err != nil {
		return Order{}, err
	}
	if err := s.saveCart(ctx, tx, v, ordered, o); err != nil {
		return Order{}, err
	}
	return o, s.enqueueExpire(ctx, tx, o)
}

// checkedCart is a visitor's cart that can be ordered as a request says.
type checkedCart struct {
	stored  cart.Cart
	quoted  cart.Quoted // at the place of the request, priced in the transaction
	contact formFields  // of the request
}

// checkCart returns the visitor's cart, priced at the place of the request, and the fields of
// the request, if it can be ordered with the checkout. It returns the faults of [Service.Create]
// apart from those of limits and reservations.
func (s *Service) checkCart(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r Request, address *geo.Address, checkout Checkout) (checkedCart, error) {
	stored, err := s.carts.ReadIn(ctx, tx, v, city)
	if err != nil {
		return checkedCart{}, err
	}
	c, fields, err := placeCart(v, city, stored, r, address)
	if err != nil {
		return checkedCart{}, err
	}
	// The cart of an order that waits for its payment is kept, and must not be ordered twice.
	// This is asked before the price, which leaves out what waiting orders of the cart hold.
	waiting, err := listUnpaidOf(ctx, tx.Q, ownerOf(v, city), v.CustomerID)
	if err != nil {
		return checkedCart{}, err
	}
	q, err := s.quoteIn(ctx, tx, v, c, city, r)
	if err != nil {
		return checkedCart{}, err
	}
	if !checkout.ExpiresAt.After(v.Now) {
		return checkedCart{}, cart.Refuse(fault.New(fault.Conflict, "order.cache_expired"), q)
	}
	contact, fields := s.validateFields(r, v, q, fields)
	if err := findRefusal(r, q, fields, v); err != nil {
		return checkedCart{}, err
	}
	if len(waiting) > 0 {
		return checkedCart{}, cart.Refuse(fault.New(fault.Conflict, "order.no_cache"), q)
	}
	return checkedCart{stored, q, contact}, nil
}

// writeOrder stores a new order with its origin and its reservations, which it confirms when the
// order is accepted. isCounted says that the order counts against its network address, actor who placed
// it. It returns errNumberTaken when another order has the number, and the faults of stock and bonuses
// that are gone.
func (s *Service) writeOrder(ctx context.Context, tx *db.Tx, v visit.Context, o *Order, q cart.Quoted, isCounted bool, actor string) error {
	if err := insertOrder(ctx, tx, o, o.CacheKey, actor); err != nil {
		return err
	}
	origin := guestlimit.Origin{OrderID: o.ID, Site: o.Site, IsCounted: isCounted, At: o.CreatedAt}
	if err := guestlimit.InsertOrigin(ctx, tx, v, origin); err != nil {
		return err
	}
	// Only now is it certain that no other order has the number, which may hold a time under it.
	if err := schedule.Confirm(ctx, tx, checkoutHolder(o.CacheKey), Holder(o.ID)); err != nil {
		return err
	}
	if err := reserveBenefits(ctx, tx, *o, q, v); err != nil {
		return err
	}
	if o.State == Accepted {
		if err := confirmReservations(ctx, tx, o.ID, v.Now); err != nil {
			return err
		}
	}
	return s.announceLast(ctx, tx, *o)
}

// saveCart saves the cart that was ordered, emptied when the order is accepted, and unchanged
// while it waits for its payment. It also stores the customer's name if they have none. It
// returns cart.changed (Conflict) with the fresh cart when the cart was changed concurrently.
func (s *Service) saveCart(ctx context.Context, tx *db.Tx, v visit.Context, ordered checkedCart, o Order) error {
	if v.CustomerID != 0 {
		if err := customer.SetNameIfEmpty(ctx, tx, v.CustomerID, o.Details.Username); err != nil {
			return err
		}
	}
	left := ordered.stored // until it is paid
	if o.State == Accepted {
		left = left.Emptied()
	}
	// Saved in both cases, so that no other order is made of the same cart at the same time.
	if err := s.carts.Save(ctx, tx, v, left); err != nil {
		return cart.Refuse(err, ordered.quoted)
	}
	return nil
}

// enqueueExpire stores the job that cancels the order at its deadline. It does nothing for an
// order that does not wait for its payment.
func (s *Service) enqueueExpire(ctx context.Context, tx *db.Tx, o Order) error {
	if o.State != WaitingForPayment {
		return nil
	}
	return s.queue.Enqueue(ctx, tx, expireJob{OrderID: o.ID}, queue.At(o.PayUntil))
}

// claimSession checks that a customer is still signed in, and keeps the account from being
// deleted until the transaction ends. It returns customer.sign_in_first (Unauthenticated) when
// they are not; for a guest it does nothing.
func claimSession(ctx context.Context, tx *db.Tx, v visit.Context) error {
	if v.CustomerID == 0 {
		return nil
	}
	return customer.Claim(ctx, tx, customer.Session{ID: v.SessionID, CustomerID: v.CustomerID}, v.Now)
}

// replay returns the order that the checkout of the request has become before. Faults:
// order.no_cache (Conflict), with the fresh cart, when the visitor has no such checkout;
// order.other_request (Invalid) when the order was created by a request with another hash.
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
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return Order{}, err
	}
	if !bytes.Equal(o.requestHash, hash) {
		return Order{}, fault.New(fault.Invalid, "order.other_request")
	}
	return o, nil
}
