package carts

import (
	"context"
	"fmt"

	"servery/internal/db"
)

// ForgetCustomer removes the carts of a customer, in the transaction that erases the customer.
func (s *Service) ForgetCustomer(ctx context.Context, tx *db.Tx, customerID int64) error {
	if err := tx.Q.DeleteCartsOfCustomer(ctx, customerID); err != nil {
		return fmt.Errorf("forget carts: %w", err)
	}
	return nil
}
