package schemaorg

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"servery/internal/geo"
	"servery/internal/site"
)

// restaurant is a shop.
type restaurant struct {
	Type         string         `json:"@type"`
	ID           string         `json:"@id"`
	Name         string         `json:"name"`
	LegalName    string         `json:"legalName,omitempty"`
	URL          string         `json:"url"`
	Image        string         `json:"image,omitempty"`
	Parent       reference      `json:"parentOrganization"`
	Address      postalAddress  `json:"address"`
	Geo          geoCoordinates `json:"geo"`
	Phone        string         `json:"telephone,omitempty"`
	Hours        []openingHours `json:"openingHoursSpecification,omitempty"`
	Cuisine      []string       `json:"servesCuisine,omitempty"`
	PriceRange   string         `json:"priceRange,omitempty"`
	Currencies   string         `json:"currenciesAccepted"`
	Menu         string         `json:"hasMenu"`
	Reservations bool           `json:"acceptsReservations"`
	Action       *orderAction   `json:"potentialAction,omitempty"`
}

type postalAddress struct {
	Type     string `json:"@type"`
	Street   string `json:"streetAddress"`
	Locality string `json:"addressLocality"`
	Country  string `json:"addressCountry"`
}

type geoCoordinates struct {
	Type      string  `json:"@type"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// orderAction says that food can be ordered, where, and how it reaches the customer.
type orderAction struct {
	Type           string      `json:"@type"`
	Target         entryPoint  `json:"target"`
	DeliveryMethod []reference `json:"deliveryMethod"`
}

type entryPoint struct {
	Type      string   `json:"@type"`
	Template  string   `json:"urlTemplate"`
	Platforms []string `json:"actionPlatform"`
}

// deliveryMethods are the names of the order types. GoodRelations, which schema.org refers to, has
// the courier of one's own.
var deliveryMethods = map[site.OrderType]reference{
	site.Delivery: {"http://purl.org/goodrelations/v1#DeliveryModeOwnFleet"},
	site.Takeaway: {"https://schema.org/OnSitePickup"},
}

// restaurant converts a shop, with its address, hours and the way to order from it.
func (p Page) restaurant(shop *geo.Shop) restaurant {
	home := p.Address("/" + p.City.Alias)
	phone := p.City.Phone
	if phone == "" {
		phone = p.Texts.Site.Phone
	}
	r := restaurant{
		Type: "Restaurant", ID: p.Base + "/" + p.City.Alias + "/shops#" + shop.Alias, Name: p.Texts.Text(shop.Name), LegalName: shop.CompanyName,
		URL: p.Address("/" + p.City.Alias + "/shops"), Image: p.picture(), Parent: reference{p.organizationID()},
		Address: postalAddress{"PostalAddress", p.Texts.Text(shop.Street), p.Texts.Text(p.City.Name), p.City.CountryCode},
		Geo:     geoCoordinates{"GeoCoordinates", shop.Point.Latitude, shop.Point.Longitude},
		Phone:   phone, Hours: listHours(shop.Hours, p.Day), PriceRange: p.priceRange(), Currencies: p.City.Currency.Code,
		Menu: home, Action: p.orderAction(shop, home),
	}
	for _, cuisine := range p.Texts.Site.Cuisine {
		r.Cuisine = append(r.Cuisine, p.Texts.Text(cuisine))
	}
	return r
}

// priceRange returns the brand's level of prices as that many signs of the city's currency, or of the
// dollar where the sign is a word; empty when content does not say.
func (p Page) priceRange() string {
	sign := p.City.Currency.Sign
	if utf8.RuneCountInString(sign) != 1 {
		sign = "$"
	}
	return strings.Repeat(sign, p.Texts.Site.PriceLevel)
}

// orderAction returns how food of the shop is ordered; nil while no orders are taken.
func (p Page) orderAction(shop *geo.Shop, home string) *orderAction {
	if p.City.Stopped || shop.Stopped {
		return nil
	}
	a := orderAction{Type: "OrderAction", Target: entryPoint{
		Type: "EntryPoint", Template: home,
		Platforms: []string{"https://schema.org/DesktopWebPlatform", "https://schema.org/MobileWebPlatform"},
	}}
	for _, t := range site.OrderTypes() {
		if p.City.Sells(t) && shop.Serves(t) {
			a.DeliveryMethod = append(a.DeliveryMethod, deliveryMethods[t])
		}
	}
	if len(a.DeliveryMethod) == 0 {
		return nil
	}
	return &a
}

// formatNumber returns the number as text, without zeros at its end.
func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
