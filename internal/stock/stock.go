// Package stock counts limited stock: uses of a promocode, gifts, presents, what each phone gets
// once. A holder reserves items in the transaction that makes its order, and later confirms or
// releases them, or they expire. The database itself refuses to exceed a limit (decision 0026).
package stock

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"servery/internal/fault"
)

// Kind is what sort of item is counted. The set is closed; the values are stored.
type Kind string

// The kinds of item.
const (
	// Promocode counts the uses of a code, PromocodePhone those of one phone.
	Promocode      Kind = "promocode"
	PromocodePhone Kind = "promocode_phone"
	// Gift counts the gifts that went to all customers.
	Gift Kind = "gift"
	// Present counts how many of a present its customer took.
	Present Kind = "present"
	// FirstOrder counts what a phone gets with its first order only.
	FirstOrder Kind = "first_order"
)

// Item is something that there is a limited number of.
type Item struct {
	Site string `json:"site"`
	Kind Kind   `json:"kind"`
	ID   int64  `json:"id"`
	// Scope is the mark of a phone ([phone.Marks]) where each phone has a count of its own, else
	// empty.
	Scope string `json:"scope,omitempty"`
}

// Request asks for Count of an item. All that is used and held of the item by all holders, including
// these, may be at most Limit.
type Request struct {
	Item
	Count, Limit int
}

// Gone is the fault stock.gone (Conflict): there is not enough of an item.
type Gone struct{ Item Item }

// Error returns the text of the fault stock.gone, for logs. The item is not in it.
func (e *Gone) Error() string { return e.Unwrap().Error() }

// Unwrap returns the fault stock.gone (Conflict).
func (*Gone) Unwrap() error { return fault.New(fault.Conflict, "stock.gone") }

// counts is how many of each item.
type counts map[Item]int

// sumRequests returns how many of each item are requested in all, and the lowest limit given for
// each. It leaves out requests whose count is not above zero.
func sumRequests(requests []Request) (counts, map[Item]int) {
	requested, limits := counts{}, map[Item]int{}
	for _, request := range requests {
		if request.Count <= 0 {
			continue
		}
		limit, exists := limits[request.Item]
		if !exists || request.Limit < limit {
			limits[request.Item] = request.Limit
		}
		requested[request.Item] += request.Count
	}
	return requested, limits
}

// changesTo returns by how much the count of each item changes when next replaces c: negative
// where it becomes fewer. Items whose count stays are left out.
func (c counts) changesTo(next counts) counts {
	changes := counts{}
	for item, count := range next {
		changes[item] = count
	}
	for item, count := range c {
		changes[item] -= count
	}
	maps.DeleteFunc(changes, func(_ Item, change int) bool { return change == 0 })
	return changes
}

// sortedItems returns the items in a fixed order. Transactions that change counts in that order
// do not deadlock.
func (c counts) sortedItems() []Item { return slices.SortedFunc(maps.Keys(c), compareItems) }

// compareItems orders items by site, kind, number and scope.
func compareItems(a, b Item) int {
	return cmp.Or(strings.Compare(a.Site, b.Site), strings.Compare(string(a.Kind), string(b.Kind)),
		cmp.Compare(a.ID, b.ID), strings.Compare(a.Scope, b.Scope))
}
