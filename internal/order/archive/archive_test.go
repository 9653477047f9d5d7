package archive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/order/ordertest"
)

// tables are those that an order has rows in for good.
var tables = []string{"orders", "order_line", "order_status", "order_correction", "payment", "refund", "hand_refund", "closing_receipt"}

// age makes all orders a year older and removes what has a shorter term, as the sweeps do. A newer order
// has the newest change.
func age(t *testing.T, h *ordertest.Restaurant) {
	t.Helper()
	h.Clock.Advance(366 * 24 * time.Hour)
	for _, table := range []string{"payment_event", "order_grant", "order_message", "push_subscription", "courier_position", "order_origin"} {
		execute(t, h.DB, "DELETE FROM "+table)
	}
	v := h.Visitor(t, "sushi")
	h.Place(t, v, h.TakeawayFromPhone(t, v, 9999))
}

// execute runs a statement.
func execute(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), statement, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sweep archives what is older than ten months.
func sweep(t *testing.T, h *ordertest.Restaurant) {
	t.Helper()
	if err := archive.Sweep(t.Context(), h.DB, "sushi", h.Clock.Now().AddDate(0, -10, 0), h.Clock.Now()); err != nil {
		t.Fatal(err)
	}
}

// number returns the number that a query returns.
func number(t *testing.T, d *db.DB, query string, args ...any) int {
	t.Helper()
	var n int
	if err := d.Reader().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// isArchived reports whether the order is in the archive, and fails the test unless it is in one place
// with all its parts.
func isArchived(t *testing.T, d *db.DB, id int64) bool {
	t.Helper()
	archived := number(t, d, "SELECT COUNT(*) FROM order_archive WHERE id = $1", id)
	for _, table := range []string{"orders", "order_line", "order_status"} {
		key := "order_id"
		if table == "orders" {
			key = "id"
		}
		live := number(t, d, "SELECT COUNT(*) FROM "+table+" WHERE "+key+" = $1", id)
		if (live > 0) == (archived > 0) {
			t.Errorf("order %d has %d rows of %s and %d in the archive", id, live, table, archived)
		}
	}
	return archived > 0
}

// dump returns all rows of all tables of orders as texts, without the time of the recall.
func dump(t *testing.T, d *db.DB) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, table := range tables {
		rows, err := d.Reader().QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			text := table
			for i, column := range columns {
				if at, isTime := values[i].(time.Time); isTime {
					values[i] = at.UTC()
				}
				if column != "recalled_at" {
					text += fmt.Sprintf(" %s=%T:%v", column, values[i], values[i])
				}
			}
			found[text]++
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// Two paid orders with a refund go to the archive with all their rows and come back as they were.
func TestRecall_bringsBackEachRowAsItWas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		var ids []int64
		for range 2 {
			_, o := c.PlacePaid(t)
			c.HandOver(t, o)
			c.SweepEachMinute(t, 5*time.Minute)
			ids = append(ids, o.ID)
		}
		c.RefundLines(t, ids[0], "late")
		c.SweepEachMinute(t, 5*time.Minute)
		age(t, c.Restaurant)
		before := dump(t, d)
		sweep(t, c.Restaurant)
		for _, id := range ids {
			if !isArchived(t, d, id) {
				t.Errorf("order %d is not archived", id)
			}
		}
		if left := number(t, d, "SELECT COUNT(*) FROM payment") + number(t, d, "SELECT COUNT(*) FROM refund"); left != 0 {
			t.Errorf("%d payments and refunds are left", left)
		}
		for range 2 {
			if err := archive.Recall(t.Context(), d, c.Clock.Now(), ids...); err != nil {
				t.Fatal(err)
			}
		}
		after := dump(t, d)
		for row, count := range before {
			if after[row] != count {
				t.Errorf("is not there any more: %s", row)
			}
			delete(after, row)
		}
		for row := range after {
			t.Errorf("was not there before: %s", row)
		}
		if left := number(t, d, "SELECT COUNT(*) FROM order_archive") + number(t, d, "SELECT COUNT(*) FROM order_archive_payment"); left != 0 {
			t.Errorf("%d rows are left in the archive", left)
		}
	})
}

// Orders that are open, recent, watched, owed for or the newest stay; a done one beside them does not.
func TestSweep_leavesOrdersThatAreNotOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, spoil := range map[string]string{
			"open":            "UPDATE orders SET state = 'cooking' WHERE id = $1",
			"recalled":        "UPDATE orders SET recalled_at = '2999-01-01 00:00:00' WHERE id = $1",
			"changed since":   "UPDATE orders SET changed_at = '2999-01-01 00:00:00' WHERE id = $1",
			"promised since":  "UPDATE orders SET promised_from = '2999-01-01 00:00:00' WHERE id = $1",
			"newest":          "UPDATE orders SET change_id = (SELECT MAX(id) FROM order_status) WHERE id = $1",
			"refund by hand":  "INSERT INTO hand_refund (order_id, call_key, call_hash, amount, lines, bearer, reason, actor, created_at) SELECT id, 'k', details, 1, details, 'restaurant', '', '', created_at FROM orders WHERE id = $1",
			"looked up":       "INSERT INTO order_grant (session_id, order_id, by_link, created_at) SELECT session_id, id, FALSE, created_at FROM orders WHERE id = $1",
			"from an address": "INSERT INTO order_origin (order_id, site, address, is_counted, created_at) SELECT id, site, 'a', TRUE, created_at FROM orders WHERE id = $1",
			"paid and owed":   insertPayment("'paid'", "NULL"),
			"disputed":        insertPayment("'disputed'", "NULL"),
			"yet to be asked": insertPayment("'failed'", "created_at"),
		} {
			h := ordertest.New(t, dbtest.Open(t, d.Engine()))
			state := order.Done
			if name == "paid and owed" {
				state = order.Canceled
			}
			spoiled, other := h.PlaceTakeaway(t, h.Visitor(t, "sushi")), h.PlaceTakeaway(t, h.Visitor(t, "sushi"))
			if state == order.Canceled {
				h.Move(t, spoiled, order.Canceled)
			} else {
				h.Move(t, spoiled, order.Cooking, order.Done)
			}
			h.Move(t, other, order.Cooking, order.Done)
			age(t, h)
			execute(t, h.DB, spoil, spoiled.ID)
			sweep(t, h)
			if isArchived(t, h.DB, spoiled.ID) || !isArchived(t, h.DB, other.ID) {
				t.Errorf("%s: archived is %t, the other one %t", name, isArchived(t, h.DB, spoiled.ID), isArchived(t, h.DB, other.ID))
			}
		}
	})
}

// insertPayment returns the statement that inserts a payment of the order $1.
func insertPayment(state, checkAt string) string {
	return `INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref, reason, code, refunded, asked, next, proof,
		call_key, started_at, deadline, check_at, checks) SELECT 'p1', id, site, 'a', 'sbp', total, currency, ` + state + `, '', '', '', 0,
		details, details, '', '', created_at, created_at, ` + checkAt + `, 0 FROM orders WHERE id = $1`
}

// Sweeps of four processes, two of which are stopped in the middle, archive while orders are read. Each
// order is in one place with all its parts and is always found, and another sweep archives the rest.
func TestSweep_inSeveralProcessesThatAreStoppedInTheMiddle(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		var placed []order.Order
		for n := range 50 {
			v := h.Visitor(t, "sushi")
			o := h.Place(t, v, h.TakeawayFromPhone(t, v, n))
			h.Move(t, o, order.Cooking, order.Done)
			placed = append(placed, o)
		}
		age(t, h)
		before, now := h.Clock.Now().AddDate(0, -10, 0), h.Clock.Now()
		var wait sync.WaitGroup
		for n := range 4 {
			wait.Go(func() {
				ctx := t.Context()
				if n < 2 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, time.Duration(5+10*n)*time.Millisecond)
					defer cancel()
				}
				err := archive.Sweep(ctx, d, "sushi", before, now)
				// On a busy machine the line may reach the deadline before the context does.
				if err != nil && ctx.Err() == nil && !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error(err)
				}
			})
		}
		for _, o := range placed[:10] {
			wait.Go(func() {
				found, err := h.Orders.FindWithPayment(t.Context(), o.ID)
				if err != nil || len(found.Order.Lines) != len(o.Lines) || len(found.Order.History) != 3 {
					t.Errorf("found %+v, %v", found, err)
				}
			})
		}
		wait.Wait()
		sweep(t, h)
		archived := 0
		for _, o := range placed {
			if isArchived(t, d, o.ID) {
				archived++
			}
		}
		if archived < 40 {
			t.Errorf("%d of 50 are archived", archived)
		}
		h.Clock.Advance(8 * 24 * time.Hour) // what was read goes back
		sweep(t, h)
		for _, o := range placed {
			if !isArchived(t, d, o.ID) {
				t.Errorf("order %d is not archived", o.ID)
			}
		}
	})
}

// A transaction that recalls an order and is rolled back leaves it in the archive.
func TestRecallIn_thatIsRolledBackLeavesTheOrderInTheArchive(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "")
		h, o := a.Restaurant, a.placed
		errStopped := errors.New("stopped")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := archive.RecallIn(t.Context(), tx, h.Clock.Now(), o.ID); err != nil {
				t.Error(err)
			}
			return errStopped
		})
		if !errors.Is(err, errStopped) || !isArchived(t, d, o.ID) {
			t.Errorf("%v", err)
		}
	})
}

// Ten calls recall one order at once. All find it, and it is there once.
func TestRecall_concurrently(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "")
		h, o := a.Restaurant, a.placed
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				if found, err := h.Orders.Read(t.Context(), o.ID); err != nil || len(found) != 1 {
					t.Errorf("%d found, %v", len(found), err)
				}
			})
		}
		wait.Wait()
		if isArchived(t, d, o.ID) {
			t.Error("it is still archived")
		}
	})
}
