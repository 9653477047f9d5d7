package content

import (
	"net/url"
	"slices"
	"strings"

	"servery/internal/catalog"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
	"servery/web"
)

// brandFiles are the files that every brand has, optionalFiles those that it may have.
var (
	brandFiles    = []string{"brand.yaml", "ingredients.yaml", "shops.yaml", "cities.yaml"}
	optionalFiles = []string{"modifiers.yaml", "packages.yaml", "promotions.yaml", "gifts.yaml", "promocodes.yaml"}
)

// tints are the names of zone colours that every theme has.
var tints = []string{"a", "b", "c", "d"}

// brandReader reads one brand.
type brandReader struct {
	*reader
	dir   string
	brand *catalog.Brand
	texts textRules // of texts that must be there in the default language
	lists []priceList

	ingredients map[string]bool
	modifiers   map[string]bool // singles and groups
	groups      map[string]int64
	products    map[string]*catalog.ProductEntry
	shops       map[string]int64 // ids
	cities      map[string]int64 // ids
	promotions  map[string]bool
	gifts       map[string]int64 // ids
	// payments is how customers pay where a city has nothing else.
	payments paymentRules
	// later are the checks of references to what is read later.
	later []func()
}

// readBrand reads the folder of a brand. The order matters: references to what is read later are
// checked at the end.
func (r *reader) readBrand(dir string) {
	b := &brandReader{
		reader: r, dir: dir, brand: &catalog.Brand{},
		ingredients: map[string]bool{}, modifiers: map[string]bool{},
		groups: map[string]int64{}, products: map[string]*catalog.ProductEntry{},
		shops: map[string]int64{}, cities: map[string]int64{}, promotions: map[string]bool{}, gifts: map[string]int64{},
	}
	b.readSite()
	b.readIngredients()
	b.readModifiers()
	b.readPackages()
	b.readPromotions()
	b.readMenu()
	b.readShops()
	b.readCities()
	b.readGifts()
	b.readPromocodes()
	for _, check := range b.later {
		check()
	}
	r.document.Brands = append(r.document.Brands, *b.brand)
}

// openFile returns a file of the brand, and false when it is absent or could not be read.
func (b *brandReader) openFile(name string) (value, bool) {
	v, ok := b.trees[b.dir+"/"+name]
	return v, ok
}

// isUnread reports whether a file of the brand, or the folder menu, could not be read: references
// to it cannot be checked.
func (b *brandReader) isUnread(name string) bool { return b.unread[b.dir+"/"+name] }

// filesOf are the files in which the targets of references are written.
var filesOf = map[string]string{
	"ingredient": "ingredients.yaml", "modifier or group of modifiers": "modifiers.yaml", "product group": "menu", "product": "menu",
	"promotion": "promotions.yaml", "shop": "shops.yaml", "city of the brand": "cities.yaml", "gift": "gifts.yaml", "price list": "brand.yaml",
}

// addUnknown adds the fault that nothing of that kind has the alias; none where it may be in a file
// that could not be read.
func (b *brandReader) addUnknown(ref value, what, alias string) {
	if alias != "" && !b.isUnread(filesOf[what]) {
		ref.addFault("unknown %s %s", what, alias)
	}
}

// kindOf names a kind whose aliases are the brand's own.
func (b *brandReader) kindOf(name string) string { return b.dir + " " + name }

// readSite reads brand.yaml. It must be called before the other files of the brand, which depend on
// its languages and price lists.
func (b *brandReader) readSite() {
	s := &site.Site{PriceLists: map[string]money.Currency{}}
	b.brand.Site, b.texts = s, sharedTexts
	v, ok := b.openFile("brand.yaml")
	if !ok {
		return
	}
	o := v.toObject()
	for _, l := range o.optionalList("languages") {
		s.Languages = append(s.Languages, toOneOf(l, lang.All()))
	}
	if len(s.Languages) == 0 {
		v.addFault("languages is missing")
	}
	if l, ok := o.required("default_language"); ok {
		if s.DefaultLanguage = toOneOf(l, lang.All()); s.DefaultLanguage != "" && !slices.Contains(s.Languages, s.DefaultLanguage) {
			l.addFault("the default language is not among the languages")
		}
	}
	b.texts = textRules{plain: []lang.Lang{s.DefaultLanguage}, required: s.DefaultLanguage}

	s.Alias = b.readAlias(o, "brand")
	for _, h := range o.optionalList("hosts") {
		host := h.toText()
		if host != strings.ToLower(host) || strings.ContainsAny(host, ":/ ") {
			h.addFault("a host is a name in lower case without port: %q", host)
		}
		b.checkUnique(h, "host", host)
		s.Hosts = append(s.Hosts, host)
	}
	if v, ok := o.optional("default"); ok {
		s.Default = v.toBool()
		b.checkOnlyDefault(v, s.Default)
	}
	s.Name, s.Slogan = o.requiredLocalizedText("name", b.texts), o.localizedText("slogan", b.texts)
	if theme, ok := o.required("theme"); ok {
		s.Theme = toOneOf(theme, web.Themes())
	}
	s.Logo, s.LogoDark, s.Icon = b.readDrawing(o, "logo"), b.readDrawing(o, "logo_dark"), b.readDrawing(o, "icon")
	s.Phone, s.Email = o.optionalText("phone"), o.optionalText("email")
	b.readSettings(o)
	o.required("payment_types")
	b.payments = o.readPayments(paymentRules{})
	b.readPriceLists(o)
	b.readBonusProgramme(o)
	for _, l := range o.optionalList("links") {
		s.Links = append(s.Links, b.readLink(l))
	}
	o.checkFields()
}

// checkOnlyDefault adds a fault where two brands are the default one.
func (b *brandReader) checkOnlyDefault(v value, isDefault bool) {
	if !isDefault {
		return
	}
	if len(b.defaults) > 0 {
		v.addFault("another brand is the default one already, at %s", b.defaults[0])
	}
	b.defaults = append(b.defaults, v.position())
}

// readSettings reads the settings of the brand; each has a default.
func (b *brandReader) readSettings(o *object) {
	s := &b.brand.Site.Settings
	*s = site.Settings{ShowLangButton: true, ShowPopularProductGroups: true, Interval: 30, DaysAhead: 7, LateMinutes: 30, ResendTimer: 60, CodeLength: 4, GuestPortions: 60}
	v, ok := o.optional("settings")
	if !ok {
		return
	}
	f := v.toObject()
	s.ShowLangButton = f.optionalBool("show_lang_button", s.ShowLangButton)
	s.IsAuthEnabled = f.optionalBool("is_auth_enabled", false)
	s.GuestOrders = f.optionalBool("guest_orders", false)
	s.GuestPortions = f.optionalInt("guest_portions", int64(s.GuestPortions), 0, 10_000)
	if v, ok := f.optional("terms"); ok {
		t, d := v.toObject(), site.DefaultTerms()
		s.Terms = site.Terms{
			PersonalMonths:   t.optionalInt("personal_months", int64(d.PersonalMonths), 1, 120),
			GuestCartDays:    t.optionalInt("guest_cart_days", int64(d.GuestCartDays), 1, 256),
			CustomerCartDays: t.optionalInt("customer_cart_days", int64(d.CustomerCartDays), 1, 3650),
		}
		t.checkFields()
	}
	for _, c := range f.optionalList("notification_channels") {
		s.NotificationChannels = append(s.NotificationChannels, toOneOf(c, []site.SignInChannel{site.ByCall, site.BySMS, site.ByVK}))
	}
	if s.IsAuthEnabled && len(s.NotificationChannels) == 0 {
		f.addFault("is_auth_enabled needs notification_channels: how customers sign in")
	}
	s.ResendTimer = f.optionalInt("resend_timer", int64(s.ResendTimer), 30, 600)
	s.CodeLength = f.optionalInt("code_length", int64(s.CodeLength), 4, 6)
	s.EnableFractionalPrices = f.optionalBool("enable_fractional_prices", false)
	s.ShowPopularProductGroups = f.optionalBool("show_popular_product_groups", s.ShowPopularProductGroups)
	s.CourierTracking = f.optionalBool("courier_tracking", false)
	s.Interval = f.optionalInt("interval_minutes", int64(s.Interval), 5, 240)
	s.DaysAhead = f.optionalInt("days_ahead", int64(s.DaysAhead), 1, 31)
	s.LateMinutes = f.optionalInt("late_minutes", int64(s.LateMinutes), 0, 24*60)
	s.LastHour = f.optionalBool("last_hour", false)
	s.MapTiles, s.MapAttribution = f.readTiles("map_tiles"), f.optionalText("map_attribution")
	if s.MapTiles != "" && s.MapAttribution == "" {
		f.addFault("map_tiles needs map_attribution: the credit that the owner of the map requires")
	}
	f.checkFields()
}

// readTiles reads the address pattern of map tiles, which browsers load from elsewhere.
func (o *object) readTiles(name string) string {
	v, ok := o.optional(name)
	if !ok {
		return ""
	}
	pattern := v.toText()
	if !site.IsTilePattern(pattern) {
		v.addFault("%s must look like https://tiles.example/{z}/{x}/{y}.png", name)
	}
	return pattern
}

func (b *brandReader) readLink(v value) site.Link {
	o := v.toObject()
	l := site.Link{Kind: o.requiredText("kind"), URL: o.requiredText("url"), Text: o.requiredLocalizedText("text", b.texts)}
	if u, err := url.Parse(l.URL); l.URL != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		o.fields["url"].addFault("a link begins with https://")
	}
	o.checkFields()
	return l
}

// readIngredients reads ingredients.yaml.
func (b *brandReader) readIngredients() {
	v, ok := b.openFile("ingredients.yaml")
	if !ok {
		return
	}
	o := v.toObject()
	for _, k := range o.keys {
		o.used[k.name] = true
		if !aliasPattern.MatchString(k.name) {
			k.addFault("%q must be lower-case latin letters, digits and single dashes", k.name)
		}
		f := o.fields[k.name].toObject()
		in := catalog.Ingredient{Alias: k.name, Name: f.requiredLocalizedText("name", b.texts)}
		for _, a := range f.optionalList("allergens") {
			in.Allergens = append(in.Allergens, toOneOf(a, catalog.Allergens()))
		}
		f.checkFields()
		b.ingredients[k.name] = true
		b.brand.Ingredients = append(b.brand.Ingredients, in)
	}
}

// readIngredient reads a reference to an ingredient.
func (b *brandReader) readIngredient(v value) string {
	alias := v.toText()
	if !b.ingredients[alias] {
		b.addUnknown(v, "ingredient", alias)
	}
	return alias
}

// readOrderTypes reads a list of order types; absent means the usual ones.
func (o *object) readOrderTypes(name string, usual ...site.OrderType) []site.OrderType {
	if _, ok := o.optional(name); !ok {
		return usual
	}
	var types []site.OrderType
	for _, v := range o.optionalList(name) {
		types = append(types, toOneOf(v, site.OrderTypes()))
	}
	return types
}

// readStopped reads type and alert, which cities and shops share.
func (b *brandReader) readStopped(o *object) (bool, lang.Text) {
	stopped := false
	if v, ok := o.optional("type"); ok {
		stopped = toOneOf(v, []string{"default", "stop"}) == "stop"
	}
	alert := o.localizedText("alert", b.texts)
	if stopped && alert.IsZero() {
		o.addFault("type stop needs an alert with the reason for customers")
	}
	return stopped, alert
}

// referLater calls set with the id of something that may be read later; known is filled by then.
func (b *brandReader) referLater(v value, what string, known map[string]int64, set func(id int64)) {
	alias := v.toText()
	b.later = append(b.later, func() {
		id, ok := known[alias]
		if !ok {
			b.addUnknown(v, what, alias)
		}
		set(id)
	})
}

// referAll is referLater for a list of references.
func (b *brandReader) referAll(values []value, what string, known map[string]int64, into *[]int64) {
	for _, v := range values {
		b.referLater(v, what, known, func(id int64) { *into = append(*into, id) })
	}
}
