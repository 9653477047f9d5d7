package operator

import (
	"context"

	"servery/internal/feedback"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// usualForms is how many forms a page has when the call names no limit.
const usualForms = 50

// OperatorListFeedback is GET /operator/feedback: it returns the forms that visitors have sent to the
// brand, the newest first.
func (c *Calls) OperatorListFeedback(
	ctx context.Context, req wire.OperatorListFeedbackRequestObject,
) (wire.OperatorListFeedbackResponseObject, error) {
	filter := feedback.Filter{
		Site: scopeOf(ctx, convert.ValueOf(req.Params.Site), 0).Site, Kind: feedback.Kind(convert.ValueOf(req.Params.Kind)),
		Before: convert.ValueOf(req.Params.Before), Limit: usualForms,
	}
	if req.Params.Limit != nil {
		filter.Limit = *req.Params.Limit
	}
	page, next, err := c.feedback.List(ctx, filter)
	answer := wire.OperatorListFeedback200JSONResponse{Forms: make([]wire.OperatorForm, len(page)), Next: convert.OrNil(next)}
	for i, f := range page {
		answer.Forms[i] = wire.OperatorForm{
			ID: f.ID, Site: f.Site, Kind: wire.FormKind(f.Kind), CityID: convert.OrNil(f.CityID), CustomerID: convert.OrNil(f.CustomerID),
			Name: f.Name, Phone: f.Phone, Fields: convert.FormFields(f.Fields), Language: string(f.Lang),
			Delivery: wire.OperatorFormDelivery(f.State), CreatedAt: f.CreatedAt,
		}
	}
	return answer, err
}
