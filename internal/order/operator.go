package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/bonus"
	"servery/internal/db"
	"servery/internal/fault"
)

// Open returns open orders: those that are not done or canceled and do not wait for their
// payment. It returns the first limit of those whose last change has a number above after,
// sorted by that number. A caller that continues from the highest number received misses no
// change, because a change is returned only once all with lower numbers are visible.
func (s *Service) Open(ctx context.Context, after int64, limit int) ([]Order, error) {
	last, err := LastVisibleChange(ctx, s.db)
	if err != nil {
		return nil, err
	}
	var orders []Order
	// An order that moves while the others are read must not show a number above those of
	// changes that this answer lacks.
	err = s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		orders, err = openOrders(ctx, at.Q, after, last, limit)
		return err
	})
	return orders, err
}

// Read returns orders for the restaurant, in the order of the ids. It leaves out an id without an
// order. The caller must be allowed to see all of them.
func (s *Service) Read(ctx context.Context, ids ...int64) ([]Order, error) {
	orders := make([]Order, 0, len(ids))
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		for _, id := range ids {
			o, err := Load(ctx, at.Q, id)
			switch {
			case errors.Is(err, db.ErrNotFound):
				continue
			case err != nil:
				return err
			}
			orders = append(orders, o)
		}
		return nil
	})
	return orders, err
}

// maxActorName is how many characters the name of who moved an order may have.
const maxActorName = 64

// SetState moves an order into its next state for the restaurant; actor names who did it and may be
// empty. Canceling is [Service.CancelForRestaurant] without a reason. Done makes the closing receipt
// and accrues the promised bonuses. Leaving Sent deletes the courier's position. An order that
// is in the state already stays as it is. Faults: common.too_long (Invalid) at actor,
// order.not_found (NotFound), order.not_movable (Conflict).
func (s *Service) SetState(ctx context.Context, id int64, to State, actor string, now time.Time) (Order, error) {
	if to == Canceled {
		return s.CancelForRestaurant(ctx, id, CancelRequest{Outcome: OutcomeCanceled, Actor: actor}, now)
	}
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *Order, by string) error {
		if o.State == to {
			return nil
		}
		return s.moveLocked(ctx, tx, o, to, by, now)
	})
}

// moveLocked moves an order that the transaction has locked into its next state, with all that follows
// from that. It returns order.not_movable (Conflict) when the restaurant cannot move it there.
func (s *Service) moveLocked(ctx context.Context, tx *db.Tx, o *Order, to State, by string, now time.Time) error {
	from := o.State
	if !CanMove(from, to, o.Type, Operator) {
		return notMovable(from, to)
	}
	if err := s.StoreChange(ctx, tx, o, Change{Kind: Moved, State: to, Actor: by, At: now}); err != nil {
		return err
	}
	if err := leaveRoad(ctx, tx, o.ID, from); err != nil || to != Done {
		return err
	}
	if err := s.payments.CloseReceipt(ctx, tx, o.PaidBy, now); err != nil {
		return err
	}
	return accrueBonuses(ctx, tx, *o, now)
}

// stepBackWithin is how long after a move an order may step back from it.
const stepBackWithin = 5 * time.Minute

// CanStepBack reports whether the restaurant may undo the last move of the order now: one that it made
// itself within five minutes, into cooking or sent, and that undid no other.
func (o Order) CanStepBack(now time.Time) bool {
	last, moved := o.lastMove()
	_, canGoBack := StateBefore(o.State)
	return moved && canGoBack && last.Kind == Moved && now.Sub(last.At) <= stepBackWithin
}

// StepBack undoes the last move of an order for the restaurant; actor names who did it and may be empty. An
// order whose last move was undone already stays as it is. Faults: common.too_long (Invalid) at
// actor, order.not_found (NotFound), order.no_step_back (Conflict) where [Order.CanStepBack]
// reports false.
func (s *Service) StepBack(ctx context.Context, id int64, actor string, now time.Time) (Order, error) {
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *Order, by string) error {
		if last, moved := o.lastMove(); moved && last.Kind == SteppedBack {
			return nil
		}
		if !o.CanStepBack(now) {
			return fault.New(fault.Conflict, "order.no_step_back")
		}
		from := o.State
		to, _ := StateBefore(from)
		if err := s.StoreChange(ctx, tx, o, Change{Kind: SteppedBack, State: to, Actor: by, At: now}); err != nil {
			return err
		}
		return leaveRoad(ctx, tx, id, from)
	})
}

// ChangeForRestaurant calls change with a locked order and the name of who changes it, in one
// transaction, and returns the order. It returns the error of change, common.too_long (Invalid) at
// actor and order.not_found (NotFound).
func (s *Service) ChangeForRestaurant(ctx context.Context, id int64, actor string, change func(tx *db.Tx, o *Order, by string) error) (Order, error) {
	var wrong validationErrors
	if wrong.checkLength("actor", actor, maxActorName); len(wrong) > 0 {
		return Order{}, fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	var o Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if o, err = lockAndLoad(ctx, tx, id); err != nil {
			return err
		}
		before := o
		if err := change(tx, &o, operatorName(actor)); err != nil {
			return err
		}
		return recordChange(ctx, tx, before, o)
	})
	return o, err
}

// lockAndLoad returns an order that no other transaction changes until this one ends. It returns
// order.not_found (NotFound) when there is none.
func lockAndLoad(ctx context.Context, tx *db.Tx, id int64) (Order, error) {
	if err := lockOrder(ctx, tx.Q, id); err != nil {
		return Order{}, hideNotFound(err)
	}
	o, err := Load(ctx, tx.Q, id)
	return o, hideNotFound(err)
}

// StoreChange stores a change of an order that the transaction has locked, and announces it.
func (s *Service) StoreChange(ctx context.Context, tx *db.Tx, o *Order, c Change) error {
	isStored, err := s.change(ctx, tx, o, c)
	if err == nil && !isStored {
		err = errMoved
	}
	return err
}

// leaveRoad deletes the courier's position of an order that was on its way: where the courier goes
// next is not to be seen. It does nothing for an order that was in another state.
func leaveRoad(ctx context.Context, tx *db.Tx, id int64, from State) error {
	if from != Sent {
		return nil
	}
	if err := tx.Q.DeleteCourierPosition(ctx, id); err != nil {
		return fmt.Errorf("forget courier position: %w", err)
	}
	return nil
}

// operatorName returns the actor of a change that the restaurant makes, with the name behind it if
// there is one.
func operatorName(name string) string {
	if name == "" {
		return string(Operator)
	}
	return string(Operator) + ":" + name
}

// notMovable returns the fault order.not_movable (Conflict).
func notMovable(from, to State) error {
	return fault.New(fault.Conflict, "order.not_movable", fault.With(fault.Args{"from": string(from), "to": string(to)}))
}

// accrueBonuses adds the bonuses that were promised when a done order was placed to its
// customer's account. It does nothing for a guest's order.
func accrueBonuses(ctx context.Context, tx *db.Tx, o Order, now time.Time) error {
	if o.customerID == 0 || o.Prices.UpcomingBonuses == 0 {
		return nil
	}
	return bonus.Accrue(ctx, tx, o.account(), o.ID, o.Prices.UpcomingBonuses, now)
}
