package api

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// GetPage is GET /pages/{alias}: it returns a page that the brand has written, as the city of the request
// shows it. It returns common.not_found (NotFound) for an unknown alias.
func (s *Server) GetPage(ctx context.Context, req wire.GetPageRequestObject) (wire.GetPageResponseObject, error) {
	v := s.visits.Context(ctx)
	var city *site.City
	if id := req.Params.CityID; id != nil {
		var err error
		if city, err = v.City(*id); err != nil {
			return nil, err
		}
	}
	p, ok := v.Site.Page(req.Alias, city)
	if !ok {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	return wire.GetPage200JSONResponse{Page: localizerOf(v).Page(p)}, nil
}
