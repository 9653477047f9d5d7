package cart

import (
	"cmp"
	"context"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// Intervals returns the intervals of a day at the place of a visitor's cart. Those that are too
// full for this cart are disabled: a large cart needs more of an interval than a small one. What
// the visitor's own checkout holds counts as free.
func (s *Service) Intervals(ctx context.Context, v visit.Context, q Quoted, day clock.Day) ([]schedule.Interval, error) {
	return s.factLoader(v, q.Spot.City).disableFull(ctx, q, q.Spot.Plan().Intervals(day, v.Now))
}

// WhyTooLarge returns the message for a cart that is too large for an interval: the first time that
// takes it, and the phone to call.
func (s *Service) WhyTooLarge(ctx context.Context, v visit.Context, q Quoted) (fault.Message, error) {
	return s.factLoader(v, q.Spot.City).largeCartMessage(ctx, q)
}

// WhyFull returns the message for an interval that others have taken: the next time that is free
// for the cart, where there is one.
func (s *Service) WhyFull(ctx context.Context, v visit.Context, q Quoted) (fault.Message, error) {
	first, fits, err := s.factLoader(v, q.Spot.City).firstFree(ctx, q)
	if err != nil || !fits {
		return fault.Message{Key: "schedule.full"}, err
	}
	return fault.Message{Key: "schedule.full_next", Args: fault.Args{"time": first.Words(q.Spot.Plan().Today(v.Now), v.Lang)}}, nil
}

// IsLarge reports whether the cart needs more work than one interval takes.
func (q Quoted) IsLarge() bool { return q.Needs().Exceeds(q.Spot.Ceilings()) }

// leastNeeds returns the work of the cart; a minute while it has no line, so that a full interval
// is not offered.
func (q Quoted) leastNeeds() schedule.Minutes {
	if len(q.Lines) == 0 {
		return schedule.Minutes{schedule.AllGroups: 1}
	}
	return q.Needs()
}

// disableFull returns the intervals with those disabled that are too full for the cart.
func (l *factLoader) disableFull(ctx context.Context, q Quoted, intervals []schedule.Interval) ([]schedule.Interval, error) {
	plan, ceilings := q.Spot.Plan(), q.Spot.Ceilings()
	if len(ceilings) == 0 || len(intervals) == 0 {
		return intervals, nil
	}
	needs := q.leastNeeds()
	from, to := plan.RangeFor(intervals, l.v.Now, needs.Exceeds(ceilings))
	used, err := l.usedMinutes(ctx, q.Spot, from, to)
	if err != nil {
		return nil, err
	}
	return plan.FreeWork(l.v.Now, used, needs, ceilings).DisableFull(intervals), nil
}

// fitInterval removes the chosen time from a priced cart when it is too full for the cart, and
// moves 'as soon as possible' to the first interval with room. In a transaction an ordinary
// interval is left as it is, because reserving it is the check.
func (l *factLoader) fitInterval(ctx context.Context, q Quoted) (Quoted, error) {
	if q.Interval == nil || l.isInTx && !q.Interval.IsASAP() {
		return q, nil
	}
	list, err := l.disableFull(ctx, q, []schedule.Interval{*q.Interval})
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

// chooseInterval returns the cart with the time chosen, which must exist and have room for the
// cart. Faults: those of [schedule.Plan.Resolve], cart.no_shop, cart.no_address, and
// schedule.unavailable or one of large orders (Conflict).
func (l *factLoader) chooseInterval(ctx context.Context, c Cart, intervalID string) (Cart, error) {
	c.IntervalID = intervalID
	if intervalID == "" {
		return c, nil
	}
	at, err := l.loadPricing(ctx, c)
	if err != nil {
		return c, err
	}
	if err := at.place.checkOrderable(); err != nil {
		return c, err
	}
	if _, err := at.place.Plan().Resolve(intervalID, l.v.Now); err != nil {
		return c, err
	}
	q := Quote(c.withoutUnknownLines(at.menu), at.place, at.menu, at.facts, l.v.Lang, l.v.Now)
	list, err := l.disableFull(ctx, q, []schedule.Interval{*q.Interval})
	if err != nil || !list[0].Disabled {
		return c, err
	}
	if !q.IsLarge() {
		return c, fault.New(fault.Conflict, "schedule.unavailable")
	}
	why, err := l.largeCartMessage(ctx, q)
	if err != nil {
		return c, err
	}
	return c, fault.New(fault.Conflict, why.Key, fault.With(why.Args))
}

// largeCartMessage returns the message for a cart that is too large for an interval, with the first
// time that takes it and the phone to call, where there are such.
func (l *factLoader) largeCartMessage(ctx context.Context, q Quoted) (fault.Message, error) {
	first, fits, err := l.firstFree(ctx, q)
	if err != nil {
		return fault.Message{}, err
	}
	args := fault.Args{}
	number := cmp.Or(q.Spot.City.Phone, l.v.Site.Phone)
	if number != "" {
		args["phone"] = number
	}
	if fits {
		args["time"] = first.Words(q.Spot.Plan().Today(l.v.Now), l.v.Lang)
	}
	switch {
	case fits && number != "":
		return fault.Message{Key: "schedule.large_call", Args: args}, nil
	case fits:
		return fault.Message{Key: "schedule.large", Args: args}, nil
	case number != "":
		return fault.Message{Key: "schedule.too_large_call", Args: args}, nil
	}
	return fault.Message{Key: "schedule.too_large"}, nil
}

// firstFree returns the first interval with room for the cart, and false when there is none.
func (l *factLoader) firstFree(ctx context.Context, q Quoted) (schedule.Interval, bool, error) {
	plan := q.Spot.Plan()
	from, to := plan.RangeOfAll(l.v.Now)
	used, err := l.usedMinutes(ctx, q.Spot, from, to)
	if err != nil {
		return schedule.Interval{}, false, err
	}
	first, fits := plan.FreeWork(l.v.Now, used, q.Needs(), q.Spot.Ceilings()).FirstThatTakes()
	return first, fits, nil
}
