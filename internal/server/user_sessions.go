package server

import (
	"context"

	"servery/internal/server/wire"
	"servery/internal/visit"
)

// ListSessions is GET /user/sessions.
func (s *Server) ListSessions(ctx context.Context, _ wire.ListSessionsRequestObject) (wire.ListSessionsResponseObject, error) {
	v, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.browsers(ctx, v)
	return wire.ListSessions200JSONResponse{Sessions: list}, err
}

// EndOtherSessions is DELETE /user/sessions.
func (s *Server) EndOtherSessions(ctx context.Context, _ wire.EndOtherSessionsRequestObject) (wire.EndOtherSessionsResponseObject, error) {
	v, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Sessions.EndOthers(ctx, v.Site.Alias, v.CustomerID, v.SessionID); err != nil {
		return nil, err
	}
	list, err := s.browsers(ctx, v)
	return wire.EndOtherSessions200JSONResponse{Sessions: list}, err
}

// EndSession is DELETE /user/sessions/{id}. The one that asks is ended like any other, and
// its cookie goes with it.
func (s *Server) EndSession(ctx context.Context, req wire.EndSessionRequestObject) (wire.EndSessionResponseObject, error) {
	v, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Sessions.EndOne(ctx, v.Site.Alias, v.CustomerID, req.ID); err != nil {
		return nil, err
	}
	if req.ID == v.SessionID {
		s.dropSession(ctx)
		return wire.EndSession200JSONResponse{Sessions: []wire.UserSession{}}, nil
	}
	list, err := s.browsers(ctx, v)
	return wire.EndSession200JSONResponse{Sessions: list}, err
}

func (s *Server) browsers(ctx context.Context, v visit.Context) ([]wire.UserSession, error) {
	list, err := s.Sessions.List(ctx, v.Site.Alias, v.CustomerID, v.SessionID)
	shown := make([]wire.UserSession, len(list))
	for i, b := range list {
		shown[i] = wire.UserSession{ID: b.SessionID, IsCurrent: b.IsCurrent, Device: b.Device, SignedInAt: b.SignedInAt, SeenAt: b.SeenAt}
	}
	return shown, err
}
