package orders

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"unicode/utf8"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/phone"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// staffSession stands for the session of an order that no browser has placed. No session has its
// number. It is not 0, which marks an order whose personal data was erased.
const staffSession = -1

// maxPhoneOrderKey is how many characters the key of a phone order may have.
const maxPhoneOrderKey = 64

// PhoneOrder is an order that staff place for a customer who is on the phone.
type PhoneOrder struct {
	// Key is chosen by the restaurant. The same order under the same key is placed once.
	Key string `json:"-"`
	// Actor names who places it, as the restaurant's system knows them; it may be empty.
	Actor string `json:"-"`
	// Request is what a customer would send. Its checkout, its address and its total are not used.
	Request order.Request `json:"request"`
	// Address is where a delivery goes; nil for takeaway.
	Address   *geo.Address    `json:"address"`
	Additions []cart.Addition `json:"additions"`
	// GiftIDs names a gift as often as it is given.
	GiftIDs    []int64 `json:"gift_ids,omitempty"`
	Promocode  string  `json:"promocode,omitempty"`
	WithoutBag bool    `json:"without_bag,omitempty"`
	// Shops are those that may cook it; empty for all of the brand.
	Shops []int64 `json:"-"`
	// Total is the total that the customer has heard; nil accepts any.
	Total *money.Amount `json:"total"`
}

// PhoneQuote is what a phone order would cost, and the times that can be chosen for it.
type PhoneQuote struct {
	cart.Quoted

	// Intervals are those of the requested day, in order.
	Intervals []schedule.Interval
}

// QuoteByPhone returns what the order would cost, with the intervals of the day, and stores nothing. A zero day
// is the one that customers order for now, in the night that of the shift which still runs.
// Only place and dishes are required. Without a shop that cooks it there are no intervals. Faults:
// cart.unknown_city (NotFound); those of [carts.Service.ComposeIn] and of the phone, where there is one;
// common.forbidden (Forbidden) when the shop is not among Shops.
func (s *Service) QuoteByPhone(ctx context.Context, v visit.Context, p PhoneOrder, day clock.Day) (PhoneQuote, error) {
	city, err := v.City(p.Request.CityID)
	if err != nil {
		return PhoneQuote{}, err
	}
	var q cart.Quoted
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if p.Request.Phone != "" {
			if v, err = visitOfCaller(ctx, tx, v, city, p.Request.Phone); err != nil {
				return err
			}
		}
		if q, err = s.composeIn(ctx, tx, v, city, p); err != nil || q.Spot.Shop == nil {
			return err
		}
		return p.checkShop(q.Spot.Shop.ID)
	})
	if err != nil || q.Spot.Shop == nil {
		return PhoneQuote{Quoted: q}, err
	}
	if day.IsZero() {
		day = q.Spot.Plan().Today(v.Now)
	}
	intervals, err := s.carts.Intervals(ctx, v, q, day)
	return PhoneQuote{Quoted: q, Intervals: intervals}, err
}

// PlaceByPhone places an order for a customer who is on the phone, by the rules of [Service.Create]:
// prices, limited stock, capacity. An order for the phone of a customer is theirs, with the bonuses that
// it brings; it spends none, since a voice does not prove who calls. Limits on guests do not apply, and
// it is paid on receipt. The same order under the same key is placed once.
//
// Faults: common.invalid (Invalid) at key or actor; what is wrong with single fields, all at once, under
// order.check_fields; cart.unknown_city (NotFound); those of [carts.Service.ComposeIn]; the other faults of
// [Service.Create]; common.forbidden (Forbidden) when the shop that would cook it is not among Shops;
// order.other_request (Invalid) when another order has the key.
func (s *Service) PlaceByPhone(ctx context.Context, v visit.Context, p PhoneOrder) (order.Order, error) {
	var wrong order.FieldErrors
	wrong.CheckLength("actor", p.Actor, order.MaxActorName)
	if p.Key == "" || utf8.RuneCountInString(p.Key) > maxPhoneOrderKey {
		wrong.Add("key", "common.required")
	}
	if len(wrong) > 0 {
		return order.Order{}, fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	city, err := v.City(p.Request.CityID)
	if err != nil {
		return order.Order{}, err
	}
	hash, err := visit.HashRequest(p)
	if err != nil {
		return order.Order{}, err
	}
	p.Request.CacheKey = phoneOrderKey(v.Site.Alias, p.Key)
	var placed order.Order
	for range maxRetries {
		err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
			placed, err = s.placeByPhone(ctx, tx, v, city, p, hash)
			return err
		})
		// Another call with the key was first, or another order has the number.
		if !errors.Is(err, errNumberTaken) && !db.IsDuplicate(err, "orders", "cache_key") {
			break
		}
	}
	return placed, err
}

// phoneOrderKey returns the checkout key of a phone order. It is no secret: it opens the order only
// together with staffSession, which no browser has.
func phoneOrderKey(siteAlias, key string) string {
	hash := sha256.Sum256([]byte(siteAlias + "\x00" + key))
	return "phone:" + base64.RawURLEncoding.EncodeToString(hash[:])
}

// placeByPhone places a phone order in the transaction, or returns the one that has its key. It returns
// errNumberTaken, or the refusal of a second row with the key, when the caller has to try again.
func (s *Service) placeByPhone(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, p PhoneOrder, hash []byte) (order.Order, error) {
	id, exists, err := findOrderByKey(ctx, tx.Q, v.Site.Alias, p.Request.CacheKey)
	if err != nil {
		return order.Order{}, err
	}
	if exists {
		if err := archive.RecallIn(ctx, tx, v.Now, id); err != nil {
			return order.Order{}, err
		}
		o, err := Load(ctx, tx.Q, id)
		if err == nil && !bytes.Equal(o.RequestHash, hash) {
			err = fault.New(fault.Invalid, "order.other_request", fault.Field("key", "order.other_request"))
		}
		if err == nil {
			err = p.checkShop(o.ShopID)
		}
		return o, err
	}
	number, err := phone.Parse(p.Request.Phone, city)
	if err != nil {
		return order.Order{}, fault.New(fault.Invalid, "order.check_fields", fault.Field("phone", fault.KeyOf(err)))
	}
	if v, err = visitOfCaller(ctx, tx, v, city, number); err != nil {
		return order.Order{}, err
	}
	q, err := s.composeIn(ctx, tx, v, city, p)
	if err != nil {
		return order.Order{}, err
	}
	r, contact, err := s.checkPhoneOrder(v, q, p)
	if err != nil {
		return order.Order{}, err
	}
	if err := p.checkShop(q.Spot.Shop.ID); err != nil {
		return order.Order{}, err
	}
	interval, err := s.reserveInterval(ctx, tx, Checkout{Key: r.CacheKey}, q, r.IntervalID, v.Now)
	if err != nil {
		return order.Order{}, explainIntervalFault(err, q)
	}
	o := order.FromCart(q, v, r, contact)
	o.ID, o.RequestHash, o.CacheKey, o.SessionID = s.number(), hash, r.CacheKey, staffSession
	o.PromisedFrom, o.PromisedTo = q.Spot.Plan().Handover(interval, v.Now)
	const isCounted = false
	if err := s.writeOrder(ctx, tx, v, &o, q, isCounted, operatorName(p.Actor)); err != nil {
		return order.Order{}, err
	}
	if v.CustomerID != 0 {
		if err := customer.SetNameIfEmpty(ctx, tx, v.CustomerID, o.Details.Username); err != nil {
			return order.Order{}, err
		}
	}
	return o, recordChange(ctx, tx, order.Order{}, o)
}

// checkShop returns common.forbidden (Forbidden) at shop_id for a shop that may not cook the order.
func (p PhoneOrder) checkShop(shopID int64) error {
	if len(p.Shops) > 0 && !slices.Contains(p.Shops, shopID) {
		return fault.New(fault.Forbidden, "common.forbidden", fault.Field("shop_id", "common.forbidden"))
	}
	return nil
}

// visitOfCaller returns the visit context of the person who calls. When a customer has the number, it
// is that customer's, whose account is locked against erasure; else it is a guest's. It returns the
// faults of [phone.Parse] at phone.
func visitOfCaller(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, number string) (visit.Context, error) {
	digits, err := phone.Parse(number, city)
	if err != nil {
		return v, fault.New(fault.Invalid, "order.check_fields", fault.Field("phone", fault.KeyOf(err)))
	}
	who, isCustomer, err := customer.LockByPhone(ctx, tx, v.Site.Alias, digits)
	v.SessionID, v.CustomerID, v.CustomerPhone = 0, 0, ""
	if err == nil && isCustomer {
		v.CustomerID, v.CustomerPhone = who.ID, who.Phone
	}
	return v, err
}

// composeIn returns the priced cart of a phone order, in the transaction.
func (s *Service) composeIn(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, p PhoneOrder) (cart.Quoted, error) {
	number := ""
	if digits, err := phone.Parse(p.Request.Phone, city); err == nil {
		number = digits
	}
	return s.carts.ComposeIn(ctx, tx, v, city, carts.Composition{
		Place:   cart.PlaceRequest{CityID: city.ID, OrderType: p.Request.OrderType, ShopID: p.Request.ShopID},
		Address: p.Address, Additions: p.Additions, GiftIDs: p.GiftIDs, Promocode: p.Promocode, Phone: number, WithoutBag: p.WithoutBag,
	})
}

// checkPhoneOrder returns the request as a checkout would send it, and its fields, if the priced cart can
// be ordered with them. It returns the faults of [Service.Create].
func (s *Service) checkPhoneOrder(v visit.Context, q cart.Quoted, p PhoneOrder) (order.Request, order.Form, error) {
	r, city := p.Request, q.Spot.City
	r.SeenTotal, r.Fingerprint = q.Prices.Total, ""
	if p.Total != nil {
		r.SeenTotal = *p.Total
	}
	var wrong order.FieldErrors
	switch {
	case r.OrderType == site.Takeaway && r.ShopID == 0:
		wrong.Add("shop_id", "order.no_shop")
	case r.OrderType == site.Delivery && p.Address == nil:
		wrong.Add("delivery_address", "order.no_address")
	case r.OrderType == site.Delivery:
		wrong = order.CheckAddress(v, city, *p.Address)
	}
	number, phoneErr := order.PhoneOf(v, city, r)
	contact, wrong := order.CheckForm(r, number, phoneErr, v, q, s.payments.PaymentTypes(v.Site, q.Spot.City, r.OrderType), wrong)
	// CheckForm has refused an unknown payment type already.
	if site.IsOnline(r.PaymentType) && slices.Contains(s.payments.PaymentTypes(v.Site, city, r.OrderType), r.PaymentType) {
		wrong.Add("payment_type", "order.payment_type")
	}
	return r, contact, order.FindRefusal(r, q, wrong, v)
}
