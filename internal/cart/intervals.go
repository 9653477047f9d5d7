package cart

import (
	"context"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
)

// Intervals gives the intervals of a day at the cart's spot. Those that are too full
// for this cart are disabled: a large cart needs more of an interval than a small one.
func (s *Service) Intervals(ctx context.Context, q Quoted, day clock.Day, now time.Time) ([]schedule.Interval, error) {
	return greyed(ctx, s.db.Read(), q, q.Spot.Plan().Intervals(day, now), day, now)
}

// soonest moves 'as soon as possible' of a priced cart to the first interval that has room
// for it, so that the customer is shown no time that cannot be kept. With none it is chosen
// no longer.
func (i *inquiry) soonest(ctx context.Context, q Quoted) (Quoted, error) {
	if q.Interval == nil || !q.Interval.IsASAP() {
		return q, nil
	}
	list, err := greyed(ctx, i.q, q, []schedule.Interval{*q.Interval}, q.Spot.Plan().Today(i.v.Now), i.v.Now)
	switch {
	case err != nil:
		return Quoted{}, err
	case list[0].Disabled:
		q.Interval, q.Notices = nil, append(q.Notices, fault.Message{Key: "cart.interval_gone"})
	default:
		q.Interval = &list[0]
	}
	return q, nil
}
