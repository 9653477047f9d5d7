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
// follows from it, never from the request. Details of the address in the request, such as the
// room, replace the stored ones; those that the country's form does not ask for are left out.
func PlaceCart(v visit.Context, city *site.City, c cart.Cart, r Request, address *geo.Address) (cart.Cart, FieldErrors, error) {
	var fieldErrors FieldErrors
	moved, err := cart.MoveTo(v, c, cart.PlaceRequest{CityID: city.ID, OrderType: r.OrderType, ShopID: r.ShopID}, city)
	if f, refused := fault.Of(err); refused {
		for field, messages := range f.Fields {
			fieldErrors.Add(field, messages[0].Key, messages[0].Args)
		}
	} else if err != nil {
		return c, nil, err
	}
	c = moved
	if r.OrderType == site.Takeaway {
		if r.ShopID == 0 {
			fieldErrors.Add("shop_id", "order.no_shop")
		}
		return c, fieldErrors, nil
	}
	c.Address, c.ZoneID = nil, 0
	if r.Address == nil || r.Address.ID == 0 {
		fieldErrors.Add("delivery_address", "order.no_address")
		return c, fieldErrors, nil
	}
	if address == nil || address.CityID != city.ID {
		fieldErrors.Add("delivery_address", "order.address_gone")
		return c, fieldErrors, nil
	}
	to := r.Address.ApplyTo(*address).ForCourier(city.Country.AddressForm())
	c.Address = &to
	return c, append(fieldErrors, CheckAddress(v, city, to)...), nil
}

// CheckAddress returns what is wrong with the fields of an address in the city to which an order is to
// be delivered. Details that the country's form does not ask for are wrong too.
func CheckAddress(v visit.Context, city *site.City, to geo.Address) FieldErrors {
	fieldErrors, form := FieldErrors(to.CheckDetails()), city.Country.AddressForm()
	for _, f := range to.MissingIn(form) {
		fieldErrors.Add(string(f), MissingDetail(f))
	}
	for _, f := range to.UnaskedIn(form) {
		fieldErrors.Add(string(f), "common.unknown_field")
	}
	if _, delivered := v.Snapshot.Atlas(v.Site).FindZone(city.ID, to.Point); !delivered {
		key := "order.not_delivered" // offers takeaway
		if !city.Sells(site.Takeaway) {
			key = "geo.not_delivered"
		}
		fieldErrors.Add("delivery_address", key)
	}
	return fieldErrors
}

// MissingDetail returns the key of the message about a detail of an address that is required.
func MissingDetail(f site.AddressField) string {
	switch f {
	case site.Room:
		return "order.room_required"
	case site.BellName:
		return "order.bell_name_required"
	case site.PrivateHouse, site.Building, site.RearBuilding, site.Entrance, site.Floor, site.Intercom, site.Landmark:
	}
	return "common.required"
}

// CheckForm returns the fields of the request, cleaned, and fieldErrors with the errors of these
// fields added. number and phoneErr are what [PhoneOf] returns for it, paymentTypes those that the city takes
// for such an order.
func CheckForm(r Request, number string, phoneErr error, v visit.Context, q cart.Quoted, paymentTypes []string, fieldErrors FieldErrors) (Form, FieldErrors) {
	city := q.Spot.City
	form := Form{username: lang.OneLine(r.Username), email: strings.TrimSpace(r.Email), comment: strings.TrimSpace(r.Comment)}
	if form.Phone = number; phoneErr != nil {
		fieldErrors.Add("phone", fault.KeyOf(phoneErr))
	}
	if form.username == "" {
		fieldErrors.Add("username", "order.name_required")
	}
	fieldErrors.CheckLength("username", form.username, maxName)
	fieldErrors.CheckLength("order_comment", form.comment, maxComment)
	if form.email != "" {
		if !payment.IsEmail(form.email) {
			fieldErrors.Add("email", "order.email_invalid")
		}
	} else if city.NeedsEmail(r.PaymentType) {
		fieldErrors.Add("email", "order.email_required")
	}
	if !slices.Contains(paymentTypes, r.PaymentType) {
		fieldErrors.Add("payment_type", "order.payment_type")
	}
	if r.IntervalID == "" {
		fieldErrors.Add("interval_id", "order.interval_required")
	}
	form.consents = newConsents(city, r.Consents, v.Now, &fieldErrors)
	for _, alias := range r.Allergens {
		if !slices.Contains(catalog.Allergens(), catalog.Allergen(alias)) {
			fieldErrors.Add("allergens", "order.allergen_unknown")
		}
	}
	for _, a := range catalog.Allergens() { // each once, in the order in which they are shown
		if slices.Contains(r.Allergens, string(a)) {
			form.allergens = append(form.allergens, a)
		}
	}
	if r.PaymentType == site.Cash && r.Cash != nil && *r.Cash != 0 {
		// Whether SeenTotal is that of the fresh cart is for FindRefusal to check.
		form.cash = checkCash(*r.Cash, r.SeenTotal, city, &fieldErrors)
	}
	return form, fieldErrors
}

// hundred is a hundred lira: the cash of a Turkish customer is rounded up to whole ones.
const hundred = 100 * money.Scale

// checkCash returns what the customer pays with, and adds an error to fieldErrors when that is less
// than the total or above the city's limit, if it has one. In Turkey a sum below the total stands for
// the total rounded up to whole hundreds.
func checkCash(cash, total money.Amount, city *site.City, fieldErrors *FieldErrors) *money.Amount {
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
		fieldErrors.Add("cash", "order.cash_below")
	case city.CashLimit > 0 && cash > most:
		fieldErrors.Add("cash", "order.cash_limit", fault.Args{"max": city.CashLimit})
	}
	return &cash
}

// FindRefusal returns the first reason why the order cannot be placed, nil when there is none. It checks,
// in this order: the city, the fields in fieldErrors, the shop, whether the cart has lines, what has
// changed since the customer saw the cart, and the minimum of an order. A refusal because of a missing
// shop, of what has changed, of an empty cart or of the minimum carries the fresh cart.
func FindRefusal(r Request, q cart.Quoted, fieldErrors FieldErrors, v visit.Context) error {
	city, stoppedShop := q.Spot.City, FindShopRefusal(q, v)
	switch {
	case city.Stopped:
		return StoppedFault("order.city_stopped", city.Alert, v)
	case len(fieldErrors) > 0:
		return fault.New(fault.Invalid, "order.check_fields", fieldErrors...)
	case q.Spot.Shop == nil:
		return cart.Refuse(fault.New(fault.Conflict, "order.place_changed"), q)
	case stoppedShop != nil:
		return stoppedShop
	case len(q.Lines) == 0:
		return cart.Refuse(fault.New(fault.Conflict, "order.empty", fault.Field("cart", "order.empty")), q)
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

// FindShopRefusal returns why the shop of a priced cart takes no orders of the cart's type, nil when it
// does or none is chosen.
func FindShopRefusal(q cart.Quoted, v visit.Context) error {
	if !q.Spot.IsStopped() {
		return nil
	}
	return StoppedFault("order.shop_stopped", q.Spot.Shop.Alert, v)
}

// StoppedFault returns the fault (Invalid) of a city or shop that takes no orders, with the message of
// [cart.StopMessage].
func StoppedFault(key string, alert lang.Text, v visit.Context) error {
	m := cart.StopMessage(key, alert, v.Site, v.Lang)
	return fault.New(fault.Invalid, m.Key, fault.With(m.Args))
}

// Consent records which text a customer has agreed to when ordering.
type Consent struct {
	Alias string `json:"alias"`
	// Version names the text that was shown.
	Version string    `json:"version"`
	At      time.Time `json:"at"`
}

// newConsents returns the consents of the city that are in aliases; unknown aliases are ignored.
// When a required one is missing, it adds an error to fieldErrors and returns nil.
func newConsents(city *site.City, aliases []string, now time.Time, fieldErrors *FieldErrors) []Consent {
	var consents []Consent
	for _, c := range city.Country.Consents {
		switch {
		case slices.Contains(aliases, c.Alias):
			consents = append(consents, Consent{Alias: c.Alias, Version: c.Version, At: now})
		case c.Required:
			fieldErrors.Add("consents", "order.consent_required")
			return nil
		}
	}
	return consents
}

// PhoneOf returns the phone of the order: a customer's own, whatever the request says, or a
// guest's from the request. It returns the faults of [phone.Parse] and no phone with them.
func PhoneOf(v visit.Context, city *site.City, r Request) (string, error) {
	if v.CustomerID != 0 {
		return v.CustomerPhone, nil
	}
	return phone.Parse(r.Phone, city)
}
