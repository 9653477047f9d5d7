package cart

import (
	"context"
	"time"

	"servery/internal/clock"
	"servery/internal/schedule"
)

// Intervals gives the intervals of a day at the cart's spot. Those that are too full
// for this cart are disabled: a large cart needs more of an interval than a small one.
func (s *Service) Intervals(ctx context.Context, q Quoted, day clock.Day, now time.Time) ([]schedule.Interval, error) {
	plan := q.Spot.Plan()
	list := plan.Intervals(day, now)
	if q.Spot.Shop == nil || len(list) == 0 {
		return list, nil
	}
	from, to := plan.Reach(day, now)
	used, err := schedule.Used(ctx, s.db.Read(), q.Spot.Shop.ID, q.Spot.OrderType, from, to)
	if err != nil {
		return nil, err
	}
	return plan.Grey(list, now, used, q.Needs(), q.Spot.Ceilings()), nil
}
