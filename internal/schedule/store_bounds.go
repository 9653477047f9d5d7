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

// heldByNetwork returns the minutes that checkouts of the caller's network hold in the interval of r.
// It reports false when the network or the address has more reservations, in any shop, than the
// limits allow. For an unknown network it returns no minutes and true.
func (b Bounds) heldByNetwork(ctx context.Context, tx *db.Tx, r Reservation, now time.Time) (Minutes, bool, error) {
	held := Minutes{}
	if b.Caller.Network == "" {
		return held, true, nil
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
		if row.ShopID != r.ShopID || row.OrderType != string(r.OrderType) || !clock.Cut(row.StartsAt).Equal(r.Start) {
			continue
		}
		if err := held.addHold(row.Minutes); err != nil {
			return nil, false, err
		}
	}
	return held, ofAddress <= b.Limits.HoldsPerAddress && len(rows) <= b.Limits.HoldsPerNetwork, nil
}

// heldByCheckouts returns the minutes that checkouts hold in the interval of r; those of orders are
// not counted.
func heldByCheckouts(ctx context.Context, tx *db.Tx, r Reservation, now time.Time) (Minutes, error) {
	rows, err := tx.Q.ListHoldsOfInterval(ctx, gen.ListHoldsOfIntervalParams{
		StartsAt: r.Start, ShopID: r.ShopID, OrderType: string(r.OrderType), Now: untilParam(now),
	})
	if err != nil {
		return nil, fmt.Errorf("list holds: %w", err)
	}
	all := Minutes{}
	for _, text := range rows {
		if err := all.addHold(text); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addHold adds minutes that the database stores as JSON; text is that JSON. It returns an error
// for any other text.
func (m Minutes) addHold(text string) error {
	var minutes Minutes
	if err := json.Unmarshal([]byte(text), &minutes); err != nil {
		return fmt.Errorf("read hold: %w", err)
	}
	for group, n := range minutes {
		m[group] += n
	}
	return nil
}

// untilParam returns the instant as a query parameter that is compared with an expiry.
func untilParam(now time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(now), Valid: true} }
