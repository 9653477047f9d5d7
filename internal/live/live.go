// Package live has what the restaurant sets over its content while the servers run: pauses and busy
// times of kitchens, prices, and alerts of cities and shops.
//
// The rules are pure: entries, a place and an instant go in, what is in force comes out. The store
// takes the caller's transaction and raises the version by which all servers notice a change.
package live

import (
	"time"

	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Reason is why something was set. The set is closed; the empty one is not said.
type Reason string

// The reasons.
const (
	SoldOut       Reason = "sold_out"
	TooManyOrders Reason = "too_many_orders"
	Equipment     Reason = "equipment"
	Staff         Reason = "staff"
	Couriers      Reason = "couriers"
	Supply        Reason = "supply"
	Quality       Reason = "quality"
	Weather       Reason = "weather"
	Other         Reason = "other"
)

// Origin says why something was set, by whom and when.
type Origin struct {
	Reason Reason
	// Note stays with the restaurant.
	Note string
	// Actor is a name that the caller said, empty for none.
	Actor string
	At    time.Time
}

// HasOrigin reports whether an origin, or an entry with one, has the reason, note and actor of the other.
// The times may differ.
func (o Origin) HasOrigin(other Origin) bool {
	return o.Reason == other.Reason && o.Note == other.Note && o.Actor == other.Actor
}

// KitchenKind is what is set for a kitchen. The set is closed.
type KitchenKind string

// What is set for a kitchen.
const (
	Pause KitchenKind = "pause" // no work is taken
	Busy  KitchenKind = "busy"  // work takes longer
)

// KitchenEntry is a pause or a busy time of a kitchen, until an instant.
type KitchenEntry struct {
	Origin

	Site   string
	ShopID int64
	// OrderType is empty for orders of every type.
	OrderType site.OrderType
	Kind      KitchenKind
	// Minutes is how much longer work takes; 0 for a pause.
	Minutes int
	Until   time.Time
}

// PriceEntry is the price of a product in place of that of content.
type PriceEntry struct {
	Origin

	Site    string
	Product string // its alias
	// ShopID is the shop it holds in, PriceList the list whose cities it holds in, OrderType the type of
	// orders it holds for; each is zero for all.
	ShopID    int64
	PriceList string
	OrderType site.OrderType
	Price     money.Amount
	// Until is zero for a price that holds until it is removed.
	Until time.Time
}

// AlertEntry is what customers of a city or a shop are shown in place of the alert of content.
type AlertEntry struct {
	Origin

	Site string
	// Of CityID and ShopID one is 0.
	CityID, ShopID int64
	Text           lang.Text
	// Stops says that no orders are taken.
	Stops bool
	// Until is zero for an alert that is shown until it is removed.
	Until time.Time
}

// State is all that is set over the content of one brand.
type State struct {
	Kitchens []KitchenEntry
	Prices   []PriceEntry
	Alerts   []AlertEntry
}

// IsInForce reports whether something that holds until an instant does so at now; zero is for ever. At
// until itself it has ended.
func IsInForce(until, now time.Time) bool { return until.IsZero() || until.After(now) }

// Kitchen returns the pauses and busy times of a shop's kitchen, by order type; nil when it has none. It
// may contain some that have ended: they change nothing.
func (s State) Kitchen(shopID int64) map[site.OrderType]schedule.Kitchen {
	var kitchens map[site.OrderType]schedule.Kitchen
	for _, e := range s.Kitchens {
		if e.ShopID != shopID {
			continue
		}
		if kitchens == nil {
			kitchens = map[site.OrderType]schedule.Kitchen{}
		}
		for _, t := range site.OrderTypes() {
			if e.OrderType != "" && e.OrderType != t {
				continue
			}
			kitchen := kitchens[t]
			switch e.Kind {
			case Pause:
				if e.Until.After(kitchen.PausedUntil) {
					kitchen.PausedUntil = e.Until
				}
			case Busy:
				kitchen.Busy = append(kitchen.Busy, schedule.Busy{Minutes: e.Minutes, Until: e.Until})
			}
			kitchens[t] = kitchen
		}
	}
	return kitchens
}

// PricePlace is where a price is asked for. ShopID is 0 while no shop is chosen.
type PricePlace struct {
	ShopID    int64
	PriceList string
	OrderType site.OrderType
}

// Price returns the price that is set for a product at a place at now; false when none is. When several
// hold, the narrowest counts: a price of the shop comes before one of the price list, which comes before
// one of all lists. Among equals a price of the order type comes before one of both types.
func (s State) Price(product string, at PricePlace, now time.Time) (money.Amount, bool) {
	var best *PriceEntry
	for i := range s.Prices {
		e := &s.Prices[i]
		if e.Product == product && e.holdsAt(at) && IsInForce(e.Until, now) && (best == nil || e.narrowness() > best.narrowness()) {
			best = e
		}
	}
	if best == nil {
		return 0, false
	}
	return best.Price, true
}

// holdsAt reports whether the price holds at the place.
func (e *PriceEntry) holdsAt(at PricePlace) bool {
	return (e.ShopID == 0 || e.ShopID == at.ShopID) && (e.PriceList == "" || e.PriceList == at.PriceList) &&
		(e.OrderType == "" || e.OrderType == at.OrderType)
}

// narrowness returns how narrowly the price is set. Of several that hold at one place the one with the
// highest number is in force.
func (e *PriceEntry) narrowness() int {
	n := 0
	switch {
	case e.ShopID != 0:
		n = 4
	case e.PriceList != "":
		n = 2
	}
	if e.OrderType != "" {
		n++
	}
	return n
}

// NextPriceEnd returns the earliest end of a price that is in force at now, zero when none ends.
func (s State) NextPriceEnd(now time.Time) time.Time {
	var end time.Time
	for i := range s.Prices {
		end = earlierEnd(end, s.Prices[i].Until, now)
	}
	return end
}

// NextAlertEnd returns the earliest end of an alert that is in force at now, zero when none ends.
func (s State) NextAlertEnd(now time.Time) time.Time {
	var end time.Time
	for i := range s.Alerts {
		end = earlierEnd(end, s.Alerts[i].Until, now)
	}
	return end
}

// earlierEnd returns other if it is still to come and earlier than end, else end. A zero end stands for
// no end.
func earlierEnd(end, other, now time.Time) time.Time {
	if other.After(now) && (end.IsZero() || other.Before(end)) {
		return other
	}
	return end
}
