package server

import (
	"context"
	"time"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

func toWireCart(v visit.Context, q cart.Quoted) wire.Cart {
	s := localizerOf(v)
	city := q.Spot.City
	w := wire.Cart{
		CityID: q.Cart.CityID, OrderType: wire.OrderType(q.Cart.OrderType), Count: q.Count, WithoutBag: q.Cart.WithoutBag,
		Products: make(map[string]wire.CartProduct, len(q.Lines)), Packages: s.packages(q.Packages),
		Gifts: s.gifts(q.Gifts), Presents: s.gifts(q.Presents), Promocode: s.promocode(q.Promocode), Bonus: cartBonus(q),
		Messages: s.cartMessages(q), Prices: toWirePrices(q.Prices), Fingerprint: q.Fingerprint,
	}
	for _, line := range q.Lines {
		w.Products[line.Key] = s.cartProduct(line)
	}
	if q.Spot.Shop != nil && q.Cart.ShopID == q.Spot.Shop.ID {
		shop := s.shop(q.Spot.Shop, city, v.Now)
		w.Shop = &shop
	}
	if q.Cart.Address != nil {
		address := s.address(v, *q.Cart.Address, city)
		w.DeliveryAddress = &address
	}
	if q.Spot.Zone != nil {
		w.DeliveryZoneID = &q.Spot.Zone.ID
	}
	if q.Interval != nil {
		interval := s.interval(*q.Interval, q.Spot.Plan(), v.Now)
		w.Interval = &interval
	}
	w.LastHour = orNil(q.Spot.LastHour)
	if m := q.Minimum; m != nil {
		w.Minimum = &wire.Minimum{Kind: wire.MinimumKind(m.Kind), Amount: m.Amount, Missing: m.Missing}
	}
	return w
}

func toWirePrices(p cart.Prices) wire.Prices {
	return wire.Prices{
		Subtotal: p.Subtotal, Delivery: p.Delivery, Packages: p.Packages, Discount: p.Discount,
		Bonuses: p.Bonuses, UpcomingBonuses: p.UpcomingBonuses, Total: p.Total,
	}
}

func (s Localizer) cartProduct(l cart.Priced) wire.CartProduct {
	p := l.Product
	w := wire.CartProduct{
		Key: l.Key, ProductKey: p.Key, ID: p.ID, Name: s.Text(p.Name), Images: images(p.Picture), Weight: s.weight(p.Weight),
		Quantity: orNil(p.Quantity), Count: l.Count, Price: p.Price, BasicPrice: p.BasicPrice,
		PriceWithModifiers: l.WithModifiers, Total: l.Total, Type: wire.ProductType(l.Type), SaleMultiplicity: l.Step,
		Modifiers: make([]wire.CartModifier, len(l.Modifiers)), ProductGroupID: p.GroupID, AddedAt: l.AddedAt,
		Allergens: s.allergens(l.Allergens()),
	}
	if l.Alert != nil {
		w.Alert = orNil(s.Message(*l.Alert))
	}
	for i, m := range l.Modifiers {
		w.Modifiers[i] = wire.CartModifier{ID: m.ID, GroupID: orNil(m.GroupID), Name: s.Text(m.Name), Count: m.Count, Price: m.Price}
	}
	return w
}

func (s Localizer) packages(list []cart.Packed) []wire.Package {
	w := make([]wire.Package, len(list))
	for i, p := range list {
		w[i] = wire.Package{ID: p.ID, Alias: p.Alias, Name: s.Text(p.Name), Price: p.Price, Count: p.Count, CanRefuse: p.CanRefuse}
	}
	return w
}

func (s Localizer) interval(i schedule.Interval, plan schedule.Plan, now time.Time) wire.Interval {
	from, to := plan.Handover(i, now)
	ahead := plan.Today(now).DaysUntil(i.Day)
	w := wire.Interval{
		ID: i.ID, Title: i.Title, DayName: s.weekday(i.Day), DateString: i.Day.String(), FormattedString: s.dayMonth(i.Day),
		IsToday: ahead == 0, IsTomorrow: ahead == 1, Disabled: i.Disabled, StartTimestamp: from.Unix(), EndTimestamp: to.Unix(),
	}
	if i.IsASAP() {
		asap := true
		w.Asap, w.Title = &asap, s.Message(fault.Message{Key: "schedule.asap"})
	}
	return w
}

func (s Localizer) weekday(d clock.Day) string {
	return s.Message(fault.Message{Key: "date.weekday_" + string(rune('0'+d.Weekday()))})
}

// problemCart is the fresh cart of a conflict, for the page to show beside the reason.
func (s *Server) problemCart(ctx context.Context, data any) *wire.Cart {
	q, ok := data.(cart.Quoted)
	if !ok {
		return nil
	}
	w := toWireCart(s.visit(ctx), q)
	return &w
}
