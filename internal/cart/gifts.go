package cart

import (
	"math"
	"slices"
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
)

// PricedGift is a gift or present that the customer is shown, and how many of it are in the cart.
type PricedGift struct {
	// ID is the gift's, or the present's where it is one.
	ID int64
	// Gift is nil only in Lost, for a gift that content no longer has.
	Gift *catalog.Gift
	Kind GiftKind
	// Count is how many are in the cart, MaxCount how many it may hold in all.
	Count, MaxCount int
	Conditions      []PricedCondition
	// Alert says why the gift is not available, whatever its conditions; nil when it is.
	Alert *fault.Message
	// ExpiresAt is when a present expires; zero for one that does not, and for a gift.
	ExpiresAt time.Time
}

// GiftKind is where a gift comes from. The set is closed; the values go over the wire.
type GiftKind string

// The kinds of gift.
const (
	ForEverybody  GiftKind = "gift"
	Personal      GiftKind = "personalGift"
	FromPromocode GiftKind = "promocodeGift"
)

// PricedCondition is a condition of a gift, and whether it holds.
type PricedCondition struct {
	// asked is the condition as content has it; nil for a dish that is missing.
	asked *catalog.Condition
	words *conditionWords
	// Validated says that the condition holds.
	Validated bool
	// Missing is what the subtotal lacks; 0 where the condition is not about it.
	Missing money.Amount
}

// IsEarned reports whether all conditions of the gift hold.
func (g PricedGift) IsEarned() bool { return g.firstUnmet() == nil }

// firstUnmet returns the first condition of the gift that does not hold; nil when all hold.
func (g PricedGift) firstUnmet() *PricedCondition {
	for i := range g.Conditions {
		if !g.Conditions[i].Validated {
			return &g.Conditions[i]
		}
	}
	return nil
}

// quoteGifts sets Gifts to the offered gifts with their conditions. It removes gifts from the cart
// that are no longer offered or earned, with a notice for each. The gift of the promocode comes last;
// where the stock is limited, one is left for it.
func (q *Quoted) quoteGifts(l lang.Lang) {
	capacity := len(q.Menu.Gifts) // each gift may have one more condition: the dish
	for _, g := range q.Menu.Gifts {
		capacity += len(g.Conditions)
	}
	conditions := make([]PricedCondition, 0, capacity) // those of all gifts, in one allocation
	words := &conditionWords{q.Spot.City, q.Menu.Site, l}
	q.Gifts = make([]PricedGift, 0, len(q.Menu.Gifts)+1)
	for _, g := range q.Menu.Gifts {
		before := len(conditions)
		conditions = q.appendConditions(conditions, g, words)
		p := PricedGift{ID: g.ID, Gift: g, Kind: ForEverybody, Count: countGiven(q.Cart.Gifts, g.ID)}
		p.Conditions = slices.Clip(conditions[before:])
		q.limitGift(&p, min(g.MaxCount, q.giftsLeft(g)), l)
		q.Gifts = append(q.Gifts, p)
	}
	q.Cart.Gifts = q.keepGifts(q.Cart.Gifts, q.Gifts, ForEverybody, l)
	if g := q.Promocode.activeGift(); g != nil {
		q.Gifts = append(q.Gifts, PricedGift{ID: g.ID, Gift: g, Kind: FromPromocode, Count: 1, MaxCount: 1})
	}
}

// quotePresents sets Presents to the customer's available presents. It removes all others from the
// cart, with a notice for each. The only condition of a present is a dish in the
// cart, and its only stock is its own count.
func (q *Quoted) quotePresents(l lang.Lang) {
	if len(q.Facts.Presents) > 0 {
		q.Presents = make([]PricedGift, 0, len(q.Facts.Presents))
	}
	for _, own := range q.Facts.Presents {
		g, exists := q.Menu.Gift(own.GiftID)
		if !exists || !own.isAvailable(q.At) {
			continue
		}
		p := PricedGift{ID: own.ID, Gift: g, Kind: Personal, Count: countGiven(q.Cart.Presents, own.ID), ExpiresAt: own.ExpiresAt}
		if !q.hasDish() {
			p.Conditions = []PricedCondition{{}}
		}
		q.limitGift(&p, own.MaxCount-own.Used, l)
		q.Presents = append(q.Presents, p)
	}
	q.Cart.Presents = q.keepGifts(q.Cart.Presents, q.Presents, Personal, l)
}

// isAvailable reports whether the present has not expired and some of it is left.
func (p Present) isAvailable(now time.Time) bool {
	return p.Used < p.MaxCount && (p.ExpiresAt.IsZero() || now.Before(p.ExpiresAt))
}

// limitGift sets MaxCount of a gift to the maximum, or to 0 while its product is not available here.
// When MaxCount is 0, it sets Alert to the reason.
func (q *Quoted) limitGift(p *PricedGift, maximum int, l lang.Lang) {
	p.MaxCount = max(maximum, 0)
	if p.Alert = q.alertOf(p.Gift, l); p.Alert != nil {
		p.MaxCount = 0
	} else if p.MaxCount == 0 {
		p.Alert = &fault.Message{Key: "cart.gift_gone", Args: fault.Args{"name": q.NameOf(p.Gift, l)}}
	}
}

// alertOf returns why the product of a gift is not available here now; nil when it is.
func (q *Quoted) alertOf(g *catalog.Gift, l lang.Lang) *fault.Message {
	p := g.Product
	switch {
	case p.Type == catalog.Stopped:
		until := lazyMessage{p.Stop.Message(q.Spot.City.Location, q.At), l}
		return &fault.Message{Key: "cart.gift_stopped", Args: fault.Args{"name": q.NameOf(g, l), "until": until}}
	case !p.IsSold() || !isComplete(p): // no modifiers can be chosen for a gift
		return &fault.Message{Key: "cart.gift_not_sold", Args: fault.Args{"name": q.NameOf(g, l)}}
	}
	return nil
}

// giftsLeft returns how many of a gift the customer may choose: what its stock has left, less the one that
// an active promocode puts into the cart.
func (q *Quoted) giftsLeft(g *catalog.Gift) int {
	left := stockOf(g, q.Facts)
	if given := q.Promocode.activeGift(); given != nil && given.ID == g.ID {
		left--
	}
	return left
}

// stockOf returns how many of a gift are neither used nor held. A gift without a limited stock
// never runs out.
func stockOf(g *catalog.Gift, facts Facts) int {
	if g.Stock == nil {
		return math.MaxInt
	}
	return *g.Stock - facts.GiftsUsed[g.ID]
}

// keepGifts returns the given gifts that may stay in the cart, and corrects the counts in shown. For
// each gift that is removed, in all or in part, it adds to Lost and Notices. It returns given
// itself when all stay.
func (q *Quoted) keepGifts(given []Given, shown []PricedGift, kind GiftKind, l lang.Lang) []Given {
	for i, g := range given {
		if q.countStaying(g, shown) < g.Count {
			return q.dropGifts(given, i, shown, kind, l)
		}
	}
	return given
}

// dropGifts returns a copy of given without the gifts that may not stay. It corrects the counts in shown, and
// adds what is removed to Lost and Notices. given[first] is the first gift that may not stay in full.
func (q *Quoted) dropGifts(given []Given, first int, shown []PricedGift, kind GiftKind, l lang.Lang) []Given {
	kept := append(make([]Given, 0, len(given)), given[:first]...)
	for _, g := range given[first:] {
		stays := q.countStaying(g, shown)
		if stays < g.Count {
			lost := PricedGift{ID: g.ID, Kind: kind, Gift: q.giftOf(g.ID, kind)}
			index := findGift(shown, g.ID)
			isShown := index >= 0
			if isShown {
				shown[index].Count = stays
				lost = shown[index]
			}
			lost.Count = g.Count - stays
			q.Lost = append(q.Lost, lost)
			q.Notices = append(q.Notices, q.giftRemovedMessage(lost, isShown, stays, l))
			g.Count = stays
		}
		if g.Count > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// countStaying returns how many of a gift may stay in the cart. Gifts stay in a cart that has lost
// its last dish, as long as their other conditions hold.
func (q *Quoted) countStaying(g Given, shown []PricedGift) int {
	index := findGift(shown, g.ID)
	if index < 0 {
		return 0
	}
	if missing := shown[index].firstUnmet(); missing != nil && missing.asked != nil {
		return 0
	}
	return min(g.Count, shown[index].MaxCount)
}

// giftRemovedMessage returns the notice that a gift was removed from the cart, and why. stays is
// how many of it are left; isShown says that the gift is still offered.
func (q *Quoted) giftRemovedMessage(lost PricedGift, isShown bool, stays int, l lang.Lang) fault.Message {
	if lost.Gift == nil {
		return fault.Message{Key: "cart.gift_lost_unknown"}
	}
	m := fault.Message{Args: fault.Args{"name": q.NameOf(lost.Gift, l)}}
	missing := lost.firstUnmet()
	switch {
	case !isShown && lost.Kind == Personal:
		m.Key = "cart.present_lost"
	case !isShown:
		m.Key = "cart.gift_lost_not_offered"
	case missing != nil && missing.asked != nil: // a missing dish removes no gift, see countStaying
		m.Key, m.Args["why"] = "cart.gift_lost", lazyMessage{missing.Message(), l}
	case stays > 0:
		m.Key, m.Args["count"] = "cart.gift_fewer", stays
	case lost.Alert == nil || lost.Alert.Key == "cart.gift_gone":
		m.Key = "cart.gift_lost_gone"
	case lost.Alert.Key == "cart.gift_stopped":
		m.Key, m.Args = "cart.gift_lost_stopped", lost.Alert.Args
	default:
		m.Key = "cart.gift_lost_not_sold"
	}
	return m
}

// giftOf returns the gift with an id; for the kind Personal, the gift of the customer's present with
// that id. It returns nil when content no longer has the gift.
func (q *Quoted) giftOf(id int64, kind GiftKind) *catalog.Gift {
	if kind == Personal {
		index := slices.IndexFunc(q.Facts.Presents, func(p Present) bool { return p.ID == id })
		if index < 0 {
			return nil
		}
		id = q.Facts.Presents[index].GiftID
	}
	g, _ := q.Menu.Gift(id)
	return g
}

// NameOf returns the name of a gift, which a message writes in the language l.
func (q *Quoted) NameOf(g *catalog.Gift, l lang.Lang) LocalizedName {
	return LocalizedName{q.Menu.Site, g.Name, l}
}

// findGift returns the index of the gift in the list; -1 when it is not there.
func findGift(shown []PricedGift, id int64) int {
	return slices.IndexFunc(shown, func(p PricedGift) bool { return p.ID == id })
}

// countGiven returns how many of the gift are in the list of a cart.
func countGiven(given []Given, id int64) int {
	for _, g := range given {
		if g.ID == id {
			return g.Count
		}
	}
	return 0
}
