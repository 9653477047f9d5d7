package archive_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/order/ordertest"
)

// BenchmarkSweep archives 20,000 done orders, and logs how large the tables of orders are before and
// afterwards with their indices, and what a sweep costs that finds nothing.
func BenchmarkSweep(b *testing.B) {
	const orders = 20_000
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				d := dbtest.Open(b, engine)
				h := ordertest.New(b, d)
				o := h.PlaceTakeaway(b, h.Visitor(b, "sushi"))
				h.Move(b, o, order.Cooking, order.Done)
				h.Clock.Advance(366 * 24 * time.Hour)
				fillOrders(b, d, o.ID, orders)
				v := h.Visitor(b, "sushi")
				h.Place(b, v, h.TakeawayFromPhone(b, v, 9999))
				before := sizeOf(b, d, "orders", "order_line", "order_status")
				b.StartTimer()
				began := time.Now()
				for left := orders; left > 0; {
					sweepOnce(b, h)
					if err := d.Reader().QueryRowContext(b.Context(), "SELECT COUNT(*) - 1 FROM orders").Scan(&left); err != nil {
						b.Fatal(err)
					}
				}
				each := time.Since(began) / orders
				began = time.Now()
				sweepOnce(b, h)
				idle := time.Since(began)
				b.Logf("%s for each order, %s for a sweep that finds none; bytes for each order: %d before, %d left, %d archived", each, idle,
					before/orders, sizeOf(b, d, "orders", "order_line", "order_status")/orders, sizeOf(b, d, "order_archive")/orders)
			}
		})
	}
}

// sweepOnce archives up to 500 orders that are older than ten months.
func sweepOnce(b *testing.B, h *ordertest.Restaurant) {
	b.Helper()
	if err := archive.Sweep(b.Context(), h.DB, "sushi", h.Clock.Now().AddDate(0, -10, 0), h.Clock.Now()); err != nil {
		b.Fatal(err)
	}
}

// fillOrders copies an order with its lines and changes as often as count says.
func fillOrders(b *testing.B, d *db.DB, id int64, count int) {
	b.Helper()
	own := map[string]string{
		"orders id": "90000000 + g.n", "orders cache_key": "'key ' || g.n", "orders link": "'link ' || g.n", "orders phone": "'7900' || g.n",
		"order_line order_id": "90000000 + g.n", "order_status order_id": "90000000 + g.n",
	}
	for _, table := range []string{"orders", "order_line", "order_status"} {
		rows, err := d.Reader().QueryContext(b.Context(), "SELECT * FROM "+table+" LIMIT 0")
		if err != nil {
			b.Fatal(err)
		}
		columns, err := rows.Columns()
		if err == nil {
			err = rows.Err()
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
		if err != nil {
			b.Fatal(err)
		}
		var names, values []string
		for _, column := range columns {
			if table == "order_status" && column == "id" {
				continue
			}
			value := "o." + column
			if other := own[table+" "+column]; other != "" {
				value = other
			}
			names, values = append(names, column), append(values, value)
		}
		key := "order_id"
		if table == "orders" {
			key = "id"
		}
		statement := fmt.Sprintf("WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < %d) INSERT INTO %s (%s) SELECT %s FROM %s o, g WHERE o.%s = %d",
			count, table, strings.Join(names, ", "), strings.Join(values, ", "), table, key, id)
		err = d.InTx(b.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(b.Context(), statement)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// sizeOf returns how many bytes the tables take with their indices, without what is free.
func sizeOf(b *testing.B, d *db.DB, tables ...string) int64 {
	b.Helper()
	var sum int64
	for _, table := range tables {
		query := "SELECT COALESCE(SUM(p.pgsize), 0) FROM dbstat p JOIN sqlite_schema s ON s.name = p.name WHERE s.tbl_name = $1"
		if d.Engine() == db.Postgres {
			if _, err := d.Writer().ExecContext(b.Context(), "VACUUM FULL "+table); err != nil {
				b.Fatal(err)
			}
			query = "SELECT pg_total_relation_size(CAST(CAST($1 AS text) AS regclass))"
		}
		var size int64
		if err := d.Reader().QueryRowContext(b.Context(), query, table).Scan(&size); err != nil {
			b.Fatal(err)
		}
		sum += size
	}
	return sum
}
