package server

import (
	"context"

	"servery/internal/clock"
	"servery/internal/order"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// ListUserOrders is GET /user/orders.
func (s *Server) ListUserOrders(ctx context.Context, req wire.ListUserOrdersRequestObject) (wire.ListUserOrdersResponseObject, error) {
	v, err := s.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	page, err := s.Orders.List(ctx, v, oneOr(req.Params.Page))
	if err != nil {
		return nil, err
	}
	answer := wire.ListUserOrders200JSONResponse{Orders: []wire.OrderBrief{}, Page: page.Number, Pages: page.Pages(), Total: page.Total}
	for _, o := range page.Orders {
		answer.Orders = append(answer.Orders, orderBrief(v, o))
	}
	return answer, nil
}

func orderBrief(v visit.Context, o order.Listed) wire.OrderBrief {
	w := orderLocalizerOf(v, o.Order)
	brief := wire.OrderBrief{
		OrderID: o.ID, OrderType: wire.OrderType(o.Type), Status: w.status(o.Order), CityID: o.CityID, CityAlias: w.city.Alias,
		CityName: w.Text(w.city.Name), Currency: o.Currency.Code, CreatedAt: o.CreatedAt.In(w.city.Location),
		DateString: clock.DayOf(o.CreatedAt, w.city.Location).String(), Asap: o.IsASAP(), Total: o.Prices.Total, Count: o.Portions,
		PromisedFrom: o.PromisedFrom.In(w.city.Location), PromisedTo: o.PromisedTo.In(w.city.Location),
		Payment: w.payment(o.Payment),
	}
	if o.Details.Address != nil {
		brief.Address = orNil(w.address(v, *o.Details.Address, w.city).Address)
	} else {
		brief.Address = w.optional(o.Details.Shop.Street)
	}
	return brief
}
