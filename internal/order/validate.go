package order

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/payment"
	"servery/internal/site"
	"servery/internal/visit"
)

// The longest texts that are taken, in characters.
const (
	maxName    = 100
	maxComment = 500
)

// formFields is what the fields of a request say, cleaned.
type formFields struct {
	phone, username, email, comment string
	cash                            *money.Amount
	allergens                       []catalog.Allergen
	consents                        []Consent
}

// validationErrors collects what is wrong with single fields.
type validationErrors []fault.Option

// add adds an error at a field with the key of its message.
func (p *validationErrors) add(field, key string, args ...fault.Args) {
	*p = append(*p, fault.Field(field, key, args...))
}

// checkLength adds an error at a field whose text has more than longest characters.
func (p *validationErrors) checkLength(field, text string, longest int) {
	if utf8.RuneCountInString(text) > longest {
		p.add(field, "common.too_long", fault.Args{"max": longest})
	}
}

// findAddress returns the visitor's saved address that the request names. It returns nil when
// the visitor has no such address or the order is not for delivery.
func (s *Service) findAddress(ctx context.Context, v visit.Context, r Request) (*geo.Address, error) {
	if r.OrderType != site.Delivery || r.Address == nil || r.Address.ID == 0 {
		return nil, nil
	}
	address, err := s.addresses.Get(ctx, geo.Owner{SessionID: v.SessionID, CustomerID: v.CustomerID, Site: v.Site.Alias}, r.Address.ID)
	if errors.Is(err, fault.New(fault.NotFound, "geo.address_unknown")) {
		return nil, nil
	}
	return &address, err
}

// placeCart returns the cart at the place that the request names, and what is wrong with fields
// of the place. address is the stored address that the request names, nil for none: the zone
// follows from it, never from the request.
func placeCart(v visit.Context, city *site.City, c cart.Cart, r Request, address *geo.Address) (cart.Cart, validationErrors, error) {
	var wrong validationErrors
	moved, err := cart.MoveTo(v, c, cart.PlaceRequest{CityID: city.ID, OrderType: r.OrderType, ShopID: r.ShopID}, city)
	if f, refused := fault.Of(err); refused {
		for field, messages := range f.Fields {
			wrong.add(field, messages[0].Key, messages[0].Args)
		}
	} else if err != nil {
		return c, nil, err
	}
	c = moved
	if r.OrderType == site.Takeaway {
		if r.ShopID == 0 {
			wrong.add("shop_id", "order.no_shop")
		}
		return c, wrong, nil
	}
	c.Address, c.ZoneID = nil, 0
	if r.Address == nil || r.Address.ID == 0 {
		wrong.add("delivery_address", "order.no_address")
		return c, wrong, nil
	}
	if address == nil || address.CityID != city.ID {
		wrong.add("delivery_address", "order.address_gone")
		return c, wrong, nil
	}
	to := *address
	for _, detail := range []struct{ kept, given *string }{
		{&to.Room, r.Address.Room},
		{&to.Entrance, r.Address.Entrance},
		{&to.Floor, r.Address.Floor},
		{&to.Intercom, r.Address.Intercom},
		{&to.Description, r.Address.Description},
	} {
		if detail.given != nil {
			*detail.kept = strings.TrimSpace(*detail.given)
		}
	}
	c.Address = &to
	return c, append(wrong, checkAddress(v, city, to)...), nil
}

// checkAddress returns what is wrong with the fields of an address in the city to which an order is to
// be delivered.
func checkAddress(v visit.Context, city *site.City, to geo.Address) validationErrors {
	wrong := validationErrors(to.TooLong())
	if to.Room == "" {
		wrong.add("room", "order.room_required")
	}
	if _, delivered := v.Snapshot.Atlas(v.Site).FindZone(city.ID, to.Point); !delivered {
		wrong.add("delivery_address", "order.not_delivered")
	}
	return wrong
}

// validateFields returns the fields of the request, cleaned, and wrong with the errors of these
// fields added.
func (s *Service) validateFields(r Request, v visit.Context, q cart.Quoted, wrong validationErrors) (formFields, validationErrors) {
	city := q.Spot.City
	given := formFields{username: strings.TrimSpace(r.Username), email: strings.TrimSpace(r.Email), comment: strings.TrimSpace(r.Comment)}
	var err error
	if given.phone, err = orderPhone(v, city, r); err != nil {
		wrong.add("phone", fault.KeyOf(err))
	}
	if given.username == "" {
		wrong.add("username", "order.name_required")
	}
	wrong.checkLength("username", given.username, maxName)
	wrong.checkLength("order_comment", given.comment, maxComment)
	if given.email != "" {
		if !payment.IsEmail(given.email) {
			wrong.add("email", "order.email_invalid")
		}
	} else if city.NeedsEmail(r.PaymentType) {
		wrong.add("email", "order.email_required")
	}
	if !slices.Contains(s.payments.PaymentTypes(v.Site, city, r.OrderType), r.PaymentType) {
		wrong.add("payment_type", "order.payment_type")
	}
	if r.IntervalID == "" {
		wrong.add("interval_id", "order.interval_required")
	}
	given.consents = newConsents(city, r.Consents, v.Now, &wrong)
	for _, alias := range r.Allergens {
		if !slices.Contains(catalog.Allergens(), catalog.Allergen(alias)) {
			wrong.add("allergens", "order.allergen_unknown")
		}
	}
	for _, a := range catalog.Allergens() { // each once, in the order in which they are shown
		if slices.Contains(r.Allergens, string(a)) {
			given.allergens = append(given.allergens, a)
		}
	}
	if r.PaymentType == site.Cash && r.Cash != nil && *r.Cash != 0 {
		// Whether the total that was shown is right is checked after this, with the fresh cart.
		given.cash = checkCash(*r.Cash, r.SeenTotal, city, &wrong)
	}
	return given, wrong
}

// hundred is what the cash of a Turkish customer is rounded up to.
const hundred = 100 * money.Scale

// checkCash returns what the customer pays with, and adds an error to wrong when that is less
// than the total or above the city's limit. In Turkey a sum below the total stands for the total
// rounded up to whole hundreds.
func checkCash(cash, total money.Amount, city *site.City, wrong *validationErrors) *money.Amount {
	most := max(city.CashLimit, total)
	if city.CountryCode == "TR" && cash >= 0 {
		rounded := (total + hundred - 1) / hundred * hundred
		most = max(most, rounded) // a sum that was rounded up is never refused
		if cash < total {
			cash = rounded
		}
	}
	switch {
	case cash < total:
		wrong.add("cash", "order.cash_below")
	case city.CashLimit > 0 && cash > most:
		wrong.add("cash", "order.cash_limit", fault.Args{"max": city.CashLimit})
	}
	return &cash
}

// findRefusal returns the first reason why the order cannot be placed, nil when there is none:
// the city, the fields in wrong, then what has changed, then what is missing. What has changed
// comes with the fresh cart.
func findRefusal(r Request, q cart.Quoted, wrong validationErrors, v visit.Context) error {
	city, stoppedShop := q.Spot.City, findShopRefusal(q, v)
	switch {
	case city.Stopped:
		return stoppedFault("order.city_stopped", city.Alert, v)
	case len(wrong) > 0:
		return fault.New(fault.Invalid, "order.check_fields", wrong...)
	case q.Spot.Shop == nil:
		return cart.Refuse(fault.New(fault.Conflict, "order.place_changed"), q)
	case stoppedShop != nil:
		return stoppedShop
	case len(q.Lines) == 0:
		return fault.New(fault.Invalid, "order.empty", fault.Field("cart", "order.empty"))
	case !q.IsComplete():
		return cart.Refuse(fault.New(fault.Conflict, "order.lines_changed"), q)
	case q.Prices.Total != r.SeenTotal:
		return cart.Refuse(fault.New(fault.Conflict, "order.total_changed"), q)
	case r.Fingerprint != "" && r.Fingerprint != q.Fingerprint:
		return cart.Refuse(fault.New(fault.Conflict, "order.changed"), q)
	case q.Minimum != nil && q.Minimum.Kind == cart.ForOrder:
		return cart.Refuse(fault.New(fault.Invalid, "order.minimum", fault.Field("cart", "order.minimum")), q)
	}
	return nil
}

// findShopRefusal returns why the shop of a priced cart takes no orders, nil when it does or
// none is chosen.
func findShopRefusal(q cart.Quoted, v visit.Context) error {
	shop := q.Spot.Shop
	if shop == nil || !shop.Stopped && shop.Serves(q.Spot.OrderType) {
		return nil
	}
	return stoppedFault("order.shop_stopped", shop.Alert, v)
}

// stoppedFault returns the fault (Invalid) of a city or shop that takes no orders: order.alert
// with the alert of content, or the one with the key where there is no alert.
func stoppedFault(key string, alert lang.Text, v visit.Context) error {
	if words := v.Site.Text(alert, v.Lang); words != "" {
		return fault.New(fault.Invalid, "order.alert", fault.With(fault.Args{"alert": words}))
	}
	return fault.New(fault.Invalid, key)
}

// Consent is what a customer has agreed to when ordering, and in which words.
type Consent struct {
	Alias string `json:"alias"`
	// Version names the text that was shown.
	Version string    `json:"version"`
	At      time.Time `json:"at"`
}

// newConsents returns those of the city's consents whose aliases are in given; other aliases are
// ignored. When a required one is missing, it adds an error to wrong and returns nil.
func newConsents(city *site.City, given []string, now time.Time, wrong *validationErrors) []Consent {
	var kept []Consent
	for _, c := range city.Country.Consents {
		switch {
		case slices.Contains(given, c.Alias):
			kept = append(kept, Consent{Alias: c.Alias, Version: c.Version, At: now})
		case c.Required:
			wrong.add("consents", "order.consent_required")
			return nil
		}
	}
	return kept
}
