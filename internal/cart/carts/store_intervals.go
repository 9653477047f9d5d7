package carts

import (
	"context"
	"fmt"
	"time"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/schedule"
)

// usedSlots are the minutes that others have reserved of the intervals of a place within a stretch
// of time, by interval id.
type usedSlots struct {
	place    cart.Place
	from, to time.Time
	minutes  map[string]schedule.Minutes
}

// usedMinutes returns the minutes that others have reserved in the intervals of a place that begin
// within [from, to), by interval id. It reads nothing when the last call had the same arguments.
// Minutes that the visitor's own checkouts and waiting orders hold are not counted.
func (l *factLoader) usedMinutes(ctx context.Context, place cart.Place, from, to time.Time) (map[string]schedule.Minutes, error) {
	if l.slots.minutes != nil && l.slots.place == place && l.slots.from.Equal(from) && l.slots.to.Equal(to) {
		return l.slots.minutes, nil
	}
	rows, err := l.q.ListUsedSlotsOfPlace(ctx, gen.ListUsedSlotsOfPlaceParams{
		SessionID: l.v.SessionID, CustomerID: l.v.CustomerID, Site: l.v.Site.Alias, CityID: l.city.ID, Now: l.v.Now,
		ShopID: place.Shop.ID, OrderType: string(place.OrderType), FromTime: clock.Cut(from), ToTime: clock.Cut(to),
	})
	if err != nil {
		return nil, fmt.Errorf("read used intervals: %w", err)
	}
	used, hasOwn := map[string]schedule.Minutes{}, false
	for _, row := range rows {
		schedule.SetUsed(used, row.StartsAt, row.ProductGroupID, int(row.UsedMinutes))
		hasOwn = row.HasOwn != 0
	}
	if hasOwn {
		if err := l.subtractOwnHolds(ctx, place, used); err != nil {
			return nil, err
		}
	}
	l.slots = usedSlots{place, from, to, used}
	return used, nil
}

// subtractOwnHolds subtracts from used the minutes that the visitor's own checkouts and waiting
// orders hold.
func (l *factLoader) subtractOwnHolds(ctx context.Context, place cart.Place, used map[string]schedule.Minutes) error {
	rows, err := l.q.ListOwnSlotHolds(ctx, gen.ListOwnSlotHoldsParams{
		SessionID: l.v.SessionID, CustomerID: l.v.CustomerID, Site: l.v.Site.Alias, CityID: l.city.ID, Now: l.v.Now,
		ShopID: place.Shop.ID, OrderType: string(place.OrderType),
	})
	if err != nil {
		return fmt.Errorf("read own holds: %w", err)
	}
	for _, row := range rows {
		parts, err := schedule.ParseParts(row.StartsAt, row.Minutes, row.Earlier)
		if err != nil {
			return err
		}
		for _, part := range parts {
			for group, minutes := range part.Minutes {
				if taken, ok := used[schedule.IDOf(part.Start)]; ok {
					taken[group] -= minutes
				}
			}
		}
	}
	return nil
}

// releaseCheckouts releases the intervals that the checkouts of an owner's cart hold.
func releaseCheckouts(ctx context.Context, tx *db.Tx, o owner) error {
	holders, err := tx.Q.ListCheckoutHolders(ctx, gen.ListCheckoutHoldersParams{
		SessionID: o.sessionID, CustomerID: o.customerID, Site: o.site, CityID: o.cityID,
	})
	if err != nil {
		return fmt.Errorf("list checkouts: %w", err)
	}
	for _, holder := range holders {
		if err := schedule.Release(ctx, tx, holder); err != nil {
			return err
		}
	}
	return nil
}
