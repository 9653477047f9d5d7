package customer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

type sessionRow struct {
	id     int64
	seenAt time.Time
}

func findSession(ctx context.Context, d *db.DB, key sessionKey, now time.Time) (sessionRow, bool, error) {
	row, err := d.Read().FindSession(ctx, gen.FindSessionParams{TokenHash: key.hash[:], Site: key.site, Now: now})
	if errors.Is(err, sql.ErrNoRows) {
		return sessionRow{}, false, nil
	}
	if err != nil {
		return sessionRow{}, false, fmt.Errorf("find session: %w", err)
	}
	return sessionRow{id: row.ID, seenAt: row.SeenAt}, true, nil
}

func insertSession(ctx context.Context, d *db.DB, key sessionKey, now, expires time.Time) (id int64, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		id, err = tx.Q.InsertSession(ctx, gen.InsertSessionParams{TokenHash: key.hash[:], Site: key.site, Now: now, ExpiresAt: expires})
		return err //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return 0, fmt.Errorf("insert session: %w", err)
	}
	return id, nil
}

func touchSession(ctx context.Context, d *db.DB, id int64, now, expires time.Time) error {
	err := d.InTx(ctx, func(tx *db.Tx) error {
		return tx.Q.TouchSession(ctx, gen.TouchSessionParams{ID: id, Now: now, ExpiresAt: expires})
	})
	if err != nil {
		return fmt.Errorf("touch session: %w", err)
	}
	return nil
}

func sweep(ctx context.Context, d *db.DB, now, answersBefore time.Time) error {
	err := d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Q.DeleteExpiredSessions(ctx, now); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}
		_, err := tx.Q.DeleteOldIdempotency(ctx, answersBefore)
		return err //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return fmt.Errorf("sweep sessions: %w", err)
	}
	return nil
}
