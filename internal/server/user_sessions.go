package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// ListSessions is GET /user/sessions.
func (s *Server) ListSessions(_ context.Context, _ wire.ListSessionsRequestObject) (wire.ListSessionsResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// EndOtherSessions is DELETE /user/sessions.
func (s *Server) EndOtherSessions(_ context.Context, _ wire.EndOtherSessionsRequestObject) (wire.EndOtherSessionsResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// EndSession is DELETE /user/sessions/{id}.
func (s *Server) EndSession(_ context.Context, _ wire.EndSessionRequestObject) (wire.EndSessionResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
