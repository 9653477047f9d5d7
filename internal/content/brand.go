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
	dir    string
	brand  *catalog.Brand
	tongue tongue // of texts that must be there in the default language
	lists  []priceList

	ingredients map[string]bool
	modifiers   map[string]bool // singles and groups
	groups      map[string]int64
	products    map[string]*catalog.ProductEntry
	shops       map[string]int64 // ids
	cities      map[string]int64 // ids
	promotions  map[string]bool
	gifts       map[string]int64 // ids
	// paying is how customers pay where a city has nothing else.
	paying paying
	// later are the checks of references to what is read later.
	later []func()
}

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

// open returns a file of the brand, and false when it is not there or could not be read.
func (b *brandReader) open(name string) (value, bool) {
	v, ok := b.trees[b.dir+"/"+name]
	return v, ok
}

// isUnread reports whether a file of the brand, or the folder menu, could not be read:
// whatever refers to it cannot be checked.
func (b *brandReader) isUnread(name string) bool { return b.unread[b.dir+"/"+name] }

// homes are where the things that others refer to are written.
var homes = map[string]string{
	"ingredient": "ingredients.yaml", "modifier or group of modifiers": "modifiers.yaml", "product group": "menu", "product": "menu",
	"promotion": "promotions.yaml", "shop": "shops.yaml", "city of the brand": "cities.yaml", "gift": "gifts.yaml", "price list": "brand.yaml",
}

// unknown says that nothing of that kind has the alias; nothing where it may stand in a
// file that could not be read.
func (b *brandReader) unknown(ref value, what, alias string) {
	if alias != "" && !b.isUnread(homes[what]) {
		ref.fault("unknown %s %s", what, alias)
	}
}

// kind names a kind of things whose aliases are the brand's own.
func (b *brandReader) kind(name string) string { return b.dir + " " + name }

func (b *brandReader) readSite() {
	s := &site.Site{PriceLists: map[string]money.Currency{}}
	b.brand.Site, b.tongue = s, shared
	v, ok := b.open("brand.yaml")
	if !ok {
		return
	}
	o := v.object()
	for _, l := range o.list("languages") {
		s.Languages = append(s.Languages, oneOf(l, lang.All()))
	}
	if len(s.Languages) == 0 {
		v.fault("languages is missing")
	}
	if l, ok := o.need("default_language"); ok {
		if s.DefaultLanguage = oneOf(l, lang.All()); s.DefaultLanguage != "" && !slices.Contains(s.Languages, s.DefaultLanguage) {
			l.fault("the default language is not among the languages")
		}
	}
	b.tongue = tongue{plain: []lang.Lang{s.DefaultLanguage}, required: s.DefaultLanguage}

	s.Alias = b.alias(o, "brand")
	for _, h := range o.list("hosts") {
		host := h.text()
		if host != strings.ToLower(host) || strings.ContainsAny(host, ":/ ") {
			h.fault("a host is a name in lower case without port: %q", host)
		}
		b.unique(h, "host", host)
		s.Hosts = append(s.Hosts, host)
	}
	if v, ok := o.get("default"); ok {
		s.Default = v.truth()
		b.onlyDefault(v, s.Default)
	}
	s.Name, s.Slogan = o.needWords("name", b.tongue), o.words("slogan", b.tongue)
	if theme, ok := o.need("theme"); ok {
		s.Theme = oneOf(theme, web.Themes())
	}
	s.Logo, s.LogoDark, s.Icon = b.drawing(o, "logo"), b.drawing(o, "logo_dark"), b.drawing(o, "icon")
	s.Phone, s.Email = o.text("phone"), o.text("email")
	b.readSettings(o)
	o.need("payment_types")
	b.paying = o.paying(paying{})
	b.readPriceLists(o)
	b.readBonusProgramme(o)
	for _, l := range o.list("links") {
		s.Links = append(s.Links, b.link(l))
	}
	o.done()
}

// onlyDefault makes sure that no two brands are the default one.
func (b *brandReader) onlyDefault(v value, isDefault bool) {
	if !isDefault {
		return
	}
	if len(b.defaults) > 0 {
		v.fault("another brand is the default one already, at %s", b.defaults[0])
	}
	b.defaults = append(b.defaults, v.place())
}

func (b *brandReader) readSettings(o *object) {
	s := &b.brand.Site.Settings
	*s = site.Settings{ShowLangButton: true, ShowPopularProductGroups: true, Interval: 30, DaysAhead: 7, LateMinutes: 30, ResendTimer: 60, CodeLength: 4, GuestPortions: 60}
	v, ok := o.get("settings")
	if !ok {
		return
	}
	f := v.object()
	s.ShowLangButton = f.truth("show_lang_button", s.ShowLangButton)
	s.IsAuthEnabled = f.truth("is_auth_enabled", false)
	s.GuestOrders = f.truth("guest_orders", false)
	s.GuestPortions = f.whole("guest_portions", int64(s.GuestPortions), 0, 10_000)
	if v, ok := f.get("terms"); ok {
		t, d := v.object(), site.DefaultTerms()
		s.Terms = site.Terms{
			PersonalMonths:   t.whole("personal_months", int64(d.PersonalMonths), 1, 120),
			GuestCartDays:    t.whole("guest_cart_days", int64(d.GuestCartDays), 1, 256),
			CustomerCartDays: t.whole("customer_cart_days", int64(d.CustomerCartDays), 1, 3650),
		}
		t.done()
	}
	for _, c := range f.list("notification_channels") {
		s.NotificationChannels = append(s.NotificationChannels, oneOf(c, []site.SignInChannel{site.ByCall, site.BySMS, site.ByVK}))
	}
	if s.IsAuthEnabled && len(s.NotificationChannels) == 0 {
		f.fault("is_auth_enabled needs notification_channels: how customers sign in")
	}
	s.ResendTimer = f.whole("resend_timer", int64(s.ResendTimer), 30, 600)
	s.CodeLength = f.whole("code_length", int64(s.CodeLength), 4, 6)
	s.EnableFractionalPrices = f.truth("enable_fractional_prices", false)
	s.ShowPopularProductGroups = f.truth("show_popular_product_groups", s.ShowPopularProductGroups)
	s.CourierTracking = f.truth("courier_tracking", false)
	s.Interval = f.whole("interval_minutes", int64(s.Interval), 5, 240)
	s.DaysAhead = f.whole("days_ahead", int64(s.DaysAhead), 1, 31)
	s.LateMinutes = f.whole("late_minutes", int64(s.LateMinutes), 0, 24*60)
	s.LastHour = f.truth("last_hour", false)
	s.MapTiles, s.MapAttribution = f.tiles("map_tiles"), f.text("map_attribution")
	if s.MapTiles != "" && s.MapAttribution == "" {
		f.fault("map_tiles needs map_attribution: what the owner of the map wants said")
	}
	f.done()
}

// tiles reads the address pattern of map tiles, which browsers load from elsewhere.
func (o *object) tiles(name string) string {
	v, ok := o.get(name)
	if !ok {
		return ""
	}
	pattern := v.text()
	if !site.IsTilePattern(pattern) {
		v.fault("%s must look like https://tiles.example/{z}/{x}/{y}.png", name)
	}
	return pattern
}

func (b *brandReader) link(v value) site.Link {
	o := v.object()
	l := site.Link{Kind: o.needText("kind"), URL: o.needText("url"), Text: o.needWords("text", b.tongue)}
	if u, err := url.Parse(l.URL); l.URL != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		o.fields["url"].fault("a link begins with https://")
	}
	o.done()
	return l
}

func (b *brandReader) readIngredients() {
	v, ok := b.open("ingredients.yaml")
	if !ok {
		return
	}
	o := v.object()
	for _, k := range o.keys {
		o.used[k.name] = true
		if !aliasPattern.MatchString(k.name) {
			k.fault("%q must be lower-case latin letters, digits and single dashes", k.name)
		}
		f := o.fields[k.name].object()
		in := catalog.Ingredient{Alias: k.name, Name: f.needWords("name", b.tongue)}
		for _, a := range f.list("allergens") {
			in.Allergens = append(in.Allergens, oneOf(a, catalog.Allergens()))
		}
		f.done()
		b.ingredients[k.name] = true
		b.brand.Ingredients = append(b.brand.Ingredients, in)
	}
}

// ingredient reads a reference to an ingredient.
func (b *brandReader) ingredient(v value) string {
	alias := v.text()
	if !b.ingredients[alias] {
		b.unknown(v, "ingredient", alias)
	}
	return alias
}

// orderTypes reads a list of order types; absent means the usual ones.
func (o *object) orderTypes(name string, usual ...site.OrderType) []site.OrderType {
	if _, ok := o.get(name); !ok {
		return usual
	}
	var types []site.OrderType
	for _, v := range o.list(name) {
		types = append(types, oneOf(v, site.OrderTypes()))
	}
	return types
}

// stopped reads type and alert, which cities and shops share.
func (b *brandReader) stopped(o *object) (bool, lang.Text) {
	stopped := false
	if v, ok := o.get("type"); ok {
		stopped = oneOf(v, []string{"default", "stop"}) == "stop"
	}
	alert := o.words("alert", b.tongue)
	if stopped && alert.IsZero() {
		o.fault("type stop needs an alert that tells customers why")
	}
	return stopped, alert
}

// refer gives the id of something that may be read later; known is filled by then.
func (b *brandReader) refer(v value, what string, known map[string]int64, set func(id int64)) {
	alias := v.text()
	b.later = append(b.later, func() {
		id, ok := known[alias]
		if !ok {
			b.unknown(v, what, alias)
		}
		set(id)
	})
}

// referAll does so for a list of references.
func (b *brandReader) referAll(values []value, what string, known map[string]int64, into *[]int64) {
	for _, v := range values {
		b.refer(v, what, known, func(id int64) { *into = append(*into, id) })
	}
}
