package orders

import (
	"context"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
)

// promiseWithin bounds a new promise: it ends less than this after the agreed one.
const promiseWithin = 24 * time.Hour

// TakeOrder marks an accepted order as taken by the restaurant and, unless promised is zero, promises it
// for that time as [Service.Delay] does. actor names who took it and may be empty. An order that is
// taken already keeps its mark. Faults: common.too_long (Invalid) at actor, common.not_allowed
// (Invalid) at promised_at, order.not_found (NotFound), order.not_movable (Conflict).
func (s *Service) TakeOrder(ctx context.Context, id int64, promised time.Time, actor string, now time.Time) (order.Order, error) {
	promised = clock.Cut(promised)
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		switch {
		case !o.TakenAt.IsZero():
			return nil
		case o.State != order.Accepted:
			return notMovable(o.State, order.Accepted)
		}
		c := order.Change{Kind: order.Taken, State: o.State, Actor: by, At: now}
		if !promised.IsZero() {
			if err := changePromise(ctx, tx, o, &c, promised); err != nil {
				return err
			}
		}
		o.TakenAt, o.TakenBy = now, by
		if err := setTaken(ctx, tx.Q, *o); err != nil {
			return err
		}
		return s.StoreChange(ctx, tx, o, c)
	})
}

// Delay promises an order that is not final for another time. A promise within the interval that the
// customer has agreed to narrows it. A later one is shown to them with the old time, and they may
// cancel until the order is sent. note is for the restaurant's own staff. The same promise again
// changes nothing. Faults: common.too_long (Invalid) at actor or note, common.not_allowed (Invalid)
// at promised_at for a time that is past, before the interval that the customer has chosen, or a
// day or more too late; order.not_found (NotFound); order.not_delayable (Conflict).
func (s *Service) Delay(ctx context.Context, id int64, promised time.Time, note, actor string, now time.Time) (order.Order, error) {
	promised = clock.Cut(promised) // as it is stored, or a repeated call would be another promise
	var wrong order.FieldErrors
	if wrong.CheckLength("note", note, order.MaxNote); len(wrong) > 0 {
		return order.Order{}, fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		switch {
		case o.PromisedTo.Equal(promised):
			return nil
		case o.State.IsFinal() || o.State == order.WaitingForPayment:
			return fault.New(fault.Conflict, "order.not_delayable")
		}
		c := order.Change{Kind: order.Promised, State: o.State, Actor: by, At: now, Note: note}
		if err := changePromise(ctx, tx, o, &c, promised); err != nil {
			return err
		}
		return s.StoreChange(ctx, tx, o, c)
	})
}

// changePromise makes the order's promise end at an instant, in o, in c and in the database. The first
// change stores the promise that the customer was shown as the agreed one. A promise that ends within
// the agreed interval begins as agreed; a later one is as long as the agreed interval.
//
// It returns common.not_allowed (Invalid) at promised_at for a time
//   - that is not after c.At,
//   - that is before the interval which the customer has chosen, or
//   - that is promiseWithin or more after the agreed end or, when that is past, after c.At.
func changePromise(ctx context.Context, tx *db.Tx, o *order.Order, c *order.Change, to time.Time) error {
	if o.AgreedTo.IsZero() {
		o.AgreedFrom, o.AgreedTo = o.PromisedFrom, o.PromisedTo
	}
	latest := o.AgreedTo
	if latest.Before(c.At) {
		latest = c.At
	}
	isTooEarly := !to.After(c.At) || !o.IsASAP() && to.Before(o.AgreedFrom)
	if isTooEarly || to.Sub(latest) >= promiseWithin {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("promised_at", "common.not_allowed"))
	}
	from := o.AgreedFrom
	switch {
	case to.After(o.AgreedTo):
		from = to.Add(-o.AgreedTo.Sub(o.AgreedFrom))
	case to.Before(from): // only of an order as soon as possible; see isTooEarly
		from = to
	}
	o.PromisedFrom, o.PromisedTo = from, to
	c.PromisedFrom, c.PromisedTo = from, to
	return setPromise(ctx, tx.Q, *o)
}
