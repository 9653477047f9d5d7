package cart

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// Choose checks a choice of modifiers for a product. It returns the choice sorted and without modifiers
// of the count 0; nil when nothing is left. Faults: cart.bad_modifier_count,
// cart.unknown_modifier (also for a modifier of another product), cart.modifier_bounds,
// cart.modifier_group_bounds (Invalid); cart.modifier_stopped (Conflict).
func Choose(p *catalog.Product, wanted []Chosen, brand *site.Site, l lang.Lang) ([]Chosen, error) {
	chosen, err := normalizeChoice(wanted)
	if err != nil {
		return nil, err
	}
	for _, c := range chosen {
		m, ok := modifierOf(p, c)
		if !ok {
			return nil, refuseProduct("cart.unknown_modifier", nil)
		}
		if m.Stopped {
			return nil, refuseStopped("cart.modifier_stopped", fault.Args{"name": brand.Text(m.Name, l)})
		}
	}
	if err := checkBounds(p, chosen, brand, l); err != nil || len(chosen) == 0 {
		return nil, err
	}
	return chosen, nil
}

// noGroup is the GroupID of a modifier that belongs to no group.
const noGroup = 0

// checkBounds returns an Invalid fault for the first modifier or group of the product whose
// count is outside its bounds, and nil when there is none.
func checkBounds(p *catalog.Product, chosen []Chosen, brand *site.Site, l lang.Lang) error {
	for _, m := range p.Modifiers.Singles {
		if n := countOf(chosen, m.ID, noGroup); n < m.Min || n > m.Max {
			return refuseBounds("cart.modifier_bounds", brand.Text(m.Name, l), m.Min, m.Max)
		}
	}
	for _, g := range p.Modifiers.Groups {
		total := 0
		for _, m := range g.Modifiers {
			n := countOf(chosen, m.ID, g.ID)
			if n > m.Max {
				const least = 0 // a modifier of a group has no minimum of its own
				return refuseBounds("cart.modifier_bounds", brand.Text(m.Name, l), least, m.Max)
			}
			total += n
		}
		if total < g.Min || total > g.Max {
			return refuseBounds("cart.modifier_group_bounds", brand.Text(g.Name, l), g.Min, g.Max)
		}
	}
	return nil
}

// Usual returns the modifiers that a product has when the customer chooses none. Those that it
// usually lacks are in the result with the count 0.
func Usual(p *catalog.Product) []Chosen {
	var usual []Chosen
	for _, m := range p.Modifiers.Singles {
		usual = append(usual, Chosen{ID: m.ID, Count: m.Count})
	}
	for _, g := range p.Modifiers.Groups {
		for _, m := range g.Modifiers {
			usual = append(usual, Chosen{ID: m.ID, GroupID: g.ID, Count: m.Count})
		}
	}
	return usual
}

// isComplete reports whether the product's usual modifiers are within their bounds, so that it can
// be ordered without a choice.
func isComplete(p *catalog.Product) bool {
	for _, m := range p.Modifiers.Singles {
		if m.Count < m.Min || m.Count > m.Max {
			return false
		}
	}
	for _, g := range p.Modifiers.Groups {
		total := 0
		for _, m := range g.Modifiers {
			if m.Count > m.Max {
				return false
			}
			total += m.Count
		}
		if total < g.Min || total > g.Max {
			return false
		}
	}
	return true
}

// PortionPrice returns the price of one portion with its modifiers. Of the units chosen in a group, as
// many as the group has free units cost nothing, the dearest first. Modifiers that the product does not
// have cost nothing.
func PortionPrice(p *catalog.Product, chosen []Chosen) money.Amount {
	price := p.Price
	for _, c := range chosen {
		if m, ok := modifierOf(p, c); ok {
			price = price.Add(m.Price.Times(c.Count))
		}
	}
	for _, g := range p.Modifiers.Groups {
		if g.Free > 0 {
			price = price.Sub(includedPrice(g, chosen))
		}
	}
	return price
}

// includedPrice returns how much the free units of a group are worth: of the units chosen in it,
// the dearest are free. Each round takes all units of one price, from the dearest price down; the
// list is short and is not sorted.
func includedPrice(g *catalog.ModifierGroup, chosen []Chosen) money.Amount {
	var sum money.Amount
	limit := money.Amount(math.MaxInt64)
	for left := g.Free; left > 0; {
		price, count := dearestUnits(g, chosen, limit)
		if count == 0 {
			break
		}
		count = min(count, left)
		sum = sum.Add(price.Times(count))
		limit, left = price, left-count
	}
	return sum
}

// dearestUnits returns the highest price under the limit among the units chosen in a group, and how
// many units have that price. The count is 0 when no unit is under the limit.
func dearestUnits(g *catalog.ModifierGroup, chosen []Chosen, limit money.Amount) (price money.Amount, count int) {
	for _, c := range chosen {
		if c.GroupID != g.ID || c.Count <= 0 {
			continue
		}
		m, ok := g.Modifier(c.ID)
		if !ok || m.Price >= limit {
			continue
		}
		switch {
		case count == 0 || m.Price > price:
			price, count = m.Price, c.Count
		case m.Price == price:
			count += c.Count
		}
	}
	return price, count
}

// LineKey returns the key of the line of a product with these modifiers, in the order in which
// [Choose] returns them: the product's key, and with modifiers "~" and the beginning of their hash.
func LineKey(productKey string, chosen []Chosen) string {
	if len(chosen) == 0 {
		return productKey
	}
	var text []byte
	for _, m := range chosen {
		text = strconv.AppendInt(text, m.GroupID, 10)
		text = strconv.AppendInt(append(text, ':'), m.ID, 10)
		text = strconv.AppendInt(append(text, '*'), int64(m.Count), 10)
		text = append(text, ' ')
	}
	sum := sha256.Sum256(text)
	return productKey + "~" + hex.EncodeToString(sum[:4])
}

// withGroups returns the choice with the group filled in for each modifier that names none and
// belongs to one. It does not change wanted.
func withGroups(p *catalog.Product, wanted []Chosen) []Chosen {
	completed, isCopy := wanted, false
	for i, c := range wanted {
		if _, isSingle := modifierOf(p, c); isSingle || c.GroupID != 0 {
			continue
		}
		hasModifier := func(g *catalog.ModifierGroup) bool { _, ok := g.Modifier(c.ID); return ok }
		group := slices.IndexFunc(p.Modifiers.Groups, hasModifier)
		if group < 0 {
			continue
		}
		if !isCopy {
			completed, isCopy = slices.Clone(wanted), true
		}
		completed[i].GroupID = p.Modifiers.Groups[group].ID
	}
	return completed
}

// normalizeChoice returns the choice sorted by group and id, with modifiers that are named twice
// added up and those chosen zero times left out. It returns cart.bad_modifier_count (Invalid) for a
// count outside 0 to MaxCount. That is checked before adding, so that no sum overflows.
func normalizeChoice(wanted []Chosen) ([]Chosen, error) {
	if isNormal(wanted) {
		return wanted, nil
	}
	chosen := make([]Chosen, 0, len(wanted))
	for _, w := range wanted {
		if w.Count < 0 || w.Count > MaxCount {
			return nil, refuseProduct("cart.bad_modifier_count", nil)
		}
		if w.Count == 0 {
			continue
		}
		if i := slices.IndexFunc(chosen, func(c Chosen) bool { return c.ID == w.ID && c.GroupID == w.GroupID }); i >= 0 {
			chosen[i].Count += w.Count
			continue
		}
		chosen = append(chosen, w)
	}
	slices.SortFunc(chosen, compareChosen)
	return chosen, nil
}

// isNormal reports whether the choice is sorted by group and id, names each modifier once, and has
// only counts from 1 to MaxCount.
func isNormal(chosen []Chosen) bool {
	for i, c := range chosen {
		if c.Count < 1 || c.Count > MaxCount || i > 0 && compareChosen(chosen[i-1], c) >= 0 {
			return false
		}
	}
	return true
}

// compareChosen orders modifiers by group and id.
func compareChosen(a, b Chosen) int {
	return cmp.Or(cmp.Compare(a.GroupID, b.GroupID), cmp.Compare(a.ID, b.ID))
}

// modifierOf returns the modifier of the product that is chosen; false when the product does not
// have it.
func modifierOf(p *catalog.Product, c Chosen) (*catalog.Modifier, bool) {
	if c.GroupID == 0 {
		return p.Modifiers.Single(c.ID)
	}
	if g, ok := p.Modifiers.Group(c.GroupID); ok {
		return g.Modifier(c.ID)
	}
	return nil, false
}

// countOf returns how many of a modifier of a group, or of noGroup, are chosen.
func countOf(chosen []Chosen, id, groupID int64) int {
	for _, c := range chosen {
		if c.ID == id && c.GroupID == groupID {
			return c.Count
		}
	}
	return 0
}

// refuseBounds returns an Invalid fault of a count outside its bounds. Its message says
// "exactly", "up to", or "from … to", as the bounds are.
func refuseBounds(key, name string, low, high int) error {
	switch low {
	case high:
		key += "_exact"
	case 0:
		key += "_upto"
	}
	return refuseProduct(key, fault.Args{"name": name, "min": low, "max": high})
}
