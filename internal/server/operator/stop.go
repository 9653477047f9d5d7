package operator

import (
	"context"
	"maps"
	"slices"
	"time"

	"servery/internal/catalog"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// OperatorListStops is GET /operator/stops: it returns the stops of a brand that are in force.
func (c *Calls) OperatorListStops(ctx context.Context, req wire.OperatorListStopsRequestObject) (wire.OperatorListStopsResponseObject, error) {
	stops, err := c.catalog.Stops(req.Params.Site)
	return wire.OperatorListStops200JSONResponse{Stops: toWireStops(ctx, stops)}, err
}

// OperatorSetStop is POST /operator/stops: it stops a product, a modifier, an ingredient or a group of the
// menu until a time, or removes the stop. It returns the stops that are in force.
func (c *Calls) OperatorSetStop(ctx context.Context, req wire.OperatorSetStopRequestObject) (wire.OperatorSetStopResponseObject, error) {
	b := req.Body
	stops, err := c.catalog.SetStop(ctx, catalog.StopChange{
		StopEntry: catalog.StopEntry{
			Site: b.Site, Kind: catalog.StopKind(b.Kind), Alias: b.Alias, ShopID: convert.ValueOf(b.ShopID), Until: convert.ValueOf(b.Until),
			Origin: toOrigin(b.Reason, b.Note, b.Actor),
		},
		UntilShiftEnd: convert.ValueOf(b.UntilShiftEnd), Remove: convert.ValueOf(b.Off),
	})
	return wire.OperatorSetStop200JSONResponse{Stops: toWireStops(ctx, stops)}, err
}

// toWireStops converts the stops that the call's principal may see.
func toWireStops(ctx context.Context, stops []catalog.StopEntry) []wire.Stop {
	stops = inScope(ctx, stops, func(e catalog.StopEntry) int64 { return e.ShopID })
	w := make([]wire.Stop, len(stops))
	for i, stop := range stops {
		w[i] = wire.Stop{
			Site: stop.Site, Kind: wire.StopKind(stop.Kind), Alias: stop.Alias, ShopID: convert.OrNil(stop.ShopID),
			Reason: convert.OrNil(wire.LiveReason(stop.Reason)), Note: convert.OrNil(stop.Note), Actor: convert.OrNil(stop.Actor), At: &stop.At,
		}
		if !stop.Until.IsZero() {
			w[i].Until = &stop.Until
		}
		if stop.ShopEnds != nil {
			w[i].ShopEnds = new(toWireShopEnds(ctx, stop.ShopEnds))
		}
	}
	return w
}

// toWireShopEnds converts the ends of a stop in the shops that the call's principal may see, by shop.
func toWireShopEnds(ctx context.Context, ends map[int64]time.Time) []wire.StopShopEnd {
	shops := inScope(ctx, slices.Sorted(maps.Keys(ends)), func(shopID int64) int64 { return shopID })
	w := make([]wire.StopShopEnd, len(shops))
	for i, shopID := range shops {
		w[i] = wire.StopShopEnd{ShopID: shopID, Until: ends[shopID]}
	}
	return w
}
