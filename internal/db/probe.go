package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Probe returns an error when the database does not take a write and commit it.
func (d *DB) Probe(ctx context.Context, now time.Time) error {
	return d.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.Q.WriteProbe(ctx, sql.NullTime{Time: now, Valid: true}); err != nil {
			return fmt.Errorf("probe the database: %w", err)
		}
		return nil
	})
}
