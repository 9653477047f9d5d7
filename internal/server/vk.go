package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// StartVk is POST /user/vk/start.
func (s *Server) StartVk(_ context.Context, _ wire.StartVkRequestObject) (wire.StartVkResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// FinishVk is POST /user/vk/callback.
func (s *Server) FinishVk(_ context.Context, _ wire.FinishVkRequestObject) (wire.FinishVkResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
