package server

import (
	"context"

	"servery/internal/retention"
	"servery/internal/server/wire"
)

// RemoveUser is DELETE /user/remove. Every room forgets the customer in one transaction.
func (s *Server) RemoveUser(ctx context.Context, _ wire.RemoveUserRequestObject) (wire.RemoveUserResponseObject, error) {
	v, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Rooms().Erase(ctx, v.Site.Alias, v.CustomerID); err != nil {
		return nil, err
	}
	s.dropSession(ctx)
	return wire.RemoveUser200JSONResponse{}, nil
}

// Rooms are the areas that keep something of persons.
func (a Areas) Rooms() retention.Rooms {
	return retention.Rooms{
		Customers: a.Customers, Orders: a.Orders, Carts: a.Carts, Addresses: a.Addresses, Bonuses: a.Bonuses,
		Feedback: a.Feedback, Login: a.Login, VK: a.VK, Marks: a.Marks,
	}
}
