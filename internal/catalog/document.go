package catalog

import (
	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Document is a whole content folder, checked and normalized: every reference leads somewhere,
// every product has a price in every list that needs one. A revision stores it as JSON.
type Document struct {
	Countries []site.Country `json:"countries"`
	// Streets are by city id, shared by the brands.
	Streets map[int64][]geo.Street `json:"streets"`
	// Registers are the houses of cities by city id, each in one text of bytes; see
	// [geo.DecodeRegister]. A city without one has only Streets.
	Registers map[int64][]byte `json:"registers,omitempty"`
	Brands    []Brand          `json:"brands"`
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
	Banners    []Banner       `json:"banners,omitempty"`
	// Gifts and Promocodes are the brand's offers in the order of content.
	Gifts      []GiftEntry      `json:"gifts,omitempty"`
	Promocodes []PromocodeEntry `json:"promocodes,omitempty"`
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
	LowestPrices             Prices           `json:"lowest_prices,omitempty"` // of the 30 days before a reduction
	Deposit                  string           `json:"deposit,omitempty"`       // alias of a single that is always taken
	Packed                   bool             `json:"packed,omitempty"`
	Additives                lang.Text        `json:"additives,omitempty"`
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

// PriceFor returns the content's price of the product in a price list, for orders of a type.
func (e *ProductEntry) PriceFor(list string, t site.OrderType) money.Amount {
	if takeaway, ok := e.TakeawayPrices[list]; ok && t == site.Takeaway {
		return takeaway
	}
	return e.Prices[list]
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

// IsFixed reports whether the customer can neither leave the modifier out nor change its count.
func (m ModifierEntry) IsFixed() bool { return m.Min > 0 && m.Min == m.Max && m.Count == m.Min }

// ModifierGroupEntry is a group of modifiers as content wrote it.
type ModifierGroupEntry struct {
	ID    int64     `json:"id"`
	Alias string    `json:"alias"`
	Name  lang.Text `json:"name"`
	Min   int       `json:"min,omitempty"`
	Max   int       `json:"max"`
	// Free is how many of the chosen ones cost nothing, the dearest first.
	Free      int             `json:"free,omitempty"`
	Modifiers []ModifierEntry `json:"modifiers"`
}

// GroupEntry is a group of products as content wrote it.
type GroupEntry struct {
	ID         int64     `json:"id"`
	Alias      string    `json:"alias"`
	Name       lang.Text `json:"name"`
	ShowOnMain bool      `json:"show_on_main,omitempty"`
	Picture    *Picture  `json:"picture,omitempty"`
	Icon       string    `json:"icon,omitempty"`
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

// ConditionEntry is a condition of a gift as content wrote it: one of its fields is set.
type ConditionEntry struct {
	Subtotal   Prices           `json:"subtotal,omitempty"`
	Products   []int64          `json:"products,omitempty"`
	Groups     []int64          `json:"groups,omitempty"`
	OrderTypes []site.OrderType `json:"order_types,omitempty"`
	FirstOrder bool             `json:"first_order,omitempty"`
	When       *Window          `json:"when,omitempty"`
}

// GiftEntry is a gift as content wrote it.
type GiftEntry struct {
	ID        int64  `json:"id"`
	Alias     string `json:"alias"`
	ProductID int64  `json:"product_id"`
	// Name, Description and Picture stand in place of the product's own; empty takes those.
	Name        lang.Text `json:"name,omitempty"`
	Description lang.Text `json:"description,omitempty"`
	Picture     *Picture  `json:"picture,omitempty"`
	MaxCount    int       `json:"max_count"`
	// Stock is how many there are in all; nil is no limit.
	Stock *int `json:"stock,omitempty"`
	// Personal gifts are given as presents and by promocodes only.
	Personal   bool             `json:"personal,omitempty"`
	Conditions []ConditionEntry `json:"conditions,omitempty"`
	OnlyCities []int64          `json:"only_cities,omitempty"`
}

// PromocodeKind is the benefit of a promocode. The set is closed.
type PromocodeKind string

// The kinds of promocode.
const (
	PercentOff   PromocodeKind = "percent"
	SumOff       PromocodeKind = "sum"
	GiftGiven    PromocodeKind = "gift"
	FreeDelivery PromocodeKind = "free_delivery"
)

// PromocodeEntry is a promocode as content wrote it.
type PromocodeEntry struct {
	ID int64 `json:"id"`
	// Code is in upper case; customers may write it as they like.
	Code    string        `json:"code"`
	Kind    PromocodeKind `json:"kind"`
	Percent int           `json:"percent,omitempty"`
	Sum     Prices        `json:"sum,omitempty"`
	GiftID  int64         `json:"gift_id,omitempty"`

	PromocodeBounds

	OnlyCities []int64 `json:"only_cities,omitempty"`
	Minimum    Prices  `json:"minimum,omitempty"`
	Products   []int64 `json:"products,omitempty"`
	Groups     []int64 `json:"groups,omitempty"`
}

// PromocodeBounds are the bounds of a promocode that mean the same in every city.
type PromocodeBounds struct {
	// From and Until are dates in the city, both included; nil is no bound.
	From  *clock.Day `json:"from,omitempty"`
	Until *clock.Day `json:"until,omitempty"`
	// When is on which days of the week and at which hours; nil is always.
	When *Window `json:"when,omitempty"`
	// OrderTypes are the only ones; none means any.
	OrderTypes []site.OrderType `json:"order_types,omitempty"`
	// FirstOrder holds for those who have not ordered from the brand before.
	FirstOrder bool `json:"first_order,omitempty"`
	// Limit is of all uses, LimitPerPhone of those of one phone; nil is none.
	Limit         *int `json:"limit,omitempty"`
	LimitPerPhone *int `json:"limit_per_phone,omitempty"`
}
