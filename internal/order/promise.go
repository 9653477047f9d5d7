package order

import (
	"time"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
)

// patience is how much later than shown an order may be handed over without asking the
// customer: what filling in the form takes.
const patience = 10 * time.Minute

// checkPromise refuses an order that would be handed over later than the customer was shown,
// because 'as soon as possible' is not as soon any more: order.time_changed (Conflict),
// with both times, and the new one in the fresh cart for him to agree to.
func checkPromise(r Request, o Order, q cart.Quoted, interval schedule.Interval) error {
	if r.SeenEnd == nil || !o.PromisedTo.After(r.SeenEnd.Add(patience)) {
		return nil
	}
	q.Interval = &interval
	loc := q.Spot.City.Location
	args := fault.Args{"was": timeOf(*r.SeenEnd, o.CreatedAt, loc), "now": timeOf(o.PromisedTo, o.CreatedAt, loc)}
	return fault.New(fault.Conflict, "order.time_changed", fault.With(args),
		fault.Field("interval_id", "order.time_changed", args), fault.Data(q))
}

// timeOf says when, by the clock of the city: today the time alone.
func timeOf(at, now time.Time, loc *time.Location) string {
	at = at.In(loc)
	if clock.DayOf(at, loc) == clock.DayOf(now, loc) {
		return at.Format("15:04")
	}
	return at.Format("02.01 15:04")
}
