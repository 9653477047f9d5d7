package follow

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/geo"
)

// upsertPosition stores the position of an order's courier in place of the last one.
func upsertPosition(ctx context.Context, q *gen.Queries, p Position) error {
	row := gen.SetCourierPositionParams{
		OrderID: p.OrderID, Latitude: p.Point.Latitude, Longitude: p.Point.Longitude, ReportedAt: p.ReportedAt,
		StillLatitude: p.Still.Latitude, StillLongitude: p.Still.Longitude, StillSince: sql.NullTime{Time: p.StillSince, Valid: true},
	}
	if p.Minutes != nil {
		row.Minutes = sql.NullInt64{Int64: int64(*p.Minutes), Valid: true}
	}
	if len(p.Route) > 0 {
		text, err := json.Marshal(p.Route)
		if err != nil {
			return fmt.Errorf("write courier route: %w", err)
		}
		row.Route = string(text)
	}
	if err := q.SetCourierPosition(ctx, row); err != nil {
		return fmt.Errorf("keep courier position: %w", err)
	}
	return nil
}

// findPosition returns where the courier of an order was last, false when it was never reported.
func findPosition(ctx context.Context, q *gen.Queries, id int64) (Position, bool, error) {
	row, err := q.GetCourierPosition(ctx, id)
	if errors.Is(err, db.ErrNotFound) {
		return Position{}, false, nil
	}
	if err != nil {
		return Position{}, false, fmt.Errorf("read courier position: %w", err)
	}
	p, err := toPosition(row)
	return p, err == nil, err
}

// listPositions returns the positions of couriers that were reported since the instant.
func listPositions(ctx context.Context, q *gen.Queries, since time.Time) ([]Position, error) {
	rows, err := q.ListCourierPositions(ctx, since)
	if err != nil {
		return nil, fmt.Errorf("read courier positions: %w", err)
	}
	positions := make([]Position, len(rows))
	for i, row := range rows {
		if positions[i], err = toPosition(row); err != nil {
			return nil, err
		}
	}
	return positions, nil
}

// toPosition returns a stored position.
func toPosition(row gen.CourierPosition) (Position, error) {
	p := Position{
		OrderID: row.OrderID, Point: geo.Point{Latitude: row.Latitude, Longitude: row.Longitude}, ReportedAt: row.ReportedAt,
		Still: geo.Point{Latitude: row.StillLatitude, Longitude: row.StillLongitude}, StillSince: row.StillSince.Time,
	}
	if row.Minutes.Valid {
		minutes := int(row.Minutes.Int64)
		p.Minutes = &minutes
	}
	if row.Route != "" {
		if err := json.Unmarshal([]byte(row.Route), &p.Route); err != nil {
			return p, fmt.Errorf("read courier route: %w", err)
		}
	}
	return p, nil
}
