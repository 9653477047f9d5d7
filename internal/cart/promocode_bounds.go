package cart

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/lang"
)

// promocodeBound is one bound of promocodes: the field that content sets it by, whether it is met,
// and the message to the customer otherwise.
type promocodeBound struct {
	field   string
	isMet   func(c promocodeCheck) bool
	message func(c promocodeCheck) fault.Message
}

// promocodeCheck is a code with the cart and the day that its bounds are checked for.
type promocodeCheck struct {
	*Quoted

	code *catalog.Promocode
	lang lang.Lang
	// today is the date in the city. day is that too, but in hours of the code past 24:00 the day on which they began.
	today, day clock.Day
	// isInHours reports whether the code's days and hours hold.
	isInHours bool
	// hasEligible reports whether a line of the cart is one that the code is for.
	hasEligible bool
}

// promocodeBounds are all bounds, in the order in which they are checked: what the customer can
// change least comes first, and the limits last, because they alone change by themselves.
var promocodeBounds = []promocodeBound{
	{
		"only_cities",
		func(c promocodeCheck) bool { return c.code.Here },
		func(c promocodeCheck) fault.Message {
			return fault.Message{Key: "cart.promocode_city", Args: fault.Args{"city": LocalizedName{c.Menu.Site, c.Spot.City.Phrase, c.lang}}}
		},
	},
	{
		"from",
		func(c promocodeCheck) bool { return c.code.From == nil || !c.today.Before(*c.code.From) },
		func(c promocodeCheck) fault.Message {
			return fault.Message{Key: "cart.promocode_from", Args: fault.Args{"date": *c.code.From}}
		},
	},
	{
		"until",
		func(c promocodeCheck) bool { return c.code.Until == nil || !c.code.Until.Before(c.day) },
		func(c promocodeCheck) fault.Message {
			return fault.Message{Key: "cart.promocode_until", Args: fault.Args{"date": *c.code.Until}}
		},
	},
	{
		"days, hours",
		func(c promocodeCheck) bool { // the night before the first day is not one of its own
			return c.isInHours && (c.code.From == nil || !c.day.Before(*c.code.From))
		},
		func(c promocodeCheck) fault.Message {
			return fault.Message{Key: "cart.promocode_when", Args: fault.Args{"when": lazyWindow{*c.code.When, c.lang}}}
		},
	},
	{
		"order_types",
		func(c promocodeCheck) bool {
			return len(c.code.OrderTypes) == 0 || slices.Contains(c.code.OrderTypes, c.Spot.OrderType)
		},
		func(c promocodeCheck) fault.Message {
			return fault.Message{Key: orderTypeKey("cart.promocode_", c.code.OrderTypes)}
		},
	},
	{
		"products, groups",
		func(c promocodeCheck) bool { return c.hasEligible },
		func(c promocodeCheck) fault.Message {
			if !isForSome(c.code) {
				return fault.Message{Key: "cart.promocode_dish"}
			}
			return fault.Message{Key: "cart.promocode_items", Args: fault.Args{"names": c.namesOf(c.code.Products, c.code.Groups, c.lang)}}
		},
	},
	{
		"minimum",
		func(c promocodeCheck) bool { return c.subtotalWithoutDeposits() >= c.code.Minimum },
		func(c promocodeCheck) fault.Message {
			missing := c.code.Minimum.Sub(c.subtotalWithoutDeposits())
			return fault.Message{Key: "cart.promocode_minimum", Args: fault.Args{"sum": c.formatMoney(c.code.Minimum, c.lang), "missing": c.formatMoney(missing, c.lang)}}
		},
	},
	{
		"first_order",
		func(c promocodeCheck) bool { return !c.code.FirstOrder || !c.Facts.HasOrdered },
		func(promocodeCheck) fault.Message { return fault.Message{Key: "cart.promocode_first_order"} },
	},
	{
		"limit_per_phone",
		func(c promocodeCheck) bool {
			return c.code.LimitPerPhone == nil || c.Facts.PromocodeUsedByPhone < *c.code.LimitPerPhone
		},
		func(c promocodeCheck) fault.Message {
			return fault.Message{Key: "cart.promocode_phone_limit", Args: fault.Args{"count": *c.code.LimitPerPhone}}
		},
	},
	{
		"limit",
		func(c promocodeCheck) bool { return c.code.Limit == nil || c.Facts.PromocodeUsed < *c.code.Limit },
		func(promocodeCheck) fault.Message { return fault.Message{Key: "cart.promocode_limit"} },
	},
}

// promocodeRefusal returns why the code is not active: the message of the first bound that is not
// met, or why its gift is not available. It returns nil when the code is active.
func (q *Quoted) promocodeRefusal(p *catalog.Promocode, l lang.Lang) *fault.Message {
	var window catalog.Window
	if p.When != nil {
		window = *p.When
	}
	c := promocodeCheck{Quoted: q, code: p, lang: l, today: clock.DayOf(q.At, q.Spot.City.Location)}
	c.day, c.isInHours = window.DayAt(q.At, q.Spot.City.Location)
	for i := range q.Lines {
		c.hasEligible = c.hasEligible || q.isEligible(i, p)
	}
	for _, bound := range promocodeBounds {
		if !bound.isMet(c) {
			m := bound.message(c)
			return &m
		}
	}
	switch {
	case p.Kind != catalog.GiftGiven:
		return nil
	case p.Gift == nil: // content does not have its product
		return &fault.Message{Key: "cart.promocode_unknown"}
	case stockOf(p.Gift, q.Facts) < 1:
		return &fault.Message{Key: "cart.gift_gone", Args: fault.Args{"name": q.NameOf(p.Gift, l)}}
	}
	return q.alertOf(p.Gift, l)
}
