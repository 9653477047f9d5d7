package order

import (
	"time"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/schedule"
)

// maxETASlip is how much later than shown an order may be handed over without asking the
// customer: what filling in the form takes.
const maxETASlip = 10 * time.Minute

// CheckETA returns order.time_changed (Conflict) when the order would be handed over more than
// maxETASlip later than the customer was shown. The fault names both times and carries the fresh cart
// with the interval. CheckETA returns nil otherwise, and when the request has no shown time.
func CheckETA(r Request, o Order, q cart.Quoted, interval schedule.Interval, l lang.Lang) error {
	if r.SeenEnd == nil || !o.PromisedTo.After(r.SeenEnd.Add(maxETASlip)) {
		return nil
	}
	q.Interval = &interval
	today := clock.DayOf(o.CreatedAt, q.Spot.City.Location)
	when := func(at time.Time) string { return formatTime(at.In(q.Spot.City.Location), today, l) }
	args := fault.Args{"was": when(*r.SeenEnd), "now": when(o.PromisedTo)}
	later := fault.New(fault.Conflict, "order.time_changed", fault.With(args), fault.Field("interval_id", "order.time_changed", args))
	return cart.Refuse(later, q)
}

// formatTime returns an instant as a customer reads it, in its own time zone: the time alone on
// the day today, otherwise with the date.
func formatTime(at time.Time, today clock.Day, l lang.Lang) string {
	day, hour := clock.DayOf(at, at.Location()), at.Format("15:04")
	if day == today {
		return hour
	}
	return lang.T(l, "date.day_at", fault.Args{"day": day, "time": hour})
}
