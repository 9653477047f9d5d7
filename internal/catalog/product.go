package catalog

import (
	"math"
	"strconv"
	"strings"

	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
)

// ProductType says whether a product can be ordered. The set is closed.
type ProductType string

// The product types.
const (
	Default     ProductType = "default"
	Stopped     ProductType = "stop"        // sold at this place, but not before its stop ends
	Related     ProductType = "related"     // sold only as an addition
	Unavailable ProductType = "unavailable" // not sold at this place
)

// Product is a product as one place sells it at one time. It belongs to a [Menu] and
// is never changed, so it may be shared.
type Product struct {
	ID int64
	// Key names the product in its city: "<city id>-<product id>".
	Key         string
	Alias       string
	Name        lang.Text
	Description lang.Text
	// Price is what a portion costs at this place; BasicPrice is what it costs without
	// a discount, equal to Price when there is none.
	Price, BasicPrice money.Amount
	// OrderTypePrices are both prices where the order types differ in theirs, else nil.
	OrderTypePrices *OrderTypePrices
	// LowestPrice is the lowest of the 30 days before a reduction, Deposit what comes back with the empty
	// package, which is taken besides the price. Both are 0 where the country does not ask for them.
	LowestPrice, Deposit money.Amount
	// UnitPrice is that of a kilogram or litre, nil where none is asked for.
	UnitPrice *UnitPrice
	// Additives are named where the country asks for it.
	Additives lang.Text
	Type      ProductType
	// Stop is until when a product of type Stopped is not available, else nil.
	Stop *Stop
	// GroupID is the group of the product.
	GroupID   int64
	Modifiers Modifiers
	// MakeMinutes is how much work a portion is for the kitchen; 0 is none.
	MakeMinutes int
	// SaleMultiplicity is the step in which portions are sold, at least 1, and
	// SaleMultiplicityLastHour that of the last work hour, where the brand has one.
	SaleMultiplicity, SaleMultiplicityLastHour int
	// Composition are the ingredients in the order of content.
	Composition []*Ingredient
	// Allergens are those of the ingredients together, in a fixed order.
	Allergens []Allergen
	Nutrition *Nutrition
	Weight    *Weight
	// Quantity is how many pieces a portion has; 0 where pieces mean nothing.
	Quantity   int
	Accent     string // one of Accents, or empty
	AccentText lang.Text
	// HasRelated says that the group has related products to offer with it.
	HasRelated bool
	// SetOf are the products that a set is made of; empty for anything else.
	SetOf   []Part
	Picture *Picture
}

// Discount returns by how many percent Price is below BasicPrice, rounded down.
func (p *Product) Discount() int {
	if p.BasicPrice <= 0 || p.Price >= p.BasicPrice {
		return 0
	}
	return int((p.BasicPrice - p.Price) * 100 / p.BasicPrice)
}

// IsSold reports whether the product can be put into a cart.
func (p *Product) IsSold() bool { return p.Type == Default || p.Type == Related }

// CompositionText returns the names of the ingredients, separated by commas. For a set without
// ingredients it returns the names of its parts.
func (p *Product) CompositionText(l, fallback lang.Lang) string {
	var names []string
	for _, in := range p.Composition {
		names = append(names, in.Name.In(l, fallback))
	}
	if len(names) == 0 {
		for _, part := range p.SetOf {
			name := part.Product.Name.In(l, fallback)
			if part.Count > 1 {
				name += " × " + strconv.Itoa(part.Count)
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// OrderTypePrices is what a portion costs by order type.
type OrderTypePrices struct {
	Delivery, Takeaway money.Amount
}

// UnitPrice is the price of a kilogram or litre.
type UnitPrice struct {
	Amount money.Amount
	Unit   Unit // kg or l
}

// unitPrice returns what a kilogram or litre costs when a portion of the weight w costs price,
// rounded half up.
func unitPrice(price money.Amount, w Weight) *UnitPrice {
	const thousand = 1000
	weight, unit := int64(math.Round(w.Value*thousand)), w.Unit // in thousandths, to calculate in integers
	scale := int64(thousand)                                    // a kilogram or litre in the same thousandths
	switch unit {
	case "g":
		unit, scale = "kg", scale*thousand
	case "ml":
		unit, scale = "l", scale*thousand
	}
	// A fraction n/d, rounded half up, is the whole part of (2n + d) / 2d.
	return &UnitPrice{Amount: money.Amount((2*int64(price)*scale + weight) / (2 * weight)), Unit: unit}
}

// Part is a product within a set.
type Part struct {
	Product *Product
	Count   int
}

// Ingredient is what products and modifiers are made of.
type Ingredient struct {
	Alias     string     `json:"alias"`
	Name      lang.Text  `json:"name"`
	Allergens []Allergen `json:"allergens,omitempty"`
}

// Nutrition is what 100 g contain: grams and kilocalories.
type Nutrition struct {
	Proteins      float64 `json:"proteins"`
	Fats          float64 `json:"fats"`
	Carbohydrates float64 `json:"carbohydrates"`
	Kilocalories  float64 `json:"kilocalories"`
}

// Weight is how much a portion weighs.
type Weight struct {
	Value float64 `json:"value"`
	Unit  Unit    `json:"unit"`
}

// Unit is a unit of weight or volume. The set is closed.
type Unit string

// accentHit marks the products that a brand is proud of.
const accentHit = "hit"

// Accents returns the marks that content may put on a product.
func Accents() []string { return []string{"new", accentHit, "spicy", "vegan"} }

// Units returns the units that content may use.
func Units() []Unit { return []Unit{"g", "kg", "ml", "l"} }

// Message returns the name of the unit.
func (u Unit) Message() fault.Message { return fault.Message{Key: "catalog.unit_" + string(u)} }

// Package is what an order is packed in.
type Package struct {
	ID    int64
	Alias string
	Name  lang.Text
	Price money.Amount
	// PerItems is how many portions one package takes; 0 means one package an order.
	PerItems int
	// CanRefuse says that the customer may do without it.
	CanRefuse bool
}

// CountFor returns how many packages an order of this many portions needs.
func (p Package) CountFor(portions int) int {
	switch {
	case portions <= 0:
		return 0
	case p.PerItems == 0:
		return 1
	}
	return (portions + p.PerItems - 1) / p.PerItems
}

// ProductKey returns the key of a product in a city.
func ProductKey(cityID, productID int64) string {
	return strconv.FormatInt(cityID, 10) + "-" + strconv.FormatInt(productID, 10)
}

// Promotion is an advertised offer with its picture.
type Promotion struct {
	Alias    string    `json:"alias"`
	Name     lang.Text `json:"name"`
	Subtitle lang.Text `json:"subtitle,omitempty"`
	// Description is HTML that was made safe at import.
	Description lang.Text `json:"description"`
	Picture     *Picture  `json:"picture,omitempty"`
	// ProductID, or Group by its alias, is what it leads to; 0 and empty where it leads nowhere.
	ProductID int64  `json:"product_id,omitempty"`
	Group     string `json:"group,omitempty"`
}
