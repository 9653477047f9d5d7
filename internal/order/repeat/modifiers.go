package repeat

import (
	"slices"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/order"
)

// repeatChoice returns the ordered modifiers as a choice for the product: those that can still be chosen, as often
// as they can. Where a single modifier or a group has fewer than it needs then, or a group more than it may
// have, it gets the usual ones.
func repeatChoice(p *catalog.Product, ordered []order.Modifier) []cart.Chosen {
	var choice []cart.Chosen
	for _, o := range ordered {
		if m, ok := modifierOf(p, o.ID, o.GroupID); ok && !m.Stopped {
			choice = append(choice, cart.Chosen{ID: o.ID, GroupID: o.GroupID, Count: min(o.Count, m.Max)})
		}
	}
	for _, m := range p.Modifiers.Singles {
		isThis := func(c cart.Chosen) bool { return c.GroupID == 0 && c.ID == m.ID }
		if countChosen(choice, isThis) < m.Min {
			choice = append(slices.DeleteFunc(choice, isThis), cart.Chosen{ID: m.ID, Count: m.Count})
		}
	}
	for _, g := range p.Modifiers.Groups {
		isOfGroup := func(c cart.Chosen) bool { return c.GroupID == g.ID }
		if count := countChosen(choice, isOfGroup); count >= g.Min && count <= g.Max {
			continue
		}
		choice = slices.DeleteFunc(choice, isOfGroup)
		for _, m := range g.Modifiers {
			choice = append(choice, cart.Chosen{ID: m.ID, GroupID: g.ID, Count: m.Count})
		}
	}
	return choice
}

// hasAll reports whether the choice has all of the ordered modifiers, each at least as often.
func hasAll(choice []cart.Chosen, ordered []order.Modifier) bool {
	return !slices.ContainsFunc(ordered, func(o order.Modifier) bool {
		return countChosen(choice, func(c cart.Chosen) bool { return c.ID == o.ID && c.GroupID == o.GroupID }) < o.Count
	})
}

// countChosen returns how many modifiers of a choice are counted.
func countChosen(choice []cart.Chosen, isCounted func(cart.Chosen) bool) int {
	count := 0
	for _, c := range choice {
		if isCounted(c) {
			count += c.Count
		}
	}
	return count
}

// modifierOf returns the modifier of the product with the id, of the group when groupID is not 0; false
// when the product does not have it.
func modifierOf(p *catalog.Product, id, groupID int64) (*catalog.Modifier, bool) {
	if groupID == 0 {
		return p.Modifiers.Single(id)
	}
	if g, ok := p.Modifiers.Group(groupID); ok {
		return g.Modifier(id)
	}
	return nil, false
}
