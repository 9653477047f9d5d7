package carts

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// SweepIdle removes the carts of guests that were not changed since guestsSince and those of
// customers that were not changed since customersSince, at one site. Guests have the shorter term,
// because they cannot come back to a cart on another device.
//
// A change of a cart sets updated_at, and only this sweep sets seen_at. It finds the carts whose
// seen_at is before the instant; those that have changed since get a new seen_at, and the others are
// removed. So each cart is looked at once in a term. The operations may run in any order.
func (s *Service) SweepIdle(ctx context.Context, siteAlias string, guestsSince, customersSince time.Time) error {
	param := func(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: true} }
	for operation, sweep := range map[string]func(q *gen.Queries) (int64, error){
		"stamp guests' carts":    func(q *gen.Queries) (int64, error) { return q.StampGuestCarts(ctx, siteAlias) },
		"stamp customers' carts": func(q *gen.Queries) (int64, error) { return q.StampCustomerCarts(ctx, siteAlias) },
		"remove guests' carts": func(q *gen.Queries) (int64, error) {
			stamped, err := q.KeepGuestCarts(ctx, gen.KeepGuestCartsParams{Site: siteAlias, Before: param(guestsSince)})
			if err != nil {
				return 0, err
			}
			removed, err := q.DeleteIdleGuestCarts(ctx, gen.DeleteIdleGuestCartsParams{Site: siteAlias, Before: param(guestsSince)})
			return stamped + removed, err
		},
		"remove customers' carts": func(q *gen.Queries) (int64, error) {
			stamped, err := q.KeepCustomerCarts(ctx, gen.KeepCustomerCartsParams{Site: siteAlias, Before: param(customersSince)})
			if err != nil {
				return 0, err
			}
			removed, err := q.DeleteIdleCustomerCarts(ctx, gen.DeleteIdleCustomerCartsParams{Site: siteAlias, Before: param(customersSince)})
			return stamped + removed, err
		},
	} {
		if err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return sweep(tx.Q) }); err != nil {
			return fmt.Errorf("%s: %w", operation, err)
		}
	}
	return nil
}
