package contentwire

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/phone"
	"servery/internal/schedule"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// Zooms and spans of maps.
const (
	cityZoom     = 12
	ShopZoom     = 15
	scheduleDays = 31
)

// country converts a country.
func (s Localizer) country(c *site.Country) wire.Country {
	return wire.Country{ID: c.ID, Code: c.Code, Name: s.Text(c.Name)}
}

// CityBrief converts what lists show of a city.
func (s Localizer) CityBrief(c *site.City) wire.CityBrief {
	return wire.CityBrief{
		ID: c.ID, Alias: c.Alias, Name: s.Text(c.Name), Country: s.country(c.Country),
		Type:        wire.CityBriefType(stopType(c.Stopped)),
		OrderTypes:  wire.OrderTypes{Delivery: c.Delivery, Takeaway: c.Takeaway},
		Coordinates: &wire.Coordinates{Latitude: c.Map.Latitude, Longitude: c.Map.Longitude},
	}
}

// stopType returns the contract's type of a city or shop that may be stopped.
func stopType(stopped bool) string {
	if stopped {
		return "stop"
	}
	return "default"
}

// CityList converts the cities of the brand, its big cities once more in a list of their own, and what the brand says
// above them.
func (s Localizer) CityList() wire.CityList {
	list := wire.CityList{List: []wire.CityBrief{}, BigCities: []wire.CityBrief{}, Message: s.Optional(s.Site.CitiesMessage)}
	for _, c := range s.Site.Cities {
		brief := s.CityBrief(c)
		list.List = append(list.List, brief)
		if c.Big {
			list.BigCities = append(list.BigCities, brief)
		}
	}
	return list
}

// City converts a city as the snapshot has it at now. The result holds until the day ends in the city: the bonus
// programme follows from the day, and a change of the clock within it is among those that the result lists.
func (s Localizer) City(c *site.City, snapshot *catalog.Snapshot, now time.Time) wire.City {
	allergens := s.Allergens(snapshot.Allergens(s.Site))
	w := wire.City{
		ID: c.ID, Alias: c.Alias, Name: s.Text(c.Name), SeoName: s.Text(c.Phrase), Timezone: c.OffsetHours(now),
		Type: wire.CityType(stopType(c.Stopped)), Alert: s.Optional(c.Alert), Email: convert.OrNil(cmp.Or(c.Email, s.Site.Email)),
		Country: s.country(c.Country), OrderTypes: wire.OrderTypes{Delivery: c.Delivery, Takeaway: c.Takeaway},
		Phone: c.Phone, PhoneMasks: []wire.PhoneMask{}, Banknotes: append([]money.Amount{}, c.Banknotes...), CashLimit: c.CashLimit,
		Prices:        wire.CityPrices{Currency: c.Currency.Sign, CurrencyCode: c.Currency.Code},
		DeliveryZones: []wire.DeliveryZone{},
		Map:           wire.MapView{Coordinates: wire.Coordinates{Latitude: c.Map.Latitude, Longitude: c.Map.Longitude}, Zoom: c.Map.Zoom},
		Promotions:    []wire.Promotion{}, Pages: s.PageLinks(c),
		Banners:         s.banners(c, snapshot),
		CourierTracking: s.Site.Settings.CourierTracking, LateMinutes: c.LateMinutes,
		BonusProgramme: bonusProgramme(c, now), Allergens: &allergens,
	}
	if w.Map.Zoom == 0 {
		w.Map.Zoom = cityZoom
	}
	if changes := clockChanges(c, now); len(changes) > 0 {
		w.ClockChanges = &changes
	}
	if c.Map.BBox != ([4]float64{}) {
		bbox := c.Map.BBox[:]
		w.Map.Bbox = &bbox
	}
	for _, m := range c.PhoneMasks {
		w.PhoneMasks = append(w.PhoneMasks, wire.PhoneMask{ID: m.CountryID, Name: s.Text(m.CountryName), Code: m.Code, Mask: m.Mask, CountryCode: m.CountryCode})
	}
	for _, z := range snapshot.Atlas(s.Site).Zones(c.ID) {
		w.DeliveryZones = append(w.DeliveryZones, s.zone(z))
	}
	if asked := s.consents(c); len(asked) > 0 {
		w.OrderConsents = &asked
	}
	form := addressForm(c.Country)
	w.AddressForm = &form
	if types := emailRequiredFor(c); len(types) > 0 {
		w.EmailRequiredFor = &types
	}
	for _, p := range snapshot.Promotions(s.Site, c) {
		promotion := wire.Promotion{
			Alias: p.Alias, Name: s.Text(p.Name), Lang: s.ForeignLang(p.Name), Subtitle: s.Optional(p.Subtitle), Description: s.Text(p.Description), Images: Images(p.Picture),
			Group: convert.OrNil(p.Group),
		}
		if p.ProductID != 0 {
			promotion.ProductKey = convert.OrNil(catalog.ProductKey(c.ID, p.ProductID))
		}
		w.Promotions = append(w.Promotions, promotion)
	}
	return w
}

// clockChanges converts the changes of a city's clock.
func clockChanges(c *site.City, now time.Time) []wire.ClockChange {
	changes := []wire.ClockChange{}
	for _, change := range c.ClockChanges(now) {
		changes = append(changes, wire.ClockChange{At: change.At.Unix(), Timezone: change.Hours})
	}
	return changes
}

// IsFreeCall reports whether calls to the city's phone cost the caller nothing. Such numbers have 800 after
// the code of the country, or after the 0 or 8 with which calls within a country begin.
func IsFreeCall(c *site.City) bool {
	digits := phone.Digits(c.Phone)
	for _, mask := range c.PhoneMasks {
		if national, ok := strings.CutPrefix(digits, phone.Digits(mask.Code)); ok && strings.HasPrefix(national, "800") {
			return true
		}
	}
	return len(digits) > 1 && (digits[0] == '0' || digits[0] == '8') && strings.HasPrefix(digits[1:], "800")
}

// FirstOrderType returns the order type in a city before the customer has chosen one: delivery, where the
// city has it.
func FirstOrderType(c *site.City) site.OrderType {
	if c.Delivery {
		return site.Delivery
	}
	return site.Takeaway
}

// HoursOf returns the working hours of shops.
func HoursOf(shops []*geo.Shop) []schedule.Hours {
	hours := make([]schedule.Hours, len(shops))
	for i, shop := range shops {
		hours[i] = shop.Hours
	}
	return hours
}

// emailRequiredFor returns the ways to pay that need an e-mail in a city.
func emailRequiredFor(c *site.City) []wire.PaymentTypeAlias {
	var types []wire.PaymentTypeAlias
	for _, payment := range site.PaymentTypes() {
		if c.NeedsEmail(payment) && slices.ContainsFunc(site.OrderTypes(), func(t site.OrderType) bool { return c.Accepts(t, payment) }) {
			types = append(types, wire.PaymentTypeAlias(payment))
		}
	}
	return types
}

// consents converts the consents that customers of a city are asked for before they order. Each links to
// the page of the brand about it, or else to the address in the content.
func (s Localizer) consents(c *site.City) []wire.OrderConsent {
	var asked []wire.OrderConsent
	for _, consent := range c.Country.Consents {
		document := consent.URL
		if _, ok := s.Site.Page(consent.Page, c); ok {
			document = "/" + c.Alias + "/" + consent.Page
		}
		asked = append(asked, wire.OrderConsent{
			Alias: consent.Alias, Text: s.Text(consent.Text), URL: convert.OrNil(document), IsRequired: consent.Required,
		})
	}
	return asked
}

// addressForm converts the form of a country's addresses.
func addressForm(c *site.Country) []wire.AddressQuestion {
	form := []wire.AddressQuestion{}
	for _, q := range c.AddressForm() {
		form = append(form, wire.AddressQuestion{Field: wire.AddressField(q.Field), IsRequired: q.Required, IsForFlats: q.Field.IsForFlats()})
	}
	return form
}

// bonusProgramme converts the programme of a city; it is nil where there is none.
func bonusProgramme(c *site.City, now time.Time) *wire.BonusProgramme {
	p := c.Bonus
	if p == nil {
		return nil
	}
	return &wire.BonusProgramme{
		Percent:    float64(p.BasisPoints) / 100,
		IsAccruing: p.IsAccruing(now, c.Location), IsSpendable: p.IsSpendable(now, c.Location),
		AccrualUntil: DayOrNil(p.AccrualUntil), SpendUntil: DayOrNil(p.SpendUntil),
	}
}

// DayOrNil returns a day as YYYY-MM-DD; nil for none.
func DayOrNil(d *clock.Day) *string {
	if d == nil {
		return nil
	}
	return convert.OrNil(d.String())
}

// ZonePrices converts what delivery to a zone costs.
func ZonePrices(z *geo.Zone) wire.ZonePrices {
	return wire.ZonePrices{Delivery: z.Delivery, MinimumOrderAmount: z.MinimumOrder, HasFreeDelivery: z.HasFreeDelivery, FreeDeliveryFrom: z.FreeFrom}
}

// zone converts a zone of delivery with its area on the map.
func (s Localizer) zone(z *geo.Zone) wire.DeliveryZone {
	w := wire.DeliveryZone{ID: z.ID, Name: s.Text(z.Name), ShopID: z.ShopID, DeliveryTime: z.DeliveryMinutes, Prices: ZonePrices(z)}
	w.Map.BackgroundColor = z.Tint
	w.Map.Area = make([][]float64, len(z.Area))
	for i, p := range z.Area {
		w.Map.Area[i] = []float64{p.Latitude, p.Longitude}
	}
	return w
}

// Shop converts a shop with its state at now, without the hours of the coming month.
func (s Localizer) Shop(shop *geo.Shop, city *site.City, now time.Time) wire.Shop {
	w := wire.Shop{
		ID: shop.ID, CityID: shop.CityID, Name: s.Text(shop.Name), Type: wire.ShopType(stopType(shop.Stopped)), Alert: s.Optional(shop.Alert),
		OrderTypes:  wire.OrderTypes{Delivery: shop.Delivery, Takeaway: shop.Takeaway},
		CompanyName: convert.OrNil(shop.CompanyName), Inn: convert.OrNil(shop.INN), Ogrn: convert.OrNil(shop.OGRN), Tags: append([]string{}, shop.Tags...),
		Map:      wire.MapView{Coordinates: convert.Coordinates(shop.Point), Zoom: ShopZoom},
		Schedule: Hours(shop.Hours, city, now), CookingTime: shop.CookingMinutes,
	}
	w.Address.Street = s.Text(shop.Street)
	w.Address.Description = s.Optional(shop.Description)
	delivery, takeaway := MinutesOf(shop.Kitchens[site.Delivery].Delay(now)), MinutesOf(shop.Kitchens[site.Takeaway].Delay(now))
	if delivery > 0 || takeaway > 0 {
		w.BusyMinutes = &wire.ShopBusyMinutes{Delivery: delivery, Takeaway: takeaway}
	}
	state := shop.StateAt(site.Takeaway, now, city.Location)
	w.OpenState = wire.OpenState{Open: state.Open, Text: s.Message(state.Message(site.Takeaway, city.Location))}
	if state.ClosesIn > 0 {
		w.OpenState.ClosesIn = &state.ClosesIn
	}
	if shop.Delivery {
		w.DeliveryPause = s.DeliveryPause(shop, city, now)
	}
	return w
}

// DeliveryPause returns the message that a shop has paused delivery, and until when; nil without a pause.
func (s Localizer) DeliveryPause(shop *geo.Shop, city *site.City, now time.Time) *string {
	if !shop.IsPausedAt(site.Delivery, now, city.Location) {
		return nil
	}
	state := shop.StateAt(site.Delivery, now, city.Location)
	return convert.OrNil(s.Message(state.Message(site.Delivery, city.Location)))
}

// MinutesOf returns a duration in whole minutes.
func MinutesOf(d time.Duration) int { return int(d / time.Minute) }

// Shops converts the shops of a city with their state at now and the hours of the coming month.
func (s Localizer) Shops(snapshot *catalog.Snapshot, city *site.City, now time.Time) []wire.Shop {
	shops := []wire.Shop{}
	for _, shop := range snapshot.Atlas(s.Site).Shops(city.ID) {
		shops = append(shops, WithMonth(s.Shop(shop, city, now), shop.Hours, city, now))
	}
	return shops
}

// ShopsUntil returns until when the states of a city's shops stay as they are at now; zero for ever.
func ShopsUntil(shops []*geo.Shop, city *site.City, now time.Time) time.Time {
	var until time.Time
	for _, shop := range shops {
		for _, t := range site.OrderTypes() {
			state := shop.StateAt(t, now, city.Location)
			until = FirstOf(until, FirstOf(state.ValidUntil(now, city.Location), shop.Kitchens[t].DelayUntil(now)))
		}
	}
	return until
}

// FirstOf returns the earlier of two instants. A zero instant means never.
func FirstOf(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// WithMonth returns the shop with the hours of each day of the coming month. It changes the map of w. Only
// lists of shops show these hours, because they are most of a shop's answer.
func WithMonth(w wire.Shop, h schedule.Hours, city *site.City, now time.Time) wire.Shop {
	for n := range scheduleDays {
		day := clock.DayOf(now, city.Location).Add(n)
		w.Schedule.Month[day.String()] = wire.OrderMinutes{OrderMinutes: minutes(h.SpansOn(day))}
	}
	return w
}

// Hours converts the working hours of a shop, with those of today's shift. The days of the coming
// month are left empty.
func Hours(h schedule.Hours, city *site.City, now time.Time) wire.Schedule {
	today := schedule.ShiftDay(now, city.Location)
	w := wire.Schedule{
		Default: map[string][]wire.Minutes{}, Custom: map[string][]wire.Minutes{}, WorkingTime: minutes(h.SpansOn(today)),
		Month: map[string]wire.OrderMinutes{},
	}
	for weekday, spans := range h.Default {
		w.Default[strconv.Itoa(weekday)] = minutes(spans)
	}
	for day, spans := range h.Custom {
		w.Custom[day.String()] = minutes(spans)
	}
	return w
}

// minutes converts spans of working hours.
func minutes(spans []schedule.Span) []wire.Minutes {
	w := make([]wire.Minutes, len(spans))
	for i, s := range spans {
		w[i] = wire.Minutes{From: s.From, To: s.To}
	}
	return w
}
