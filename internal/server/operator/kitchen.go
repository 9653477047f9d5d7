package operator

import (
	"context"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/kitchen"
	"servery/internal/live"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// OperatorListKitchens is GET /operator/kitchen: it returns the pauses and busy times of a brand that are
// in force, in the shops of the caller's scope.
func (c *Calls) OperatorListKitchens(ctx context.Context, req wire.OperatorListKitchensRequestObject) (wire.OperatorListKitchensResponseObject, error) {
	states, err := c.kitchen.States(req.Params.Site, convert.ValueOf(req.Params.ShopID))
	return wire.OperatorListKitchens200JSONResponse{Kitchens: toWireStates(inScope(ctx, states, func(e live.KitchenEntry) int64 { return e.ShopID }))}, err
}

// OperatorPauseKitchen is POST /operator/kitchen/pause: it pauses a shop, which then offers no time before
// the end of the pause, or ends its pause. Placed orders stay as they are. It returns what is in force in
// the shop.
func (c *Calls) OperatorPauseKitchen(ctx context.Context, req wire.OperatorPauseKitchenRequestObject) (wire.OperatorPauseKitchenResponseObject, error) {
	b := req.Body
	states, err := c.kitchen.SetState(ctx, kitchen.StateChange{
		KitchenEntry: live.KitchenEntry{
			Site: b.Site, ShopID: b.ShopID, OrderType: site.OrderType(convert.ValueOf(b.OrderType)), Kind: live.Pause,
			Until: convert.ValueOf(b.Until), Origin: toOrigin(b.Reason, b.Note, b.Actor),
		},
		UntilShiftEnd: convert.ValueOf(b.UntilShiftEnd), Remove: convert.ValueOf(b.Off),
	})
	return wire.OperatorPauseKitchen200JSONResponse{Kitchens: toWireStates(states)}, err
}

// OperatorSetKitchenBusy is POST /operator/kitchen/busy: it makes the orders of a shop take some minutes
// longer until a time, or ends that. Placed orders keep their promise. It returns what is in force in the
// shop.
func (c *Calls) OperatorSetKitchenBusy(ctx context.Context, req wire.OperatorSetKitchenBusyRequestObject) (wire.OperatorSetKitchenBusyResponseObject, error) {
	b := req.Body
	states, err := c.kitchen.SetState(ctx, kitchen.StateChange{
		KitchenEntry: live.KitchenEntry{
			Site: b.Site, ShopID: b.ShopID, OrderType: site.OrderType(convert.ValueOf(b.OrderType)), Kind: live.Busy,
			Minutes: convert.ValueOf(b.Minutes), Until: convert.ValueOf(b.Until), Origin: toOrigin(b.Reason, b.Note, b.Actor),
		},
		UntilShiftEnd: convert.ValueOf(b.UntilShiftEnd), Remove: convert.ValueOf(b.Off),
	})
	return wire.OperatorSetKitchenBusy200JSONResponse{Kitchens: toWireStates(states)}, err
}

// OperatorListKitchenTimes is GET /operator/kitchen/times: it returns the times of a day in a shop with
// their work; see [kitchen.Service.Times].
func (c *Calls) OperatorListKitchenTimes(
	ctx context.Context, req wire.OperatorListKitchenTimesRequestObject,
) (wire.OperatorListKitchenTimesResponseObject, error) {
	query := kitchen.TimesQuery{Site: req.Params.Site, ShopID: req.Params.ShopID, OrderType: site.OrderType(req.Params.OrderType)}
	if asked := convert.ValueOf(req.Params.Day); asked != "" {
		day, err := clock.ParseDay(asked)
		if err != nil {
			return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("day", "common.invalid"), fault.Because(err))
		}
		query.Day = day
	}
	found, err := c.kitchen.Times(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListKitchenTimes200JSONResponse{Day: found.Day.String(), Times: []wire.KitchenTime{}}
	for _, t := range found.Times {
		answer.Times = append(answer.Times, toWireTime(t))
	}
	return answer, nil
}

// toWireTime returns a time of a day with its work, by the clock of the city.
func toWireTime(t kitchen.Time) wire.KitchenTime {
	w := wire.KitchenTime{
		IntervalID: t.ID, Title: t.Title, From: t.Start.In(t.Zone), To: t.End.In(t.Zone), Capacity: t.Capacity, Taken: t.Taken,
		Closed: convert.OrNil(wire.KitchenTimeClosed(t.Closed)),
	}
	var groups []wire.KitchenGroupWork
	for _, g := range t.Groups {
		groups = append(groups, wire.KitchenGroupWork{Group: g.Group, Capacity: g.Capacity, Taken: g.Taken})
	}
	if len(groups) > 0 {
		w.Groups = &groups
	}
	return w
}

// toWireStates returns pauses and busy times, in their order.
func toWireStates(states []live.KitchenEntry) []wire.KitchenState {
	w := make([]wire.KitchenState, len(states))
	for i, e := range states {
		w[i] = wire.KitchenState{
			Site: e.Site, ShopID: e.ShopID, OrderType: convert.OrNil(wire.OrderType(e.OrderType)), Kind: wire.KitchenStateKind(e.Kind),
			Minutes: convert.OrNil(e.Minutes), Until: e.Until,
			Reason: convert.OrNil(wire.LiveReason(e.Reason)), Note: convert.OrNil(e.Note), Actor: convert.OrNil(e.Actor), At: e.At,
		}
	}
	return w
}

// toOrigin returns the origin of what a request sets: reason, note and actor, without the time.
func toOrigin(reason *wire.LiveReason, note, actor *string) live.Origin {
	return live.Origin{Reason: live.Reason(convert.ValueOf(reason)), Note: convert.ValueOf(note), Actor: convert.ValueOf(actor)}
}
