package order

import (
	"context"
	"errors"
	"time"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/queue"
	"servery/internal/schedule"
)

// HoldFor is how long a checkout holds its interval.
const HoldFor = 10 * time.Minute

// Checkout is a begun checkout. Its key makes creating the order safe to repeat.
type Checkout struct {
	Key                  string
	CreatedAt, ExpiresAt time.Time

	intervalID string // the time that it holds, empty for none
}

// Begin starts the checkout of the visitor's cart at a place. The time chosen in the
// cart is held until the deadline; what checkouts begun before have held is given back,
// so that nobody stands in his own way. Faults: order.empty (Invalid), those of the place,
// and with the fresh cart those of the interval (Conflict).
func (s *Service) Begin(ctx context.Context, v cart.Visitor, p cart.Place) (Checkout, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return Checkout{}, err
	}
	checkout := Checkout{Key: newSecret(), CreatedAt: v.Now, ExpiresAt: v.Now.Add(HoldFor)}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := s.carts.In(ctx, tx, v, city)
		if err != nil {
			return err
		}
		if c, err = v.Move(c, p, city); err != nil {
			return err
		}
		q := v.Price(c, city)
		if len(q.Lines) == 0 {
			return fault.New(fault.Invalid, "order.empty", fault.Field("cart", "order.empty"))
		}
		if err := giveUp(ctx, tx, ownerOf(v, city), v.Now); err != nil {
			return err
		}
		checkout.intervalID = c.IntervalID
		if err := insertCheckout(ctx, tx.Q, ownerOf(v, city), checkout); err != nil {
			return err
		}
		if c.IntervalID == "" || q.Spot.Shop == nil {
			return nil
		}
		starts, err := startsOf(q, c.IntervalID, v.Now)
		if err != nil {
			return aboutInterval(err, q)
		}
		if _, err = schedule.Reserve(ctx, tx, holdFor(checkout.Key, q, starts, checkout.ExpiresAt)); err != nil {
			return aboutInterval(err, q)
		}
		return s.queue.Enqueue(ctx, tx, releaseHold{checkout.Key}, queue.At(checkout.ExpiresAt))
	})
	return checkout, err
}

// giveUp gives back what the visitor's checkouts hold. Their keys stay good: an order
// created under one of them takes the time anew.
func giveUp(ctx context.Context, tx *db.Tx, o owner, now time.Time) error {
	keys, err := begun(ctx, tx.Q, o, now)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := schedule.Release(ctx, tx, cacheHolder(key)); err != nil {
			return err
		}
	}
	return nil
}

// reserve takes the wanted time for good: the one that the checkout holds, or else
// one that can still be had. It gives the start of the interval.
func reserve(ctx context.Context, tx *db.Tx, begun Checkout, id int64, q cart.Quoted, intervalID string, now time.Time) (time.Time, error) {
	key := begun.Key
	if begun.intervalID != intervalID { // what is held was for another wish
		if err := schedule.Release(ctx, tx, cacheHolder(key)); err != nil {
			return time.Time{}, err
		}
	}
	kept, held, err := schedule.Held(ctx, tx.Q, cacheHolder(key))
	if err != nil {
		return time.Time{}, err
	}
	// What the customer held while checking out is still his, though by now it may
	// begin too soon to be chosen anew.
	starts := []time.Time{kept.Start}
	if !held || !kept.ExpiresAt.After(now) || kept.ShopID != q.Spot.Shop.ID || kept.OrderType != q.Spot.OrderType {
		if starts, err = startsOf(q, intervalID, now); err != nil {
			return time.Time{}, err
		}
	}
	start, err := schedule.Reserve(ctx, tx, holdFor(key, q, starts, now.Add(HoldFor)))
	if err != nil {
		return time.Time{}, err
	}
	return start, schedule.Confirm(ctx, tx, cacheHolder(key), orderHolder(id))
}

func holdFor(key string, q cart.Quoted, starts []time.Time, until time.Time) schedule.Hold {
	return schedule.Hold{
		Holder: cacheHolder(key), ShopID: q.Spot.Shop.ID, OrderType: q.Spot.OrderType,
		Starts: starts, Needs: q.Needs(), Ceilings: q.Spot.Ceilings(), ExpiresAt: until,
	}
}

func startsOf(q cart.Quoted, intervalID string, now time.Time) ([]time.Time, error) {
	found, err := q.Spot.Plan().Resolve(intervalID, now)
	if err != nil {
		return nil, err
	}
	starts := make([]time.Time, len(found))
	for i, interval := range found {
		starts[i] = interval.Start
	}
	return starts, nil
}

// aboutInterval makes a refusal of the schedule one of the field interval_id, with
// the fresh cart. An unknown interval is a wrong request rather than a missing page.
func aboutInterval(err error, q cart.Quoted) error {
	f, ok := fault.Of(err)
	if !ok {
		return err
	}
	code := f.Code
	if errors.Is(err, fault.New(fault.NotFound, "schedule.unknown_interval")) {
		code = fault.Invalid
	}
	return fault.New(code, f.Message.Key, fault.With(f.Message.Args),
		fault.Field("interval_id", f.Message.Key, f.Message.Args), fault.Data(q), fault.Because(err))
}
