package operator

import (
	"context"
	"encoding/json"
	"time"

	"servery/internal/access"
	"servery/internal/catalog"
	"servery/internal/order"
	"servery/internal/order/feed"
	"servery/internal/payment"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// usualChanges is how many changes are looked at when the call names no limit.
const usualChanges = 100

// OperatorListChanges is GET /operator/changes: it returns the next changes of orders in the scope of the
// caller, in the order of their numbers; see [feed.Service.List].
func (c *Calls) OperatorListChanges(
	ctx context.Context, req wire.OperatorListChangesRequestObject,
) (wire.OperatorListChangesResponseObject, error) {
	scope := scopeOf(ctx, convert.ValueOf(req.Params.Site), convert.ValueOf(req.Params.ShopID))
	query := feed.Query{After: convert.ValueOf(req.Params.After), Site: scope.Site, Shops: scope.Shops, Limit: usualChanges}
	if req.Params.Limit != nil {
		query.Limit = *req.Params.Limit
	}
	page, err := c.feed.List(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListChanges200JSONResponse{Changes: make([]wire.OperatorOrderChange, len(page.Entries)), Last: page.Last}
	for i, e := range page.Entries {
		answer.Changes[i] = c.showEntry(ctx, e)
	}
	return answer, nil
}

// showEntry converts a change of the feed. It leaves out the note for a principal who may not read
// customers.
func (c *Calls) showEntry(ctx context.Context, e feed.Entry) wire.OperatorOrderChange {
	w := toWireEntry(e, locationOfEntry(c.catalog, e))
	if !access.From(ctx).MayReadCustomer("") {
		w.Note = nil
	}
	return w
}

// locationOf returns the time zone of the brand's first city, and UTC for a brand that content has dropped.
func (c *Calls) locationOf(alias string) *time.Location { return findLocation(c.catalog, alias) }

// findLocation returns the time zone of the brand's first city, and UTC for a brand that content has dropped.
func findLocation(content *catalog.Catalog, alias string) *time.Location {
	if brand, ok := content.Current().Sites.ByAlias(alias); ok {
		return brand.Cities[0].Location // a brand has at least one
	}
	return time.UTC
}

// locationOfEntry returns the time zone of the city whose shop cooks the order of the change, or that of the brand's
// first city when content has dropped the shop.
func locationOfEntry(content *catalog.Catalog, e feed.Entry) *time.Location {
	snapshot := content.Current()
	if brand, ok := snapshot.Sites.ByAlias(e.Site); ok {
		if shop, ok := snapshot.Atlas(brand).Shop(e.ShopID); ok {
			if city, ok := brand.City(shop.CityID); ok {
				return city.Location
			}
		}
	}
	return findLocation(content, e.Site)
}

// ChangeEncoder returns a function that writes a change of an order as the contract shows it, for webhooks.
func ChangeEncoder(content *catalog.Catalog) func(feed.Entry) (json.RawMessage, error) {
	return func(e feed.Entry) (json.RawMessage, error) {
		return json.Marshal(toWireEntry(e, locationOfEntry(content, e)))
	}
}

// OperatorGetChangeWebhook is GET /operator/changes/webhook: it returns how far the changes of a brand's
// orders were posted to its webhook.
func (c *Calls) OperatorGetChangeWebhook(
	ctx context.Context, req wire.OperatorGetChangeWebhookRequestObject,
) (wire.OperatorGetChangeWebhookResponseObject, error) {
	state, err := c.delivery.State(ctx, req.Params.Site)
	return wire.OperatorGetChangeWebhook200JSONResponse(toWireWebhook(state, c.locationOf(req.Params.Site))), err
}

// OperatorResumeChangeWebhook is POST /operator/changes/webhook: it resumes posting the changes of a
// brand's orders to its webhook, at once. It begins after the change with the number in the request, or
// without a number where posting has stopped.
func (c *Calls) OperatorResumeChangeWebhook(
	ctx context.Context, req wire.OperatorResumeChangeWebhookRequestObject,
) (wire.OperatorResumeChangeWebhookResponseObject, error) {
	state, err := c.delivery.Resume(ctx, req.Body.Site, req.Body.After)
	return wire.OperatorResumeChangeWebhook200JSONResponse(toWireWebhook(state, c.locationOf(req.Body.Site))), err
}

// toWireWebhook converts the state of a webhook, with its times in the time zone.
func toWireWebhook(s feed.State, location *time.Location) wire.ChangeWebhook {
	w := wire.ChangeWebhook{Last: s.Last, Attempts: s.Attempts, Error: convert.OrNil(s.Error)}
	switch {
	case s.HasFailed():
		at := s.FailedAt.In(location)
		w.FailedAt = &at
	case s.Attempts > 0:
		at := s.DueAt.In(location)
		w.NextAttemptAt = &at
	}
	return w
}

// toWireEntry converts a change of the feed, with its times in the time zone.
func toWireEntry(e feed.Entry, location *time.Location) wire.OperatorOrderChange {
	w := toWireChange(e.Change, location)
	return wire.OperatorOrderChange{
		Change: w.Change, Kind: w.Kind, Status: w.Status, Actor: w.Actor, At: w.At, Reason: w.Reason, Note: w.Note, Food: w.Food,
		Amount: w.Amount, PromisedFrom: w.PromisedFrom, PromisedTo: w.PromisedTo,
		Courier: w.Courier, Fields: w.Fields, OrderID: e.OrderID, Site: e.Site, ShopID: e.ShopID,
	}
}

// toWireChange converts a change, with its times in the time zone.
func toWireChange(h order.Change, location *time.Location) wire.OperatorChange {
	w := wire.OperatorChange{
		Change: h.ID, Kind: wire.ChangeKind(h.Kind), Status: wire.OrderStatusAlias(h.State), Actor: h.Actor, At: h.At.In(location),
		Reason: convert.OrNil(wire.CancelReason(h.Reason)), Note: convert.OrNil(h.Note), Food: convert.OrNil(wire.OrderFood(h.Food)),
		Amount: convert.OrNil(h.Amount), Courier: convert.OrNil(h.CourierID), Fields: toWireFields(h.Fields),
	}
	if !h.PromisedTo.IsZero() {
		from, to := h.PromisedFrom.In(location), h.PromisedTo.In(location)
		w.PromisedFrom, w.PromisedTo = &from, &to
	}
	return w
}

// OperatorTakeOrder is POST /operator/orders/{id}/take: it marks an accepted order as taken by the
// restaurant and, when the request has a time, promises the order for it. It returns the order.
func (c *Calls) OperatorTakeOrder(ctx context.Context, req wire.OperatorTakeOrderRequestObject) (wire.OperatorTakeOrderResponseObject, error) {
	o, err := c.orders.TakeOrder(ctx, req.ID, convert.ValueOf(req.Body.PromisedAt), convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorTakeOrder200JSONResponse{Order: shown}, err
}

// OperatorDelayOrder is POST /operator/orders/{id}/delay: it promises an order for another time, which the
// customer is shown, and returns the order.
func (c *Calls) OperatorDelayOrder(ctx context.Context, req wire.OperatorDelayOrderRequestObject) (wire.OperatorDelayOrderResponseObject, error) {
	b := req.Body
	o, err := c.orders.Delay(ctx, req.ID, b.PromisedAt, convert.ValueOf(b.Note), convert.ValueOf(b.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorDelayOrder200JSONResponse{Order: shown}, err
}

// OperatorStepBackOrder is POST /operator/orders/{id}/step-back: it moves an order back to the state before
// its last move, as long as [order.Order.CanStepBack] reports that it may, and returns the order.
func (c *Calls) OperatorStepBackOrder(
	ctx context.Context, req wire.OperatorStepBackOrderRequestObject,
) (wire.OperatorStepBackOrderResponseObject, error) {
	o, err := c.orders.StepBack(ctx, req.ID, convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorStepBackOrder200JSONResponse{Order: shown}, err
}

// OperatorCancelOrder is POST /operator/orders/{id}/cancel: it cancels an order that is accepted, cooked or
// on its way, releases all that it has reserved and refunds what was paid online as the request says, all
// of it by default. The outcome, and what the request says of the money, may need further rights; see
// requireCancel. It returns the order.
func (c *Calls) OperatorCancelOrder(
	ctx context.Context, req wire.OperatorCancelOrderRequestObject,
) (wire.OperatorCancelOrderResponseObject, error) {
	b := req.Body
	if err := requireCancel(ctx, order.Outcome(b.Outcome), b.Refund != nil); err != nil {
		return nil, err
	}
	request := order.CancelRequest{
		Outcome: order.Outcome(b.Outcome), Reason: order.CancelReason(convert.ValueOf(b.Reason)), Note: convert.ValueOf(b.Note),
		Food: order.Food(convert.ValueOf(b.Food)), Actor: convert.ValueOf(b.Actor),
	}
	if r := b.Refund; r != nil {
		request.KeepMoney = convert.ValueOf(r.None)
		part := payment.RefundRequest{
			All: convert.ValueOf(r.All), Lines: toRefundLines(r.Lines), Amount: convert.ValueOf(r.Amount), Bearer: payment.Bearer(convert.ValueOf(r.Bearer)),
		}
		// A request that only says to keep the money names no part.
		if !request.KeepMoney || part.All || part.Lines != nil || part.Amount != 0 {
			request.Part = &part
		}
	}
	o, err := c.orders.CancelForRestaurant(ctx, req.ID, request, c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorCancelOrder200JSONResponse{Order: shown}, err
}
