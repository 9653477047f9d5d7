package cart

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/schedule"
)

// usedSlots is what others have of the intervals of a spot within a stretch of time, by
// interval id.
type usedSlots struct {
	spot     Place
	from, to time.Time
	minutes  map[string]schedule.Minutes
}

// used returns what others have of the intervals of a spot that begin from from until before
// to. What the visitor's own checkouts and waiting orders hold is left out: it stands in the
// way of others only.
func (i *inquiry) used(ctx context.Context, spot Place, from, to time.Time) (map[string]schedule.Minutes, error) {
	if i.slots.minutes != nil && i.slots.spot == spot && i.slots.from.Equal(from) && i.slots.to.Equal(to) {
		return i.slots.minutes, nil
	}
	used, err := schedule.Used(ctx, i.q, spot.Shop.ID, spot.OrderType, from, to)
	if err != nil {
		return nil, err
	}
	if i.v.SessionID != 0 && len(used) > 0 {
		if err := i.leaveOutOwn(ctx, spot, used); err != nil {
			return nil, err
		}
	}
	i.slots = usedSlots{spot, from, to, used}
	return used, nil
}

func (i *inquiry) leaveOutOwn(ctx context.Context, spot Place, used map[string]schedule.Minutes) error {
	rows, err := i.q.ListOwnSlotHolds(ctx, gen.ListOwnSlotHoldsParams{
		SessionID: i.v.SessionID, CustomerID: i.v.CustomerID, Site: i.v.Site.Alias, CityID: i.city.ID, Now: i.v.Now,
		ShopID: spot.Shop.ID, OrderType: string(spot.OrderType),
	})
	if err != nil {
		return fmt.Errorf("read own holds: %w", err)
	}
	for _, row := range rows {
		parts, err := schedule.ReadParts(row.StartsAt, row.Minutes, row.Earlier)
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

// releaseCheckouts releases what the checkouts of an owner's cart hold.
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
