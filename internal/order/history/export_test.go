package history

import (
	"context"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
)

// ExportOwn returns a customer's orders as exportOfCustomer does, read with the queries of the
// test.
func ExportOwn(ctx context.Context, q *gen.Queries, site string, customerID int64) ([]order.WithPayment, error) {
	return exportOfCustomer(ctx, db.Snapshot{Q: q}, site, customerID)
}
