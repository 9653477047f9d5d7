package stock

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
)

// shareCount is how many shares the limit of an item has that many take at once. Each is a row of
// its own, numbered from 1, so that takers wait for each other only in the same share.
const shareCount = 16

// whole is the number in place of a share for what is counted in the row of the whole item.
const whole = 0

// isShared reports whether the limit of the item is split into shares: every buyer of a campaign
// uses the same promocode. What else is limited is counted in one row.
func (i Item) isShared() bool { return i.Kind == Promocode && i.Scope == "" }

// shareOf returns the share that a holder takes a shared item from, as long as the share has any left.
func shareOf(holder string) int {
	hash := fnv.New32a()
	hash.Write([]byte(holder))
	return 1 + int(hash.Sum32()%shareCount)
}

// place is where uses of an item are counted: one of its shares, or [whole].
type place struct {
	Item
	Share int
}

// holding is how many of each item a holder has, by place.
type holding map[place]int

// items returns how many of each item there are in all places.
func (h holding) items() counts {
	sum := counts{}
	for p, count := range h {
		sum[p.Item] += count
	}
	return sum
}

// sortedPlaces returns the places in a fixed order, that of their items.
func (h holding) sortedPlaces() []place {
	return slices.SortedFunc(maps.Keys(h), func(a, b place) int {
		return cmp.Or(compareItems(a.Item, b.Item), cmp.Compare(a.Share, b.Share))
	})
}

// remove removes count of the item, or all that there are when these are fewer. It returns how many it
// has removed from which places.
func (h holding) remove(item Item, count int) holding {
	removed := holding{}
	for _, p := range h.sortedPlaces() {
		if p.Item != item || count == 0 {
			continue
		}
		n := min(h[p], count)
		removed[p], count = n, count-n
		if h[p] -= n; h[p] == 0 {
			delete(h, p)
		}
	}
	return removed
}

// plan returns what the holder has after the changes, and what it releases of each item. New uses
// are planned in the preferred share where the item has shares.
func (h holding) plan(changes counts, preferred int) (holding, map[Item]holding) {
	next, released := maps.Clone(h), map[Item]holding{}
	for item, change := range changes {
		switch {
		case change < 0:
			released[item] = next.remove(item, -change)
		case item.isShared():
			next[place{item, preferred}] += change
		default:
			next[place{item, whole}] += change
		}
	}
	return next, released
}

// share is a share of an item's limit as it is stored.
type share struct {
	number        int
	used, maxUsed int
	// limit is the limit of the whole item under which the share got what it has left.
	limit int
}

// left returns how many the share has left.
func (s share) left() int { return s.maxUsed - s.used }

// split is an item whose limit is split: what its own row counts as used, which includes all that
// its shares may hand out, and the shares.
type split struct {
	counted int
	shares  []share
}

// left returns how many all shares have left.
func (s split) left() int {
	sum := 0
	for _, one := range s.shares {
		sum += one.left()
	}
	return sum
}

// used returns how many of the item are used or reserved.
func (s split) used() int { return s.counted - s.left() }

// hasOtherLimit reports whether a share was filled under another limit, because content has changed.
func (s split) hasOtherLimit(limit int) bool {
	return slices.ContainsFunc(s.shares, func(one share) bool { return one.limit != limit })
}

// pick returns the number of a share that has count left under the limit: the first one from the
// number from on, else the first of all. It returns [whole] when none has.
func (s split) pick(count, limit, from int) int {
	has := func(one share) bool { return one.limit == limit && one.left() >= count }
	if at := slices.IndexFunc(s.shares, func(one share) bool { return one.number >= from && has(one) }); at >= 0 {
		return s.shares[at].number
	}
	if at := slices.IndexFunc(s.shares, has); at >= 0 {
		return s.shares[at].number
	}
	return whole
}

// newShareSize returns how many each of the shares gets of what is free: together half of it. The
// rest is handed out later, in ever smaller shares, and the last ones are counted in the row of the
// whole item, so that few are left in the shares of others when a limit is nearly reached, or lowered.
func newShareSize(free int) int { return free / (2 * shareCount) }
