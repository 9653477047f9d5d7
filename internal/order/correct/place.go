package correct

import (
	"context"
	"slices"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/schedule"
	"servery/internal/site"
)

// place is where an order is sold, in the current content.
type place struct {
	brand *site.Site
	// city is the brand's first one when content has dropped that of the order.
	city *site.City
	// shop is nil when content has dropped it.
	shop  *geo.Shop
	atlas *geo.Atlas
	// deposits are the part of the order's subtotal that counts for no minimum.
	deposits money.Amount
}

// placeOf returns the place of an order, and false when content has dropped its brand.
func placeOf(snapshot *catalog.Snapshot, o order.Order) (place, bool) {
	brand, ok := snapshot.Sites.ByAlias(o.Site)
	if !ok {
		return place{}, false
	}
	city, ok := brand.City(o.CityID)
	if !ok {
		city = brand.Cities[0] // a brand has at least one
	}
	p := place{brand: brand, city: city, atlas: snapshot.Atlas(brand)}
	if shop, ok := p.atlas.Shop(o.ShopID); ok {
		p.shop = shop
	}
	menu := snapshot.Menu(brand, city, o.Type, o.ShopID, o.CreatedAt)
	for _, line := range o.Lines {
		if product, isKnown := menu.Product(line.ProductID); isKnown {
			p.deposits = p.deposits.Add(product.Deposit.Times(line.Count))
		}
	}
	return p, true
}

// inZone returns the place for the rules of the cart; zone is nil for takeaway.
func (p place) inZone(t site.OrderType, zone *geo.Zone) cart.Place {
	return cart.Place{City: p.city, OrderType: t, Shop: p.shop, Zone: zone}
}

// zoneOf returns the zone of the order, nil for takeaway and where content has dropped it.
func (p place) zoneOf(o order.Order) *geo.Zone {
	zone, ok := p.atlas.Zone(o.ZoneID)
	if !ok {
		return nil
	}
	return zone
}

// moveTo moves the order to the zone of the address. In another zone that zone's delivery price applies,
// but at least the part of the price that was paid with bonuses; an order as soon as possible is promised
// for later when the road is longer. Faults, at address: order.not_delivered and order.minimum (Invalid),
// order.correct_other_shop (Conflict).
func (w *work) moveTo(a *geo.Address) error {
	o, p := w.order, w.place
	zone, isDelivered := p.atlas.FindZone(o.CityID, a.Point)
	switch {
	case !isDelivered:
		return fault.New(fault.Invalid, "order.not_delivered", fault.Field("address", "order.not_delivered"))
	case zone.ID == o.ZoneID: // also when content has given the zone to another shop
		a.ZoneID = zone.ID
		return nil
	case zone.ShopID != o.ShopID:
		args := fault.Args{"shop": ""}
		if other, ok := p.atlas.Shop(zone.ShopID); ok {
			args["shop"] = p.brand.Text(other.Name, p.brand.DefaultLanguage)
		}
		return fault.New(fault.Conflict, "order.correct_other_shop", fault.With(args), fault.Field("address", "order.correct_other_shop", args))
	}
	a.ZoneID = zone.ID
	price, minimum := cart.DeliveryTo(zone, o.Prices.Subtotal.Sub(p.deposits).Add(o.Prices.Packages), o.HasFreeDeliveryCode())
	if minimum != nil && minimum.Kind == cart.ForOrder {
		return fault.New(fault.Invalid, "order.minimum", fault.Field("address", "order.minimum"))
	}
	if price = max(price, o.Details.DeliveryBonuses); price != o.Prices.Delivery {
		o.Prices = o.Prices.WithDelivery(price)
		w.fields = append(w.fields, Price)
	}
	before := p.zoneOf(*o)
	o.ZoneID = zone.ID
	if before == nil || !o.IsASAP() || zone.DeliveryMinutes <= before.DeliveryMinutes {
		return nil
	}
	longer := time.Duration(zone.DeliveryMinutes-before.DeliveryMinutes) * time.Minute
	w.setPromise(o.PromisedFrom.Add(longer), o.PromisedTo.Add(longer))
	return nil
}

// errShopGone is the fault (Conflict) that content has dropped the shop, whose hours are needed.
var errShopGone = fault.New(fault.Conflict, "order.correct_shop_gone", fault.Field("interval_id", "order.correct_shop_gone"))

// setPromise sets a new promise, to which the customer has agreed by asking for the correction, and adds
// Time to the corrected fields.
func (w *work) setPromise(from, to time.Time) {
	o := w.order
	o.PromisedFrom, o.PromisedTo, o.AgreedFrom, o.AgreedTo = from, to, time.Time{}, time.Time{}
	if !slices.Contains(w.fields, Time) {
		w.fields = append(w.fields, Time)
	}
}

// correctTime reserves the interval with the id in place of the order's own; it changes nothing when id
// is nil or the order's own. Faults at interval_id: those of [schedule.Plan.Resolve], an unknown interval
// as Invalid, schedule.full and order.correct_shop_gone (Conflict).
func (w *work) correctTime(ctx context.Context, id *string) error {
	o, c := w.order, w.correction
	if id == nil || *id == o.IntervalID {
		return nil
	}
	if w.place.shop == nil {
		return errShopGone
	}
	at := w.place.inZone(o.Type, w.place.zoneOf(*o))
	candidates, err := at.Plan().Resolve(*id, c.At)
	if err != nil {
		return atInterval(err)
	}
	chosen, err := w.reserve(ctx, at, candidates)
	if err != nil {
		return atInterval(err)
	}
	chosen.ID = *id
	c.Before.IntervalID, c.After.IntervalID = o.IntervalID, *id
	o.IntervalID = *id
	w.setPromise(at.Plan().Handover(chosen, c.At))
	return nil
}

// reserve moves the reservation of the order to the first of the candidates that is free, and returns
// that interval. It returns schedule.full (Conflict) when none is free.
func (w *work) reserve(ctx context.Context, at cart.Place, candidates []schedule.Interval) (schedule.Interval, error) {
	o := w.order
	before, _, err := schedule.FindReservation(ctx, w.tx.Q, order.Holder(o.ID))
	if err != nil {
		return schedule.Interval{}, err
	}
	want := schedule.Request{
		Holder: order.Holder(o.ID), ShopID: o.ShopID, OrderType: o.Type, Needs: before.TotalMinutes(), Ceilings: at.Ceilings(),
	}
	for _, interval := range candidates {
		want.Starts = append(want.Starts, interval.Start)
	}
	if want.Needs.Exceeds(want.Ceilings) { // a large order also takes free work of earlier intervals
		if err := schedule.LockForLarge(ctx, w.tx, o.ShopID); err != nil {
			return schedule.Interval{}, err
		}
		want.Earlier = at.Plan().EarlierStarts(candidates[len(candidates)-1], w.correction.At)
	}
	// Released first, since what is reserved is kept when it is a candidate, however late.
	if err := schedule.Release(ctx, w.tx, want.Holder); err != nil {
		return schedule.Interval{}, err
	}
	start, err := schedule.Reserve(ctx, w.tx, want)
	if err != nil {
		return schedule.Interval{}, err
	}
	return candidates[slices.IndexFunc(candidates, func(i schedule.Interval) bool { return i.Start.Equal(start) })], nil
}

// atInterval returns a fault of the schedule with its message at the field interval_id. NotFound, for
// an unknown interval, becomes Invalid. An error that is no fault is returned as it is.
func atInterval(err error) error {
	f, ok := fault.Of(err)
	if !ok {
		return err
	}
	code := f.Code
	if code == fault.NotFound {
		code = fault.Invalid
	}
	key, args := f.Message.Key, f.Message.Args
	return fault.New(code, key, fault.With(args), fault.Field("interval_id", key, args), fault.Because(err))
}
