package catalog

import (
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/live"
)

// StopKind is what can be stopped. The set is closed.
type StopKind string

// The kinds of stops.
const (
	StopProduct    StopKind = "product"
	StopModifier   StopKind = "modifier"
	StopIngredient StopKind = "ingredient" // and everything made with it
	StopGroup      StopKind = "group"      // all products of a group of the menu
)

// Stop is until when something is not available.
type Stop struct {
	// Until is the end of the stop; zero means until it is removed.
	Until time.Time
	// OpenFrom is when the place first works after the end; zero where that is not known.
	OpenFrom time.Time
}

// Message returns the message that something is stopped, and until when where the stop has an end:
// the time of a clock in loc, with the date unless that is the date of now.
func (s *Stop) Message(loc *time.Location, now time.Time) fault.Message {
	if s.Until.IsZero() {
		return fault.Message{Key: "catalog.stop"}
	}
	until := s.Until.In(loc)
	if !s.OpenFrom.IsZero() {
		until = s.OpenFrom.In(loc) // a stop until closing time is over when the shop opens again
	}
	args := fault.Args{"time": until.Format("15:04")}
	if until.Format(time.DateOnly) == now.In(loc).Format(time.DateOnly) {
		return fault.Message{Key: "catalog.stop_until", Args: args}
	}
	args["date"] = clock.DayOf(until, loc)
	return fault.Message{Key: "catalog.stop_until_date", Args: args}
}

// endsAfter reports whether s ends later than the other stop. A stop without an end is the latest; of two
// without an end none is later.
func (s *Stop) endsAfter(other *Stop) bool {
	return !other.Until.IsZero() && (s.Until.IsZero() || s.Until.After(other.Until))
}

// laterStop returns the stop that ends later; a stop without an end is the latest, and of two that end
// together it returns a. Either may be nil, which is the earliest.
func laterStop(a, b *Stop) *Stop {
	if a == nil || b != nil && b.endsAfter(a) {
		return b
	}
	return a
}

// StopEntry is a stop as the operator set it.
type StopEntry struct {
	Site  string
	Kind  StopKind
	Alias string
	// ShopID is the shop it holds in; 0 means every shop.
	ShopID int64
	// Until is the end of the stop; zero means until it is removed.
	Until time.Time
	// ShopEnds are the ends by shop of a stop of all shops that ends with the shift of each. It does not
	// hold in a shop that is not among them, and Until is the latest of them. nil for any other stop.
	ShopEnds map[int64]time.Time

	live.Origin
}

// stops are those of one brand.
type stops []StopEntry

// findStop returns the stop of a product, modifier, ingredient or group that is in force at now, the
// longest when there are several, nil when there is none. It looks at the stops of the shop and
// at the stops of all shops; for shop 0 only at the stops of all shops.
func (s stops) findStop(kind StopKind, alias string, shopID int64, now time.Time) *Stop {
	var found *Stop
	for _, e := range s {
		if e.Kind != kind || e.Alias != alias || e.ShopID != 0 && e.ShopID != shopID {
			continue
		}
		if until, isStopped := e.endIn(shopID); isStopped && live.IsInForce(until, now) {
			found = laterStop(found, &Stop{Until: until})
		}
	}
	return found
}

// endIn returns when the stop ends in the shop, or in the last shop for 0; zero when it has no end. It
// reports false when the stop does not hold in the shop.
func (e StopEntry) endIn(shopID int64) (time.Time, bool) {
	if e.ShopEnds == nil || shopID == 0 {
		return e.Until, true
	}
	end, ok := e.ShopEnds[shopID]
	return end, ok
}

// nextEnd returns the earliest end of a stop that is in force at now, zero when none ends.
func (s stops) nextEnd(now time.Time) time.Time {
	var next time.Time
	consider := func(end time.Time) {
		if end.After(now) && (next.IsZero() || end.Before(next)) {
			next = end
		}
	}
	for _, e := range s {
		consider(e.Until)
		for _, end := range e.ShopEnds {
			consider(end)
		}
	}
	return next
}
