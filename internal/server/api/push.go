package api

import (
	"context"

	"servery/internal/push"
	"servery/internal/server/wire"
)

// GetPushKey is GET /push/key: it returns the public key with which browsers subscribe to push messages.
func (s *Server) GetPushKey(context.Context, wire.GetPushKeyRequestObject) (wire.GetPushKeyResponseObject, error) {
	return wire.GetPushKey200JSONResponse{PublicKey: s.Push.PublicKey()}, nil
}

// SubscribeToOrder is POST /order/{id}/push: it stores that the browser is to be sent the later states of
// an order that the visitor may see. For an order in a final state it stores nothing.
func (s *Server) SubscribeToOrder(ctx context.Context, req wire.SubscribeToOrderRequestObject) (wire.SubscribeToOrderResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.Orders.Get(ctx, v, req.ID)
	if err != nil {
		return nil, err
	}
	if o.State.IsFinal() {
		return wire.SubscribeToOrder204Response{}, nil // there is nothing to be sent any more
	}
	b := req.Body
	err = s.Push.Subscribe(ctx, push.Watcher{OrderID: o.ID, SessionID: v.SessionID, ChangeID: o.ChangeID, Lang: v.Lang, Now: v.Now},
		push.Subscription{Endpoint: b.Endpoint, P256dh: b.Keys.P256Dh, Auth: b.Keys.Auth})
	if err != nil {
		return nil, err
	}
	return wire.SubscribeToOrder204Response{}, nil
}

// UnsubscribeFromOrder is DELETE /order/{id}/push: it deletes the session's subscriptions to the
// states of an order.
func (s *Server) UnsubscribeFromOrder(ctx context.Context, req wire.UnsubscribeFromOrderRequestObject) (wire.UnsubscribeFromOrderResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	return wire.UnsubscribeFromOrder204Response{}, s.Push.Unsubscribe(ctx, req.ID, v.SessionID)
}
