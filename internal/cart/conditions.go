package cart

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// aDish is the condition that every gift has: something in the cart can be ordered.
const aDish = "cart.gift_dish"

// appendConditions appends the conditions of a gift with their words: what is to be done
// for one that does not hold, and for one that holds what it was. Where nothing else is
// missing but a dish, that is the last condition.
func (q *Quoted) appendConditions(words []PricedCondition, g *catalog.Gift, l lang.Lang) []PricedCondition {
	earned := true
	for i := range g.Conditions {
		c := &g.Conditions[i]
		holds := q.holds(c)
		earned = earned && holds
		words = append(words, PricedCondition{Message: q.hint(c, holds, l), Validated: holds, Missing: q.missing(c, holds)})
	}
	if earned && !q.hasDish() {
		words = append(words, PricedCondition{Message: fault.Message{Key: aDish}})
	}
	return words
}

// hasDish reports whether anything in the cart can be ordered.
func (q *Quoted) hasDish() bool {
	for i := range q.Lines {
		if q.Lines[i].IsSold() {
			return true
		}
	}
	return false
}

// holds reports whether a condition of a gift holds.
func (q *Quoted) holds(c *catalog.Condition) bool {
	switch c.Kind {
	case catalog.OfSubtotal:
		return q.Prices.Subtotal >= c.Subtotal
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

// missing is what the subtotal lacks for a condition; 0 where it asks for something else.
func (q *Quoted) missing(c *catalog.Condition, holds bool) money.Amount {
	if holds || c.Kind != catalog.OfSubtotal {
		return 0
	}
	return c.Subtotal.Sub(q.Prices.Subtotal)
}

// hint says in words what a condition asks for, and of one that does not hold what is
// missing.
func (q *Quoted) hint(c *catalog.Condition, holds bool, l lang.Lang) fault.Message {
	switch c.Kind {
	case catalog.OfSubtotal:
		if holds {
			return fault.Message{Key: "cart.gift_subtotal", Args: fault.Args{"sum": q.money(c.Subtotal, l)}}
		}
		return fault.Message{Key: "cart.gift_subtotal_missing", Args: fault.Args{"sum": q.money(q.missing(c, holds), l)}}
	case catalog.OfProducts, catalog.OfGroups:
		names := q.someOf(c.Products, c.Groups, l)
		return fault.Message{Key: itemsKey(c, holds), Args: fault.Args{"names": names, "count": len(c.Groups)}}
	case catalog.OfOrderType:
		return fault.Message{Key: orderTypeKey("cart.gift_", c.OrderTypes)}
	case catalog.OfTime:
		return fault.Message{Key: "cart.gift_when", Args: fault.Args{"when": asHours{c.When, l}}}
	case catalog.OfFirstOrder:
		if holds {
			return fault.Message{Key: "cart.gift_first_order"}
		}
		return fault.Message{Key: "cart.gift_only_first_order"}
	}
	return fault.Message{Key: "common.not_allowed"}
}

func itemsKey(c *catalog.Condition, holds bool) string {
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

// orderTypeKey gives the message of its kind for order types. There are two, and content
// does not name them both.
func orderTypeKey(kind string, types []site.OrderType) string {
	if slices.Contains(types, site.Delivery) {
		return kind + "delivery"
	}
	return kind + "takeaway"
}

func (q *Quoted) money(a money.Amount, l lang.Lang) asMoney {
	return asMoney{a, q.Spot.City, q.Menu.Site, l}
}

func (q *Quoted) someOf(products []*catalog.Product, groups []*catalog.Group, l lang.Lang) someOf {
	return someOf{q.Menu.Site, products, groups, l}
}
