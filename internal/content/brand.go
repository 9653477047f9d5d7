package content

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"servery/internal/catalog"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// brandFiles are the files that every brand has, optionalFiles those that it may have.
var (
	brandFiles    = []string{"brand.yaml", "ingredients.yaml", "shops.yaml", "cities.yaml"}
	optionalFiles = []string{themeFile, "modifiers.yaml", "packages.yaml", "promotions.yaml", "banners.yaml", "gifts.yaml", "promocodes.yaml"}
)

// brandFields is brand.yaml.
type brandFields struct {
	Alias aliasValue `field:"alias,required"`
	// Names in lower case, without port
	Hosts []wordValue `field:"hosts"`
	// Answers for unknown hosts; one brand of the folder is it
	Default switchValue `field:"default"`
	Name    textValue   `field:"name,required"`
	Slogan  textValue   `field:"slogan"`
	// Shown above the choice of the city, such as that a new city opens
	CitiesMessage textValue `field:"cities_message"`
	// In the order in which they are offered
	Languages []lang.Lang `field:"languages,required" items:"1" one:"languages" unique:"true"`
	// For visitors who ask for none of them
	DefaultLanguage wordValue `field:"default_language,required" one:"languages"`
	// What a plain text is in, every text has and stands in place of a missing one: any language, by its
	// BCP 47 tag; default_language when absent
	ContentLanguage languageValue `field:"content_language"`
	// SVG, PNG, JPEG or WebP in the brand's folder, up to 512 KB
	Logo wordValue `field:"logo"`
	// The logo on dark ground
	LogoDark wordValue `field:"logo_dark"`
	// The icon of tabs and bookmarks, and of the page on a phone's home screen
	Icon wordValue `field:"icon"`
	// JPEG or PNG of at least 1200 by 630, what links to the brand are shown with in messengers and social networks
	SharePicture wordValue `field:"share_picture"`
	// What is cooked, for search engines
	Cuisine []textValue `field:"cuisine"`
	// For search engines: 1 is cheap, 4 dear, compared with other restaurants
	PriceLevel int `field:"price_level" min:"1" max:"4"`
	// For customers who have not chosen a city
	Phone wordValue `field:"phone"`
	// For customers who have not chosen a city
	Email    wordValue                 `field:"email"`
	Settings mappingOf[settingsFields] `field:"settings"`
	// What can be paid with, in the order in which it is offered
	PaymentTypes mappingOf[paymentTypeFields] `field:"payment_types,required"`
	acquirerFields
	// The first is written; others are written too, or derived from one above
	PriceLists mapOf[priceListFields] `field:"price_lists,required"`
	// What customers get back
	BonusProgramme mappingOf[bonusFields] `field:"bonus_programme"`
	// Where the page reports what is viewed and ordered, to visitors who agree to analytics; absent is nowhere
	Analytics mappingOf[analyticsFields] `field:"analytics"`
	// Pages of the brand elsewhere; search engines take those of kind social for the brand itself
	Links []mappingOf[linkFields] `field:"links"`
}

// settingsFields are the settings of a brand.
type settingsFields struct {
	// Customers may choose the language
	ShowLangButton bool `field:"show_lang_button" default:"true"`
	// Customers sign in, and only they order
	IsAuthEnabled bool `field:"is_auth_enabled"`
	// Others may order too where is_auth_enabled is on
	GuestOrders bool `field:"guest_orders"`
	// Portions an hour of a guest to whose phone nothing was delivered yet; 0 bounds nothing
	GuestPortions int `field:"guest_portions" min:"0" max:"10000" default:"60"`
	// How long what is about persons is kept
	Terms mappingOf[termsFields] `field:"terms"`
	// How customers sign in, the first is offered first
	NotificationChannels []site.SignInChannel `field:"notification_channels" one:"channels" unique:"true"`
	// When a customer gets a text message about the order, with its own link; it needs a sender in sms and a public address
	OrderMessages []site.OrderMessage `field:"order_messages" one:"order_messages" unique:"true"`
	// Seconds until another code can be asked for
	ResendTimer int `field:"resend_timer" min:"30" max:"600" default:"60"`
	// Digits of a code
	CodeLength int `field:"code_length" min:"4" max:"6" default:"4"`
	// Prices are shown with their hundredths
	EnableFractionalPrices bool `field:"enable_fractional_prices"`
	// The home page shows what is ordered often
	ShowPopularProductGroups bool `field:"show_popular_product_groups" default:"true"`
	// Customers see the courier on the map
	CourierTracking bool `field:"courier_tracking"`
	// Customers see the phone of the courier who is on the way to them
	CourierPhone bool `field:"courier_phone"`
	// Length of an interval
	IntervalMinutes int `field:"interval_minutes" min:"5" max:"240" default:"30"`
	// How many days can be ordered for, today included
	DaysAhead int `field:"days_ahead" min:"1" max:"31" default:"7"`
	// A takeaway that is later than this is canceled
	LateMinutes int `field:"late_minutes" min:"0" max:"1440" default:"30"`
	// Portions go by sale_multiplicity_last_hour before closing
	LastHour bool `field:"last_hour"`
	// Address pattern of map tiles; absent draws the map from the brand's own data
	MapTiles tilesValue `field:"map_tiles" with:"map_attribution: the credit that the owner of the map requires"`
	// What the owner of the map tiles wants said on the map
	MapAttribution string `field:"map_attribution"`
}

// termsFields are how long what is about persons is kept.
type termsFields struct {
	// Months after a person was last seen until their name, phone and address are removed
	PersonalMonths int `field:"personal_months" min:"1" max:"120" default:"24"`
	// Days after its last change until the cart of a guest is removed
	GuestCartDays int `field:"guest_cart_days" min:"1" max:"256" default:"30"`
	// Days after its last change until the cart of a customer is removed
	CustomerCartDays int `field:"customer_cart_days" min:"1" max:"3650" default:"90"`
	// Months after the time that it was promised for until an order that is done or canceled is archived; without it none is
	ArchiveMonths int `field:"archive_months" min:"7" max:"120"`
}

// analyticsFields are the accounts of a brand for analytics.
type analyticsFields struct {
	// The number of the counter of Yandex.Metrika
	Metrika int `field:"metrika" min:"1" max:"2147483647"`
	// The measurement id of Google Analytics 4, as G-ABC123
	GA4 string `field:"ga4" match:"^G-[A-Z0-9]{4,20}$"`
}

// linkFields is a page of the brand elsewhere.
type linkFields struct {
	Kind string     `field:"kind,required"`
	URL  httpsValue `field:"url,required"`
	Text textValue  `field:"text,required"`
}

// ingredientFields is an ingredient.
type ingredientFields struct {
	Name      textValue          `field:"name,required"`
	Allergens []catalog.Allergen `field:"allergens" one:"allergens" unique:"true"`
}

// stopFields are what cities and shops share.
type stopFields struct {
	// stop takes no orders and needs an alert
	Type string `field:"type" one:"states" default:"default"`
	// The reason, for customers
	Alert textValue `field:"alert"`
	// What can be ordered; absent is both
	OrderTypes []site.OrderType `field:"order_types" one:"orderTypes" unique:"true"`
}

// stopped is the type of what takes no orders.
const stopped = "stop"

// brandReader reads one brand.
type brandReader struct {
	*reader
	dir   string
	brand *catalog.Brand
	texts textRules // of texts that must be there in the language of the brand's texts
	lists []priceList

	ingredients map[string]bool
	modifiers   map[string]bool // singles and groups
	groups      map[string]int64
	products    map[string]*catalog.ProductEntry
	shops       map[string]int64 // ids
	cities      map[string]int64 // ids
	promotions  map[string]bool
	banners     map[string]bool
	gifts       map[string]int64 // ids
	// payments is how customers pay where a city has nothing else.
	payments paymentRules
	// fontNames are the files of fonts by their addresses.
	fontNames map[string]string
	// later are the checks of references to what is read later.
	later []func()
}

// readBrand reads the folder of a brand. The order matters: references to files that are read later
// are checked at the end.
func (r *reader) readBrand(dir string) {
	b := &brandReader{
		reader: r, dir: dir, brand: &catalog.Brand{},
		ingredients: map[string]bool{}, modifiers: map[string]bool{},
		groups: map[string]int64{}, products: map[string]*catalog.ProductEntry{},
		shops: map[string]int64{}, cities: map[string]int64{}, promotions: map[string]bool{}, banners: map[string]bool{}, gifts: map[string]int64{},
		fontNames: map[string]string{},
	}
	b.readSite()
	b.readTheme()
	b.readIngredients()
	b.readModifiers()
	b.readPackages()
	b.readPromotions()
	b.readBanners()
	b.readMenu()
	b.readShops()
	b.readPages()
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
	"promotion": "promotions.yaml", "banner": "banners.yaml", "shop": "shops.yaml", "city of the brand": "cities.yaml", "gift": "gifts.yaml", "price list": "brand.yaml",
}

// addUnknown adds the fault that nothing of that kind has the alias. It adds none when the alias is
// empty, or may be in a file that could not be read.
func (b *brandReader) addUnknown(ref value, what, alias string) {
	if alias != "" && !b.isUnread(filesOf[what]) {
		ref.addFault("unknown %s %s", what, alias)
	}
}

// kindOf returns the name of a kind with the brand in it: an alias of that kind must be unique in the
// brand, and may be used by other brands as well.
func (b *brandReader) kindOf(name string) string { return b.dir + " " + name }

// readSite reads brand.yaml. It must be called before the other files of the brand, which depend on
// its languages and price lists.
func (b *brandReader) readSite() {
	s := &site.Site{PriceLists: map[string]money.Currency{}, Look: &site.Look{Fonts: map[lang.Lang][]string{}}}
	b.brand.Site, b.texts = s, sharedTexts
	v, ok := b.openFile("brand.yaml")
	if !ok {
		return
	}
	f, _ := readFields[brandFields](v)
	s.Languages = f.Languages
	if l := f.DefaultLanguage; !l.isNull() {
		s.DefaultLanguage, _ = lang.Parse(l.asWritten())
		if s.DefaultLanguage != "" && !slices.Contains(s.Languages, s.DefaultLanguage) {
			l.addFault("the default language is not among the languages")
		}
	}
	s.ContentLanguage = f.ContentLanguage.readLanguage()
	b.texts = textRules{plain: []lang.Lang{s.TextLanguage()}, required: s.TextLanguage()}

	s.Alias = b.readAlias(f.Alias, "brand")
	for _, h := range f.Hosts {
		host := h.toText()
		if host != strings.ToLower(host) || strings.ContainsAny(host, ":/ ") {
			h.addFault("a host is a name in lower case without port: %q", host)
		}
		if ascii, err := idna.ToASCII(host); err == nil && ascii != host {
			h.addFault("write %s as browsers send it: %s", host, ascii)
		}
		b.checkUnique(h.value, "host", host)
		s.Hosts = append(s.Hosts, host)
	}
	if v := f.Default; !v.isNull() {
		s.Default = v.toBool()
		b.checkOnlyDefault(v.value, s.Default)
	}
	s.Name, s.Slogan = f.Name.localizedText(b.texts), f.Slogan.localizedText(b.texts)
	s.CitiesMessage = f.CitiesMessage.localizedText(b.texts)
	s.Logo, s.LogoDark = b.readDrawing(f.Logo, "logo"), b.readDrawing(f.LogoDark, "logo_dark")
	b.readIcon(f.Icon)
	b.readSharePicture(f.SharePicture)
	for _, cuisine := range f.Cuisine {
		s.Cuisine = append(s.Cuisine, cuisine.localizedText(b.texts))
	}
	s.PriceLevel = f.PriceLevel
	s.Phone, s.Email = f.Phone.readPhone(), f.Email.readEmail()
	b.readSettings(f.Settings)
	b.payments = f.readPayments(f.PaymentTypes, paymentRules{})
	b.readPriceLists(f.PriceLists)
	b.readBonusProgramme(f.BonusProgramme)
	analytics, _ := f.Analytics.readMapping()
	s.Analytics = site.Analytics{Metrika: int64(analytics.Metrika), GA4: analytics.GA4}
	for _, l := range f.Links {
		s.Links = append(s.Links, b.readLink(l))
	}
}

// checkOnlyDefault records where a brand is the default one, and adds a fault where another brand is
// too.
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
func (b *brandReader) readSettings(v mappingOf[settingsFields]) {
	f, o := v.readMapping()
	s := site.Settings{
		ShowLangButton: f.ShowLangButton, IsAuthEnabled: f.IsAuthEnabled, GuestOrders: f.GuestOrders, GuestPortions: f.GuestPortions,
		NotificationChannels: f.NotificationChannels, ResendTimer: f.ResendTimer, CodeLength: f.CodeLength,
		EnableFractionalPrices: f.EnableFractionalPrices, ShowPopularProductGroups: f.ShowPopularProductGroups, CourierTracking: f.CourierTracking,
		CourierPhone: f.CourierPhone,
		Interval:     f.IntervalMinutes, DaysAhead: f.DaysAhead, OrderMessages: f.OrderMessages, LateMinutes: f.LateMinutes, LastHour: f.LastHour,
		MapTiles: f.MapTiles.readTiles(), MapAttribution: f.MapAttribution,
	}
	if !f.Terms.isNull() {
		t, _ := f.Terms.readMapping()
		s.Terms = site.Terms{PersonalMonths: t.PersonalMonths, GuestCartDays: t.GuestCartDays, CustomerCartDays: t.CustomerCartDays, ArchiveMonths: t.ArchiveMonths}
	}
	if s.IsAuthEnabled && len(s.NotificationChannels) == 0 {
		o.addFault("is_auth_enabled needs notification_channels: how customers sign in")
	}
	b.brand.Site.Settings = s
}

// readTiles reads the address pattern of map tiles, which browsers load from elsewhere.
func (v tilesValue) readTiles() string {
	if v.isNull() {
		return ""
	}
	pattern := v.toText()
	if !site.IsTilePattern(pattern) {
		v.addFault("map_tiles must look like https://tiles.example/{z}/{x}/{y}.png")
	}
	return pattern
}

// readLink reads a page of the brand elsewhere.
func (b *brandReader) readLink(v mappingOf[linkFields]) site.Link {
	f, _ := v.readMapping()
	l := site.Link{Kind: f.Kind, Text: f.Text.localizedText(b.texts)}
	if !f.URL.isNull() {
		l.URL = f.URL.toText()
		if u, err := url.Parse(l.URL); err != nil || u.Scheme != "https" || u.Host == "" {
			f.URL.addFault("a link begins with https://")
		}
	}
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
		aliasValue{k.value}.readAlias() // only checks the key, which is any alias
		f, _ := readFields[ingredientFields](o.fields[k.name])
		in := catalog.Ingredient{Alias: k.name, Name: f.Name.localizedText(b.texts), Allergens: f.Allergens}
		b.ingredients[k.name] = true
		b.brand.Ingredients = append(b.brand.Ingredients, in)
	}
}

// readIngredient reads a reference to an ingredient.
func (b *brandReader) readIngredient(v aliasValue) string {
	alias := v.toText()
	if !b.ingredients[alias] {
		b.addUnknown(v.value, "ingredient", alias)
	}
	return alias
}

// typesOrAll returns the order types, or all of them when the field is absent.
func typesOrAll(types []site.OrderType) []site.OrderType {
	if types == nil {
		return site.OrderTypes()
	}
	return types
}

// readStopped reports whether a city or shop takes no orders, and returns its alert for customers. It adds a
// fault when there is no alert with the reason.
func (b *brandReader) readStopped(f stopFields, o *object) (bool, lang.Text) {
	isStopped, alert := f.Type == stopped, f.Alert.localizedText(b.texts)
	if isStopped && alert.IsZero() {
		o.addFault("type stop needs an alert with the reason for customers")
	}
	return isStopped, alert
}

// referLater resolves a reference after the whole brand was read: it looks up the alias in the map known
// and calls set with its id. When the map does not have the alias by then, it adds a fault and calls set
// with 0.
func (b *brandReader) referLater(v aliasValue, what string, known map[string]int64, set func(id int64)) {
	alias := v.toText()
	b.later = append(b.later, func() {
		id, ok := known[alias]
		if !ok {
			b.addUnknown(v.value, what, alias)
		}
		set(id)
	})
}

// referAll resolves a list of references after the whole brand was read: it looks up each alias in the
// map known and appends its id to *into. For an unknown alias it adds a fault and appends 0.
func (b *brandReader) referAll(values []aliasValue, what string, known map[string]int64, into *[]int64) {
	for _, v := range values {
		b.referLater(v, what, known, func(id int64) { *into = append(*into, id) })
	}
}
