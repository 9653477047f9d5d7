package api

import (
	"context"

	"servery/internal/cart"
	"servery/internal/fault"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// cartAnswer returns the answer of a call that changes the cart, or its error.
func cartAnswer(v visit.Context, q cart.Quoted, err error) (wire.CartAnswer, error) {
	if err != nil {
		return wire.CartAnswer{}, err
	}
	return wire.CartAnswer{Cart: orderwire.Cart(v, q)}, nil
}

// LoadCart is PUT /cart: it returns the visitor's cart of a city at a place, with its prices. It stores
// place and interval of the request when they differ from those of the cart; see [carts.Service.Load].
func (s *Server) LoadCart(ctx context.Context, req wire.LoadCartRequestObject) (wire.LoadCartResponseObject, error) {
	b := req.Body
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.Load(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.Interval)
	answer, err := cartAnswer(v, q, err)
	return wire.LoadCart200JSONResponse(answer), err
}

// AddToCart is PUT /cart/add: it adds portions of a product to the visitor's cart, saves the cart and
// returns it with its prices.
func (s *Server) AddToCart(ctx context.Context, req wire.AddToCartRequestObject) (wire.AddToCartResponseObject, error) {
	b := req.Body
	v, keep, err := s.visits.WithCartSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.Add(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), toAddition(b))
	if err != nil {
		return nil, err
	}
	keep()
	return wire.AddToCart200JSONResponse{Cart: orderwire.Cart(v, q)}, nil
}

// toAddition converts the product that a request adds to the cart. Without a list of modifiers in the
// request the modifiers are nil, and the usual ones are added.
func toAddition(b *wire.AddToCartJSONRequestBody) cart.Addition {
	a := cart.Addition{ProductKey: b.ProductKey, Count: convert.OrOne(b.Count)}
	if b.Modifiers == nil {
		return a
	}
	a.Modifiers = make([]cart.Chosen, 0, len(*b.Modifiers)) // an empty list is not nil: no modifiers are wanted
	for _, m := range *b.Modifiers {
		chosen := cart.Chosen{ID: m.ID, Count: m.Count}
		if m.GroupID != nil {
			chosen.GroupID = *m.GroupID
		}
		a.Modifiers = append(a.Modifiers, chosen)
	}
	return a
}

// RemoveFromCart is PUT /cart/remove: it removes portions of a line from the visitor's cart, one unless the
// request has a count, saves the cart and returns it with its prices.
func (s *Server) RemoveFromCart(ctx context.Context, req wire.RemoveFromCartRequestObject) (wire.RemoveFromCartResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.Remove(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.ProductKey, convert.OrOne(b.Count))
	answer, err := cartAnswer(v, q, err)
	return wire.RemoveFromCart200JSONResponse(answer), err
}

// ForgetFromCart is PUT /cart/forget: it removes the whole line of a product from the visitor's cart, saves
// the cart and returns it with its prices.
func (s *Server) ForgetFromCart(ctx context.Context, req wire.ForgetFromCartRequestObject) (wire.ForgetFromCartResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.Forget(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.ProductKey)
	answer, err := cartAnswer(v, q, err)
	return wire.ForgetFromCart200JSONResponse(answer), err
}

// ClearCart is DELETE /cart/clear: it empties the visitor's cart of a city, releases the interval that a
// checkout of it holds, and returns the cart.
func (s *Server) ClearCart(ctx context.Context, req wire.ClearCartRequestObject) (wire.ClearCartResponseObject, error) {
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	cityID, err := s.cartCity(ctx, v, req.Params.CityID)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.Clear(ctx, v, cityID)
	answer, err := cartAnswer(v, q, err)
	return wire.ClearCart200JSONResponse(answer), err
}

// cartCity returns the city whose cart a call is for: the named city, else the city of the visitor's
// cart that changed last. It returns common.required (Invalid) at city_id when there is neither.
func (s *Server) cartCity(ctx context.Context, v visit.Context, named *int64) (int64, error) {
	if named != nil {
		return *named, nil
	}
	cityID, found, err := s.Carts.FindLastCity(ctx, v)
	if err == nil && !found {
		err = fault.New(fault.Invalid, "common.invalid", fault.Field("city_id", "common.required"))
	}
	return cityID, err
}

// SetBag is PUT /cart/packages/bag: it stores in the visitor's cart whether the packages that can be
// refused are refused, and returns the cart with its prices.
func (s *Server) SetBag(ctx context.Context, req wire.SetBagRequestObject) (wire.SetBagResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.SetBag(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.WithoutBag)
	answer, err := cartAnswer(v, q, err)
	return wire.SetBag200JSONResponse(answer), err
}

// SetInterval is PUT /cart/set-interval: it stores the chosen interval in the visitor's cart of a city, or
// no choice for an empty id, and returns the cart. The interval is not reserved.
func (s *Server) SetInterval(ctx context.Context, req wire.SetIntervalRequestObject) (wire.SetIntervalResponseObject, error) {
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	cityID, err := s.cartCity(ctx, v, req.Body.CityID)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.SetInterval(ctx, v, cityID, req.Body.Interval)
	answer, err := cartAnswer(v, q, err)
	return wire.SetInterval200JSONResponse(answer), err
}

// ListRelatedProducts is POST /products/get-related-products: it returns products that go with the product
// groups of the request, without those in the visitor's cart. It changes nothing.
func (s *Server) ListRelatedProducts(
	ctx context.Context, req wire.ListRelatedProductsRequestObject,
) (wire.ListRelatedProductsResponseObject, error) {
	b := req.Body
	place := toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID)
	a, err := s.findPlace(ctx, place)
	if err != nil {
		return nil, err
	}
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.Preview(ctx, v, place)
	if err != nil {
		return nil, err
	}
	var inCart []int64
	for _, l := range q.Cart.Lines {
		inCart = append(inCart, l.ProductID)
	}
	return wire.ListRelatedProducts200JSONResponse{Products: a.menuLocalizer().Products(a.menu.Related(b.ProductGroupsIds, inCart))}, nil
}

// ProblemCart returns the current cart that a fault brings, which the page shows with the reason; nil for
// a fault that brings none.
func (s *Server) ProblemCart(ctx context.Context, err error) *wire.Cart {
	q, ok := cart.FreshCart(err)
	if !ok {
		return nil
	}
	w := orderwire.Cart(s.visits.Context(ctx), q)
	return &w
}
