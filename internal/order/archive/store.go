package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// tables are the tables that an order has rows in for good, each after those that it refers to, with
// the column that has the number of the order. What else refers to an order has a shorter term.
var tables = []struct{ name, key string }{
	{"orders", "id"},
	{"order_line", "order_id"},
	{"order_status", "order_id"},
	{"order_correction", "order_id"},
	{"payment", "order_id"},
	{"refund", "order_id"},
	{"hand_refund", "order_id"},
	{"closing_receipt", "order_id"},
}

// nullTime returns an instant as a parameter of a query.
func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(t), Valid: true} }

// listArchivable returns the next orders of a site that may be archived, at most atOnce. They were promised
// for and last changed before the instant.
func listArchivable(ctx context.Context, q *gen.Queries, site string, before, now time.Time) ([]int64, error) {
	ids, err := q.ListArchivableOrders(ctx, gen.ListArchivableOrdersParams{
		Site: site, Before: clock.Cut(before), RecalledBefore: nullTime(now.Add(-recalledFor)),
	})
	if err != nil {
		return nil, fmt.Errorf("list orders to archive: %w", err)
	}
	return ids, nil
}

// lockOrder makes other transactions that lock the order wait, and reports whether there is such an
// order.
func lockOrder(ctx context.Context, q *gen.Queries, id int64) (bool, error) {
	rows, err := q.LockOrder(ctx, id)
	if err != nil {
		return false, fmt.Errorf("lock order: %w", err)
	}
	return rows > 0, nil
}

// archiveOrder moves an order that the transaction has locked into the archive.
func archiveOrder(ctx context.Context, tx *db.Tx, id int64, now time.Time) error {
	d := document{}
	for _, t := range tables {
		rows, err := readRows(ctx, tx, t.name, t.key, id)
		if err != nil {
			return fmt.Errorf("archive %s: %w", t.name, err)
		}
		if len(rows) > 0 {
			d[t.name] = rows
		}
	}
	if len(d["orders"]) != 1 {
		return fmt.Errorf("archive order %d: %w", id, db.ErrNotFound)
	}
	body, err := d.pack()
	if err != nil {
		return fmt.Errorf("archive order: %w", err)
	}
	o := d["orders"][0]
	seen, wasSeen := o["person_seen_at"].any.(time.Time)
	err = tx.Q.ArchiveOrder(ctx, gen.ArchiveOrderParams{
		ID: id, Site: o.text("site"), ShopID: o.number("shop_id"), State: o.text("state"), CacheKey: o.text("cache_key"),
		SessionID: o.number("session_id"), CustomerID: o.number("customer_id"), Phone: o.text("phone"),
		PersonSeenAt: sql.NullTime{Time: seen, Valid: wasSeen}, PromisedFrom: o.instant("promised_from"), CreatedAt: o.instant("created_at"),
		Now: clock.Cut(now), Pictures: strings.Join(d.pictures(), " "), Body: body,
	})
	if err == nil {
		err = tx.Q.ArchivePayments(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("archive order: %w", err)
	}
	for _, t := range slices.Backward(tables) {
		if _, err := tx.SQL.ExecContext(ctx, "DELETE FROM "+t.name+" WHERE "+t.key+" = $1", id); err != nil {
			return fmt.Errorf("remove archived %s: %w", t.name, err)
		}
	}
	return nil
}

// text, number and instant return what a column has; the zero value when it has something else.
func (r record) text(column string) string       { s, _ := r[column].any.(string); return s }
func (r record) number(column string) int64      { n, _ := r[column].any.(int64); return n }
func (r record) instant(column string) time.Time { t, _ := r[column].any.(time.Time); return t }

// pictures returns the hashes of all pictures that the order shows, in order.
func (d document) pictures() []string {
	hashes := map[string]bool{}
	for table, column := range map[string]string{"orders": "details", "order_line": "body"} {
		for _, row := range d[table] {
			text, _ := row[column].any.([]byte)
			catalog.EachPicture(text, func(hash string) { hashes[hash] = true })
		}
	}
	return slices.Sorted(maps.Keys(hashes))
}

// recallOrder moves an order from the archive back. It does nothing when it is not in the archive any
// more. Who it belongs to and when its person was seen are taken from the archive's own columns.
func recallOrder(ctx context.Context, tx *db.Tx, id int64, now time.Time) error {
	taken, err := tx.Q.TakeOrderFromArchive(ctx, id)
	if err != nil {
		return fmt.Errorf("recall order: %w", err)
	}
	for _, row := range taken {
		d, err := unpack(row.Body)
		if err != nil {
			return fmt.Errorf("recall order %d: %w", id, err)
		}
		for _, t := range tables {
			for _, r := range d[t.name] {
				if err := insertRow(ctx, tx, t.name, r); err != nil {
					return fmt.Errorf("recall %s: %w", t.name, err)
				}
			}
		}
		err = tx.Q.SetOrderRecalled(ctx, gen.SetOrderRecalledParams{
			Now: nullTime(now), SessionID: row.SessionID, CustomerID: row.CustomerID, PersonSeenAt: row.PersonSeenAt, ID: id,
		})
		if err != nil {
			return fmt.Errorf("recall order: %w", err)
		}
	}
	return nil
}

// readRows returns all rows of a table that belong to an order.
func readRows(ctx context.Context, tx *db.Tx, table, key string, id int64) (found []record, err error) {
	rows, err := tx.SQL.QueryContext(ctx, "SELECT * FROM "+table+" WHERE "+key+" = $1", id)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		r := record{}
		for i, column := range columns {
			r[column] = value{values[i]}
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// insertRow inserts a row with the columns that it has. A column that was added since gets its default.
func insertRow(ctx context.Context, tx *db.Tx, table string, r record) error {
	columns := slices.Sorted(maps.Keys(r))
	places, values := make([]string, len(columns)), make([]any, len(columns))
	for i, column := range columns {
		places[i], values[i] = fmt.Sprintf("$%d", i+1), r[column].any
	}
	overriding := ""
	if tx.Engine == db.Postgres { // it otherwise refuses a value for a column that it numbers itself
		overriding = " OVERRIDING SYSTEM VALUE"
	}
	// The names are those of tables and of their own columns, which the archive has stored.
	_, err := tx.SQL.ExecContext(ctx, "INSERT INTO "+table+` ("`+strings.Join(columns, `", "`)+`")`+overriding+" VALUES ("+strings.Join(places, ", ")+")", values...)
	return err
}
