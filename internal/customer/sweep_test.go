package customer_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestSessions_Sweep_removesInBatches(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
		sessions, err := customer.NewSessions(d, c)
		if err != nil {
			t.Fatal(err)
		}
		const expired = 2*db.BatchSize + 1
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			for n := range expired + 1 {
				until := c.Now().Add(-time.Hour)
				if n == expired {
					until = c.Now().Add(time.Hour)
				}
				if _, err := tx.SQL.ExecContext(t.Context(), "INSERT INTO session (token_hash, site, created_at, seen_at, expires_at) VALUES ($1, 'sushi', $2, $2, $3)",
					fmt.Appendf(nil, "token %d", n), c.Now(), until); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// One batch at a time: what is left after each is seen by others.
		rounds := 0
		err = d.InBatches(t.Context(), func(tx *db.Tx) (int64, error) {
			rounds++
			result, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET seen_at = $1 WHERE id IN (SELECT id FROM session WHERE seen_at < $1 LIMIT $2)",
				c.Now().Add(time.Minute), db.BatchSize)
			if err != nil {
				return 0, err
			}
			return result.RowsAffected()
		})
		if err != nil || rounds != 3 {
			t.Errorf("%d transactions, %v; want 3", rounds, err)
		}
		if err := sessions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := d.Writer().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM session").Scan(&left); err != nil || left != 1 {
			t.Errorf("%d sessions are left, %v; want 1", left, err)
		}
	})
}
