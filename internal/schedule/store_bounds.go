package schedule

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// heldByNetwork returns what checkouts of the caller's network hold of the interval. It reports
// false when they, or those of the address, are too many.
func (b Bounds) heldByNetwork(ctx context.Context, tx *db.Tx, kept Reservation, now time.Time) (Minutes, bool, error) {
	own := Minutes{}
	if b.Caller.Network == "" {
		return own, true, nil
	}
	rows, err := tx.Q.ListHoldsOfNetwork(ctx, gen.ListHoldsOfNetworkParams{Network: b.Caller.Network, Now: untilParam(now)})
	if err != nil {
		return nil, false, fmt.Errorf("list holds: %w", err)
	}
	ofAddress := 0
	for _, row := range rows {
		if row.Address == b.Caller.Address {
			ofAddress++
		}
		if row.ShopID != kept.ShopID || row.OrderType != string(kept.OrderType) || !clock.Cut(row.StartsAt).Equal(kept.Start) {
			continue
		}
		if err := own.addHold(row.Minutes); err != nil {
			return nil, false, err
		}
	}
	return own, ofAddress <= b.Limits.HoldsPerAddress && len(rows) <= b.Limits.HoldsPerNetwork, nil
}

// heldByCheckouts returns what all checkouts hold of an interval.
func heldByCheckouts(ctx context.Context, tx *db.Tx, kept Reservation, now time.Time) (Minutes, error) {
	rows, err := tx.Q.ListHoldsOfInterval(ctx, gen.ListHoldsOfIntervalParams{
		StartsAt: kept.Start, ShopID: kept.ShopID, OrderType: string(kept.OrderType), Now: untilParam(now),
	})
	if err != nil {
		return nil, fmt.Errorf("list holds: %w", err)
	}
	all := Minutes{}
	for _, row := range rows {
		if err := all.addHold(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addHold adds what a row of slot_hold reserves of its own interval.
func (m Minutes) addHold(row string) error {
	var minutes Minutes
	if err := json.Unmarshal([]byte(row), &minutes); err != nil {
		return fmt.Errorf("read hold: %w", err)
	}
	for group, n := range minutes {
		m[group] += n
	}
	return nil
}

func untilParam(now time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(now), Valid: true} }
