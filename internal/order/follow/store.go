package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/geo"
)

// upsertPosition stores the position of an order's courier in place of the last one.
func upsertPosition(ctx context.Context, q *gen.Queries, p Position) error {
	err := q.SetCourierPosition(ctx, gen.SetCourierPositionParams{
		OrderID: p.OrderID, Latitude: p.Point.Latitude, Longitude: p.Point.Longitude, Now: p.ReportedAt,
	})
	if err != nil {
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
	at := geo.Point{Latitude: row.Latitude, Longitude: row.Longitude}
	return Position{OrderID: id, Point: at, ReportedAt: row.ReportedAt}, true, nil
}

// listPositions returns the positions of couriers that were reported since the instant.
func listPositions(ctx context.Context, q *gen.Queries, since time.Time) ([]Position, error) {
	rows, err := q.ListCourierPositions(ctx, since)
	if err != nil {
		return nil, fmt.Errorf("read courier positions: %w", err)
	}
	positions := make([]Position, len(rows))
	for i, row := range rows {
		at := geo.Point{Latitude: row.Latitude, Longitude: row.Longitude}
		positions[i] = Position{OrderID: row.OrderID, Point: at, ReportedAt: row.ReportedAt}
	}
	return positions, nil
}
