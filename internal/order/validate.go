package order

import (
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
	"servery/internal/phone"
	"servery/internal/site"
	"servery/internal/visit"
)

// The longest texts that are taken, in characters.
const (
	maxName    = 100
	maxComment = 500
)

// Form is what the fields of a request say, cleaned.
type Form struct {
	Phone, username, email, comment string
	cash                            *money.Amount
	allergens                       []catalog.Allergen
	consents                        []Consent
}

// FieldErrors collects what is wrong with single fields.
type FieldErrors []fault.Option

// Add adds an error at a field with the key of its message.
func (p *FieldErrors) Add(field, key string, args ...fault.Args) {
	*p = append(*p, fault.Field(field, key, args...))
}

// CheckLength adds an error at a field whose text has more than longest characters.
func (p *FieldErrors) CheckLength(field, text string, longest int) {
	if utf8.RuneCountInString(text) > longest {
		p.Add(field, "common.too_long", fault.Args{"max": longest})
	}
}

// PlaceCart returns the cart at the place that the request names, and what is wrong with fields
// of the place. address is the stored address that the request names, nil for none: the zone
// follows from it, never from the request.
func PlaceCart(v visit.Context, city *site.City, c cart.Cart, r Request, address *geo.Address) (cart.Cart, FieldErrors, error) {
	var wrong FieldErrors
	moved, err := cart.MoveTo(v, c, cart.PlaceRequest{CityID: city.ID, OrderType: r.OrderType, ShopID: r.ShopID}, city)
	if f, refused := fault.Of(err); refused {
		for field, messages := range f.Fields {
			wrong.Add(field, messages[0].Key, messages[0].Args)
		}
	} else if err != nil {
		return c, nil, err
	}
	c = moved
	if r.OrderType == site.Takeaway {
		if r.ShopID == 0 {
			wrong.Add("shop_id", "order.no_shop")
		}
		return c, wrong, nil
	}
	c.Address, c.ZoneID = nil, 0
	if r.Address == nil || r.Address.ID == 0 {
		wrong.Add("delivery_address", "order.no_address")
		return c, wrong, nil
	}
	if address == nil || address.CityID != city.ID {
		wrong.Add("delivery_address", "order.address_gone")
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
	return c, append(wrong, CheckAddress(v, city, to)...), nil
}

// CheckAddress returns what is wrong with the fields of an address in the city to which an order is to
// be delivered.
func CheckAddress(v visit.Context, city *site.City, to geo.Address) FieldErrors {
	wrong := FieldErrors(to.TooLong())
	if to.Room == "" {
		wrong.Add("room", "order.room_required")
	}
	if _, delivered := v.Snapshot.Atlas(v.Site).FindZone(city.ID, to.Point); !delivered {
		wrong.Add("delivery_address", "order.not_delivered")
	}
	return wrong
}

// CheckForm returns the fields of the request, cleaned, and wrong with the errors of these
// fields added. paymentTypes are those that the city takes for such an order.
func CheckForm(r Request, v visit.Context, q cart.Quoted, paymentTypes []string, wrong FieldErrors) (Form, FieldErrors) {
	city := q.Spot.City
	given := Form{username: strings.TrimSpace(r.Username), email: strings.TrimSpace(r.Email), comment: strings.TrimSpace(r.Comment)}
	var err error
	if given.Phone, err = PhoneOf(v, city, r); err != nil {
		wrong.Add("phone", fault.KeyOf(err))
	}
	if given.username == "" {
		wrong.Add("username", "order.name_required")
	}
	wrong.CheckLength("username", given.username, maxName)
	wrong.CheckLength("order_comment", given.comment, maxComment)
	if given.email != "" {
		if !payment.IsEmail(given.email) {
			wrong.Add("email", "order.email_invalid")
		}
	} else if city.NeedsEmail(r.PaymentType) {
		wrong.Add("email", "order.email_required")
	}
	if !slices.Contains(paymentTypes, r.PaymentType) {
		wrong.Add("payment_type", "order.payment_type")
	}
	if r.IntervalID == "" {
		wrong.Add("interval_id", "order.interval_required")
	}
	given.consents = newConsents(city, r.Consents, v.Now, &wrong)
	for _, alias := range r.Allergens {
		if !slices.Contains(catalog.Allergens(), catalog.Allergen(alias)) {
			wrong.Add("allergens", "order.allergen_unknown")
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
func checkCash(cash, total money.Amount, city *site.City, wrong *FieldErrors) *money.Amount {
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
		wrong.Add("cash", "order.cash_below")
	case city.CashLimit > 0 && cash > most:
		wrong.Add("cash", "order.cash_limit", fault.Args{"max": city.CashLimit})
	}
	return &cash
}

// FindRefusal returns the first reason why the order cannot be placed, nil when there is none:
// the city, the fields in wrong, then what has changed, then what is missing. The refusal of a cart
// that has changed carries the fresh cart.
func FindRefusal(r Request, q cart.Quoted, wrong FieldErrors, v visit.Context) error {
	city, stoppedShop := q.Spot.City, FindShopRefusal(q, v)
	switch {
	case city.Stopped:
		return StoppedFault("order.city_stopped", city.Alert, v)
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

// FindShopRefusal returns why the shop of a priced cart takes no orders, nil when it does or
// none is chosen.
func FindShopRefusal(q cart.Quoted, v visit.Context) error {
	shop := q.Spot.Shop
	if shop == nil || !shop.Stopped && shop.Serves(q.Spot.OrderType) {
		return nil
	}
	return StoppedFault("order.shop_stopped", shop.Alert, v)
}

// StoppedFault returns the fault (Invalid) of a city or shop that takes no orders, with what
// [cart.StopMessage] says of it.
func StoppedFault(key string, alert lang.Text, v visit.Context) error {
	m := cart.StopMessage(key, alert, v.Site, v.Lang)
	return fault.New(fault.Invalid, m.Key, fault.With(m.Args))
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
func newConsents(city *site.City, given []string, now time.Time, wrong *FieldErrors) []Consent {
	var kept []Consent
	for _, c := range city.Country.Consents {
		switch {
		case slices.Contains(given, c.Alias):
			kept = append(kept, Consent{Alias: c.Alias, Version: c.Version, At: now})
		case c.Required:
			wrong.Add("consents", "order.consent_required")
			return nil
		}
	}
	return kept
}

// PhoneOf returns the phone of the order: a customer's own, whatever the request says, or a
// guest's from the request. It returns the faults of [phone.Parse].
func PhoneOf(v visit.Context, city *site.City, r Request) (string, error) {
	if v.CustomerID != 0 {
		return v.CustomerPhone, nil
	}
	return phone.Parse(r.Phone, city)
}
