package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// GetBalance is GET /user/balance.
func (s *Server) GetBalance(_ context.Context, _ wire.GetBalanceRequestObject) (wire.GetBalanceResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
