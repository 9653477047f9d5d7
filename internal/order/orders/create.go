package orders

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/guestlimit"
	"servery/internal/queue"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// maxRetries bounds how often a change starts again because the order, its number or the cart was
// changed concurrently.
const maxRetries = 8

// Create places the order of the visitor's cart, in one transaction: the interval and limited stock
// are reserved and the cart is emptied, or nothing happens at all. An order that is paid online waits
// for its payment, unless it costs nothing; until then it holds its reservations and leaves the cart
// as it is. The key of the checkout is an idempotency key: the same request returns the same order,
// also concurrently.
//
// Where guests may not order, it returns order.sign_in_first (Unauthenticated) for a guest. The order of
// a customer has the phone that they signed in with, whatever the request says. A customer without a
// name gets the name of the order.
//
// Faults: cart.unknown_city (NotFound); customer.sign_in_first (Unauthenticated) for a customer who is signed
// out by now; what is wrong with single fields, all at once, under order.check_fields; order.city_stopped,
// order.shop_stopped, order.alert, order.minimum, order.other_request (Invalid); those of
// [guestlimit.Check]; order.captcha (Invalid) and order.too_many_lookups (TooMany) for a guest who tries many
// phones; with the fresh cart, all Conflict: order.no_cache, order.cache_expired, order.place_changed,
// order.empty, order.lines_changed, order.total_changed, order.changed, order.time_changed,
// cart.changed, those of the interval and of reserveBenefits.
// After a refusal the cart has the phone of the request, and no longer a time that is lost.
func (s *Service) Create(ctx context.Context, v visit.Context, r order.Request) (order.Order, error) {
	if err := checkMayOrder(v); err != nil {
		return order.Order{}, err
	}
	city, err := v.City(r.CityID)
	if err != nil {
		return order.Order{}, err
	}
	hash, err := visit.HashRequest(r)
	if err != nil {
		return order.Order{}, err
	}
	address, err := s.findAddress(ctx, v, r) // not inside the transaction, which holds a connection of its own
	if err != nil {
		return order.Order{}, err
	}
	var placed order.Order
	guess := s.newPhoneGuess(v)
	for range maxRetries {
		err = s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			placed, err = s.createIn(ctx, tx, v, city, r, hash, address, guess)
			return err
		})
		again, retryErr := s.shouldRetry(ctx, v, city, err)
		if retryErr != nil {
			return order.Order{}, retryErr
		}
		if !again {
			break
		}
	}
	if err != nil {
		return order.Order{}, s.rememberRefusal(ctx, v, city, r, address, guess, err)
	}
	guess.succeed()
	return placed, nil
}

// shouldRetry reports whether Create has to start again after a refusal, because another call
// was first: the order's number is taken, the cart was changed, or its time released. It also
// reports true when the time is full and the cart was changed since: an order of this same cart may
// have the time, and the next try then returns the refusal that says so.
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
	var version int64
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		stored, err := s.carts.ReadIn(ctx, tx, v, city)
		version = stored.Cart.Version
		return err
	})
	return version != priced.Cart.Version, err
}

// checkMayOrder returns order.sign_in_first (Unauthenticated) for a guest where only customers
// may order, nil otherwise.
func checkMayOrder(v visit.Context) error {
	if v.CustomerID == 0 && !v.Site.Settings.GuestsOrder() {
		return fault.New(fault.Unauthenticated, "order.sign_in_first")
	}
	return nil
}

// isUnexpected reports whether err is an error that is no fault. Callers ignore faults of what
// is only stored for later, so that they do not hide why an order is refused.
func isUnexpected(err error) bool {
	_, refused := fault.Of(err)
	return err != nil && !refused
}

// priceForPhone returns a cart that was made of the stored one, priced with the phone of the
// request, because gifts and promocodes for a first order depend on it. An empty phone leaves that of the cart.
func priceForPhone(ctx context.Context, stored carts.InTx, c cart.Cart, phone string) (cart.Quoted, error) {
	c.Phone = cmp.Or(phone, c.Phone)
	return stored.Price(ctx, c)
}

// rememberRefusal stores the phone of a refused request in the cart, and removes from the cart a
// time that is lost. It returns the refusal with the fresh cart. A refusal that is no Conflict, and
// one of a visitor without a session, is returned as it is. In place of a cart that shows too much of a phone it
// returns the fault of guess.
func (s *Service) rememberRefusal(ctx context.Context, v visit.Context, city *site.City, r order.Request, address *geo.Address, guess *phoneGuess, refused error) error {
	f, ok := fault.Of(refused)
	if !ok || f.Code != fault.Conflict || v.SessionID == 0 {
		return refused
	}
	number, phoneErr := order.PhoneOf(v, city, r)
	if _, hasCart := cart.FreshCart(refused); !hasCart {
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			stored, err := s.carts.ReadIn(ctx, tx, v, city)
			if err != nil {
				return err
			}
			c, _, err := order.PlaceCart(v, city, stored.Cart, r, address)
			if err != nil {
				return err
			}
			fresh, err := priceForPhone(ctx, stored, c, number)
			refused = cart.Refuse(refused, fresh)
			return err
		})
		if err != nil {
			return err
		}
	}
	if phoneErr == nil {
		if q, hasCart := cart.FreshCart(refused); hasCart {
			if err := guess.attempt(q); err != nil {
				return err
			}
		}
		if err := s.carts.RememberPhone(ctx, v, city.ID, number); isUnexpected(err) {
			return err
		}
	}
	return s.dropInterval(ctx, v, city, refused)
}

// createIn creates the order of a checkout in the transaction: it claims the checkout, prices
// the cart, reserves what is limited, writes the order, saves the cart and enqueues the job at the
// payment deadline. For a checkout that has become an order it returns that order. Faults: those of
// [Service.Create]; errNumberTaken and cart.changed (Conflict) when the caller has to try again.
func (s *Service) createIn(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r order.Request, hash []byte, address *geo.Address, guess *phoneGuess) (order.Order, error) {
	if err := claimSession(ctx, tx, v); err != nil {
		return order.Order{}, err
	}
	id := s.number()
	checkout, err := claimCheckout(ctx, tx.Q, ownerOf(v, city), r.CacheKey, id)
	if errors.Is(err, db.ErrNotFound) {
		return s.replay(ctx, tx, v, city, r, hash)
	}
	if err != nil {
		return order.Order{}, err
	}
	ordered, err := s.checkCart(ctx, tx, v, city, r, address, checkout, guess)
	if err != nil {
		return order.Order{}, err
	}
	q := ordered.quoted
	isCounted, err := guestlimit.Check(ctx, tx, v, q, ordered.contact.Phone, s.limits)
	if err != nil {
		return order.Order{}, err
	}
	// Other checkouts of this cart, of a second tab or a second tap, become no order any more.
	if err := releaseHolds(ctx, tx, ownerOf(v, city), q, ordered.hasOtherCheckouts); err != nil {
		return order.Order{}, err
	}
	interval, err := s.reserveInterval(ctx, tx, checkout, q, r.IntervalID, v.Now)
	if err != nil {
		return order.Order{}, explainIntervalFault(err, q)
	}
	o := order.FromCart(q, v, r, ordered.contact)
	o.ID, o.RequestHash, o.CacheKey = id, hash, r.CacheKey
	if site.IsOnline(o.PaymentType) && o.Prices.Total > 0 { // no acquirer takes a payment of nothing
		o.State, o.PayUntil = order.WaitingForPayment, v.Now.Add(s.payWithin).Truncate(time.Millisecond)
	}
	o.PromisedFrom, o.PromisedTo = q.Spot.Plan().Handover(interval, v.Now)
	if err := order.CheckETA(r, o, q, interval, v.Lang); err != nil {
		return order.Order{}, err
	}
	if err := s.writeOrder(ctx, tx, v, &o, q, isCounted, string(order.Customer)); err != nil {
		return order.Order{}, err
	}
	if err := s.saveCart(ctx, tx, v, ordered, o); err != nil {
		return order.Order{}, err
	}
	return o, s.enqueueExpire(ctx, tx, o)
}

// checkedCart is a visitor's cart that can be ordered as a request says.
type checkedCart struct {
	stored  cart.Cart
	quoted  cart.Quoted // at the place of the request, priced in the transaction
	contact order.Form  // of the request
	// hasOtherCheckouts says that checkouts of the cart besides that of the request may hold intervals.
	hasOtherCheckouts bool
}

// checkCart returns the visitor's cart, priced at the place of the request, and the fields of
// the request, if it can be ordered with the checkout. It returns the faults of [Service.Create]
// apart from those of limits and reservations.
func (s *Service) checkCart(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r order.Request, address *geo.Address, checkout Checkout, guess *phoneGuess) (checkedCart, error) {
	number, phoneErr := order.PhoneOf(v, city, r) // the form says what is wrong with it
	stored, err := s.carts.ReadInFor(ctx, tx, v, city, number)
	if err != nil {
		return checkedCart{}, err
	}
	c, fields, err := order.PlaceCart(v, city, stored.Cart, r, address)
	if err != nil {
		return checkedCart{}, err
	}
	q, err := priceForPhone(ctx, stored, c, number)
	if err != nil {
		return checkedCart{}, err
	}
	if err := guess.attempt(q); err != nil {
		return checkedCart{}, err
	}
	if !checkout.ExpiresAt.After(v.Now) {
		return checkedCart{}, cart.Refuse(fault.New(fault.Conflict, "order.cache_expired"), q)
	}
	contact, fields := order.CheckForm(r, number, phoneErr, v, q, s.payments.PaymentTypes(v.Site, q.Spot.City, r.OrderType), fields)
	if err := order.FindRefusal(r, q, fields, v); err != nil {
		return checkedCart{}, err
	}
	if stored.IsWaiting { // the cart of an order that waits for its payment is kept, and must not be ordered twice
		return checkedCart{}, cart.Refuse(fault.New(fault.Conflict, "order.no_cache"), q)
	}
	return checkedCart{stored.Cart, q, contact, stored.HasCheckouts}, nil
}

// writeOrder stores a new order with its origin and its reservations, which it confirms when the
// order is accepted, and announces it. isCounted says that the order counts against its network address,
// actor who placed it. It returns errNumberTaken when another order has the number, and the faults of
// stock and bonuses that are gone.
func (s *Service) writeOrder(ctx context.Context, tx *db.Tx, v visit.Context, o *order.Order, q cart.Quoted, isCounted bool, actor string) error {
	if err := insertOrder(ctx, tx, o, o.CacheKey, actor); err != nil {
		return err
	}
	origin := guestlimit.Origin{OrderID: o.ID, Site: o.Site, IsCounted: isCounted, At: o.CreatedAt}
	if err := guestlimit.InsertOrigin(ctx, tx, v, origin); err != nil {
		return err
	}
	// Not before insertOrder: until then another order may have this number and hold a time under it.
	if err := schedule.Confirm(ctx, tx, checkoutHolder(o.CacheKey), order.Holder(o.ID)); err != nil {
		return err
	}
	if err := reserveBenefits(ctx, tx, *o, q, v); err != nil {
		return err
	}
	if o.State == order.Accepted && o.Prices.Bonuses > 0 { // its stock was reserved without a deadline
		if err := bonus.Confirm(ctx, tx, o.ID, v.Now); err != nil {
			return err
		}
	}
	return s.announceLast(ctx, tx, *o)
}

// saveCart saves the cart that was ordered, emptied when the order is accepted, and unchanged
// while it waits for its payment. It also stores the customer's name if they have none. It
// returns cart.changed (Conflict) with the fresh cart when the cart was changed concurrently.
func (s *Service) saveCart(ctx context.Context, tx *db.Tx, v visit.Context, ordered checkedCart, o order.Order) error {
	if v.CustomerID != 0 {
		if err := customer.SetNameIfEmpty(ctx, tx, v.CustomerID, o.Details.Username); err != nil {
			return err
		}
	}
	left := ordered.stored // until it is paid
	if o.State == order.Accepted {
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
func (s *Service) enqueueExpire(ctx context.Context, tx *db.Tx, o order.Order) error {
	if o.State != order.WaitingForPayment {
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
func (s *Service) replay(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, r order.Request, hash []byte) (order.Order, error) {
	id, err := findOrderOfCheckout(ctx, tx.Q, ownerOf(v, city), r.CacheKey)
	if errors.Is(err, db.ErrNotFound) {
		refused := fault.New(fault.Conflict, "order.no_cache")
		if v.SessionID == 0 {
			return order.Order{}, refused
		}
		stored, err := s.carts.ReadIn(ctx, tx, v, city)
		if err != nil {
			return order.Order{}, err
		}
		q, err := stored.Price(ctx, stored.Cart)
		if err != nil {
			return order.Order{}, err
		}
		return order.Order{}, cart.Refuse(refused, q)
	}
	if err != nil {
		return order.Order{}, err
	}
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return order.Order{}, err
	}
	if !bytes.Equal(o.RequestHash, hash) {
		return order.Order{}, fault.New(fault.Invalid, "order.other_request")
	}
	return o, nil
}

// findAddress returns the visitor's saved address that the request names. It returns nil when
// the visitor has no such address or the order is not for delivery.
func (s *Service) findAddress(ctx context.Context, v visit.Context, r order.Request) (*geo.Address, error) {
	if r.OrderType != site.Delivery || r.Address == nil || r.Address.ID == 0 {
		return nil, nil
	}
	address, err := s.addresses.Get(ctx, geo.Owner{SessionID: v.SessionID, CustomerID: v.CustomerID, Site: v.Site.Alias}, r.Address.ID)
	if errors.Is(err, fault.New(fault.NotFound, "geo.address_unknown")) {
		return nil, nil
	}
	return &address, err
}
