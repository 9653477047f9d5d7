package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// GetUser is GET /user/get.
func (s *Server) GetUser(_ context.Context, _ wire.GetUserRequestObject) (wire.GetUserResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// UpdateUser is PUT /user/update.
func (s *Server) UpdateUser(_ context.Context, _ wire.UpdateUserRequestObject) (wire.UpdateUserResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// RemoveUser is DELETE /user/remove.
func (s *Server) RemoveUser(_ context.Context, _ wire.RemoveUserRequestObject) (wire.RemoveUserResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// ExportUser is GET /user/export.
func (s *Server) ExportUser(_ context.Context, _ wire.ExportUserRequestObject) (wire.ExportUserResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
