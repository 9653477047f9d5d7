package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// GetPaymentSettings is POST /order/payment-settings.
func (s *Server) GetPaymentSettings(context.Context, wire.GetPaymentSettingsRequestObject) (wire.GetPaymentSettingsResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// GetOrderPayment is GET /order/payment/{order_cache_key}.
func (s *Server) GetOrderPayment(context.Context, wire.GetOrderPaymentRequestObject) (wire.GetOrderPaymentResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// PayOrder is POST /order/pay.
func (s *Server) PayOrder(context.Context, wire.PayOrderRequestObject) (wire.PayOrderResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// Post3DS is POST /order/post3ds.
func (s *Server) Post3DS(context.Context, wire.Post3DSRequestObject) (wire.Post3DSResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
