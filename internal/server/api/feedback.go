package api

import (
	"context"

	"servery/internal/fault"
	"servery/internal/feedback"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/wire"
)

// NotifyWhenDelivered is POST /feedback/unavailable-delivery-address: it stores the phone of a visitor who
// is to be notified when the brand delivers to a point. Calls are limited by network address; see
// countForm.
func (s *Server) NotifyWhenDelivered(
	ctx context.Context, req wire.NotifyWhenDeliveredRequestObject,
) (wire.NotifyWhenDeliveredResponseObject, error) {
	v := s.visits.Context(ctx)
	wish := feedback.DeliveryRequest{
		Site: v.Site, CityID: req.Body.CityID, At: convert.Point(req.Body.Coordinates), Phone: req.Body.Phone, Lang: v.Lang, Now: v.Now,
	}
	if err := s.countForm(ctx); err != nil {
		return nil, err
	}
	if err := s.Feedback.RequestDelivery(ctx, wish); err != nil {
		return nil, err
	}
	text := localizerOf(v).Message(fault.Message{Key: "feedback.will_notify"})
	return wire.NotifyWhenDelivered200JSONResponse{Notification: &wire.Notification{Type: wire.Success, Text: text}}, nil
}

// AskQuestion is POST /feedback/questions: it stores a question of the visitor and enqueues its delivery
// where the brand forwards forms; see submitForm.
func (s *Server) AskQuestion(ctx context.Context, req wire.AskQuestionRequestObject) (wire.AskQuestionResponseObject, error) {
	b := req.Body
	return wire.AskQuestion200JSONResponse{}, s.submitForm(ctx, req.Params.IdempotencyKey, feedback.Form{
		Kind: feedback.Question, CityID: convert.ValueOf(b.CityID), Name: b.Name, Phone: b.Phone, IsAgreed: convert.ValueOf(b.IsAgreed),
		Fields: feedback.Fields{Email: b.Email, Message: b.Message},
	})
}

// RequestCall is POST /feedback/call-me-back: it stores a request to be called back and enqueues its
// delivery where the brand forwards forms; see submitForm.
func (s *Server) RequestCall(ctx context.Context, req wire.RequestCallRequestObject) (wire.RequestCallResponseObject, error) {
	b := req.Body
	return wire.RequestCall200JSONResponse{}, s.submitForm(ctx, req.Params.IdempotencyKey, feedback.Form{
		Kind: feedback.CallMeBack, CityID: convert.ValueOf(b.CityID), Name: b.Name, Phone: b.Phone, IsAgreed: convert.ValueOf(b.IsAgreed),
	})
}

// SendLandlordRequest is POST /feedback/landlord-request: it stores an offer of premises for rent and
// enqueues its delivery where the brand forwards forms; see submitForm.
func (s *Server) SendLandlordRequest(
	ctx context.Context, req wire.SendLandlordRequestRequestObject,
) (wire.SendLandlordRequestResponseObject, error) {
	b := req.Body
	return wire.SendLandlordRequest200JSONResponse{}, s.submitForm(ctx, req.Params.IdempotencyKey, feedback.Form{
		Kind: feedback.Landlord, CityID: convert.ValueOf(b.CityID), Name: b.Name, Phone: b.Phone, IsAgreed: convert.ValueOf(b.IsAgreed),
		Fields: feedback.Fields{Email: convert.ValueOf(b.Email), CityName: b.CityName, Shop: b.Shop, Square: float64(b.Square)},
	})
}

// SendSupplierRequest is POST /feedback/supplier-request: it stores an offer of a supplier and enqueues its
// delivery where the brand forwards forms; see submitForm.
func (s *Server) SendSupplierRequest(
	ctx context.Context, req wire.SendSupplierRequestRequestObject,
) (wire.SendSupplierRequestResponseObject, error) {
	b := req.Body
	return wire.SendSupplierRequest200JSONResponse{}, s.submitForm(ctx, req.Params.IdempotencyKey, feedback.Form{
		Kind: feedback.Supplier, CityID: convert.ValueOf(b.CityID), Name: b.Name, Phone: b.Phone, IsAgreed: convert.ValueOf(b.IsAgreed),
		Fields: feedback.Fields{Email: convert.ValueOf(b.Email), CityName: b.CityName, Company: b.Company, ProductCategory: b.ProductCategory},
	})
}

// RequestReturn is POST /feedback/return-request: it stores a request to return or exchange what an order
// contained and enqueues its delivery where the brand forwards forms; see submitForm. It does not refund
// anything.
func (s *Server) RequestReturn(ctx context.Context, req wire.RequestReturnRequestObject) (wire.RequestReturnResponseObject, error) {
	b := req.Body
	return wire.RequestReturn200JSONResponse{}, s.submitForm(ctx, req.Params.IdempotencyKey, feedback.Form{
		Kind: feedback.ReturnRequest, CityID: convert.ValueOf(b.CityID), Name: b.Name, Phone: b.Phone, IsAgreed: convert.ValueOf(b.IsAgreed),
		Fields: feedback.Fields{Email: convert.ValueOf(b.Email), Message: b.Message, OrderID: b.OrderID, Wish: string(b.Wish)},
	})
}

// submitForm checks and stores a form of the visitor. Faults: those of [feedback.Form.Check],
// [Server.countForm] and [feedback.Service.Submit].
func (s *Server) submitForm(ctx context.Context, key *wire.IdempotencyKey, f feedback.Form) error {
	checked, err := f.Check(s.visits.Context(ctx).Site)
	if err != nil {
		return err
	}
	if err := s.countForm(ctx); err != nil {
		return err
	}
	v, err := s.visits.WithSession(ctx, key)
	if err != nil {
		return err
	}
	return s.Feedback.Submit(ctx, feedback.Visitor{
		Site: v.Site, SessionID: v.SessionID, CustomerID: v.CustomerID, Lang: v.Lang, Key: v.IdempotencyKey, Now: v.Now,
	}, checked)
}

// countForm counts a form against its network address. It returns feedback.too_many (TooMany) when
// too many came from there.
func (s *Server) countForm(ctx context.Context) error {
	if wait := s.forms.CountCall(request.From(ctx).ClientIP, s.clock.Now()); wait > 0 {
		return fault.New(fault.TooMany, "feedback.too_many", fault.RetryAfter(wait))
	}
	return nil
}
