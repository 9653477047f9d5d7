package content

import (
	"math"

	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/site"
)

// readCities reads cities.yaml.
func (b *brandReader) readCities() {
	v, ok := b.openFile("cities.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		b.readCity(entry)
	}
	if len(b.brand.Site.Cities) == 0 {
		v.addFault("a brand needs a city")
	}
}

// readCity reads a city of the brand with its prices, payments and zones.
func (b *brandReader) readCity(v value) {
	o := v.toObject()
	ref, ok := o.required("place")
	if !ok {
		return
	}
	known, ok := b.placeOf(ref)
	if !ok {
		b.unread[b.dir+"/cities.yaml"] = true // as far as other files refer to it
		return
	}
	c := known.city
	b.checkUnique(ref, b.kindOf("city"), c.Alias)
	checkTranslated(ref, b.texts.required, "the name in "+known.file, c.Name)
	checkTranslated(ref, b.texts.required, "the phrase in "+known.file, c.Phrase)
	if country, ok := b.countries[c.CountryCode]; ok {
		for _, consent := range country.Consents {
			checkTranslated(ref, b.texts.required, "the consent "+consent.Alias+" in "+countriesFile, consent.Text)
		}
	}
	b.cities[c.Alias] = c.ID

	c.Stopped, c.Alert = b.readStopped(o)
	c.Phone = o.optionalText("phone")
	for _, t := range o.readOrderTypes("order_types", site.OrderTypes()...) {
		c.Delivery = c.Delivery || t == site.Delivery
		c.Takeaway = c.Takeaway || t == site.Takeaway
	}
	if !c.Delivery && !c.Takeaway {
		v.addFault("a city needs an order type; type stop closes it")
	}
	b.cityPrices(o, &c)
	p := o.readPayments(b.payments)
	c.PaymentTypes, c.Acquiring, c.CardForm, c.Fiscal = p.types, p.acquiring, p.cardForm, p.fiscal
	if !b.isUnread("brand.yaml") {
		v.checkPayments(&c)
	}
	settings := b.brand.Site.Settings
	c.Interval = o.optionalInt("interval_minutes", int64(settings.Interval), 5, 240)
	c.DaysAhead = o.optionalInt("days_ahead", int64(settings.DaysAhead), 1, 31)
	c.LateMinutes = o.optionalInt("late_minutes", int64(settings.LateMinutes), 0, 24*60)
	c.Bonus = b.cityBonusProgramme(o)
	for _, popular := range o.optionalList("popular") {
		alias := popular.toText()
		if _, sold := b.products[alias]; !sold {
			b.addUnknown(popular, "product", alias)
		}
		c.Popular = append(c.Popular, alias)
	}
	for _, promotion := range o.optionalList("promotions") {
		alias := promotion.toText()
		if !b.promotions[alias] {
			b.addUnknown(promotion, "promotion", alias)
		}
		c.Promotions = append(c.Promotions, alias)
	}
	zones := o.optionalList("zones")
	for _, zone := range zones {
		b.readZone(zone, &c, known)
	}
	if c.Delivery && len(zones) == 0 {
		v.addFault("a city with delivery needs zones")
	}
	o.checkFields()
	b.brand.Site.Cities = append(b.brand.Site.Cities, &c)
}

// cityPrices reads the price list, which must be in the currency of the country.
func (b *brandReader) cityPrices(o *object, c *site.City) {
	list, ok := o.required("price_list")
	if !ok {
		return
	}
	c.PriceList = list.toText()
	currency, known := b.brand.Site.PriceLists[c.PriceList]
	if !known {
		if len(b.lists) > 0 {
			b.addUnknown(list, "price list", c.PriceList)
		}
		return
	}
	c.Currency = currency
	var none money.Currency // of a currency that was a fault where it stands
	if country, ok := b.countries[c.CountryCode]; ok && currency != none && country.Currency != none && country.Currency != currency {
		list.addFault("price list %s is in %s, but the city pays in %s", c.PriceList, currency, country.Currency)
	}
}

// readZone reads a delivery zone of a city.
func (b *brandReader) readZone(v value, c *site.City, in *cityPlace) {
	o := v.toObject()
	z := geo.Zone{
		ID: b.readID(o, "zone"), CityID: c.ID, Name: o.requiredLocalizedText("name", b.texts),
		Priority: o.optionalInt("priority", 0, math.MinInt32, math.MaxInt32), Tint: tints[0],
		MinimumOrder: o.optionalAmount("minimum_order"), HasFreeDelivery: o.optionalBool("free_delivery", false),
		DeliveryMinutes: o.optionalInt("delivery_minutes", 30, 0, 24*60),
	}
	if tint, ok := o.optional("tint"); ok {
		z.Tint = toOneOf(tint, tints)
	}
	if price, ok := o.required("delivery"); ok {
		z.Delivery = price.toAmount()
	}
	if from, ok := o.optional("free_delivery_from"); ok {
		free := from.toAmount()
		z.FreeFrom = &free
		switch {
		case z.HasFreeDelivery:
			from.addFault("free_delivery_from has no meaning with free_delivery: true, where minimum_order is that sum")
		case free < z.MinimumOrder:
			from.addFault("free_delivery_from is below minimum_order")
		}
	}
	if area, ok := o.required("area"); ok {
		z.Area = area.readPoints()
		if err := z.Area.Check(); err != nil {
			area.addFault("%v", err)
		}
		area.checkInside(in, z.Area...)
	}
	if ref, ok := o.required("shop"); ok {
		b.zoneShop(ref, &z)
	}
	o.checkFields()
	b.brand.Zones = append(b.brand.Zones, z)
}

// zoneShop sets the shop that cooks for a zone. It must be one of the city that delivers.
func (b *brandReader) zoneShop(ref value, z *geo.Zone) {
	alias := ref.toText()
	for _, s := range b.brand.Shops {
		if s.Shop.Alias != alias {
			continue
		}
		z.ShopID = s.Shop.ID
		switch {
		case !s.Shop.Delivery:
			ref.addFault("shop %s does not deliver", alias)
		case s.Shop.CityID != z.CityID && s.Shop.CityID != 0: // 0 is a fault of the shop
			ref.addFault("shop %s is in another city", alias)
		}
		return
	}
	b.addUnknown(ref, "shop", alias)
}
