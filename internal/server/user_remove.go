package server

import (
	"context"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/server/wire"
)

// RemoveUser is DELETE /user/remove. Every room forgets the customer in one transaction.
func (s *Server) RemoveUser(ctx context.Context, _ wire.RemoveUserRequestObject) (wire.RemoveUserResponseObject, error) {
	v, err := s.customer(ctx)
	if err != nil {
		return nil, err
	}
	err = s.Customers.Erase(ctx, v.Site.Alias, v.CustomerID, func(tx *db.Tx, e customer.Erased) error {
		for _, forget := range []func() error{
			func() error { return s.Orders.Forget(ctx, tx, e, s.Marks) }, // the one that may refuse
			func() error { return s.Carts.ForgetCustomer(ctx, tx, e.ID) },
			func() error { return s.Addresses.Forget(ctx, tx, e.ID) },
			func() error { return s.Bonuses.Void(ctx, tx, e.ID, e.At) },
			func() error { return s.Feedback.Forget(ctx, tx, e.Site, e.Phone) },
			func() error { return s.Areas.Login.Erase(ctx, tx, e.Site, e.Phone) },
			func() error { return s.VK.Erase(ctx, tx, e.ID) },
		} {
			if err := forget(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	s.dropSession(ctx)
	return wire.RemoveUser200JSONResponse{}, nil
}
