package operator

import (
	"context"
	"time"

	"servery/internal/access"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/correct"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// OperatorCorrectOrder is POST /operator/orders/{id}/correct: it corrects name, phone, comment, address or
// interval of an order that is accepted or cooked, and returns the order with what has changed. A preview
// stores nothing; see [correct.Service.Correct].
func (c *Calls) OperatorCorrectOrder(
	ctx context.Context, req wire.OperatorCorrectOrderRequestObject,
) (wire.OperatorCorrectOrderResponseObject, error) {
	b := req.Body
	o, effect, err := c.correct.Correct(ctx, c.catalog.Current(), req.ID, correct.Request{
		Key: convert.ValueOf(b.Key), Name: b.Name, Phone: b.Phone, Comment: b.Comment, IntervalID: b.IntervalID, Address: toAddressInput(b.Address),
		Note: convert.ValueOf(b.Note), IsPreview: convert.ValueOf(b.DryRun), Actor: convert.ValueOf(b.Actor),
	}, c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	if err != nil {
		return nil, err
	}
	return wire.OperatorCorrectOrder200JSONResponse{Order: shown, Effect: toWireEffect(effect, c.locationOfOrder(o))}, nil
}

// OperatorListCorrections is GET /operator/orders/{id}/corrections: it returns the corrections of an order,
// the oldest first, each with the values before it. It returns common.forbidden (Forbidden) to a caller who
// may not read the order's customer.
func (c *Calls) OperatorListCorrections(
	ctx context.Context, req wire.OperatorListCorrectionsRequestObject,
) (wire.OperatorListCorrectionsResponseObject, error) {
	found, err := c.orders.Read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, order.NotFound()
	}
	courierID := "" // couriers read the customers of their own deliveries, while these are under way
	if o := found[0]; !o.State.IsFinal() {
		courierID = o.Courier.ID
	}
	if !access.From(ctx).MayReadCustomer(courierID) {
		return nil, fault.New(fault.Forbidden, "common.forbidden")
	}
	list, err := c.correct.List(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListCorrections200JSONResponse{Corrections: make([]wire.OperatorCorrection, len(list))}
	location := c.locationOfOrder(found[0])
	for i, one := range list {
		answer.Corrections[i] = wire.OperatorCorrection{
			Key: one.Key, At: one.At.In(location), Actor: one.Actor, Note: convert.OrNil(one.Note), Effect: toWireEffect(one.Effect, location),
			Before: toWireContact(one.Before), After: toWireContact(one.After),
		}
	}
	return answer, nil
}

// locationOfOrder returns the time zone of the order's city, or that of the brand's first city when content
// has dropped the city.
func (c *Calls) locationOfOrder(o order.Order) *time.Location {
	return cityLocation(c.catalog.Current(), o, c.locationOf(o.Site))
}

// cityLocation returns the time zone of the order's city, or the other one when content has dropped the city.
func cityLocation(snapshot *catalog.Snapshot, o order.Order, other *time.Location) *time.Location {
	brand, ok := snapshot.Sites.ByAlias(o.Site)
	if !ok {
		return other
	}
	city, ok := brand.City(o.CityID)
	if !ok {
		return other
	}
	return city.Location
}

// toAddressInput reads the corrected parts of an address; nil when the address is not corrected.
func toAddressInput(a *wire.CorrectedAddress) *correct.AddressInput {
	if a == nil {
		return nil
	}
	in := &correct.AddressInput{
		Street: a.Street, House: a.House, Room: a.Room, Entrance: a.Entrance, Floor: a.Floor, Intercom: a.Intercom, Description: a.Comment,
		IsPrivateHouse: a.PrivateHouse, Building: a.Building, RearBuilding: a.RearBuilding, BellName: a.BellName, Landmark: a.Landmark,
	}
	if a.Coordinates != nil {
		point := convert.Point(wire.Coordinates(*a.Coordinates))
		in.Point = &point
	}
	return in
}

// toWireFields converts names of corrected fields; nil for none.
func toWireFields(names []string) *[]wire.CorrectedField {
	if len(names) == 0 {
		return nil
	}
	fields := make([]wire.CorrectedField, len(names))
	for i, name := range names {
		fields[i] = wire.CorrectedField(name)
	}
	return &fields
}

// toWireEffect converts what a correction changes, with its times in the time zone.
func toWireEffect(e correct.Effect, location *time.Location) wire.CorrectionEffect {
	w := wire.CorrectionEffect{
		Fields: make([]wire.CorrectedField, len(e.Fields)), ZoneBefore: convert.OrNil(e.ZoneBefore), ZoneAfter: convert.OrNil(e.ZoneAfter),
		DeliveryBefore: e.DeliveryBefore, DeliveryAfter: e.DeliveryAfter, TotalBefore: e.TotalBefore, TotalAfter: e.TotalAfter,
		ToCollect: e.ToCollect, Refund: e.Refund, PromisedFrom: e.FromAfter.In(location), PromisedTo: e.ToAfter.In(location),
		PromisedToBefore: e.ToBefore.In(location),
	}
	for i, f := range e.Fields {
		w.Fields[i] = wire.CorrectedField(f)
	}
	return w
}

// toWireContact converts the corrected contact, address and time of an order.
func toWireContact(c correct.Contact) wire.CorrectedContact {
	w := wire.CorrectedContact{
		Name: convert.OrNil(c.Name), Phone: convert.OrNil(c.Phone), Comment: convert.OrNil(c.Comment), IntervalID: convert.OrNil(c.IntervalID),
	}
	if c.Address != nil {
		a := toWireAddress(*c.Address)
		w.Address = &a
	}
	return w
}

// toWireAddress converts an address with all its parts.
func toWireAddress(a geo.Address) wire.OperatorAddress {
	return wire.OperatorAddress{
		Address: a.Address, FullAddress: a.FullAddress, Locality: convert.OrNil(a.Locality), District: convert.OrNil(a.District),
		Street: convert.OrNil(a.Street), House: convert.OrNil(a.House), Room: convert.OrNil(a.Room), Entrance: convert.OrNil(a.Entrance),
		Floor: convert.OrNil(a.Floor), Intercom: convert.OrNil(a.Intercom), PrivateHouse: convert.OrNil(a.IsPrivateHouse),
		Building: convert.OrNil(a.Building), RearBuilding: convert.OrNil(a.RearBuilding), BellName: convert.OrNil(a.BellName),
		Landmark: convert.OrNil(a.Landmark), Comment: convert.OrNil(a.Description),
		Precision: wire.AddressPrecision(a.Precision), Coordinates: convert.Coordinates(a.Point),
	}
}
