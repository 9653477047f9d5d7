package content

import (
	"math"

	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/site"
)

func (b *brandReader) readCities() {
	v, ok := b.open("cities.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		b.city(entry)
	}
	if len(b.brand.Site.Cities) == 0 {
		v.fault("a brand needs a city")
	}
}

func (b *brandReader) city(v value) {
	o := v.object()
	ref, ok := o.need("place")
	if !ok {
		return
	}
	known, ok := b.placeOf(ref)
	if !ok {
		b.unread[b.dir+"/cities.yaml"] = true // as far as other files refer to it
		return
	}
	c := known.city
	b.unique(ref, b.kind("city"), c.Alias)
	speaks(ref, b.tongue.required, "the name in "+known.file, c.Name)
	speaks(ref, b.tongue.required, "the phrase in "+known.file, c.Phrase)
	if country, ok := b.countries[c.CountryCode]; ok {
		for _, consent := range country.Consents {
			speaks(ref, b.tongue.required, "the consent "+consent.Alias+" in "+countriesFile, consent.Text)
		}
	}
	b.cities[c.Alias] = c.ID

	c.Stopped, c.Alert = b.stopped(o)
	c.Phone = o.text("phone")
	for _, t := range o.orderTypes("order_types", site.OrderTypes()...) {
		c.Delivery = c.Delivery || t == site.Delivery
		c.Takeaway = c.Takeaway || t == site.Takeaway
	}
	if !c.Delivery && !c.Takeaway {
		v.fault("a city needs an order type; type stop closes it")
	}
	b.cityPrices(o, &c)
	p := o.paying(b.paying)
	c.PaymentTypes, c.Acquiring, c.CardForm, c.Fiscal = p.types, p.acquiring, p.cardForm, p.fiscal
	if !b.isUnread("brand.yaml") {
		v.checkPaying(&c)
	}
	settings := b.brand.Site.Settings
	c.Interval = o.whole("interval_minutes", int64(settings.Interval), 5, 240)
	c.DaysAhead = o.whole("days_ahead", int64(settings.DaysAhead), 1, 31)
	c.LateMinutes = o.whole("late_minutes", int64(settings.LateMinutes), 0, 24*60)
	c.Bonus = b.cityBonusProgramme(o)
	for _, popular := range o.list("popular") {
		alias := popular.text()
		if _, sold := b.products[alias]; !sold {
			b.unknown(popular, "product", alias)
		}
		c.Popular = append(c.Popular, alias)
	}
	for _, promotion := range o.list("promotions") {
		alias := promotion.text()
		if !b.promotions[alias] {
			b.unknown(promotion, "promotion", alias)
		}
		c.Promotions = append(c.Promotions, alias)
	}
	zones := o.list("zones")
	for _, zone := range zones {
		b.zone(zone, &c, known)
	}
	if c.Delivery && len(zones) == 0 {
		v.fault("a city with delivery needs zones")
	}
	o.done()
	b.brand.Site.Cities = append(b.brand.Site.Cities, &c)
}

// cityPrices reads the price list, which must be in the currency of the country.
func (b *brandReader) cityPrices(o *object, c *site.City) {
	list, ok := o.need("price_list")
	if !ok {
		return
	}
	c.PriceList = list.text()
	currency, known := b.brand.Site.PriceLists[c.PriceList]
	if !known {
		if len(b.lists) > 0 {
			b.unknown(list, "price list", c.PriceList)
		}
		return
	}
	c.Currency = currency
	var none money.Currency // of a currency that was a fault where it stands
	if country, ok := b.countries[c.CountryCode]; ok && currency != none && country.Currency != none && country.Currency != currency {
		list.fault("price list %s is in %s, but the city pays in %s", c.PriceList, currency, country.Currency)
	}
}

func (b *brandReader) zone(v value, c *site.City, in *place) {
	o := v.object()
	z := geo.Zone{
		ID: b.id(o, "zone"), CityID: c.ID, Name: o.needWords("name", b.tongue),
		Priority: o.whole("priority", 0, math.MinInt32, math.MaxInt32), Tint: tints[0],
		MinimumOrder: o.amount("minimum_order"), HasFreeDelivery: o.truth("free_delivery", false),
		DeliveryMinutes: o.whole("delivery_minutes", 30, 0, 24*60),
	}
	if tint, ok := o.get("tint"); ok {
		z.Tint = oneOf(tint, tints)
	}
	if price, ok := o.need("delivery"); ok {
		z.Delivery = price.amount()
	}
	if from, ok := o.get("free_delivery_from"); ok {
		free := from.amount()
		z.FreeFrom = &free
		switch {
		case z.HasFreeDelivery:
			from.fault("free_delivery_from has no meaning with free_delivery: true, where minimum_order is that sum")
		case free < z.MinimumOrder:
			from.fault("free_delivery_from is below minimum_order")
		}
	}
	if area, ok := o.need("area"); ok {
		z.Area = area.points()
		if err := z.Area.Check(); err != nil {
			area.fault("%v", err)
		}
		area.mustLieIn(in, z.Area...)
	}
	if ref, ok := o.need("shop"); ok {
		b.zoneShop(ref, &z)
	}
	o.done()
	b.brand.Zones = append(b.brand.Zones, z)
}

// zoneShop finds the shop that cooks for a zone. It must be one of the city that
// delivers.
func (b *brandReader) zoneShop(ref value, z *geo.Zone) {
	alias := ref.text()
	for _, s := range b.brand.Shops {
		if s.Shop.Alias != alias {
			continue
		}
		z.ShopID = s.Shop.ID
		switch {
		case !s.Shop.Delivery:
			ref.fault("shop %s does not deliver", alias)
		case s.Shop.CityID != z.CityID && s.Shop.CityID != 0: // 0 is a fault of the shop
			ref.fault("shop %s is in another city", alias)
		}
		return
	}
	b.unknown(ref, "shop", alias)
}
