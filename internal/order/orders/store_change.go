package orders

import (
	"context"
	"fmt"
	"math"
	"strings"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/order"
)

// A change's number is drawn before its transaction commits, so on PostgreSQL a change may
// appear after one with a higher number. A reader that continues from a number must not pass
// a lower one that may still appear: it reads only up to [LastVisibleChange].

// kindOf returns the kind of a stored change. For a change that was stored before there were kinds it
// follows from the state and the actor.
func kindOf(storedKind string, s order.State, actor string) order.ChangeKind {
	switch {
	case storedKind != "":
		return order.ChangeKind(storedKind)
	case s == order.Canceled:
		return order.Cancellation
	case s == order.Accepted && actor == string(order.Acquirer):
		return order.Paid
	case s == order.WaitingForPayment || s == order.Accepted:
		return order.Placed
	}
	return order.Moved
}

// ChangeFromRow returns the change of a row.
func ChangeFromRow(row gen.ListOrderStatusesRow) order.Change {
	return order.Change{
		ID: row.ID, Kind: kindOf(row.Kind, order.State(row.State), row.Actor), State: order.State(row.State), Actor: row.Actor, At: row.At,
		Reason: order.CancelReason(row.Reason), Note: row.Note, Food: order.Food(row.Food), Amount: money.Amount(row.Amount),
		CourierID: row.CourierID, Fields: splitFields(row.Fields),
		PromisedFrom: row.PromisedFrom.Time, PromisedTo: row.PromisedTo.Time,
	}
}

// splitFields returns the names of corrected fields as they are stored; nil for none.
func splitFields(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Split(column, ",")
}

// changeParams returns what is stored of a change of the order with the id.
func changeParams(c order.Change, id int64) gen.InsertOrderStatusParams {
	return gen.InsertOrderStatusParams{
		OrderID: id, Kind: string(c.Kind), State: string(c.State), Actor: c.Actor, Reason: string(c.Reason), Note: c.Note, Food: string(c.Food), Amount: int64(c.Amount),
		CourierID: c.CourierID, Fields: strings.Join(c.Fields, ","),
		PromisedFrom: nullTime(c.PromisedFrom), PromisedTo: nullTime(c.PromisedTo), Now: c.At,
	}
}

// insertChange inserts a change into the history of the order with the id and returns the number of
// the change. The number is seen by readers only once all lower ones are.
func insertChange(ctx context.Context, tx *db.Tx, id int64, c order.Change) (number int64, err error) {
	p := changeParams(c, id)
	if tx.Engine == db.Postgres {
		err = tx.SQL.QueryRowContext(ctx, postgresChange, changeArguments(p)...).Scan(&number)
	} else {
		number, err = tx.Q.InsertOrderStatus(ctx, p)
	}
	if err != nil {
		return 0, fmt.Errorf("write state: %w", err)
	}
	return number, nil
}

// changeArguments returns the arguments of postgresChange.
func changeArguments(p gen.InsertOrderStatusParams) []any {
	return []any{
		int32(db.LockedChanges), int64(math.MaxInt32),
		p.OrderID, p.Kind, p.State, p.Actor, p.Reason, p.Note, p.Food, p.Amount, p.PromisedFrom, p.PromisedTo, p.CourierID, p.Fields, p.Now,
	}
}

// postgresChange takes a lock whose key is below every number that the transaction will draw, and then
// does what InsertOrderStatus does. The lock is held until the transaction ends. [LastVisibleChange] finds
// it; no transaction waits for it. SQLite has one writer, so changes appear there in the order of their
// numbers.
const postgresChange = announcedChange + " RETURNING id"

// announcedChange is postgresChange up to where it returns the number.
const announcedChange = `
WITH announced AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared($1, CAST((COALESCE(MAX(id), 0) & $2) AS int)) FROM order_status)
INSERT INTO order_status (order_id, kind, state, actor, reason, note, food, amount, promised_from, promised_to, courier_id, fields, at)
SELECT $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM announced`

// LastVisibleChange returns a number up to which no change is missing: each change with this number or
// a lower one is visible to every later read, or its transaction was rolled back. It must not be
// called in a transaction, which may see less.
//
// The last number must be read before the locks are listed: a transaction whose lock is not in the
// list yet then draws a number above the last one.
func LastVisibleChange(ctx context.Context, d *db.DB) (int64, error) {
	last, err := d.Read().LastStatusChange(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the last change: %w", err)
	}
	if d.Engine() != db.Postgres {
		return last, nil
	}
	// A lock contains only the lowest 31 bits of a number. So how far it is behind the last number is
	// computed modulo 2^31. A lock ahead of the last number has a result in the upper half, and the
	// query leaves it out.
	var behind int64
	err = d.Reader().QueryRowContext(ctx, `
		SELECT COALESCE(MAX((CAST($1 AS bigint) - CAST(objid AS bigint)) & CAST($2 AS bigint)), 0)
		FROM pg_locks
		WHERE locktype = 'advisory' AND objsubid = 2 AND classid = CAST(CAST($3 AS bigint) AS oid)
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND ((CAST($1 AS bigint) - CAST(objid AS bigint)) & CAST($2 AS bigint)) <= CAST($2 AS bigint) / 2`,
		last, int64(math.MaxInt32), int64(db.LockedChanges)).Scan(&behind)
	if err != nil {
		return 0, fmt.Errorf("list changes under way: %w", err)
	}
	return last - behind, nil
}

// openOrders returns at most limit open orders whose last change has a number above after and up
// to last, in the order of these numbers. Open are those that are not done or canceled and do
// not wait for their payment.
func openOrders(ctx context.Context, q *gen.Queries, query OpenQuery, last int64) ([]order.Order, error) {
	ids, err := q.ListOpenOrders(ctx, gen.ListOpenOrdersParams{
		After: query.After, Last: last, Site: query.Site, Shops: db.ListOf(query.Shops), State: string(query.State), MaxCount: int32(query.Limit),
	})
	if err != nil {
		return nil, fmt.Errorf("list orders: %w", err)
	}
	orders := make([]order.Order, 0, len(ids))
	for _, id := range ids {
		o, err := Load(ctx, q, id)
		if err != nil {
			return nil, err
		}
		orders = append(orders, o)
	}
	return orders, nil
}

// setTaken stores when the order was taken and by whom.
func setTaken(ctx context.Context, q *gen.Queries, o order.Order) error {
	err := q.SetOrderTaken(ctx, gen.SetOrderTakenParams{TakenBy: o.TakenBy, Now: nullTime(o.TakenAt), ID: o.ID})
	if err != nil {
		return fmt.Errorf("take order: %w", err)
	}
	return nil
}

// setCourier stores who brings the order.
func setCourier(ctx context.Context, q *gen.Queries, o order.Order) error {
	err := q.SetOrderCourier(ctx, gen.SetOrderCourierParams{CourierID: o.Courier.ID, CourierName: o.Courier.Name, CourierPhone: o.Courier.Phone, ID: o.ID})
	if err != nil {
		return fmt.Errorf("write courier: %w", err)
	}
	return nil
}

// setPromise stores the promise of the order and the agreed one.
func setPromise(ctx context.Context, q *gen.Queries, o order.Order) error {
	err := q.SetOrderPromise(ctx, gen.SetOrderPromiseParams{
		PromisedFrom: o.PromisedFrom, PromisedTo: o.PromisedTo,
		AgreedFrom: nullTime(o.AgreedFrom), AgreedTo: nullTime(o.AgreedTo), ID: o.ID,
	})
	if err != nil {
		return fmt.Errorf("promise order: %w", err)
	}
	return nil
}
