package cart

import (
	"cmp"
	"context"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// Intervals returns the intervals of a day at the spot of a visitor's cart. Those that are too
// full for this cart are disabled: a large cart needs more of an interval than a small one.
// What the visitor's own checkout holds is free for it.
func (s *Service) Intervals(ctx context.Context, v visit.Context, q Quoted, day clock.Day) ([]schedule.Interval, error) {
	return s.inquire(v, q.Spot.City).disableFull(ctx, q, q.Spot.Plan().Intervals(day, v.Now))
}

// WhyTooLarge returns what is said when an interval does not take a large cart: the first
// time that takes it, and the phone to call.
func (s *Service) WhyTooLarge(ctx context.Context, v visit.Context, q Quoted) (fault.Message, error) {
	return s.inquire(v, q.Spot.City).whyTooLarge(ctx, q)
}

// WhyFull returns what is said when an interval was taken by others: the next time that is free
// for the cart, where there is one.
func (s *Service) WhyFull(ctx context.Context, v visit.Context, q Quoted) (fault.Message, error) {
	first, fits, err := s.inquire(v, q.Spot.City).firstFree(ctx, q)
	if err != nil || !fits {
		return fault.Message{Key: "schedule.full"}, err
	}
	return fault.Message{Key: "schedule.full_next", Args: fault.Args{"time": first.Words(q.Spot.Plan().Today(v.Now), v.Lang)}}, nil
}

// IsLarge reports whether the cart is more work than one interval takes.
func (q Quoted) IsLarge() bool { return q.Needs().Exceeds(q.Spot.Ceilings()) }

// leastNeeds returns the work of the cart; while it has no line, a minute: a full interval is
// no time to promise to anybody.
func (q Quoted) leastNeeds() schedule.Minutes {
	if len(q.Lines) == 0 {
		return schedule.Minutes{schedule.AllGroups: 1}
	}
	return q.Needs()
}

// disableFull returns the intervals with those disabled that are too full for the cart.
func (i *inquiry) disableFull(ctx context.Context, q Quoted, intervals []schedule.Interval) ([]schedule.Interval, error) {
	plan, ceilings := q.Spot.Plan(), q.Spot.Ceilings()
	if len(ceilings) == 0 || len(intervals) == 0 {
		return intervals, nil
	}
	needs := q.leastNeeds()
	from, to := plan.Reach(intervals, i.v.Now, needs.Exceeds(ceilings))
	used, err := i.used(ctx, q.Spot, from, to)
	if err != nil {
		return nil, err
	}
	return plan.Kitchen(i.v.Now, used, needs, ceilings).DisableFull(intervals), nil
}

// fitInterval takes the chosen time out of a priced cart when it is too full for it, and moves
// 'as soon as possible' to the first interval that has room: the customer is shown no time
// that cannot be kept. In a transaction an ordinary interval is left as it is, because taking
// it is the check.
func (i *inquiry) fitInterval(ctx context.Context, q Quoted) (Quoted, error) {
	if q.Interval == nil || i.isInTx && !q.Interval.IsASAP() {
		return q, nil
	}
	list, err := i.disableFull(ctx, q, []schedule.Interval{*q.Interval})
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

// choose returns the cart with the time chosen, which must be there and have room for it.
// Faults: those of [schedule.Plan.Resolve], cart.no_shop, cart.no_address, and
// schedule.unavailable or one of large orders (Conflict).
func (i *inquiry) choose(ctx context.Context, c Cart, intervalID string) (Cart, error) {
	c.IntervalID = intervalID
	if intervalID == "" {
		return c, nil
	}
	at, err := i.found(ctx, c)
	if err != nil {
		return c, err
	}
	if err := at.spot.check(); err != nil {
		return c, err
	}
	if _, err := at.spot.Plan().Resolve(intervalID, i.v.Now); err != nil {
		return c, err
	}
	q := Quote(c.known(at.menu), at.spot, at.menu, at.facts, i.v.Lang, i.v.Now)
	list, err := i.disableFull(ctx, q, []schedule.Interval{*q.Interval})
	if err != nil || !list[0].Disabled {
		return c, err
	}
	if !q.IsLarge() {
		return c, fault.New(fault.Conflict, "schedule.unavailable")
	}
	why, err := i.whyTooLarge(ctx, q)
	if err != nil {
		return c, err
	}
	return c, fault.New(fault.Conflict, why.Key, fault.With(why.Args))
}

func (i *inquiry) whyTooLarge(ctx context.Context, q Quoted) (fault.Message, error) {
	first, fits, err := i.firstFree(ctx, q)
	if err != nil {
		return fault.Message{}, err
	}
	args := fault.Args{}
	number := cmp.Or(q.Spot.City.Phone, i.v.Site.Phone)
	if number != "" {
		args["phone"] = number
	}
	if fits {
		args["time"] = first.Words(q.Spot.Plan().Today(i.v.Now), i.v.Lang)
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

// firstFree returns the first interval that has room for the cart, and false when none has.
func (i *inquiry) firstFree(ctx context.Context, q Quoted) (schedule.Interval, bool, error) {
	plan := q.Spot.Plan()
	from, to := plan.ReachOfAll(i.v.Now)
	used, err := i.used(ctx, q.Spot, from, to)
	if err != nil {
		return schedule.Interval{}, false, err
	}
	first, fits := plan.Kitchen(i.v.Now, used, q.Needs(), q.Spot.Ceilings()).First()
	return first, fits, nil
}
