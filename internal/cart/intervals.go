package cart

import (
	"context"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
)

// Intervals gives the intervals of a day at the spot of a visitor's cart. Those that are too
// full for this cart are disabled: a large cart needs more of an interval than a small one.
// What the visitor's own checkout holds is free to him.
func (s *Service) Intervals(ctx context.Context, v Visitor, q Quoted, day clock.Day) ([]schedule.Interval, error) {
	return s.inquire(v, q.Spot.City).grey(ctx, q, q.Spot.Plan().Intervals(day, v.Now), day)
}

// soonest moves 'as soon as possible' of a priced cart to the first interval that has room
// for it, so that the customer is shown no time that cannot be kept. With none it is chosen
// no longer.
func (i *inquiry) soonest(ctx context.Context, q Quoted) (Quoted, error) {
	if q.Interval == nil || !q.Interval.IsASAP() {
		return q, nil
	}
	list, err := i.grey(ctx, q, []schedule.Interval{*q.Interval}, q.Spot.Plan().Today(i.v.Now))
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
