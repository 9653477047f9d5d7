package cart

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// Choose checks a choice of modifiers for a product and returns it sorted, without those chosen
// zero times; a choice that is sorted already is returned as it is. Faults:
// cart.bad_modifier_count, cart.unknown_modifier (also for a modifier of another product),
// cart.modifier_bounds, cart.modifier_group_bounds (Invalid); cart.modifier_stopped (Conflict).
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
	for _, m := range p.Modifiers.Singles {
		if n := countOf(chosen, m.ID, 0); n < m.Min || n > m.Max {
			return nil, refuseBounds("cart.modifier_bounds", brand.Text(m.Name, l), m.Min, m.Max)
		}
	}
	for _, g := range p.Modifiers.Groups {
		total := 0
		for _, m := range g.Modifiers {
			n := countOf(chosen, m.ID, g.ID)
			if n > m.Max {
				return nil, refuseBounds("cart.modifier_bounds", brand.Text(m.Name, l), 0, m.Max)
			}
			total += n
		}
		if total < g.Min || total > g.Max {
			return nil, refuseBounds("cart.modifier_group_bounds", brand.Text(g.Name, l), g.Min, g.Max)
		}
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	return chosen, nil
}

// Usual returns the modifiers that a product has when the customer chooses nothing.
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

// PortionPrice returns what a portion costs with modifiers, less what a group includes; modifiers
// that the product does not have cost nothing.
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

// includedPrice returns the price of what a group includes: the dearest units chosen in it, as many
// as are free.
func includedPrice(g *catalog.ModifierGroup, chosen []Chosen) money.Amount {
	var sum, last money.Amount
	for left, first := g.Free, true; left > 0; first = false {
		// All units of the dearest price below the last one.
		var price money.Amount
		count := 0
		for _, c := range chosen {
			if c.GroupID != g.ID || c.Count <= 0 {
				continue
			}
			m, ok := g.Modifier(c.ID)
			if !ok || !first && m.Price >= last {
				continue
			}
			switch {
			case count == 0 || m.Price > price:
				price, count = m.Price, c.Count
			case m.Price == price:
				count += c.Count
			}
		}
		if count == 0 {
			break
		}
		count = min(count, left)
		sum = sum.Add(price.Times(count))
		last, left = price, left-count
	}
	return sum
}

// LineKey returns the key of the line of a product with these modifiers, which Choose has sorted.
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

// withGroups returns the choice with the missing groups filled in. It does not change wanted.
func withGroups(p *catalog.Product, wanted []Chosen) []Chosen {
	found, isCopy := wanted, false
	for i, c := range wanted {
		if _, ok := modifierOf(p, c); ok || c.GroupID != 0 {
			continue
		}
		at := slices.IndexFunc(p.Modifiers.Groups, func(g *catalog.ModifierGroup) bool { _, ok := g.Modifier(c.ID); return ok })
		if at < 0 {
			continue
		}
		if !isCopy {
			found, isCopy = slices.Clone(wanted), true
		}
		found[i].GroupID = p.Modifiers.Groups[at].ID
	}
	return found
}

// normalizeChoice adds up what is named twice and sorts by group and id. Counts are bounded before
// they are added, so that no sum overflows.
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
	slices.SortFunc(chosen, inOrder)
	return chosen, nil
}

// isNormal reports whether normalizeChoice has nothing to do or to refuse.
func isNormal(chosen []Chosen) bool {
	for i, c := range chosen {
		if c.Count < 1 || c.Count > MaxCount || i > 0 && inOrder(chosen[i-1], c) >= 0 {
			return false
		}
	}
	return true
}

func inOrder(a, b Chosen) int {
	return cmp.Or(cmp.Compare(a.GroupID, b.GroupID), cmp.Compare(a.ID, b.ID))
}

// modifierOf returns a chosen modifier of the product, and whether the product has it.
func modifierOf(p *catalog.Product, c Chosen) (*catalog.Modifier, bool) {
	if c.GroupID == 0 {
		return p.Modifiers.Single(c.ID)
	}
	if g, ok := p.Modifiers.Group(c.GroupID); ok {
		return g.Modifier(c.ID)
	}
	return nil, false
}

func countOf(chosen []Chosen, id, groupID int64) int {
	for _, c := range chosen {
		if c.ID == id && c.GroupID == groupID {
			return c.Count
		}
	}
	return 0
}

// refuseBounds returns the fault of a count outside its bounds, worded as exactly, up to, or from
// to.
func refuseBounds(key, name string, low, high int) error {
	switch low {
	case high:
		key += "_exact"
	case 0:
		key += "_upto"
	}
	return refuseProduct(key, fault.Args{"name": name, "min": low, "max": high})
}
