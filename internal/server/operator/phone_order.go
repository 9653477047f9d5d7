package operator

import (
	"context"
	"slices"
	"strings"
	"time"

	"servery/internal/access"
	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/schedule"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// visitOfBrand returns the visit in which staff order at a brand, in the brand's own language. It
// returns catalog.unknown_site (NotFound) for an unknown brand.
func (c *Calls) visitOfBrand(alias string) (visit.Context, error) {
	snapshot := c.catalog.Current()
	brand, ok := snapshot.Sites.ByAlias(alias)
	if !ok {
		return visit.Context{}, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	return visit.Context{Snapshot: snapshot, Site: brand, Lang: brand.DefaultLanguage, Marks: c.marks, Now: c.clock.Now()}, nil
}

// OperatorPlaceOrder is POST /operator/orders: it places an order for a customer who is on the phone, once
// for each key, and returns it. The customer's language is that of the request where the brand has it. See
// [orders.Service.PlaceByPhone].
func (c *Calls) OperatorPlaceOrder(ctx context.Context, req wire.OperatorPlaceOrderRequestObject) (wire.OperatorPlaceOrderResponseObject, error) {
	b := req.Body
	v, err := c.visitOfBrand(b.Cart.Site)
	if err != nil {
		return nil, err
	}
	if l, ok := lang.Parse(convert.ValueOf(b.Language)); ok && slices.Contains(v.Site.Languages, l) {
		v.Lang = l
	}
	p := toPhoneOrder(v, b.Cart)
	p.Key, p.Actor, p.Total, p.Shops = b.Key, convert.ValueOf(b.Actor), b.Total, access.From(ctx).Shops
	p.Request.Username, p.Request.Email, p.Request.Comment = b.Username, convert.ValueOf(b.Email), convert.ValueOf(b.Comment)
	p.Request.PaymentType, p.Request.Cash, p.Request.IntervalID = string(b.PaymentType), b.Cash, b.IntervalID
	p.Request.Allergens, p.Request.Consents = convert.ValueOf(b.Allergens), convert.ValueOf(b.Consents)
	o, err := c.orders.PlaceByPhone(ctx, v, p)
	if err != nil {
		return nil, nameCartFields(err)
	}
	return wire.OperatorPlaceOrder200JSONResponse{Order: hideCustomer(ctx, toWireOrder(o, v.Site, v.Now))}, nil
}

// OperatorQuoteOrder is POST /operator/orders/quote: it returns what an order by phone would cost and the
// intervals of a day. It stores nothing. Whether the phone is a customer's is left out for a caller who may
// not read customers.
func (c *Calls) OperatorQuoteOrder(ctx context.Context, req wire.OperatorQuoteOrderRequestObject) (wire.OperatorQuoteOrderResponseObject, error) {
	v, err := c.visitOfBrand(req.Body.Cart.Site)
	if err != nil {
		return nil, err
	}
	var day clock.Day
	if req.Body.Day != nil {
		if day, err = clock.ParseDay(*req.Body.Day); err != nil {
			return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("day", "common.invalid"))
		}
	}
	p := toPhoneOrder(v, req.Body.Cart)
	p.Shops = access.From(ctx).Shops
	q, err := c.orders.QuoteByPhone(ctx, v, p, day)
	if err != nil {
		return nil, nameCartFields(err)
	}
	answer := toWireQuote(v, q)
	if !access.From(ctx).May(access.ReadCustomers) {
		answer.IsCustomer = nil
	}
	return answer, nil
}

// nameCartFields returns the error of a phone order with its fields named by their paths in the request, such as
// cart.phone: the services name the fields of a checkout. Fields that stand beside the cart keep their names, and so
// does any error that is no fault.
func nameCartFields(err error) error {
	f, ok := fault.Of(err)
	if !ok || len(f.Fields) == 0 {
		return err
	}
	named := *f // a fault is never changed
	named.Fields = fault.Fields{}
	for field, messages := range f.Fields {
		path := pathInPhoneOrder(field)
		named.Fields[path] = append(named.Fields[path], messages...)
	}
	return &named
}

// pathInPhoneOrder returns the path of a field of a checkout in the request of a phone order.
func pathInPhoneOrder(field string) string {
	const (
		cart    = "cart."
		address = cart + "address"
	)
	switch field {
	case "phone", "shop_id", "order_type", "promocode":
		return cart + field
	case "delivery_address":
		return address
	case "description":
		return address + ".comment"
	case "product":
		return cart + "lines"
	case "gift":
		return cart + "gifts"
	case "order_comment":
		return "comment"
	}
	if slices.Contains(site.AddressFields(), site.AddressField(field)) {
		return address + "." + field
	}
	return field
}

// toPhoneOrder returns an order with the contents of a cart. Fields that only placing needs stay empty.
func toPhoneOrder(v visit.Context, w wire.OperatorPhoneCart) orders.PhoneOrder {
	p := orders.PhoneOrder{
		Request: order.Request{CityID: w.CityID, OrderType: site.OrderType(w.OrderType), ShopID: convert.ValueOf(w.ShopID), Phone: convert.ValueOf(w.Phone)},
		GiftIDs: convert.ValueOf(w.Gifts), Promocode: convert.ValueOf(w.Promocode), WithoutBag: convert.ValueOf(w.WithoutBag),
	}
	for _, line := range w.Lines {
		a := cart.Addition{ProductKey: line.ProductKey, Count: line.Count}
		if line.Modifiers != nil {
			a.Modifiers = []cart.Chosen{}
			for _, m := range *line.Modifiers {
				a.Modifiers = append(a.Modifiers, cart.Chosen{ID: m.ID, GroupID: convert.ValueOf(m.GroupID), Count: m.Count})
			}
		}
		p.Additions = append(p.Additions, a)
	}
	if a := w.Address; a != nil && p.Request.OrderType == site.Delivery {
		p.Address = toAddress(v, w.CityID, *a)
	}
	return p
}

// toAddress returns an address in a city of the brand as staff have typed it; it counts as that of a
// house.
func toAddress(v visit.Context, cityID int64, a wire.OperatorAddressInput) *geo.Address {
	trim := func(s *string) string { return strings.TrimSpace(convert.ValueOf(s)) }
	to := geo.Address{
		CityID: cityID, Precision: geo.AtHouse, Address: strings.TrimSpace(a.Address), Street: trim(a.Street), House: trim(a.House),
		Room: trim(a.Room), Entrance: trim(a.Entrance), Floor: trim(a.Floor), Intercom: trim(a.Intercom), Description: trim(a.Comment),
		IsPrivateHouse: convert.ValueOf(a.PrivateHouse), Building: trim(a.Building), RearBuilding: trim(a.RearBuilding),
		BellName: trim(a.BellName), Landmark: trim(a.Landmark),
		Point: convert.Point(wire.Coordinates(a.Coordinates)),
	}
	to.FullAddress = to.Address
	if city, ok := v.Site.City(cityID); ok {
		to.Locality = v.Site.Text(city.Name, v.Lang)
		to.FullAddress = to.Locality + ", " + to.Address
	}
	return &to
}

// toWireQuote converts the quote of a phone order, with times by the clock of the city.
func toWireQuote(v visit.Context, q orders.PhoneQuote) wire.OperatorQuoteOrder200JSONResponse {
	l := convert.Localizer{Site: v.Site, Lang: v.Lang}
	w := wire.OperatorQuoteOrder200JSONResponse{
		Prices: convert.Prices(q.Prices), Currency: q.Spot.City.Currency.Code, Lines: []wire.OperatorLine{}, Packages: []wire.OperatorPackage{},
		Intervals: []wire.OperatorInterval{}, IsCustomer: convert.OrNil(q.Facts.CustomerID != 0),
	}
	if q.Spot.Shop != nil {
		w.ShopID = &q.Spot.Shop.ID
	}
	if q.Minimum != nil && q.Minimum.Kind == cart.ForOrder {
		w.Missing = &q.Minimum.Missing
	}
	for _, line := range q.Lines {
		shown := wire.OperatorLine{
			Key: line.Key, ProductKey: line.Product.Key, ProductID: line.ProductID, Alias: convert.OrNil(line.Product.Alias), Name: l.Text(line.Product.Name),
			Count: line.Count, Price: line.WithModifiers, Total: line.Total, Discount: convert.OrNil(line.Discount), Modifiers: []wire.OperatorModifier{},
		}
		for _, m := range line.Modifiers {
			shown.Modifiers = append(shown.Modifiers, wire.OperatorModifier{ID: m.ID, Name: l.Text(m.Name), Count: m.Count, Price: m.Price})
		}
		w.Lines = append(w.Lines, shown)
	}
	for _, p := range q.Packages {
		if p.Count > 0 {
			w.Packages = append(w.Packages, wire.OperatorPackage{Alias: p.Alias, Name: l.Text(p.Name), Count: p.Count, Price: p.Price})
		}
	}
	for _, i := range q.Intervals {
		w.Intervals = append(w.Intervals, toWireInterval(i, q.Spot.Plan(), v.Now, q.Spot.City.Location))
	}
	return w
}

// toWireInterval converts an interval, with the time in which an order in it is handed over.
func toWireInterval(i schedule.Interval, plan schedule.Plan, now time.Time, location *time.Location) wire.OperatorInterval {
	from, to := plan.Handover(i, now)
	return wire.OperatorInterval{ID: i.ID, From: from.In(location), To: to.In(location), Available: !i.Disabled}
}
