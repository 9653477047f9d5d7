package cart

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// conditionWords are what the messages of conditions are written with.
type conditionWords struct {
	city  *site.City
	brand *site.Site
	lang  lang.Lang
}

// appendConditions appends the conditions of a gift. When all hold and the cart has no dish, it appends one more
// condition, of every gift: that something in the cart can be ordered.
func (q *Quoted) appendConditions(conditions []PricedCondition, g *catalog.Gift, words *conditionWords) []PricedCondition {
	earned := true
	for i := range g.Conditions {
		c := &g.Conditions[i]
		holds := q.conditionHolds(c)
		earned = earned && holds
		conditions = append(conditions, PricedCondition{asked: c, words: words, Validated: holds, Missing: q.missingSubtotal(c, holds)})
	}
	if earned && !q.hasDish() {
		conditions = append(conditions, PricedCondition{})
	}
	return conditions
}

// hasDish reports whether the cart has a line that can be ordered.
func (q *Quoted) hasDish() bool {
	for i := range q.Lines {
		if q.Lines[i].IsSold() {
			return true
		}
	}
	return false
}

// DependsOnPhone reports whether the cart shows what its phone has ordered before: it has a promocode of a first order or
// with a limit for each phone, or a gift for a first order is offered.
func (q Quoted) DependsOnPhone() bool {
	if q.Promocode != nil && q.Promocode.Content != nil {
		if code := q.Promocode.Content; code.FirstOrder || code.LimitPerPhone != nil {
			return true
		}
	}
	return slices.ContainsFunc(q.Menu.Gifts, func(g *catalog.Gift) bool {
		return slices.ContainsFunc(g.Conditions, func(c catalog.Condition) bool { return c.Kind == catalog.OfFirstOrder })
	})
}

// conditionHolds reports whether a condition of a gift holds for the cart now.
func (q *Quoted) conditionHolds(c *catalog.Condition) bool {
	switch c.Kind {
	case catalog.OfSubtotal:
		return q.subtotalWithoutDeposits() >= c.Subtotal
	case catalog.OfProducts, catalog.OfGroups:
		for i := range q.Lines {
			if q.Lines[i].IsSold() && c.Names(q.Lines[i].Product) {
				return true
			}
		}
		return false
	case catalog.OfOrderType:
		return slices.Contains(c.OrderTypes, q.Spot.OrderType)
	case catalog.OfTime:
		return c.When.Holds(q.At, q.Spot.City.Location)
	case catalog.OfFirstOrder:
		return !q.Facts.HasOrdered
	}
	return false
}

// missingSubtotal returns the sum that the subtotal lacks for a condition; 0 when the condition
// holds or is not about the subtotal.
func (q *Quoted) missingSubtotal(c *catalog.Condition, holds bool) money.Amount {
	if holds || c.Kind != catalog.OfSubtotal {
		return 0
	}
	return c.Subtotal.Sub(q.subtotalWithoutDeposits())
}

// Message returns what the condition asks for when it holds, else what is missing. It is made when it is asked for,
// because a gift has many and most carts are priced without showing any.
func (c PricedCondition) Message() fault.Message {
	if c.asked == nil {
		return fault.Message{Key: "cart.gift_dish"}
	}
	switch c.asked.Kind {
	case catalog.OfSubtotal:
		if c.Validated {
			return fault.Message{Key: "cart.gift_subtotal", Args: fault.Args{"sum": c.words.formatMoney(c.asked.Subtotal)}}
		}
		return fault.Message{Key: "cart.gift_subtotal_missing", Args: fault.Args{"sum": c.words.formatMoney(c.Missing)}}
	case catalog.OfProducts, catalog.OfGroups:
		names := itemNames{c.words.brand, c.asked.Products, c.asked.Groups, c.words.lang}
		return fault.Message{Key: itemsMessageKey(c.asked, c.Validated), Args: fault.Args{"names": names, "count": len(c.asked.Groups)}}
	case catalog.OfOrderType:
		return fault.Message{Key: orderTypeKey("cart.gift_", c.asked.OrderTypes)}
	case catalog.OfTime:
		return fault.Message{Key: "cart.gift_when", Args: fault.Args{"when": lazyWindow{c.asked.When, c.words.lang}}}
	case catalog.OfFirstOrder:
		if c.Validated {
			return fault.Message{Key: "cart.gift_first_order"}
		}
		return fault.Message{Key: "cart.gift_only_first_order"}
	}
	return fault.Message{Key: "common.not_allowed"}
}

// formatMoney returns an amount that a message writes in the city's currency.
func (w *conditionWords) formatMoney(a money.Amount) lazyMoney {
	return lazyMoney{a, w.city, w.brand, w.lang}
}

// itemsMessageKey returns the key of the message of a condition that asks for products or for a
// group; holds says whether the cart meets it.
func itemsMessageKey(c *catalog.Condition, holds bool) string {
	switch {
	case c.Kind == catalog.OfGroups && holds:
		return "cart.gift_group"
	case c.Kind == catalog.OfGroups:
		return "cart.gift_group_missing"
	case holds && len(c.Products) == 1:
		return "cart.gift_product"
	case holds:
		return "cart.gift_products"
	case len(c.Products) == 1:
		return "cart.gift_product_missing"
	}
	return "cart.gift_products_missing"
}

// orderTypeKey returns the key of the message that an offer is for delivery only, or for
// takeaway only: the prefix with "delivery" or "takeaway". An offer for both types has no such
// condition.
func orderTypeKey(prefix string, types []site.OrderType) string {
	if slices.Contains(types, site.Delivery) {
		return prefix + "delivery"
	}
	return prefix + "takeaway"
}

// formatMoney returns an amount that a message writes in the city's currency.
func (q *Quoted) formatMoney(a money.Amount, l lang.Lang) lazyMoney {
	return lazyMoney{a, q.Spot.City, q.Menu.Site, l}
}

// namesOf returns the names of products and groups, which a message writes in the language l.
func (q *Quoted) namesOf(products []*catalog.Product, groups []*catalog.Group, l lang.Lang) itemNames {
	return itemNames{q.Menu.Site, products, groups, l}
}
