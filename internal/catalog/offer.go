package catalog

import (
	"strings"

	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// Gift is a free product, as one place offers it. It belongs to a [Menu] and is never changed.
type Gift struct {
	ID    int64
	Alias string
	// Product is the product of the gift.
	Product           *Product
	Name, Description lang.Text
	Picture           *Picture
	// MaxCount is how many one cart may hold, at least 1.
	MaxCount int
	// Stock is how many there are in all; nil is no limit.
	Stock *int
	// Personal gifts are given as presents and by promocodes only.
	Personal   bool
	Conditions []Condition
}

// Condition is what has to be true for a gift. The set of kinds is closed.
type Condition struct {
	Kind ConditionKind
	// Subtotal belongs to OfSubtotal, Products to OfProducts, Groups to OfGroups,
	// OrderTypes to OfOrderType and When to OfTime.
	Subtotal   money.Amount
	Products   []*Product
	Groups     []*Group
	OrderTypes []site.OrderType
	When       Window
}

// ConditionKind is what a condition is about.
type ConditionKind string

// The kinds of condition.
const (
	OfSubtotal   ConditionKind = "subtotal"
	OfProducts   ConditionKind = "products"
	OfGroups     ConditionKind = "groups"
	OfOrderType  ConditionKind = "order_types"
	OfTime       ConditionKind = "when"
	OfFirstOrder ConditionKind = "first_order"
)

// Promocode is a promocode with its bounds in the money of a city. It belongs to a
// [Menu] and is never changed.
type Promocode struct {
	ID   int64
	Code string // in upper case
	Kind PromocodeKind
	// Percent belongs to PercentOff, Sum to SumOff, Gift to GiftGiven.
	Percent int
	Sum     money.Amount
	Gift    *Gift

	PromocodeBounds

	// Here says that the code is valid in the menu's city.
	Here    bool
	Minimum money.Amount
	// Products and Groups are what the code is for; without both it is for everything.
	Products []*Product
	Groups   []*Group
}

// Covers reports whether the code is for the product. A code without products and groups is for
// all.
func (p *Promocode) Covers(product *Product) bool {
	if len(p.Products) == 0 && len(p.Groups) == 0 {
		return true
	}
	return containsProduct(p.Products, product) || containsGroup(p.Groups, product.GroupID)
}

// Names reports whether the condition lists the product, or its group.
func (c *Condition) Names(p *Product) bool {
	return containsProduct(c.Products, p) || containsGroup(c.Groups, p.GroupID)
}

// containsProduct reports whether the product is in the list.
func containsProduct(list []*Product, p *Product) bool {
	for _, other := range list {
		if other.ID == p.ID {
			return true
		}
	}
	return false
}

// containsGroup reports whether the group with the id is in the list.
func containsGroup(list []*Group, id int64) bool {
	for _, g := range list {
		if g.ID == id {
			return true
		}
	}
	return false
}

// Gift returns the gift of the brand with the id, whether the city offers it or not. It reports
// false when there is none.
func (m *Menu) Gift(id int64) (*Gift, bool) {
	g, ok := m.gifts[id]
	return g, ok
}

// GiftByAlias returns the gift of the brand with the alias, whether the city offers it or not.
// It reports false when there is none.
func (m *Menu) GiftByAlias(alias string) (*Gift, bool) {
	for _, g := range m.gifts {
		if g.Alias == alias {
			return g, true
		}
	}
	return nil, false
}

// Promocode returns the promocode of the brand with the code; letter case and spaces around it
// do not matter. It reports false when there is none.
func (m *Menu) Promocode(code string) (*Promocode, bool) {
	p, ok := m.promocodes[NormalCode(code)]
	return p, ok
}

// NormalCode returns a promocode in the form in which it is stored: upper case, without spaces
// around it.
func NormalCode(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// addOffers adds the gifts and promocodes of the brand to the menu. All of them can be looked up, but for
// a gift whose product content does not have; Gifts lists those that the city offers to everybody.
func (b *builder) addOffers() {
	list := b.menu.Place.City.PriceList
	b.menu.gifts = make(map[int64]*Gift, len(b.brand.Gifts))
	b.menu.promocodes = make(map[string]*Promocode, len(b.brand.Promocodes))
	for _, e := range b.brand.Gifts {
		product, ok := b.menu.products[e.ProductID]
		if !ok {
			continue
		}
		g := b.newGift(e, product)
		b.menu.gifts[g.ID] = g
		if !g.Personal && isAmong(e.OnlyCities, b.menu.Place.City.ID) {
			b.menu.Gifts = append(b.menu.Gifts, g)
		}
	}
	for _, e := range b.brand.Promocodes {
		p := &Promocode{
			ID: e.ID, Code: e.Code, Kind: e.Kind, Percent: e.Percent, Sum: e.Sum[list], Gift: b.menu.gifts[e.GiftID],
			PromocodeBounds: e.PromocodeBounds, Here: isAmong(e.OnlyCities, b.menu.Place.City.ID),
			Minimum: e.Minimum[list], Products: b.productsOf(e.Products), Groups: b.groupsOf(e.Groups),
		}
		b.menu.promocodes[p.Code] = p
	}
}

// newGift returns a gift. Name, description and picture are the product's where the gift has none.
func (b *builder) newGift(e GiftEntry, product *Product) *Gift {
	g := &Gift{
		ID: e.ID, Alias: e.Alias, Product: product, Name: e.Name, Description: e.Description,
		Picture: e.Picture, MaxCount: max(e.MaxCount, 1), Stock: e.Stock, Personal: e.Personal,
	}
	if g.Name.IsZero() {
		g.Name = product.Name
	}
	if g.Description.IsZero() {
		g.Description = product.Description
	}
	if g.Picture == nil {
		g.Picture = product.Picture
	}
	for _, c := range e.Conditions {
		g.Conditions = append(g.Conditions, b.newCondition(c, b.menu.Place.City.PriceList))
	}
	return g
}

// newCondition returns a condition of a gift, with its amounts in the price list. Its kind
// follows from the first field that is set; it is OfFirstOrder when none is set.
func (b *builder) newCondition(e ConditionEntry, priceList string) Condition {
	switch {
	case len(e.Subtotal) > 0:
		return Condition{Kind: OfSubtotal, Subtotal: e.Subtotal[priceList]}
	case len(e.Products) > 0:
		return Condition{Kind: OfProducts, Products: b.productsOf(e.Products)}
	case len(e.Groups) > 0:
		return Condition{Kind: OfGroups, Groups: b.groupsOf(e.Groups)}
	case len(e.OrderTypes) > 0:
		return Condition{Kind: OfOrderType, OrderTypes: e.OrderTypes}
	case e.When != nil:
		return Condition{Kind: OfTime, When: *e.When}
	}
	return Condition{Kind: OfFirstOrder}
}

// productsOf returns the products of the menu with the ids. An id that the menu does not have is
// left out.
func (b *builder) productsOf(ids []int64) []*Product {
	var products []*Product
	for _, id := range ids {
		if p, ok := b.menu.products[id]; ok {
			products = append(products, p)
		}
	}
	return products
}

// groupsOf returns the groups of the menu with the ids. An id that the menu does not have is
// left out.
func (b *builder) groupsOf(ids []int64) []*Group {
	var groups []*Group
	for _, id := range ids {
		if g, ok := b.menu.groups[id]; ok {
			groups = append(groups, g)
		}
	}
	return groups
}
