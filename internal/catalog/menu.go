package catalog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"servery/internal/lang"
	"servery/internal/site"
)

// maxRelated is how many related products are offered at once.
const maxRelated = 20

// Menu is what one place sells at one time, with stops and prices that are set applied. It is never
// changed, so it may be shared.
type Menu struct {
	Site  *site.Site
	Place Place
	// Groups are in the order of content; a group with nothing to show is left out.
	Groups []*Group
	// Packages are those of the order type.
	Packages []Package
	// Gifts are those that the city offers to everybody, in the order of content.
	Gifts []*Gift
	// Revision and LiveVersion identify the content, and what is set over it, that it was made from.
	Revision, LiveVersion int64
	// ValidUntil is when the next stop or price ends, zero when none will.
	ValidUntil time.Time
	// madeAt is the instant that the menu was made for: before it more stops and prices may have been in
	// force.
	madeAt time.Time

	products map[int64]*Product
	byAlias  map[string]*Product
	groups   map[int64]*Group // those left out too
	gifts    map[int64]*Gift  // those of the brand
	// promocodes are those of the brand by their code.
	promocodes map[string]*Promocode
}

// Product returns a product of the brand. One that is not sold at this place has the type
// Unavailable. It reports false only for a product that content no longer has.
func (m *Menu) Product(id int64) (*Product, bool) {
	p, ok := m.products[id]
	return p, ok
}

// ProductByAlias returns a product of the brand by its alias. One that is not sold at this place has
// the type Unavailable. It reports false only for a product that content no longer has.
func (m *Menu) ProductByAlias(alias string) (*Product, bool) {
	p, ok := m.byAlias[alias]
	return p, ok
}

// ProductByKey returns a product that is sold or stopped at this place, by its key or its alias. It
// reports false for any other product.
func (m *Menu) ProductByKey(key string) (*Product, bool) {
	p, ok := m.byAlias[key]
	if _, text, isKey := strings.Cut(key, "-"); !ok && isKey {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			p, ok = m.products[id]
			ok = ok && p.Key == key
		}
	}
	return p, ok && p.Type != Unavailable
}

// Related returns the products of the groups that go with the given groups, at most twenty that can
// be ordered. Products whose ids are in inCart are left out.
func (m *Menu) Related(groups, inCart []int64) []*Product {
	var relatedGroups []*Group
	for _, id := range groups {
		g, ok := m.groups[id]
		if !ok {
			continue
		}
		for _, other := range g.related {
			if !slices.Contains(relatedGroups, other) {
				relatedGroups = append(relatedGroups, other)
			}
		}
	}
	found := []*Product{}
	for _, g := range relatedGroups {
		for _, p := range g.all {
			if p.IsSold() && !slices.Contains(inCart, p.ID) && len(found) < maxRelated {
				found = append(found, p)
			}
		}
	}
	return found
}

// Group is a group of products of a menu, in the order of content.
type Group struct {
	ID         int64
	Alias      string
	Name       lang.Text
	ShowOnMain bool
	// Sort is the place among the groups, counted from 1.
	Sort    int
	Picture *Picture
	// Icon is the address of the drawing before the name; empty for none.
	Icon string
	// Products are sold here or stopped; those of type Related are not among them.
	Products []*Product

	all     []*Product // those of type Related and those not sold here too
	related []*Group   // groups whose products go with it
}

// Place is where and how food is ordered.
type Place struct {
	City      *site.City
	OrderType site.OrderType
	// ShopID is the shop that cooks; 0 while there is none.
	ShopID int64
}
