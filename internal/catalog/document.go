package catalog

import (
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Document is a whole content folder, checked and normalized: every reference leads
// somewhere, every product has a price in every list that needs one. It is what a
// revision keeps, as JSON.
type Document struct {
	Countries []site.Country `json:"countries"`
	// Streets are by city id, shared by the brands.
	Streets map[int64][]geo.Street `json:"streets"`
	Brands  []Brand                `json:"brands"`
}

// Brand is one brand of a document.
type Brand struct {
	Site  *site.Site  `json:"site"`
	Shops []ShopEntry `json:"shops"`
	Zones []geo.Zone  `json:"zones"`

	Ingredients    []Ingredient         `json:"ingredients"`
	Singles        []ModifierEntry      `json:"singles"`
	ModifierGroups []ModifierGroupEntry `json:"modifier_groups"`
	Groups         []GroupEntry         `json:"groups"`
	// Products are by group in the order of content.
	Products   []ProductEntry `json:"products"`
	Packages   []PackageEntry `json:"packages"`
	Promotions []Promotion    `json:"promotions"`
}

// ShopEntry is a shop as content wrote it.
type ShopEntry struct {
	Shop geo.Shop `json:"shop"`
	// Today replaces the hours of whatever day it is; nil replaces nothing and an empty
	// list closes the shop. Demonstrations use it to stay true on any day.
	Today *[]schedule.Span `json:"today,omitempty"`
}

// Prices are amounts by the alias of a price list.
type Prices map[string]money.Amount

// ProductEntry is a product as content wrote it.
type ProductEntry struct {
	ID          int64     `json:"id"`
	Alias       string    `json:"alias"`
	GroupID     int64     `json:"group_id"`
	Name        lang.Text `json:"name"`
	Description lang.Text `json:"description,omitempty"`
	Prices      Prices    `json:"prices"`
	// BasicPrices and TakeawayPrices are empty where they are the same as Prices.
	BasicPrices              Prices           `json:"basic_prices,omitempty"`
	TakeawayPrices           Prices           `json:"takeaway_prices,omitempty"`
	Composition              []string         `json:"composition,omitempty"` // aliases of ingredients
	Modifiers                []string         `json:"modifiers,omitempty"`   // aliases of singles or groups
	SetOf                    []PartEntry      `json:"set_of,omitempty"`
	MakeMinutes              int              `json:"make_minutes,omitempty"`
	SaleMultiplicity         int              `json:"sale_multiplicity"`
	SaleMultiplicityLastHour int              `json:"sale_multiplicity_last_hour"`
	Nutrition                *Nutrition       `json:"nutrition,omitempty"`
	Weight                   *Weight          `json:"weight,omitempty"`
	Quantity                 int              `json:"quantity,omitempty"`
	Accent                   string           `json:"accent,omitempty"`
	AccentText               lang.Text        `json:"accent_text,omitempty"`
	Related                  bool             `json:"related,omitempty"`
	OnlyCities               []int64          `json:"only_cities,omitempty"`
	NotCities                []int64          `json:"not_cities,omitempty"`
	OnlyShops                []int64          `json:"only_shops,omitempty"`
	OnlyOrderTypes           []site.OrderType `json:"only_order_types,omitempty"`
	Picture                  *Picture         `json:"picture,omitempty"`
}

// PartEntry is a product within a set.
type PartEntry struct {
	ProductID int64 `json:"product_id"`
	Count     int   `json:"count"`
}

// ModifierEntry is a modifier as content wrote it.
type ModifierEntry struct {
	ID         int64      `json:"id"`
	Alias      string     `json:"alias"`
	Name       lang.Text  `json:"name"`
	Prices     Prices     `json:"prices"`
	Min        int        `json:"min,omitempty"`
	Max        int        `json:"max"`
	Count      int        `json:"count,omitempty"`
	Ingredient string     `json:"ingredient,omitempty"`
	Allergens  []Allergen `json:"allergens,omitempty"`
	Picture    *Picture   `json:"picture,omitempty"`
}

// ModifierGroupEntry is a group of modifiers as content wrote it.
type ModifierGroupEntry struct {
	ID        int64           `json:"id"`
	Alias     string          `json:"alias"`
	Name      lang.Text       `json:"name"`
	Min       int             `json:"min,omitempty"`
	Max       int             `json:"max"`
	Modifiers []ModifierEntry `json:"modifiers"`
}

// GroupEntry is a group of products as content wrote it.
type GroupEntry struct {
	ID         int64     `json:"id"`
	Alias      string    `json:"alias"`
	Name       lang.Text `json:"name"`
	ShowOnMain bool      `json:"show_on_main,omitempty"`
	Picture    *Picture  `json:"picture,omitempty"`
	Related    []string  `json:"related_groups,omitempty"`
}

// PackageEntry is a package as content wrote it.
type PackageEntry struct {
	ID         int64            `json:"id"`
	Alias      string           `json:"alias"`
	Name       lang.Text        `json:"name"`
	Prices     Prices           `json:"prices"`
	PerItems   int              `json:"per_items,omitempty"`
	CanRefuse  bool             `json:"can_refuse,omitempty"`
	OrderTypes []site.OrderType `json:"order_types"`
}
