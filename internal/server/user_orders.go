package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// ListUserOrders is GET /user/orders.
func (s *Server) ListUserOrders(_ context.Context, _ wire.ListUserOrdersRequestObject) (wire.ListUserOrdersResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
