package catalog

import (
	"context"
	"maps"
	"slices"
	"time"

	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/live"
	"servery/internal/schedule"
	"servery/internal/site"
)

// StopChange is an operator's request to set or remove a stop.
type StopChange struct {
	StopEntry
	// UntilShiftEnd ends the stop with the present shift of the shop. When no shop is named, it ends in
	// each shop with the shift of that shop. Until must be zero then.
	UntilShiftEnd bool
	// Remove removes the stop; there need not be one.
	Remove bool
}

// NoShop is the shop id of a request that concerns the whole site.
const NoShop = 0

// SetStop sets or removes a stop, and returns the stops of the site that are in force afterwards. It
// changes nothing when the stop is set so already, or is not there to be removed. This process uses
// the stops at once, others within a second or two. Faults: catalog.unknown_site, catalog.unknown_shop
// and catalog.unknown_stop (NotFound); catalog.not_sold for a product that the shop does not sell,
// kitchen.one_end for two ends, catalog.stop_past when Until is past, catalog.no_shift when no shift is running
// (Invalid). A stop of an unknown shop can be removed while it is there.
func (c *Catalog) SetStop(ctx context.Context, change StopChange) ([]StopEntry, error) {
	now := c.clock.Now()
	snapshot := c.Current()
	brand, err := snapshot.FindBrand(change.Site, NoShop)
	if err != nil {
		return nil, err
	}
	entry := change.StopEntry
	_, shopErr := snapshot.FindBrand(change.Site, change.ShopID)
	if !change.Remove { // a stop can be removed even when content no longer has what it stops, or where
		if shopErr != nil {
			return nil, shopErr
		}
		if !snapshot.content.assortments[brand.Alias].hasStoppable(change.Kind, change.Alias) {
			return nil, fault.New(fault.NotFound, "catalog.unknown_stop")
		}
		product, isProduct := snapshot.Product(brand, change.Alias)
		if change.Kind == StopProduct && isProduct && !snapshot.IsSoldIn(brand, product, change.ShopID) {
			return nil, fault.New(fault.Invalid, "catalog.not_sold", fault.Field("alias", "catalog.not_sold"))
		}
		switch {
		case change.UntilShiftEnd && !change.Until.IsZero():
			return nil, fault.New(fault.Invalid, "kitchen.one_end")
		case change.UntilShiftEnd:
			if err := entry.endWithShift(snapshot, brand, now); err != nil {
				return nil, err
			}
		}
		if !live.IsInForce(entry.Until, now) {
			return nil, fault.New(fault.Invalid, "catalog.stop_past")
		}
	}
	entry.Until, entry.At = clock.Cut(entry.Until), now
	err = c.db.InTx(ctx, func(tx *db.Tx) error {
		before, wasStopped, err := findStop(ctx, tx, entry)
		if err != nil {
			return err
		}
		switch {
		case change.Remove && !wasStopped:
			return shopErr
		case !change.Remove && wasStopped && before.isSameAs(entry): // nothing changes
			return nil
		}
		if err := saveStop(ctx, tx, entry, change.Remove); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: entry.Site, ShopID: entry.ShopID, Subject: string(entry.Kind), ID: entry.Alias,
			Before: before.auditFields(wasStopped), After: entry.auditFields(!change.Remove),
		}, now)
	})
	if err != nil {
		return nil, err
	}
	if _, err := c.Refresh(ctx); err != nil {
		return nil, err
	}
	return c.Stops(change.Site)
}

// endWithShift sets the end of the stop to the end of its shop's running shift. For a stop of all shops it
// sets ShopEnds to the end of each shop's shift today, and Until to the last of them. Faults: as of
// [Snapshot.ShiftEnd].
func (e *StopEntry) endWithShift(snapshot *Snapshot, brand *site.Site, now time.Time) (err error) {
	if e.ShopID != 0 {
		e.Until, err = snapshot.ShiftEnd(brand, e.ShopID, now)
		return err
	}
	if e.ShopEnds, err = snapshot.shiftEnds(brand, now); err != nil {
		return err
	}
	e.Until = slices.MaxFunc(slices.Collect(maps.Values(e.ShopEnds)), time.Time.Compare)
	return nil
}

// auditFields returns the fields of the stop for the audit log; isStopped says whether there is a stop.
func (e StopEntry) auditFields(isStopped bool) audit.Fields {
	f := audit.Fields{"stopped": isStopped}
	if isStopped && !e.Until.IsZero() {
		f["until"] = e.Until.UTC()
	}
	if isStopped && e.ShopEnds != nil {
		f["shop_ends"] = encodeShopEnds(e.ShopEnds)
	}
	if isStopped && e.Reason != "" {
		f["reason"] = e.Reason
	}
	return f
}

// FindBrand returns the brand with the alias. Faults, both NotFound: catalog.unknown_site, and
// catalog.unknown_shop when the brand has no shop with the id; 0 is no shop and never unknown.
func (s *Snapshot) FindBrand(alias string, shopID int64) (*site.Site, error) {
	brand, ok := s.Sites.ByAlias(alias)
	if !ok {
		return nil, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	if _, ok := s.Atlas(brand).Shop(shopID); !ok && shopID != 0 {
		return nil, fault.New(fault.NotFound, "catalog.unknown_shop")
	}
	return brand, nil
}

// Stops returns the stops of a site that are in force now. It returns catalog.unknown_site
// (NotFound) for an unknown site.
func (c *Catalog) Stops(siteAlias string) ([]StopEntry, error) {
	snapshot, now := c.Current(), c.clock.Now()
	if _, ok := snapshot.Sites.ByAlias(siteAlias); !ok {
		return nil, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	inForce := []StopEntry{}
	for _, e := range snapshot.stops[siteAlias] {
		if live.IsInForce(e.Until, now) {
			inForce = append(inForce, e)
		}
	}
	return inForce, nil
}

// hasStoppable reports whether the brand has a product, modifier, ingredient or group of that alias.
func (a *assortment) hasStoppable(kind StopKind, alias string) bool {
	switch kind {
	case StopProduct:
		for _, p := range a.brand.Products {
			if p.Alias == alias {
				return true
			}
		}
	case StopModifier:
		return a.hasModifier(alias)
	case StopIngredient:
		return a.ingredients[alias] != nil
	case StopGroup:
		return slices.ContainsFunc(a.brand.Groups, func(g GroupEntry) bool { return g.Alias == alias })
	}
	return false
}

// IsSoldIn reports whether content sells the product in the shop, whatever its price and the order type. It reports
// true without a shop, and false for one that content lacks.
func (s *Snapshot) IsSoldIn(brand *site.Site, product *ProductEntry, shopID int64) bool {
	if shopID == NoShop {
		return true
	}
	shop, ok := s.Atlas(brand).Shop(shopID)
	return ok && product.IsSoldIn(shop.CityID, shopID)
}

// hasModifier reports whether the brand has a modifier of that alias, single or in a group.
func (a *assortment) hasModifier(alias string) bool {
	for _, m := range a.brand.Singles {
		if m.Alias == alias {
			return true
		}
	}
	for _, g := range a.brand.ModifierGroups {
		for _, m := range g.Modifiers {
			if m.Alias == alias {
				return true
			}
		}
	}
	return false
}

// ShiftEnd returns when the running shift of the shop ends, see [schedule.Hours.ShiftEnd]. It returns
// catalog.no_shift (Invalid) when no shift is running.
func (s *Snapshot) ShiftEnd(brand *site.Site, shopID int64, now time.Time) (time.Time, error) {
	for _, city := range brand.Cities {
		for _, shop := range s.Atlas(brand).Shops(city.ID) {
			if end, isWorking := shop.Hours.ShiftEnd(now, city.Location); shop.ID == shopID && isWorking {
				return end, nil
			}
		}
	}
	return time.Time{}, fault.New(fault.Invalid, "catalog.no_shift")
}

// shiftEnds returns, by shop, when the shift ends that is running or begins later on the shift day. A shop without
// such a shift is left out. It returns catalog.no_shift (Invalid) when no shop works on it any more.
func (s *Snapshot) shiftEnds(brand *site.Site, now time.Time) (map[int64]time.Time, error) {
	ends := map[int64]time.Time{}
	for _, city := range brand.Cities {
		for _, shop := range s.Atlas(brand).Shops(city.ID) {
			begins := now
			if state := shop.Hours.StateAt(now, city.Location); !state.Open {
				if begins = state.OpensAt; schedule.ShiftDay(begins, city.Location) != schedule.ShiftDay(now, city.Location) {
					continue
				}
			}
			if end, isWorking := shop.Hours.ShiftEnd(begins, city.Location); isWorking {
				ends[shop.ID] = end
			}
		}
	}
	if len(ends) == 0 {
		return nil, fault.New(fault.Invalid, "catalog.no_shift")
	}
	return ends, nil
}
