package api

import (
	"context"

	"servery/internal/cart"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// AddGift is PUT /cart/gift/add: it adds one of a gift to the visitor's cart, when its conditions are met,
// saves the cart and returns it with its prices.
func (s *Server) AddGift(ctx context.Context, req wire.AddGiftRequestObject) (wire.AddGiftResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.AddGift(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.GiftID)
	answer, err := cartAnswer(v, q, err)
	return wire.AddGift200JSONResponse(answer), err
}

// RemoveGift is PUT /cart/gift/remove: it removes one of a gift from the visitor's cart, saves the cart and
// returns it with its prices.
func (s *Server) RemoveGift(ctx context.Context, req wire.RemoveGiftRequestObject) (wire.RemoveGiftResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.RemoveGift(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.GiftID)
	answer, err := cartAnswer(v, q, err)
	return wire.RemoveGift200JSONResponse(answer), err
}

// ForgetGift is PUT /cart/gift/forget: it removes all of a gift from the visitor's cart, saves the cart and
// returns it with its prices.
func (s *Server) ForgetGift(ctx context.Context, req wire.ForgetGiftRequestObject) (wire.ForgetGiftResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.ForgetGift(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.GiftID)
	answer, err := cartAnswer(v, q, err)
	return wire.ForgetGift200JSONResponse(answer), err
}

// AddPresent is PUT /cart/gift/add-present: it adds one of a present of the signed-in customer to the cart,
// saves the cart and returns it with its prices.
func (s *Server) AddPresent(ctx context.Context, req wire.AddPresentRequestObject) (wire.AddPresentResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.AddPresent(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.ID)
	answer, err := cartAnswer(v, q, err)
	return wire.AddPresent200JSONResponse(answer), err
}

// RemovePresent is PUT /cart/gift/remove-present: it removes one of a present from the visitor's cart,
// saves the cart and returns it with its prices.
func (s *Server) RemovePresent(ctx context.Context, req wire.RemovePresentRequestObject) (wire.RemovePresentResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.RemovePresent(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.ID)
	answer, err := cartAnswer(v, q, err)
	return wire.RemovePresent200JSONResponse(answer), err
}

// ApplyPromocode is PUT /cart/gift/apply-promocode: it puts a promocode into the visitor's cart in place of
// the former one, saves the cart and returns it with its prices. Attempts with codes that do not exist are
// counted and limited; a solved captcha passes the limits of address and site.
func (s *Server) ApplyPromocode(ctx context.Context, req wire.ApplyPromocodeRequestObject) (wire.ApplyPromocodeResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	v.Caller = s.callerOf(request.From(ctx).ClientIP, v.Site)
	q, err := retrySolved(ctx, s, v, convert.ValueOf(b.CaptchaUserToken), func(v visit.Context) (cart.Quoted, error) {
		return s.Carts.ApplyPromocode(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.Promocode)
	})
	answer, err := cartAnswer(v, q, err)
	return wire.ApplyPromocode200JSONResponse(answer), err
}

// ForgetPromocode is PUT /cart/gift/forget-promocode: it removes the promocode from the visitor's cart,
// saves the cart and returns it with its prices.
func (s *Server) ForgetPromocode(ctx context.Context, req wire.ForgetPromocodeRequestObject) (wire.ForgetPromocodeResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.ForgetPromocode(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	answer, err := cartAnswer(v, q, err)
	return wire.ForgetPromocode200JSONResponse(answer), err
}

// ApplyBonuses is PUT /cart/gift/apply-bonuses: it sets how many bonuses may pay for the visitor's cart at
// most, saves the cart and returns it with its prices. The bonuses are not reserved.
func (s *Server) ApplyBonuses(ctx context.Context, req wire.ApplyBonusesRequestObject) (wire.ApplyBonusesResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.ApplyBonuses(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID), b.Bonuses)
	answer, err := cartAnswer(v, q, err)
	return wire.ApplyBonuses200JSONResponse(answer), err
}
