package kitchen

import (
	"context"
	"slices"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/schedule"
	"servery/internal/site"
)

// ClosedByStop is the reason for every time of a city or shop that takes no orders at all.
const ClosedByStop schedule.ClosedReason = "stop"

// TimesQuery asks for the times of a day in a shop.
type TimesQuery struct {
	Site      string
	ShopID    int64
	OrderType site.OrderType
	// Day is zero for the day that customers order for now.
	Day clock.Day
}

// Times are the times of a day in a shop.
type Times struct {
	Day   clock.Day
	Times []Time
}

// Time is an interval with the minutes of work that it can take and those that are taken.
type Time struct {
	schedule.DayInterval

	// Capacity is nil where work is not limited.
	Capacity *int
	Taken    int
	// Groups are the groups of the menu whose work has a limit of its own.
	Groups []GroupWork
	Zone   *time.Location
}

// GroupWork is the work on products of a group, by the alias of the group.
type GroupWork struct {
	Group           string
	Capacity, Taken int
}

// Times returns the times of a day in a shop: the minutes of work that each can take, those that orders
// and checkouts have taken, and why it takes no order now. For delivery it assumes the zone with the
// shortest road. Faults: catalog.unknown_site, catalog.unknown_shop (NotFound); kitchen.order_type at order_type
// and kitchen.day at day for a day that is over or not offered yet (Invalid).
func (s *Service) Times(ctx context.Context, query TimesQuery) (Times, error) {
	snapshot, now := s.catalog.Current(), s.clock.Now()
	brand, err := snapshot.FindBrand(query.Site, query.ShopID)
	if err != nil {
		return Times{}, err
	}
	place, err := placeOf(snapshot, brand, query)
	if err != nil {
		return Times{}, err
	}
	plan, ceilings := place.Plan(), place.Ceilings()
	today := plan.Today(now)
	day := query.Day
	if day == (clock.Day{}) {
		day = today
	}
	if ahead := today.DaysUntil(day); ahead < 0 || ahead >= plan.DaysOffered() {
		return Times{}, refuse("day", "kitchen.day")
	}
	from := clock.At(day, 0, plan.Zone)
	to := clock.At(day.Add(2), 0, plan.Zone) // a shift may end on the next day
	used, err := schedule.Used(ctx, s.db.Read(), place.Shop.ID, query.OrderType, from, to)
	if err != nil {
		return Times{}, err
	}
	times := Times{Day: day, Times: []Time{}}
	groups := snapshot.Groups(brand)
	for _, i := range plan.Overview(day, now, used, ceilings) {
		if i.Closed == "" && (place.City.Stopped || place.Shop.Stopped) {
			i.Closed = ClosedByStop
		}
		times.Times = append(times.Times, newTime(i, ceilings, groups, plan.Zone))
	}
	return times, nil
}

// placeOf returns the place of orders of a type in a shop; for delivery with the zone that has the
// shortest road. It returns catalog.unknown_shop (NotFound), and kitchen.order_type (Invalid) for a type
// that the shop does not serve.
func placeOf(snapshot *catalog.Snapshot, brand *site.Site, query TimesQuery) (cart.Place, error) {
	atlas := snapshot.Atlas(brand)
	shop, ok := atlas.Shop(query.ShopID)
	if !ok {
		return cart.Place{}, fault.New(fault.NotFound, "catalog.unknown_shop")
	}
	if !shop.Serves(query.OrderType) {
		return cart.Place{}, refuse("order_type", "kitchen.order_type")
	}
	city, _ := brand.City(shop.CityID)
	place := cart.Place{City: city, OrderType: query.OrderType, Shop: shop}
	if query.OrderType == site.Takeaway {
		return place, nil
	}
	zones := slices.DeleteFunc(slices.Clone(atlas.Zones(city.ID)), func(z *geo.Zone) bool { return z.ShopID != shop.ID })
	if len(zones) > 0 {
		place.Zone = slices.MinFunc(zones, func(a, b *geo.Zone) int { return a.DeliveryMinutes - b.DeliveryMinutes })
	}
	return place, nil
}

// newTime returns an interval with its work: of all groups together, and of each group with a ceiling of
// its own.
func newTime(i schedule.DayInterval, ceilings schedule.Minutes, groups []catalog.GroupEntry, zone *time.Location) Time {
	t := Time{DayInterval: i, Taken: i.Used[schedule.AllGroups], Zone: zone}
	if ceiling, isLimited := ceilings[schedule.AllGroups]; isLimited {
		t.Capacity = &ceiling
	}
	for _, group := range groups {
		if ceiling, isLimited := ceilings[group.ID]; isLimited {
			t.Groups = append(t.Groups, GroupWork{Group: group.Alias, Capacity: ceiling, Taken: i.Used[group.ID]})
		}
	}
	return t
}
