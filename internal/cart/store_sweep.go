package cart

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// SweepIdle removes the carts of a site that were last changed before the two instants: those of
// guests, who have no other device to come back on, and those of customers.
func (s *Service) SweepIdle(ctx context.Context, siteAlias string, guests, customers time.Time) error {
	at := func(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: true} }
	for what, sweep := range map[string]func(q *gen.Queries) (int64, error){
		"stamp guests' carts":    func(q *gen.Queries) (int64, error) { return q.StampGuestCarts(ctx, siteAlias) },
		"stamp customers' carts": func(q *gen.Queries) (int64, error) { return q.StampCustomerCarts(ctx, siteAlias) },
		"remove guests' carts": func(q *gen.Queries) (int64, error) {
			kept, err := q.KeepGuestCarts(ctx, gen.KeepGuestCartsParams{Site: siteAlias, Before: at(guests)})
			if err != nil {
				return 0, err
			}
			removed, err := q.DeleteIdleGuestCarts(ctx, gen.DeleteIdleGuestCartsParams{Site: siteAlias, Before: at(guests)})
			return kept + removed, err
		},
		"remove customers' carts": func(q *gen.Queries) (int64, error) {
			kept, err := q.KeepCustomerCarts(ctx, gen.KeepCustomerCartsParams{Site: siteAlias, Before: at(customers)})
			if err != nil {
				return 0, err
			}
			removed, err := q.DeleteIdleCustomerCarts(ctx, gen.DeleteIdleCustomerCartsParams{Site: siteAlias, Before: at(customers)})
			return kept + removed, err
		},
	} {
		if err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return sweep(tx.Q) }); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}
