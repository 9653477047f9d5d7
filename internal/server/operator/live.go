package operator

import (
	"context"
	"maps"
	"slices"

	"servery/internal/fault"
	"servery/internal/kitchen"
	"servery/internal/lang"
	"servery/internal/live"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// OperatorListPrices is GET /operator/prices: it returns the prices of a brand that are in force and set
// over the prices of the content.
func (c *Calls) OperatorListPrices(ctx context.Context, req wire.OperatorListPricesRequestObject) (wire.OperatorListPricesResponseObject, error) {
	prices, err := c.kitchen.Prices(req.Params.Site)
	return wire.OperatorListPrices200JSONResponse{Prices: toWirePrices(ctx, prices)}, err
}

// OperatorSetPrice is POST /operator/prices: it sets the price of a product over the content's price, or
// removes it again. Placed orders keep their prices. It returns the prices that are in force.
func (c *Calls) OperatorSetPrice(ctx context.Context, req wire.OperatorSetPriceRequestObject) (wire.OperatorSetPriceResponseObject, error) {
	b := req.Body
	isRemoved := convert.ValueOf(b.Off)
	if b.Price == nil && !isRemoved {
		return nil, fault.New(fault.Invalid, "price.amount", fault.Field("price", "price.amount"))
	}
	prices, err := c.kitchen.SetPrice(ctx, kitchen.PriceChange{
		PriceEntry: live.PriceEntry{
			Site: b.Site, Product: b.Product, ShopID: convert.ValueOf(b.ShopID), PriceList: convert.ValueOf(b.PriceList),
			OrderType: site.OrderType(convert.ValueOf(b.OrderType)), Price: convert.ValueOf(b.Price), Until: convert.ValueOf(b.Until),
			Origin: toOrigin(b.Reason, b.Note, b.Actor),
		},
		Remove: isRemoved,
	})
	return wire.OperatorSetPrice200JSONResponse{Prices: toWirePrices(ctx, prices)}, err
}

// toWirePrices converts the prices that the call's principal may see.
func toWirePrices(ctx context.Context, prices []kitchen.PriceInForce) []wire.LivePrice {
	prices = inScope(ctx, prices, func(p kitchen.PriceInForce) int64 { return p.ShopID })
	w := make([]wire.LivePrice, len(prices))
	for i, p := range prices {
		w[i] = wire.LivePrice{
			Site: p.Site, Product: p.Product, ShopID: convert.OrNil(p.ShopID), PriceList: convert.OrNil(p.PriceList),
			OrderType: convert.OrNil(wire.OrderType(p.OrderType)), Price: p.Price, ContentPrice: p.ContentPrice, IsUnused: p.IsUnused,
			Until: convert.OrNil(p.Until), Reason: convert.OrNil(wire.LiveReason(p.Reason)), Note: convert.OrNil(p.Note), Actor: convert.OrNil(p.Actor), At: p.At,
		}
	}
	return w
}

// OperatorListAlerts is GET /operator/alerts: it returns the alerts of a brand that are in force and set
// over the alerts of the content.
func (c *Calls) OperatorListAlerts(ctx context.Context, req wire.OperatorListAlertsRequestObject) (wire.OperatorListAlertsResponseObject, error) {
	alerts, err := c.kitchen.Alerts(req.Params.Site)
	return wire.OperatorListAlerts200JSONResponse{Alerts: toWireAlerts(ctx, alerts)}, err
}

// OperatorSetAlert is POST /operator/alerts: it sets the text that customers of a city or shop are shown,
// and whether orders are stopped there, or removes both again. It returns the alerts that are in force.
func (c *Calls) OperatorSetAlert(ctx context.Context, req wire.OperatorSetAlertRequestObject) (wire.OperatorSetAlertResponseObject, error) {
	b := req.Body
	text := lang.Text{}
	for _, words := range convert.ValueOf(b.Texts) {
		text[lang.Lang(words.Language)] = words.Text
	}
	alerts, err := c.kitchen.SetAlert(ctx, kitchen.AlertChange{
		AlertEntry: live.AlertEntry{
			Site: b.Site, CityID: convert.ValueOf(b.CityID), ShopID: convert.ValueOf(b.ShopID), Text: text,
			Stops: convert.ValueOf(b.Stops), Until: convert.ValueOf(b.Until), Origin: toOrigin(b.Reason, b.Note, b.Actor),
		},
		Remove: convert.ValueOf(b.Off),
	})
	return wire.OperatorSetAlert200JSONResponse{Alerts: toWireAlerts(ctx, alerts)}, err
}

// toWireAlerts converts the alerts that the call's principal may see.
func toWireAlerts(ctx context.Context, alerts []live.AlertEntry) []wire.LiveAlert {
	alerts = inScope(ctx, alerts, func(e live.AlertEntry) int64 { return e.ShopID })
	w := make([]wire.LiveAlert, len(alerts))
	for i, e := range alerts {
		texts := []wire.AlertText{}
		for _, tag := range slices.Sorted(maps.Keys(e.Text)) {
			texts = append(texts, wire.AlertText{Language: string(tag), Text: e.Text[tag]})
		}
		w[i] = wire.LiveAlert{
			Site: e.Site, CityID: convert.OrNil(e.CityID), ShopID: convert.OrNil(e.ShopID), Texts: texts, Stops: e.Stops,
			Until: convert.OrNil(e.Until), Reason: convert.OrNil(wire.LiveReason(e.Reason)), Note: convert.OrNil(e.Note), Actor: convert.OrNil(e.Actor), At: e.At,
		}
	}
	return w
}
