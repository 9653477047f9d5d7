package content

import (
	"net/url"
	"slices"
	"strings"

	"servery/internal/catalog"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/site"
)

// cityFields is an entry of cities.yaml.
type cityFields struct {
	// A file in places/
	Place aliasValue `field:"place,required"`
	// In the currency of the country
	PriceList wordValue `field:"price_list,required"`
	// For customers
	Phone wordValue `field:"phone"`
	// In place of the brand's
	Email wordValue `field:"email"`
	stopFields
	// In place of the brand's
	PaymentTypes mappingOf[paymentTypeFields] `field:"payment_types"`
	acquirerFields
	// In place of the brand's
	IntervalMinutes *int `field:"interval_minutes" min:"5" max:"240"`
	// In place of the brand's
	DaysAhead *int `field:"days_ahead" min:"1" max:"31"`
	// In place of the brand's
	LateMinutes *int `field:"late_minutes" min:"0" max:"1440"`
	// false switches the brand's programme off here
	BonusProgramme switchValue `field:"bonus_programme"`
	// Products shown as often ordered; absent: the most ordered of 30 days
	Popular    []aliasValue `field:"popular"`
	Promotions []aliasValue `field:"promotions"`
	// Of banners.yaml, the first that may be shown opens
	Banners []aliasValue `field:"banners"`
	// Where the brand delivers
	Zones []mappingOf[zoneFields] `field:"zones"`
}

// zoneFields is a delivery zone of a city.
type zoneFields struct {
	ID   idValue   `field:"id,required"`
	Name textValue `field:"name,required"`
	// The shop that cooks for the zone
	Shop aliasValue `field:"shop,required"`
	// Where zones overlap the higher wins
	Priority int `field:"priority"`
	// A colour of the theme
	Tint string `field:"tint" one:"tints" default:"a"`
	// What delivery costs
	Delivery money.Amount `field:"delivery,required"`
	// The least sum, or with free_delivery the one from which delivery is free
	MinimumOrder money.Amount `field:"minimum_order"`
	// true: any sum is taken and delivery is free from minimum_order; false: minimum_order must be reached
	FreeDelivery bool `field:"free_delivery"`
	// Without free_delivery: the sum from which delivery is free
	FreeDeliveryFrom amountValue `field:"free_delivery_from" null:"true"`
	// On the road
	DeliveryMinutes int `field:"delivery_minutes" min:"0" max:"1440" default:"30"`
	// Corners; the last joins the first
	Area []pointValue `field:"area,required" items:"3"`
}

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

// readCity reads an entry of cities.yaml: a city that the folder places describes, with the brand's
// prices, payments and zones.
func (b *brandReader) readCity(v value) {
	f, object := readFields[cityFields](v)
	if f.Place.isNull() {
		return
	}
	ref := f.Place.value
	cityPlace, ok := b.placeOf(ref)
	if !ok {
		// This city is not read, so references of other files to cities cannot be checked.
		b.unread[b.dir+"/cities.yaml"] = true
		return
	}
	c := cityPlace.city
	b.checkUnique(ref, b.kindOf("city"), c.Alias)
	// Texts of shared files may lack a language, but not that of the brand's own texts.
	checkTranslated(ref, b.texts.required, "the name in "+cityPlace.file, c.Name)
	checkTranslated(ref, b.texts.required, "the phrase in "+cityPlace.file, c.Phrase)
	if country, ok := b.countries[c.CountryCode]; ok {
		for _, consent := range country.Consents {
			checkTranslated(ref, b.texts.required, "the consent "+consent.Alias+" in "+countriesFile, consent.Text)
		}
		b.checkPages(ref, &c, country)
		if country.Shows(site.LowestPrice) {
			b.later = append(b.later, func() { b.checkLowestPrices(ref, &c) })
		}
	}
	b.cities[c.Alias] = c.ID

	c.Stopped, c.Alert = b.readStopped(f.stopFields, object)
	c.Phone, c.Email = f.Phone.readPhone(), f.Email.readEmail()
	for _, t := range typesOrAll(f.OrderTypes) {
		c.Delivery = c.Delivery || t == site.Delivery
		c.Takeaway = c.Takeaway || t == site.Takeaway
	}
	if !c.Delivery && !c.Takeaway {
		v.addFault("a city needs an order type; type stop closes it")
	}
	b.readCityPrices(f.PriceList, &c)
	p := f.readPayments(f.PaymentTypes, b.payments)
	c.PaymentTypes, c.Acquiring, c.CardForm, c.Fiscal = p.types, p.acquiring, p.cardForm, p.fiscal
	if !b.isUnread("brand.yaml") {
		v.checkPayments(&c)
	}
	settings := b.brand.Site.Settings
	c.Interval, c.DaysAhead = valueOr(f.IntervalMinutes, settings.Interval), valueOr(f.DaysAhead, settings.DaysAhead)
	c.LateMinutes = valueOr(f.LateMinutes, settings.LateMinutes)
	c.Bonus = b.cityBonusProgramme(f.BonusProgramme)
	for _, popular := range f.Popular {
		alias := popular.toText()
		if _, sold := b.products[alias]; !sold {
			b.addUnknown(popular.value, "product", alias)
		}
		c.Popular = append(c.Popular, alias)
	}
	for _, promotion := range f.Promotions {
		alias := promotion.toText()
		if !b.promotions[alias] {
			b.addUnknown(promotion.value, "promotion", alias)
		}
		c.Promotions = append(c.Promotions, alias)
		b.later = append(b.later, func() { b.checkPromotion(promotion, &c) })
	}
	for _, banner := range f.Banners {
		alias := banner.toText()
		if !b.banners[alias] {
			b.addUnknown(banner.value, "banner", alias)
		}
		c.Banners = append(c.Banners, alias)
		b.later = append(b.later, func() { b.checkBanner(banner, &c) })
	}
	for _, zone := range f.Zones {
		b.readZone(zone, &c, cityPlace)
	}
	if c.Delivery && len(f.Zones) == 0 {
		v.addFault("a city with delivery needs zones")
	}
	if c.Takeaway {
		b.later = append(b.later, func() { b.checkTakeaway(v, &c) })
	}
	b.brand.Site.Cities = append(b.brand.Site.Cities, &c)
}

// checkPromotion adds a warning for a promotion of the city that leads to a product which the city does not sell. It must
// run after the targets of promotions were read.
func (b *brandReader) checkPromotion(promotion aliasValue, c *site.City) {
	i := slices.IndexFunc(b.brand.Promotions, func(p catalog.Promotion) bool { return p.Alias == promotion.toText() })
	if i < 0 || b.brand.Promotions[i].ProductID == 0 {
		return
	}
	for _, p := range b.products {
		if p.ID == b.brand.Promotions[i].ProductID && !isSoldIn(p, c) {
			promotion.addWarning("the promotion %s leads to %s, which is not sold in %s", promotion.toText(), p.Alias, c.Alias)
		}
	}
}

// checkBanner adds a warning for each page of a banner of the city that the city does not have: the page that its button
// leads to, and those that it opens over. It must run after the pages were read.
func (b *brandReader) checkBanner(banner aliasValue, c *site.City) {
	i := slices.IndexFunc(b.brand.Banners, func(found catalog.Banner) bool { return found.Alias == banner.toText() })
	if i < 0 || b.isUnread("pages") {
		return
	}
	found := &b.brand.Banners[i]
	if isLocalPath(found.Link) && !b.hasPage(found.Link, c) {
		banner.addWarning("the button of the banner %s leads to %s, which %s does not have", found.Alias, found.Link, c.Alias)
	}
	for _, page := range found.Pages {
		if isLocalPath(page) && !b.hasPage(page, c) {
			banner.addWarning("the banner %s never opens over %s, which %s does not have", found.Alias, page, c.Alias)
		}
	}
}

// hasPage reports whether a path below the address of a city leads to something there: to a page, or to one promotion.
func (b *brandReader) hasPage(path string, c *site.City) bool {
	u, err := url.Parse(path)
	if err != nil {
		return false
	}
	page, _, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if promotion := u.Query().Get("alias"); page == "promotions" && promotion != "" {
		return slices.Contains(c.Promotions, promotion)
	}
	return page == "" || site.IsPersonalPage(page) || slices.Contains(b.brand.Site.ListPages(c), page)
}

// checkTakeaway adds a warning for a city with takeaway in which no shop has it. It must run after shops.yaml was
// read.
func (b *brandReader) checkTakeaway(v value, c *site.City) {
	serves := func(s catalog.ShopEntry) bool { return s.Shop.CityID == c.ID && s.Shop.Takeaway }
	if b.isUnread("shops.yaml") || slices.ContainsFunc(b.brand.Shops, serves) {
		return
	}
	v.addWarning("nothing can be picked up in %s: no shop there has takeaway among its order_types", c.Alias)
}

// valueOr returns the value, or the usual one when it is nil.
func valueOr(value *int, usual int) int {
	if value == nil {
		return usual
	}
	return *value
}

// readCityPrices sets the price list of a city and its currency, which must be the country's.
func (b *brandReader) readCityPrices(list wordValue, c *site.City) {
	if list.isNull() {
		return
	}
	c.PriceList = list.toText()
	currency, known := b.brand.Site.PriceLists[c.PriceList]
	if !known {
		if len(b.lists) > 0 { // where the brand has none, that is a fault of its own
			b.addUnknown(list.value, "price list", c.PriceList)
		}
		return
	}
	c.Currency = currency
	var none money.Currency // stands for one that could not be read, which is a fault of its own
	if country, ok := b.countries[c.CountryCode]; ok && currency != none && country.Currency != none && country.Currency != currency {
		list.addFault("price list %s is in %s, but the city pays in %s", c.PriceList, currency, country.Currency)
	}
}

// readZone reads a delivery zone of a city.
func (b *brandReader) readZone(v mappingOf[zoneFields], c *site.City, in *cityPlace) {
	f, _ := v.readMapping()
	z := geo.Zone{
		ID: b.readID(f.ID, "zone"), CityID: c.ID, Name: f.Name.localizedText(b.texts), Priority: f.Priority, Tint: f.Tint,
		Delivery: f.Delivery, MinimumOrder: f.MinimumOrder, HasFreeDelivery: f.FreeDelivery, DeliveryMinutes: f.DeliveryMinutes,
		Area: readPoints(f.Area),
	}
	v.checkUnits(c.Currency, z.Delivery, z.MinimumOrder)
	if z.HasFreeDelivery && z.Delivery > 0 && z.MinimumOrder == 0 {
		v.addWarning("delivery costs nothing in this zone: free_delivery has no minimum_order")
	}
	if from := f.FreeDeliveryFrom; !from.isNull() {
		free := from.toAmount()
		from.checkUnits(c.Currency, free)
		z.FreeFrom = &free
		switch {
		case z.HasFreeDelivery:
			from.addFault("free_delivery_from has no meaning with free_delivery: true, where minimum_order is that sum")
		case free < z.MinimumOrder:
			from.addFault("free_delivery_from is below minimum_order")
		}
	}
	if area := f.Area; len(area) > 0 {
		if err := z.Area.Check(); err != nil {
			area[0].addFault("%v", err)
		}
		area[0].checkInside(in, z.Area...)
	}
	if !f.Shop.isNull() {
		b.setZoneShop(f.Shop.value, &z)
	}
	b.brand.Zones = append(b.brand.Zones, z)
}

// setZoneShop sets the shop that cooks for a zone. It adds a fault where the shop is unknown, does
// not deliver or is in another city.
func (b *brandReader) setZoneShop(ref value, z *geo.Zone) {
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
