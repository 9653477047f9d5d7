package orders

import (
	"context"
	"time"

	"servery/internal/db/gen"
)

// deleteOldCheckouts deletes a batch of the checkouts that expired before the instant, and returns
// how many.
func deleteOldCheckouts(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldOrderCaches(ctx, before)
}

// deleteOldGrants deletes a batch of the grants of lookups from before the instant, and returns
// how many.
func deleteOldGrants(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldOrderGrants(ctx, before)
}

// deleteOldPositions deletes a batch of the courier positions that were reported before the
// instant, and returns how many.
func deleteOldPositions(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldCourierPositions(ctx, before)
}
