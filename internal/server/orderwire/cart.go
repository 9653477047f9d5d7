package orderwire

import (
	"strconv"
	"strings"
	"time"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// Cart converts a priced cart, in the language and at the time of the request.
func Cart(v visit.Context, q cart.Quoted) wire.Cart {
	s := Of(v)
	city := q.Spot.City
	w := wire.Cart{
		CityID: q.Cart.CityID, OrderType: wire.OrderType(q.Cart.OrderType), Count: q.Count, WithoutBag: q.Cart.WithoutBag,
		Products: make(map[string]wire.CartProduct, len(q.Lines)), Packages: s.packages(q.Packages),
		Gifts: s.gifts(q.Gifts), Presents: s.gifts(q.Presents), Promocode: s.promocode(q.Promocode), Bonus: cartBonus(q),
		Messages: s.cartMessages(q), Prices: convert.Prices(q.Prices), Fingerprint: q.Fingerprint,
	}
	for _, line := range q.Lines {
		w.Products[line.Key] = s.cartProduct(line)
	}
	if q.Spot.Shop != nil && q.Cart.ShopID == q.Spot.Shop.ID { // only the shop that is stored in the cart
		shop := s.Shop(q.Spot.Shop, city, v.Now)
		w.Shop = &shop
	}
	if q.Cart.Address != nil {
		address := s.Address(v, q.Cart.Address.In(city.Country.AddressForm()), city)
		w.DeliveryAddress = &address
	}
	if q.Spot.Zone != nil {
		w.DeliveryZoneID = &q.Spot.Zone.ID
	}
	if q.Interval != nil {
		interval := s.Interval(*q.Interval, q.Spot.Plan(), v.Now)
		w.Interval = &interval
	}
	w.LastHour = convert.OrNil(q.Spot.IsLastHour())
	w.LastHourUntil = convert.OrNil(q.Spot.LastHourUntil)
	if m := q.Minimum; m != nil {
		w.Minimum = &wire.Minimum{Kind: wire.MinimumKind(m.Kind), Amount: m.Amount, Missing: m.Missing}
	}
	if q.Spot.IsStopped() {
		w.Stop = &wire.CartStop{Alert: s.Optional(q.Spot.Shop.Alert)}
	}
	return w
}

// cartProduct converts a priced line.
func (s Localizer) cartProduct(l cart.Priced) wire.CartProduct {
	p := l.Product
	w := wire.CartProduct{
		Key: l.Key, ProductKey: p.Key, ID: p.ID, Name: s.Text(p.Name), Lang: s.ForeignLang(p.Name), Images: contentwire.Images(p.Picture), Weight: s.Weight(p.Weight),
		Quantity: convert.OrNil(p.Quantity), Count: l.Count, Price: p.Price, BasicPrice: p.BasicPrice,
		PriceWithModifiers: l.WithModifiers, Total: l.Total, Type: wire.ProductType(l.Type), SaleMultiplicity: l.Step,
		Modifiers: make([]wire.CartModifier, len(l.Modifiers)), ProductGroupID: p.GroupID, AddedAt: l.AddedAt,
		Allergens: s.Allergens(l.Allergens()),
	}
	if l.Alert != nil {
		w.Alert = convert.OrNil(s.Message(*l.Alert))
	}
	for i, m := range l.Modifiers {
		w.Modifiers[i] = wire.CartModifier{
			ID: m.ID, GroupID: convert.OrNil(m.GroupID), Name: s.Text(m.Name), Lang: s.ForeignLang(m.Name), Count: m.Count, Price: m.Price,
		}
	}
	return w
}

// packages converts the packages of a cart, refused ones too.
func (s Localizer) packages(list []cart.Packed) []wire.Package {
	w := make([]wire.Package, len(list))
	for i, p := range list {
		w[i] = wire.Package{ID: p.ID, Alias: p.Alias, Name: s.Text(p.Name), Price: p.Price, Count: p.Count, CanRefuse: p.CanRefuse}
	}
	return w
}

// Interval converts an interval of a plan, with its times as they are promised at now.
func (s Localizer) Interval(i schedule.Interval, plan schedule.Plan, now time.Time) wire.Interval {
	i = plan.OnHandoverDay(i, now)
	return s.intervalOf(i, s.nameDay(plan.DateOf(i)), plan, now)
}

// Intervals converts the intervals of a plan, in their order. It names each day once.
func (s Localizer) Intervals(list []schedule.Interval, plan schedule.Plan, now time.Time) []wire.Interval {
	w := make([]wire.Interval, len(list))
	var named dayNames
	for i, interval := range list {
		interval = plan.OnHandoverDay(interval, now)
		if date := plan.DateOf(interval); date != named.day {
			named = s.nameDay(date)
		}
		w[i] = s.intervalOf(interval, named, plan, now)
	}
	return w
}

// dayNames are the texts of a day.
type dayNames struct {
	day               clock.Day
	weekday, dayMonth string
}

// nameDay returns the texts of a day.
func (s Localizer) nameDay(d clock.Day) dayNames {
	return dayNames{d, s.Weekday(d), s.DayMonth(d)}
}

// intervalOf converts an interval that begins on a day with these names.
func (s Localizer) intervalOf(i schedule.Interval, named dayNames, plan schedule.Plan, now time.Time) wire.Interval {
	from, to := plan.Handover(i, now)
	w := wire.Interval{
		ID: i.ID, Title: i.Title, DayName: named.weekday, DateString: i.Day.String(), FormattedString: named.dayMonth,
		IsToday: i.Day == plan.Today(now), IsTomorrow: named.day == i.Day && plan.IsTomorrow(i.Day, now), Disabled: i.Disabled, StartTimestamp: from.Unix(), EndTimestamp: to.Unix(),
	}
	switch {
	case i.IsPaused:
		w.DisabledReason = new(wire.IntervalDisabledReasonPause)
	case i.Disabled:
		w.DisabledReason = new(wire.IntervalDisabledReasonFull)
	}
	if i.IsASAP() {
		asap := true
		w.Asap, w.Title = &asap, s.Message(fault.Message{Key: "schedule.asap"})
	}
	return w
}

// Weekday returns the name of a day of the week.
func (s Localizer) Weekday(d clock.Day) string {
	return s.Message(fault.Message{Key: "date.weekday_" + strconv.Itoa(int(d.Weekday()))})
}

// gifts converts the gifts or the presents of a cart. A gift costs nothing; its basic price is the price
// of the product.
func (s Localizer) gifts(list []cart.PricedGift) []wire.Gift {
	out := make([]wire.Gift, len(list))
	for i, g := range list {
		p := g.Gift.Product
		w := wire.Gift{
			ID: g.ID, Name: s.Text(g.Gift.Name), Lang: s.ForeignLang(g.Gift.Name), Description: s.Optional(g.Gift.Description), BasicPrice: p.Price,
			Quantity: p.Quantity, Weight: s.Weight(p.Weight), Count: g.Count, MaxCount: g.MaxCount,
			IsAvailable: g.IsEarned() && g.Alert == nil && g.Count < g.MaxCount, Type: wire.GiftType(g.Kind),
			Images: wire.Images{Small: contentwire.SmallPicture(g.Gift.Picture)}, Conditions: make([]wire.GiftCondition, len(g.Conditions)),
			Allergens: s.Allergens(g.Allergens()),
		}
		if g.Alert != nil {
			w.Alert = convert.OrNil(s.Message(*g.Alert))
		}
		if !g.ExpiresAt.IsZero() {
			w.ExpiresAt = &g.ExpiresAt
		}
		for n, c := range g.Conditions {
			w.Conditions[n] = wire.GiftCondition{Message: s.Message(c.Message()), Validated: c.Validated, Missing: convert.OrNil(c.Missing)}
		}
		out[i] = w
	}
	return out
}

// promocode converts the code of a cart with the text about its effect; nil for none.
func (s Localizer) promocode(p *cart.PricedCode) *wire.CartPromocode {
	if p == nil {
		return nil
	}
	return &wire.CartPromocode{Code: p.Code, IsActive: p.IsActive, Text: s.Message(p.Text)}
}

// cartBonus converts what bonuses pay of a cart; nil where there is no programme for the customer.
func cartBonus(q cart.Quoted) *wire.CartBonus {
	b := q.Bonus
	if b == nil {
		return nil
	}
	w := &wire.CartBonus{Balance: b.Balance, Limit: b.Limit, Wanted: b.Wanted, IsAvailable: b.IsAvailable}
	if programme := q.Spot.City.Bonus; programme != nil {
		w.SpendUntil = contentwire.DayOrNil(programme.SpendUntil)
	}
	return w
}

// cartMessages converts the notices of a cart, each with its position on the page.
func (s Localizer) cartMessages(q cart.Quoted) []wire.CartMessage {
	out := make([]wire.CartMessage, 0, len(q.Notices)+len(q.BonusNotices))
	for _, notice := range q.Notices {
		out = append(out, wire.CartMessage{Position: wire.Top, Icon: convert.OrNil(iconOf(notice)), Text: s.Message(notice)})
	}
	for _, notice := range q.BonusNotices {
		out = append(out, wire.CartMessage{Position: wire.BonusDescription, Text: s.Message(notice)})
	}
	return out
}

// iconOf returns the name of the icon beside a notice, empty for the default icon.
func iconOf(notice fault.Message) string {
	switch {
	case notice.Key == "cart.last_hour":
		return "clock"
	case strings.HasPrefix(notice.Key, "schedule.pause_notice"):
		return "pause"
	case strings.HasPrefix(notice.Key, "cart.gift_"), strings.HasPrefix(notice.Key, "cart.present_"):
		return "gift"
	}
	return ""
}
