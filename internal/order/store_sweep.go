package order

import (
	"context"
	"time"

	"servery/internal/db/gen"
)

// Each removes one batch of what is older, and returns how many rows that were.

func deleteOldCheckouts(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldOrderCaches(ctx, before)
}

func deleteOldGrants(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldOrderGrants(ctx, before)
}

func deleteOldPositions(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldCourierPositions(ctx, before)
}
