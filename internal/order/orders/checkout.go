package orders

import (
	"context"
	"errors"
	"time"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// HoldFor is how long a checkout holds its interval and an order waits for its payment, where
// no setting says otherwise.
const HoldFor = 10 * time.Minute

// keptCheckouts is how many checkouts that became no order are kept of a session in a city: those of other tabs, and of
// presses whose answer was lost.
const keptCheckouts = 20

// Checkout is a begun checkout. Its key makes creating the order safe to repeat.
type Checkout struct {
	Key                  string
	CreatedAt, ExpiresAt time.Time
	// IsHeld says that the time chosen in the cart is reserved. Otherwise others may take it
	// before the order does.
	IsHeld bool

	intervalID string    // the time that it was begun with, empty for none
	heldSince  time.Time // zero when it holds none
}

// Begin starts the checkout of the visitor's cart at a place. The time chosen in the
// cart is held until the deadline, within the limits. What the visitor's earlier checkouts hold is
// released, and the visitor's orders that wait for their payment are canceled. Faults:
// order.already_paid (Conflict), an [*AlreadyPaid], when one of them was paid before it could be
// canceled; order.sign_in_first (Unauthenticated) for a guest where guests may not order;
// order.city_stopped, order.shop_stopped, order.alert (Invalid); those of the place;
// and, with the fresh cart, order.empty and those of the interval (Conflict).
func (s *Service) Begin(ctx context.Context, v visit.Context, p cart.PlaceRequest) (Checkout, error) {
	if err := checkMayOrder(v); err != nil {
		return Checkout{}, err
	}
	city, err := v.City(p.CityID)
	if err != nil {
		return Checkout{}, err
	}
	if city.Stopped {
		return Checkout{}, order.StoppedFault("order.city_stopped", city.Alert, v)
	}
	checkout := Checkout{Key: order.NewSecret(), CreatedAt: v.Now, ExpiresAt: v.Now.Add(s.payWithin)}
	bounds := schedule.Bounds{Limits: s.limits, Caller: v.Caller}
	mustCancel := true
	begin := func(tx *db.Tx) error {
		if err := bounds.Lock(ctx, tx); err != nil {
			return err
		}
		stored, err := s.carts.ReadIn(ctx, tx, v, city)
		if err != nil {
			return err
		}
		if stored.IsWaiting && mustCancel {
			return errUnpaidOrder
		}
		c, err := cart.MoveTo(v, stored.Cart, p, city)
		if err != nil {
			return err
		}
		q, err := stored.Price(ctx, c)
		if err != nil {
			return err
		}
		if len(q.Lines) == 0 {
			// The customer sees dishes: their session has ended, or another tab has ordered them.
			return cart.Refuse(fault.New(fault.Conflict, "order.empty", fault.Field("cart", "order.empty")), q)
		}
		if err := order.FindShopRefusal(q, v); err != nil {
			return err
		}
		if err := releaseHolds(ctx, tx, ownerOf(v, city), q, stored.HasCheckouts); err != nil {
			return err
		}
		if stored.HasCheckouts {
			if err := deleteFormerCheckouts(ctx, tx, ownerOf(v, city), s.heldAfter(v.Now)); err != nil {
				return err
			}
		}
		checkout.intervalID = c.IntervalID
		if c.IntervalID != "" && q.Spot.Shop != nil {
			if err := s.holdInterval(ctx, tx, &checkout, ownerOf(v, city), q, bounds); err != nil {
				return err
			}
		}
		return insertCheckout(ctx, tx, ownerOf(v, city), checkout)
	}
	if err = s.db.InTx(ctx, begin); errors.Is(err, errUnpaidOrder) {
		if err := s.cancelUnpaidOrders(ctx, v, city); err != nil {
			return Checkout{}, err
		}
		mustCancel = false // an order that another call has placed since is left to the next checkout
		err = s.db.InTx(ctx, begin)
	}
	return checkout, s.dropInterval(ctx, v, city, err)
}

// errUnpaidOrder is returned when an order of the cart waits for its payment. It must be canceled
// outside of any transaction, because its acquirer is asked first.
var errUnpaidOrder = errors.New("an order of the cart waits for its payment")

// holdInterval reserves the time chosen in the cart for a checkout, if the limits allow it, and sets
// in the checkout whether it did. The time is held for as long as the payment may take; checkouts that
// follow each other may together hold times for at most 1 + HoldRenewals times as long, or without an end
// when HoldRenewals is 0. It returns the faults of the interval, with the fresh cart.
func (s *Service) holdInterval(ctx context.Context, tx *db.Tx, checkout *Checkout, o owner, q cart.Quoted, bounds schedule.Bounds) error {
	now := checkout.CreatedAt
	choice, err := q.Spot.Plan().Resolve(checkout.intervalID, now)
	if err != nil {
		return explainIntervalFault(err, q)
	}
	hold := s.newHold(checkout.Key, q, choice, now)
	hold.IsNewHolder = true
	since := now
	if s.limits.HoldRenewals > 0 {
		if since, err = firstHeldSince(ctx, tx.Q, o, s.heldAfter(now), now); err != nil {
			return err
		}
		if last := since.Add(s.longestHold()); last.Before(hold.ExpiresAt) {
			hold.ExpiresAt = last
		}
	}
	if !hold.ExpiresAt.After(now) {
		checkout.heldSince = since // although nothing is held: the next checkout has to find it
		return nil
	}
	if checkout.IsHeld, err = schedule.ReserveWithin(ctx, tx, hold, bounds, now); err != nil {
		return explainIntervalFault(err, q)
	}
	if checkout.IsHeld {
		checkout.heldSince = since
	}
	return nil
}

// longestHold returns for how long checkouts that follow each other may together hold times.
func (s *Service) longestHold() time.Duration {
	return time.Duration(1+s.limits.HoldRenewals) * s.payWithin
}

// heldAfter returns since when a hold must have begun to be continued at now: one whose longest time ended more than
// payWithin ago is not.
func (s *Service) heldAfter(now time.Time) time.Time { return now.Add(-s.longestHold() - s.payWithin) }

// dropInterval removes the chosen time from the visitor's cart when the refusal says that it is
// not available. It returns the refusal. For a full time it returns another refusal instead,
// which names the next time that has room, if there is one. Any other refusal, and nil, is returned
// as it is.
func (s *Service) dropInterval(ctx context.Context, v visit.Context, city *site.City, refused error) error {
	f, ok := fault.Of(refused)
	canStillBeHad := ok && f.Message.Key == "order.time_changed" // but later than it was shown
	if !ok || f.Code != fault.Conflict || f.Fields["interval_id"] == nil || canStillBeHad {
		return refused
	}
	const noInterval = ""
	if _, err := s.carts.SetInterval(ctx, v, city.ID, noInterval); isUnexpected(err) {
		return err
	}
	q, ok := cart.FreshCart(refused)
	if !ok || f.Message.Key != "schedule.full" {
		return refused
	}
	explain := s.carts.WhyFull
	if q.IsLarge() {
		explain = s.carts.WhyTooLarge
	}
	why, err := explain(ctx, v, q)
	if err != nil {
		return err
	}
	explained := fault.New(f.Code, why.Key, fault.With(why.Args), fault.Field("interval_id", why.Key, why.Args), fault.Because(refused))
	return cart.Refuse(explained, q)
}

// releaseHolds releases the times that the visitor's checkouts have reserved. Their keys stay
// valid: an order created under one of them reserves its time again. hasCheckouts is what was read with the cart:
// without checkouts there is nothing to release.
func releaseHolds(ctx context.Context, tx *db.Tx, o owner, q cart.Quoted, hasCheckouts bool) error {
	if q.IsLarge() { // the lock must be taken before the first interval is touched, by a release here or later
		if err := schedule.LockForLarge(ctx, tx, q.Spot.Shop.ID); err != nil {
			return err
		}
	}
	if !hasCheckouts {
		return nil
	}
	keys, err := listHoldingCheckouts(ctx, tx.Q, o, q.At)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := schedule.Release(ctx, tx, checkoutHolder(key)); err != nil {
			return err
		}
	}
	return nil
}
