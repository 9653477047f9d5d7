package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/bonus"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/order/archive"
)

// OpenQuery says which open orders are listed.
type OpenQuery struct {
	// After is the number of a change: only orders that changed after it are listed.
	After int64
	// Site is the alias of a brand, Shops are ids of shops. Each is empty for all, and so is State.
	Site  string
	Shops []int64
	State order.State
	Limit int
}

// Open returns open orders: those that are not done or canceled and do not wait for their
// payment. It returns the first Limit of those whose last change has a number above After,
// sorted by that number. A caller that continues from the highest number received misses no
// change, because a change is returned only once all with lower numbers are visible.
func (s *Service) Open(ctx context.Context, q OpenQuery) ([]order.Order, error) {
	last, err := LastVisibleChange(ctx, s.db)
	if err != nil {
		return nil, err
	}
	var orders []order.Order
	// All orders are read in one snapshot. Otherwise an order that moves while they are read could show
	// a number above that of a change which this answer lacks, and the caller would miss that change.
	err = s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		orders, err = openOrders(ctx, at.Q, q, last)
		return err
	})
	return orders, err
}

// Place is where an order is prepared, and who brings it.
type Place struct {
	Site   string
	ShopID int64
	// CourierID is the courier; empty for none.
	CourierID string
}

// FindPlace returns the place of an order. An archived order comes back from the archive. It returns
// order.not_found (NotFound) when there is no such order.
func (s *Service) FindPlace(ctx context.Context, id int64) (Place, error) {
	row, err := s.db.Read().GetOrderPlace(ctx, id)
	if errors.Is(err, db.ErrNotFound) { // the caller is about to read or change it
		if err := archive.Recall(ctx, s.db, s.clock.Now(), id); err != nil {
			return Place{}, err
		}
		row, err = s.db.Read().GetOrderPlace(ctx, id)
	}
	return Place{Site: row.Site, ShopID: row.ShopID, CourierID: row.CourierID}, hideNotFound(err)
}

// Read returns orders for the restaurant, in the order of the ids. It leaves out an id without an
// order; an archived order comes back from the archive. The caller must be allowed to see all of them.
func (s *Service) Read(ctx context.Context, ids ...int64) ([]order.Order, error) {
	orders, missing, err := s.readLive(ctx, ids)
	if err != nil || len(missing) == 0 {
		return orders, err
	}
	if err := archive.Recall(ctx, s.db, s.clock.Now(), missing...); err != nil {
		return nil, err
	}
	orders, _, err = s.readLive(ctx, ids)
	return orders, err
}

// readLive returns the orders with the ids that are not archived, in the order of the ids, and the other
// ids.
func (s *Service) readLive(ctx context.Context, ids []int64) (orders []order.Order, missing []int64, err error) {
	orders = make([]order.Order, 0, len(ids))
	err = s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		for _, id := range ids {
			o, err := Load(ctx, at.Q, id)
			switch {
			case errors.Is(err, db.ErrNotFound):
				missing = append(missing, id)
				continue
			case err != nil:
				return err
			}
			orders = append(orders, o)
		}
		return nil
	})
	return orders, missing, err
}

// SetState moves an order into its next state for the restaurant; actor names who did it and may be
// empty. Canceling is [Service.CancelForRestaurant] without a reason. Done makes the closing receipt
// and accrues the promised bonuses. Leaving Sent deletes the courier's position. An order that
// is in the state already stays as it is. Faults: common.too_long (Invalid) at actor,
// order.not_found (NotFound), order.not_movable (Conflict).
func (s *Service) SetState(ctx context.Context, id int64, to order.State, actor string, now time.Time) (order.Order, error) {
	if to == order.Canceled {
		return s.CancelForRestaurant(ctx, id, order.CancelRequest{Outcome: order.OutcomeCanceled, Actor: actor}, now)
	}
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		if o.State == to {
			return nil
		}
		return s.moveLocked(ctx, tx, o, to, by, now)
	})
}

// moveLocked moves an order that the transaction has locked into its next state, with the effects that
// [Service.SetState] names. It returns order.not_movable (Conflict) when the restaurant cannot move it there.
func (s *Service) moveLocked(ctx context.Context, tx *db.Tx, o *order.Order, to order.State, by string, now time.Time) error {
	from := o.State
	if !order.CanMove(from, to, o.Type, order.Operator) {
		return notMovable(from, to)
	}
	if err := s.StoreChange(ctx, tx, o, order.Change{Kind: order.Moved, State: to, Actor: by, At: now}); err != nil {
		return err
	}
	if err := deletePosition(ctx, tx, o.ID, from); err != nil || to != order.Done {
		return err
	}
	if err := s.payments.CloseReceipt(ctx, tx, o.PaidBy, now); err != nil {
		return err
	}
	return accrueBonuses(ctx, tx, *o, now)
}

// StepBack undoes the last move of an order for the restaurant; actor names who did it and may be empty. An
// order whose last move was undone already stays as it is. Faults: common.too_long (Invalid) at
// actor, order.not_found (NotFound), order.no_step_back (Conflict) where [Order.CanStepBack]
// reports false.
func (s *Service) StepBack(ctx context.Context, id int64, actor string, now time.Time) (order.Order, error) {
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		if last, moved := o.LastMove(); moved && last.Kind == order.SteppedBack {
			return nil
		}
		if !o.CanStepBack(now) {
			return fault.New(fault.Conflict, "order.no_step_back")
		}
		from := o.State
		to, _ := order.StateBefore(from)
		if err := s.StoreChange(ctx, tx, o, order.Change{Kind: order.SteppedBack, State: to, Actor: by, At: now}); err != nil {
			return err
		}
		return deletePosition(ctx, tx, id, from)
	})
}

// ChangeForRestaurant calls change with a locked order and the name of who changes it, and records in the
// audit log what has changed, in one transaction. It returns the order. Faults: those of change,
// common.too_long (Invalid) at actor, order.not_found (NotFound).
func (s *Service) ChangeForRestaurant(ctx context.Context, id int64, actor string, change func(tx *db.Tx, o *order.Order, by string) error) (order.Order, error) {
	var wrong order.FieldErrors
	if wrong.CheckLength("actor", actor, order.MaxActorName); len(wrong) > 0 {
		return order.Order{}, fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	var o order.Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if o, err = s.lockAndLoad(ctx, tx, id); err != nil {
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
// order.not_found (NotFound) when there is none. An archived order comes back from the archive.
func (s *Service) lockAndLoad(ctx context.Context, tx *db.Tx, id int64) (order.Order, error) {
	err := lockOrder(ctx, tx.Q, id)
	if errors.Is(err, db.ErrNotFound) {
		if err := archive.RecallIn(ctx, tx, s.clock.Now(), id); err != nil {
			return order.Order{}, err
		}
		err = lockOrder(ctx, tx.Q, id)
	}
	if err != nil {
		return order.Order{}, hideNotFound(err)
	}
	o, err := Load(ctx, tx.Q, id)
	return o, hideNotFound(err)
}

// StoreChange stores a change of an order that the transaction has locked, and announces it. It returns
// errMoved when another transaction moved the order first; the caller must then roll back.
func (s *Service) StoreChange(ctx context.Context, tx *db.Tx, o *order.Order, c order.Change) error {
	isStored, err := s.change(ctx, tx, o, c)
	if err == nil && !isStored {
		err = errMoved
	}
	return err
}

// deletePosition deletes the courier's position of an order that leaves the state Sent or its courier, so that
// nobody sees where the courier goes next. It does nothing for an order that was in another state.
func deletePosition(ctx context.Context, tx *db.Tx, id int64, from order.State) error {
	if from != order.Sent {
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
		return string(order.Operator)
	}
	return string(order.Operator) + ":" + name
}

// notMovable returns the fault order.not_movable (Conflict).
func notMovable(from, to order.State) error {
	return fault.New(fault.Conflict, "order.not_movable", fault.With(fault.Args{"from": string(from), "to": string(to)}))
}

// accrueBonuses books to the customer of a done order the bonuses that were promised when it was
// placed. It does nothing for a guest's order, or when none were promised.
func accrueBonuses(ctx context.Context, tx *db.Tx, o order.Order, now time.Time) error {
	if o.CustomerID == 0 || o.Prices.UpcomingBonuses == 0 {
		return nil
	}
	return bonus.Accrue(ctx, tx, accountOf(o), o.ID, o.Prices.UpcomingBonuses, now)
}
