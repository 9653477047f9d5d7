package stock

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// BenchmarkReserve_ofOneItem has sixteen clients on PostgreSQL take uses of one item, each use in a
// transaction of its own: of a gift, which is counted in one row, and of a promocode, which has shares.
// In "order" the transaction goes on for 5 ms afterwards, as long as that of an order does until it is
// committed. Run it with DURABLE=1, so that commits are on the disk.
func BenchmarkReserve_ofOneItem(b *testing.B) {
	const clients = 16
	for _, bench := range []struct {
		name string
		item Item
		wait string
	}{
		{"one row", cake, "0"}, {"shares", code, "0"}, {"one row, order", cake, "0.005"}, {"shares, order", code, "0.005"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			config := dbtest.Config(b, db.Postgres)
			config.Connections = clients + 4
			d, err := db.Open(b.Context(), config)
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			var next atomic.Int64
			b.ResetTimer()
			var wait sync.WaitGroup
			for range clients {
				wait.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						err := d.InTx(b.Context(), func(tx *db.Tx) error {
							request := []Request{{bench.item, 1, 10_000_000}}
							if err := Reserve(b.Context(), tx, fmt.Sprintf("order:%d", n), request, time.Time{}); err != nil {
								return err
							}
							_, err := tx.SQL.ExecContext(b.Context(), "SELECT pg_sleep("+bench.wait+")")
							return err
						})
						if err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wait.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "uses/s")
		})
	}
}
