package cart

import (
	"slices"
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
)

// AddGift returns the cart with one more of a gift. Faults, all at the field gift:
// cart.unknown_gift, cart.gift_not_offered, cart.gift_not_earned with what is missing,
// cart.gift_not_sold, cart.gift_too_many (Invalid); cart.gift_stopped, cart.gift_gone (Conflict).
func (c Cart) AddGift(id int64, place Place, menu *catalog.Menu, facts Facts, l lang.Lang, now time.Time) (Cart, error) {
	g, exists := menu.Gift(id)
	if !exists {
		return c, fault.New(fault.Invalid, "cart.unknown_gift", fault.Field("gift", "cart.unknown_gift"))
	}
	q := Quote(c, place, menu, facts, l, now)
	index := findGift(q.Gifts, id)
	if index < 0 || q.Gifts[index].Kind != ForEverybody {
		return c, refuseAt("gift", fault.Message{Key: "cart.gift_not_offered", Args: fault.Args{"name": q.NameOf(g, l)}})
	}
	if err := q.Gifts[index].checkTakeable("gift", q.NameOf(g, l), l); err != nil {
		return c, err
	}
	c.Gifts = addGiven(c.Gifts, id)
	return c, nil
}

// RemoveGift returns the cart with one less of a gift. When the gift comes from the promocode,
// the promocode is removed too. A gift that is not in the cart is no fault.
func (c Cart) RemoveGift(id int64, menu *catalog.Menu) Cart {
	if countGiven(c.Gifts, id) == 0 { // it comes from the promocode, or is not in the cart
		return c.ForgetGift(id, menu)
	}
	c.Gifts = removeGiven(c.Gifts, id, 1)
	return c
}

// ForgetGift returns the cart without a gift, whatever its count. When the gift comes from the
// promocode, the promocode is removed too. A gift that is not in the cart is no fault.
func (c Cart) ForgetGift(id int64, menu *catalog.Menu) Cart {
	if count := countGiven(c.Gifts, id); count > 0 {
		c.Gifts = removeGiven(c.Gifts, id, count)
		return c
	}
	if p, ok := menu.Promocode(c.Promocode); ok && p.Kind == catalog.GiftGiven && p.Gift != nil && p.Gift.ID == id {
		return c.ForgetPromocode()
	}
	return c
}

// AddPresent returns the cart with one more of a present. Faults, all at the field present:
// cart.unknown_present for one that is not the customer's own, cart.gift_not_earned,
// cart.gift_not_sold, cart.gift_too_many (Invalid); cart.present_over, cart.gift_stopped
// (Conflict).
func (c Cart) AddPresent(id int64, place Place, menu *catalog.Menu, facts Facts, l lang.Lang, now time.Time) (Cart, error) {
	q := Quote(c, place, menu, facts, l, now)
	g := q.giftOf(id, Personal)
	if g == nil {
		return c, fault.New(fault.Invalid, "cart.unknown_present", fault.Field("present", "cart.unknown_present"))
	}
	index := findGift(q.Presents, id)
	if index < 0 {
		return c, goneAt("present", fault.Message{Key: "cart.present_over", Args: fault.Args{"name": q.NameOf(g, l)}})
	}
	if err := q.Presents[index].checkTakeable("present", q.NameOf(g, l), l); err != nil {
		return c, err
	}
	c.Presents = addGiven(c.Presents, id)
	return c, nil
}

// RemovePresent returns the cart with one less of a present. A present that is not in the cart is
// no fault.
func (c Cart) RemovePresent(id int64) Cart {
	c.Presents = removeGiven(c.Presents, id, 1)
	return c
}

// checkTakeable returns nil when the customer can have one more of a gift, and otherwise why
// not, as a fault at a field of the request. The fault is Invalid when the gift is not earned or
// the cart has as many as it may, and Conflict when the gift has run out or is stopped.
func (g PricedGift) checkTakeable(field string, name LocalizedName, l lang.Lang) error {
	if missing := g.firstUnmet(); missing != nil {
		refusal := fault.Message{Key: "cart.gift_not_earned", Args: fault.Args{"name": name, "why": lazyMessage{missing.Message(), l}}}
		return refuseAt(field, refusal)
	}
	if m := g.Alert; m != nil {
		if m.Key == "cart.gift_not_sold" {
			return refuseAt(field, *m)
		}
		return goneAt(field, *m)
	}
	switch {
	case g.Count < g.MaxCount:
		return nil
	case g.Kind == ForEverybody && g.MaxCount < g.Gift.MaxCount: // the stock allows fewer than content
		return goneAt(field, fault.Message{Key: "cart.gift_gone", Args: fault.Args{"name": name}})
	}
	return refuseAt(field, fault.Message{Key: "cart.gift_too_many", Args: fault.Args{"name": name, "count": g.MaxCount}})
}

// refuseAt returns an Invalid fault whose message is also at the field.
func refuseAt(field string, m fault.Message) error {
	return fault.New(fault.Invalid, m.Key, fault.With(m.Args), fault.Field(field, m.Key, m.Args))
}

// goneAt returns a Conflict whose message is also at the field, for a gift that the customer was
// shown and that is no longer available.
func goneAt(field string, m fault.Message) error {
	return fault.New(fault.Conflict, m.Key, fault.With(m.Args), fault.Field(field, m.Key, m.Args))
}

// addGiven returns a copy of the list with one more of an id.
func addGiven(given []Given, id int64) []Given {
	given = slices.Clone(given)
	if index := slices.IndexFunc(given, func(g Given) bool { return g.ID == id }); index >= 0 {
		given[index].Count++
		return given
	}
	return append(given, Given{ID: id, Count: 1})
}

// removeGiven returns a copy of the list with count less of an id; nil when nothing is left. A list
// without the id is returned as it is.
func removeGiven(given []Given, id int64, count int) []Given {
	index := slices.IndexFunc(given, func(g Given) bool { return g.ID == id })
	if index < 0 {
		return given
	}
	given = slices.Clone(given)
	if given[index].Count -= count; given[index].Count <= 0 {
		given = slices.Delete(given, index, index+1)
	}
	if len(given) == 0 {
		return nil
	}
	return given
}
