package carts

import (
	"cmp"
	"context"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// Intervals returns the intervals of a day at the place of a visitor's cart. Those that are too
// full for this cart are disabled: a large cart needs more of an interval than a small one. Minutes
// that the visitor's own checkout holds count as free.
func (s *Service) Intervals(ctx context.Context, v visit.Context, q cart.Quoted, day clock.Day) ([]schedule.Interval, error) {
	return s.factLoader(v, q.Spot.City).disableFull(ctx, q, q.Spot.Plan().Intervals(day, v.Now))
}

// WhyTooLarge returns the message for a cart that is too large for an interval: the first time that
// takes it, if any, and the phone to call.
func (s *Service) WhyTooLarge(ctx context.Context, v visit.Context, q cart.Quoted) (fault.Message, error) {
	return s.factLoader(v, q.Spot.City).largeCartMessage(ctx, q)
}

// WhyFull returns the message for an interval that other orders have filled. It names the next
// time that has room for the cart, where there is one.
func (s *Service) WhyFull(ctx context.Context, v visit.Context, q cart.Quoted) (fault.Message, error) {
	first, fits, err := s.factLoader(v, q.Spot.City).firstFree(ctx, q)
	if err != nil || !fits {
		return fault.Message{Key: "schedule.full"}, err
	}
	return fault.Message{Key: "schedule.full_next", Args: fault.Args{"time": q.Spot.Plan().TextFor(first, v.Now, v.Lang)}}, nil
}

// disableFull returns the intervals, with those disabled that have no room for the cart. At a place
// without ceilings each has room. Minutes that the visitor's own checkouts and waiting orders hold count
// as free.
func (l *factLoader) disableFull(ctx context.Context, q cart.Quoted, intervals []schedule.Interval) ([]schedule.Interval, error) {
	plan, ceilings := q.Spot.Plan(), q.Spot.Ceilings()
	if len(ceilings) == 0 || len(intervals) == 0 {
		return intervals, nil
	}
	needs := q.LeastNeeds()
	from, to := plan.RangeFor(intervals, l.v.Now, needs.Exceeds(ceilings))
	used, err := l.usedMinutes(ctx, q.Spot, from, to)
	if err != nil {
		return nil, err
	}
	return plan.FreeWork(l.v.Now, used, needs, ceilings).DisableFull(intervals), nil
}

// fitInterval checks the chosen interval of a priced cart. It removes an interval without room for
// the cart, with a notice, and moves 'as soon as possible' to the first interval with room. In a
// transaction it does not check an ordinary interval, because the order reserves that interval.
func (l *factLoader) fitInterval(ctx context.Context, q cart.Quoted) (cart.Quoted, error) {
	if q.Interval == nil || l.isInTx && !q.Interval.IsASAP() {
		return q, nil
	}
	checked, err := l.disableFull(ctx, q, []schedule.Interval{*q.Interval})
	switch {
	case err != nil:
		return cart.Quoted{}, err
	case checked[0].Disabled:
		q.Interval, q.Notices = nil, append(q.Notices, fault.Message{Key: "cart.interval_gone"})
	default:
		q.Interval = &checked[0]
	}
	return q, nil
}

// chooseInterval returns the cart with the time chosen; an empty id removes the choice. It returns
// an Invalid fault when the place has no shop, the faults of [schedule.Plan.Resolve], and a Conflict when
// the time has no room for the cart; for a large cart the message names the first time with room.
func (l *factLoader) chooseInterval(ctx context.Context, c cart.Cart, intervalID string) (cart.Cart, error) {
	c.IntervalID = intervalID
	if intervalID == "" {
		return c, nil
	}
	in, err := l.loadPricing(ctx, c)
	if err != nil {
		return c, err
	}
	if err := in.place.CheckOrderable(); err != nil {
		return c, err
	}
	if _, err := in.place.Plan().Resolve(intervalID, l.v.Now); err != nil {
		return c, err
	}
	q := cart.Quote(c.WithoutUnknownLines(in.menu), in.place, in.menu, in.facts, l.v.Lang, l.v.Now)
	checked, err := l.disableFull(ctx, q, []schedule.Interval{*q.Interval}) // set, since Resolve has found it
	if err != nil || !checked[0].Disabled {
		return c, err
	}
	if !q.IsLarge() {
		return c, fault.New(fault.Conflict, "schedule.unavailable")
	}
	message, err := l.largeCartMessage(ctx, q)
	if err != nil {
		return c, err
	}
	return c, fault.New(fault.Conflict, message.Key, fault.With(message.Args))
}

// largeCartMessage returns the message for a cart that is too large for an interval. It names the
// first time that takes the cart and the phone to call, each where there is one.
func (l *factLoader) largeCartMessage(ctx context.Context, q cart.Quoted) (fault.Message, error) {
	first, isFound, err := l.firstFree(ctx, q)
	if err != nil {
		return fault.Message{}, err
	}
	args := fault.Args{}
	number := cmp.Or(q.Spot.City.Phone, l.v.Site.Phone)
	if number != "" {
		args["phone"] = number
	}
	if isFound {
		args["time"] = q.Spot.Plan().TextFor(first, l.v.Now, l.v.Lang)
	}
	switch {
	case isFound && number != "":
		return fault.Message{Key: "schedule.large_call", Args: args}, nil
	case isFound:
		return fault.Message{Key: "schedule.large", Args: args}, nil
	case number != "":
		return fault.Message{Key: "schedule.too_large_call", Args: args}, nil
	}
	return fault.Message{Key: "schedule.too_large"}, nil
}

// firstFree returns the first interval that is offered and has room for the cart; false when there
// is none.
func (l *factLoader) firstFree(ctx context.Context, q cart.Quoted) (schedule.Interval, bool, error) {
	plan := q.Spot.Plan()
	from, to := plan.RangeOfAll(l.v.Now)
	used, err := l.usedMinutes(ctx, q.Spot, from, to)
	if err != nil {
		return schedule.Interval{}, false, err
	}
	first, isFound := plan.FreeWork(l.v.Now, used, q.Needs(), q.Spot.Ceilings()).FirstThatTakes()
	return first, isFound, nil
}
