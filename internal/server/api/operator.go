package api

import (
	"context"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/server/wire"
)

const defaultOperatorOrders = 100

// toOperator shows an order in the words of its own brand, whatever host was asked.
func (s *Server) toOperator(o order.Order) (wire.OperatorOrder, error) {
	brand, ok := s.Catalog.Current().Sites.ByAlias(o.Site)
	if !ok {
		return wire.OperatorOrder{}, fault.New(fault.NotFound, "order.not_found")
	}
	return operatorOrder(o, brand), nil
}

// OperatorListOrders is GET /operator/orders.
func (s *Server) OperatorListOrders(
	ctx context.Context, req wire.OperatorListOrdersRequestObject,
) (wire.OperatorListOrdersResponseObject, error) {
	limit := defaultOperatorOrders
	if req.Params.Limit != nil {
		limit = *req.Params.Limit
	}
	open, err := s.Orders.Open(ctx, valueOf(req.Params.After), limit)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListOrders200JSONResponse{Orders: []wire.OperatorOrder{}}
	for _, o := range open {
		shown, err := s.toOperator(o)
		if err != nil {
			continue // of a brand that content has dropped
		}
		answer.Orders = append(answer.Orders, shown)
	}
	return answer, nil
}

// OperatorSetStatus is POST /operator/orders/{id}/status.
func (s *Server) OperatorSetStatus(
	ctx context.Context, req wire.OperatorSetStatusRequestObject,
) (wire.OperatorSetStatusResponseObject, error) {
	to, ok := order.ParseState(string(req.Body.Status))
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("status", "common.not_allowed"))
	}
	o, err := s.Orders.SetState(ctx, req.ID, to, valueOf(req.Body.Actor), s.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := s.toOperator(o)
	return wire.OperatorSetStatus200JSONResponse{Order: shown}, err
}

// OperatorSetCourierLocation is POST /operator/orders/{id}/courier-location.
func (s *Server) OperatorSetCourierLocation(
	ctx context.Context, req wire.OperatorSetCourierLocationRequestObject,
) (wire.OperatorSetCourierLocationResponseObject, error) {
	err := s.Orders.SetCourier(ctx, s.Catalog.Current(), req.ID, toPoint(req.Body.Coordinates), s.clock.Now())
	return wire.OperatorSetCourierLocation200JSONResponse{}, err
}

// OperatorListStops is GET /operator/stops.
func (s *Server) OperatorListStops(_ context.Context, req wire.OperatorListStopsRequestObject) (wire.OperatorListStopsResponseObject, error) {
	stops, err := s.Catalog.Stops(req.Params.Site)
	return wire.OperatorListStops200JSONResponse{Stops: toWireStops(stops)}, err
}

// OperatorSetStop is POST /operator/stops.
func (s *Server) OperatorSetStop(ctx context.Context, req wire.OperatorSetStopRequestObject) (wire.OperatorSetStopResponseObject, error) {
	b := req.Body
	stops, err := s.Catalog.SetStop(ctx, catalog.StopChange{
		StopEntry: catalog.StopEntry{
			Site: b.Site, Kind: catalog.StopKind(b.Kind), Alias: b.Alias, ShopID: valueOf(b.ShopID), Until: valueOf(b.Until),
		},
		UntilShiftEnd: valueOf(b.UntilShiftEnd), Remove: valueOf(b.Off),
	})
	return wire.OperatorSetStop200JSONResponse{Stops: toWireStops(stops)}, err
}

func toWireStops(stops []catalog.StopEntry) []wire.Stop {
	w := make([]wire.Stop, len(stops))
	for i, stop := range stops {
		w[i] = wire.Stop{Site: stop.Site, Kind: wire.StopKind(stop.Kind), Alias: stop.Alias, ShopID: orNil(stop.ShopID)}
		if !stop.Until.IsZero() {
			w[i].Until = &stop.Until
		}
	}
	return w
}
