// Package site holds the brands that one program serves: their hosts, languages,
// switches and cities. It is filled by content and never changed after that, so
// everything here may be read from any goroutine.
package site

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"servery/internal/lang"
	"servery/internal/money"
)

// OrderType is how food reaches the customer. The set is closed.
type OrderType string

// The order types.
const (
	Delivery OrderType = "delivery"
	Takeaway OrderType = "takeaway"
)

// OrderTypes returns the order types in the order in which they are offered.
func OrderTypes() []OrderType { return []OrderType{Delivery, Takeaway} }

// ParseOrderType returns the order type that is written as text in requests, false for any other
// text.
func ParseOrderType(text string) (OrderType, bool) {
	t := OrderType(text)
	return t, t == Delivery || t == Takeaway
}

// The payment types. Cash and Card are paid to the courier or at the counter, the others
// online through an acquirer.
const (
	Cash       = "cash"
	Card       = "card"
	CardOnline = "card_online"
	SBP        = "sbp"
	SberPay    = "sberpay"
	ApplePay   = "apple_pay"
	GooglePay  = "google_pay"
)

// PaymentTypes returns all payment types.
func PaymentTypes() []string {
	return []string{Cash, Card, CardOnline, SBP, SberPay, ApplePay, GooglePay}
}

// IsOnline reports whether an order of the payment type is paid online before it is cooked. It
// is false for unknown types.
func IsOnline(paymentType string) bool {
	return paymentType != Cash && paymentType != Card && slices.Contains(PaymentTypes(), paymentType)
}

// SignInChannel is a way to sign in. The set is closed.
type SignInChannel string

// The ways to sign in: a code by call or text message, or VK ID.
const (
	ByCall SignInChannel = "call"
	BySMS  SignInChannel = "sms"
	ByVK   SignInChannel = "vk"
)

// Analytics are the accounts to which the page of a brand reports what is viewed and ordered.
type Analytics struct {
	// Metrika is the counter of Yandex.Metrika; 0 is none.
	Metrika int64 `json:"metrika,omitempty"`
	// GA4 is the measurement id of Google Analytics 4; empty is none.
	GA4 string `json:"ga4,omitempty"`
}

// IconPurpose says where a form of an icon is shown.
type IconPurpose string

// The purposes of icons; those of manifests, TouchIcon for the home screens of iPhones, and TabIcon.
const (
	AnyIcon      IconPurpose = "any"
	MaskableIcon IconPurpose = "maskable"
	TouchIcon    IconPurpose = "touch"
	// TabIcon is an ICO for whatever asks for /favicon.ico.
	TabIcon IconPurpose = "tab"
)

// AppIcon is a square form of the brand's icon, PNG but for the one of tabs.
type AppIcon struct {
	// Src is an address on this server.
	Src string `json:"src"`
	// Size is the length of a side in pixels.
	Size    int         `json:"size"`
	Purpose IconPurpose `json:"purpose"`
}

// SharePicture is what a link to the brand is shown with where people share it.
type SharePicture struct {
	// Src is an address on this server.
	Src    string `json:"src"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Site is a brand with its own storefront.
type Site struct {
	Alias string `json:"alias"`
	// Hosts are the names that the Host header may carry, in lower case, without port.
	Hosts []string `json:"hosts"`
	// Default says that requests for unknown hosts get this site.
	Default bool      `json:"default,omitempty"`
	Name    lang.Text `json:"name"`
	Slogan  lang.Text `json:"slogan,omitempty"`
	// CitiesMessage is shown above the choice of the city.
	CitiesMessage   lang.Text   `json:"cities_message,omitempty"`
	Languages       []lang.Lang `json:"languages"`
	DefaultLanguage lang.Lang   `json:"default_language"`
	// ContentLanguage is the language that every text of the brand has, by its BCP 47 tag; empty when
	// it is DefaultLanguage. It need not be a language of the interface.
	ContentLanguage lang.Lang `json:"content_language,omitempty"`
	// Look is what the page looks like; nil for the usual look.
	Look *Look `json:"look,omitempty"`
	// Logo, LogoDark and Icon are addresses on this server; empty when there is none.
	Logo     string `json:"logo,omitempty"`
	LogoDark string `json:"logo_dark,omitempty"`
	Icon     string `json:"icon,omitempty"`
	// AppIcons are the forms of the icon for the installed page.
	AppIcons []AppIcon `json:"app_icons,omitempty"`
	// Ground is the colour behind the icon, as #rrggbb; empty when it is not known.
	Ground string `json:"ground,omitempty"`
	// Share is nil when the brand has none.
	Share *SharePicture `json:"share,omitempty"`
	// Cuisine names what is cooked: "Japanese".
	Cuisine []lang.Text `json:"cuisine,omitempty"`
	// PriceLevel is from 1, cheap, to 4, dear; 0 when content does not say.
	PriceLevel int `json:"price_level,omitempty"`
	// Phone and Email are for customers that have no city yet.
	Phone    string   `json:"phone,omitempty"`
	Email    string   `json:"email,omitempty"`
	Settings Settings `json:"settings"`
	// PriceLists are the currencies of the price lists by alias.
	PriceLists map[string]money.Currency `json:"price_lists"`
	Links      []Link                    `json:"links,omitempty"`
	// Pages are those of the brand's own words, in the order of content.
	Pages []*Page `json:"pages,omitempty"`
	// Analytics is where the page reports to; zero is nowhere.
	Analytics Analytics `json:"analytics,omitzero"`
	// Bonus is the bonus programme; nil when the brand has none.
	Bonus *BonusProgramme `json:"bonus_programme,omitempty"`
	// Cities are in the order of content.
	Cities []*City `json:"cities"`
}

// OrderMessage is an occasion on which a customer gets a text message about the order. The set is
// closed.
type OrderMessage string

// The occasions.
const (
	OnAccepted OrderMessage = "accepted"
	OnDelayed  OrderMessage = "delayed" // beyond the agreed time
	OnSent     OrderMessage = "sent"
	OnCanceled OrderMessage = "canceled" // by the restaurant
	OnRefunded OrderMessage = "refunded"
)

// OrderMessages returns all occasions.
func OrderMessages() []OrderMessage {
	return []OrderMessage{OnAccepted, OnDelayed, OnSent, OnCanceled, OnRefunded}
}

// Settings are the switches and measures of a brand.
type Settings struct {
	ShowLangButton bool `json:"show_lang_button"`
	// IsAuthEnabled lets customers sign in; where they can, only they order, unless GuestOrders
	// lets others order too.
	IsAuthEnabled bool `json:"is_auth_enabled"`
	GuestOrders   bool `json:"guest_orders"`
	// GuestPortions is how many portions may be ordered in an hour by a guest to whose phone no order
	// was delivered before; 0 bounds nothing.
	GuestPortions int `json:"guest_portions"`
	// Terms are how long personal data is stored.
	Terms Terms `json:"terms,omitzero"`
	// NotificationChannels are the ways to sign in, the first is offered first.
	NotificationChannels []SignInChannel `json:"notification_channels,omitempty"`
	// ResendTimer is how many seconds pass before another code can be asked for.
	ResendTimer int `json:"resend_timer"`
	// CodeLength is how many digits a code has.
	CodeLength               int  `json:"code_length"`
	EnableFractionalPrices   bool `json:"enable_fractional_prices"`
	ShowPopularProductGroups bool `json:"show_popular_product_groups"`
	// CourierTracking lets customers see the courier on the map.
	CourierTracking bool `json:"courier_tracking"`
	// CourierPhone lets customers see the phone of the courier who is on the way to them.
	CourierPhone bool `json:"courier_phone,omitempty"`
	// Interval is the length of an order interval in minutes.
	Interval int `json:"interval_minutes"`
	// DaysAhead is how many days can be ordered for, today included.
	DaysAhead int `json:"days_ahead"`
	// OrderMessages are the occasions on which a customer gets a text message about the order.
	OrderMessages []OrderMessage `json:"order_messages,omitempty"`
	// LateMinutes is how late a takeaway may be fetched before it is canceled.
	LateMinutes int `json:"late_minutes"`
	// LastHour turns the multiplicity of the last work hour on.
	LastHour bool `json:"last_hour"`
	// MapTiles is the address pattern of map tiles ("https://tiles.example/{z}/{x}/{y}.png") and
	// MapAttribution the credit that their owner requires. Without tiles the map is drawn from the
	// brand's own data.
	MapTiles       string `json:"map_tiles,omitempty"`
	MapAttribution string `json:"map_attribution,omitempty"`
}

// Sends reports whether customers get a text message on the occasion.
func (s Settings) Sends(on OrderMessage) bool { return slices.Contains(s.OrderMessages, on) }

var tilePattern = regexp.MustCompile(`^https://(\{s\}\.)?[a-z0-9]+([.-][a-z0-9]+)*(:[0-9]+)?/[^\s"'<>;,]*$`)

// IsTilePattern reports whether a text is an address pattern of map tiles: https, with {z}, {x} and
// {y}. {s} stands for a subdomain.
func IsTilePattern(text string) bool {
	for _, part := range []string{"{z}", "{x}", "{y}"} {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return tilePattern.MatchString(text)
}

// TilesOrigin returns the origin of the map tiles, for the page's security policy; empty without
// tiles. A subdomain {s} becomes a wildcard.
func (s Settings) TilesOrigin() string {
	scheme, rest, hasTiles := strings.Cut(s.MapTiles, "://")
	if !hasTiles {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + strings.Replace(host, "{s}", "*", 1)
}

// Link is a page of the brand somewhere else.
type Link struct {
	Kind string    `json:"kind"`
	URL  string    `json:"url"`
	Text lang.Text `json:"text"`
}

// City returns the brand's city with the id, false when there is none.
func (s *Site) City(id int64) (*City, bool) {
	for _, c := range s.Cities {
		if c.ID == id {
			return c, true
		}
	}
	return nil, false
}

// WithCities returns a copy of the brand with the given cities in place of those with the same ids. All
// else is shared.
func (s *Site) WithCities(replaced map[int64]*City) *Site {
	other := *s
	other.Cities = slices.Clone(s.Cities)
	for i, city := range other.Cities {
		if another, ok := replaced[city.ID]; ok {
			other.Cities[i] = another
		}
	}
	return &other
}

// OnlyCity returns the city of a brand that has one alone, false for other brands.
func (s *Site) OnlyCity() (*City, bool) {
	if len(s.Cities) == 1 {
		return s.Cities[0], true
	}
	return nil, false
}

// CityByAlias returns the brand's city with the alias, false when there is none.
func (s *Site) CityByAlias(alias string) (*City, bool) {
	for _, c := range s.Cities {
		if c.Alias == alias {
			return c, true
		}
	}
	return nil, false
}

// GuestsOrder reports whether customers who are not signed in may order.
func (s Settings) GuestsOrder() bool { return !s.IsAuthEnabled || s.GuestOrders }

// Text returns the text in the language, or in the brand's own when there is none.
func (s *Site) Text(t lang.Text, l lang.Lang) string { return t.In(l, s.TextLanguage()) }

// TextLanguage returns the language that every text of the brand has.
func (s *Site) TextLanguage() lang.Lang { return cmp.Or(s.ContentLanguage, s.DefaultLanguage) }

// OfferedLanguages returns the languages that visitors can have the pages in.
func (s *Site) OfferedLanguages() []lang.Lang {
	if !s.Settings.ShowLangButton {
		return []lang.Lang{s.DefaultLanguage}
	}
	return s.Languages
}

// IsInSeveralCountries reports whether the cities of the brand are in more than one country, so that
// prices, shops and consents differ between them.
func (s *Site) IsInSeveralCountries() bool {
	return slices.ContainsFunc(s.Cities, func(c *City) bool { return c.CountryCode != s.Cities[0].CountryCode })
}

// HasBonuses reports whether the brand, or one of its cities, has a bonus programme.
func (s *Site) HasBonuses() bool {
	return s.Bonus != nil || slices.ContainsFunc(s.Cities, func(c *City) bool { return c.Bonus != nil })
}
