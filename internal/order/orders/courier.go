package orders

import (
	"context"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/site"
)

// AssignCourier stores who brings an order that is under way, in place of another courier, whose position is
// deleted; actor names who did it and may be empty. With isOwn the courier takes the order themselves, which is
// refused when another has it. The same courier again changes nothing. Faults: common.invalid (Invalid) with
// its fields, order.not_found (NotFound); order.no_courier for a takeaway and for an order that waits
// for its payment or is final, order.courier_taken (Conflict).
func (s *Service) AssignCourier(ctx context.Context, id int64, c order.Courier, isOwn bool, actor string, now time.Time) (order.Order, error) {
	if err := c.Check(); err != nil {
		return order.Order{}, err
	}
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		return s.assignLocked(ctx, tx, o, c, isOwn, by, now)
	})
}

// assignLocked stores the courier of an order that the transaction has locked. It returns
// order.no_courier and order.courier_taken (Conflict) as AssignCourier does.
func (s *Service) assignLocked(ctx context.Context, tx *db.Tx, o *order.Order, c order.Courier, isOwn bool, by string, now time.Time) error {
	switch {
	case isOwn && isTaken(*o, c):
		return order.CourierTaken(o.Courier.ID)
	case o.Courier == c:
		return nil
	case o.Type != site.Delivery || !slices.Contains([]order.State{order.Accepted, order.Cooking, order.Sent}, o.State):
		return fault.New(fault.Conflict, "order.no_courier")
	}
	if isTaken(*o, c) { // where the other one was says nothing of this one
		if err := deletePosition(ctx, tx, o.ID, o.State); err != nil {
			return err
		}
	}
	o.Courier = c
	if err := setCourier(ctx, tx.Q, *o); err != nil {
		return err
	}
	return s.StoreChange(ctx, tx, o, order.Change{Kind: order.CourierAssigned, State: o.State, Actor: by, At: now, CourierID: c.ID})
}

// isTaken reports whether another courier than c has the order.
func isTaken(o order.Order, c order.Courier) bool { return o.Courier.ID != "" && o.Courier.ID != c.ID }

// RemoveCourier takes the courier from an order that is not sent; actor names who did it and may be
// empty. courierID is the courier to remove, empty for any. An order without a courier stays as it is.
// Faults: common.too_long (Invalid) at actor, order.not_found (NotFound); order.courier_taken when
// another courier has it, order.not_movable when it is sent or final (Conflict).
func (s *Service) RemoveCourier(ctx context.Context, id int64, courierID, actor string, now time.Time) (order.Order, error) {
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		switch {
		case o.Courier.ID == "":
			return nil
		case courierID != "" && o.Courier.ID != courierID:
			return order.CourierTaken(o.Courier.ID)
		case o.State == order.Sent || o.State.IsFinal():
			return notMovable(o.State, o.State)
		}
		removed := order.Change{Kind: order.CourierRemoved, State: o.State, Actor: by, At: now, CourierID: o.Courier.ID}
		o.Courier = order.Courier{}
		if err := setCourier(ctx, tx.Q, *o); err != nil {
			return err
		}
		return s.StoreChange(ctx, tx, o, removed)
	})
}

// HandOver moves an order that is cooked: a delivery to its courier, so that it is sent, and a takeaway
// to its customer, so that it is done. c is the courier who takes it along, nil for the assigned courier
// or a courier who is not named; actor names who did it and may be empty. With isOwn the courier takes it
// themselves, which is refused when another has it. An order that is in that state already stays as it is.
// Faults: common.invalid (Invalid) with its fields, order.not_found (NotFound); order.not_movable,
// order.no_courier, order.courier_taken (Conflict).
func (s *Service) HandOver(ctx context.Context, id int64, c *order.Courier, isOwn bool, actor string, now time.Time) (order.Order, error) {
	if c != nil {
		if err := c.Check(); err != nil {
			return order.Order{}, err
		}
	}
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		to := order.Sent
		if o.Type == site.Takeaway {
			to = order.Done
		}
		switch {
		case c != nil && isOwn && isTaken(*o, *c):
			return order.CourierTaken(o.Courier.ID)
		case o.State == to:
			return nil
		}
		if c != nil {
			if err := s.assignLocked(ctx, tx, o, *c, isOwn, by, now); err != nil {
				return err
			}
		}
		return s.moveLocked(ctx, tx, o, to, by, now)
	})
}
