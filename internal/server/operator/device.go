package operator

import (
	"context"

	"servery/internal/access"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/staff"
)

// OperatorSetPin is POST /operator/sign-in/pin.
func (c *Calls) OperatorSetPin(ctx context.Context, req wire.OperatorSetPinRequestObject) (wire.OperatorSetPinResponseObject, error) {
	return wire.OperatorSetPin200JSONResponse{}, c.staff.SetPIN(ctx, access.From(ctx), req.Body.Pin)
}

// OperatorEnrolDevice is POST /operator/sign-in/device.
func (c *Calls) OperatorEnrolDevice(ctx context.Context, req wire.OperatorEnrolDeviceRequestObject) (wire.OperatorEnrolDeviceResponseObject, error) {
	token, d, err := c.staff.Enrol(ctx, req.Body.Code)
	return wire.OperatorEnrolDevice200JSONResponse{Token: token, DeviceID: d.ID, Name: d.Name, Site: d.Site, ShopID: d.ShopID}, err
}

// OperatorListPeople is GET /operator/sign-in/device/people.
func (c *Calls) OperatorListPeople(ctx context.Context, _ wire.OperatorListPeopleRequestObject) (wire.OperatorListPeopleResponseObject, error) {
	people, err := c.staff.People(ctx, access.From(ctx))
	answer := wire.OperatorListPeople200JSONResponse{People: make([]wire.StaffPerson, len(people))}
	for i, p := range people {
		answer.People[i] = wire.StaffPerson{ID: p.ID, Name: p.Name, Role: string(p.Role)}
	}
	return answer, err
}

// OperatorBeginShift is POST /operator/sign-in/device/shift.
func (c *Calls) OperatorBeginShift(ctx context.Context, req wire.OperatorBeginShiftRequestObject) (wire.OperatorBeginShiftResponseObject, error) {
	worker, until, err := c.staff.BeginShift(ctx, access.From(ctx), req.Body.ID, req.Body.Pin)
	return wire.OperatorBeginShift200JSONResponse{Self: toWireSelf(worker), Until: until}, err
}

// OperatorEndShift is DELETE /operator/sign-in/device/shift.
func (c *Calls) OperatorEndShift(ctx context.Context, _ wire.OperatorEndShiftRequestObject) (wire.OperatorEndShiftResponseObject, error) {
	return wire.OperatorEndShift200JSONResponse{}, c.staff.EndShift(ctx, access.From(ctx))
}

// OperatorListDevices is GET /operator/devices.
func (c *Calls) OperatorListDevices(ctx context.Context, req wire.OperatorListDevicesRequestObject) (wire.OperatorListDevicesResponseObject, error) {
	devices, err := c.staff.Devices(ctx, scopeOf(ctx, convert.ValueOf(req.Params.Site), convert.ValueOf(req.Params.ShopID)))
	answer := wire.OperatorListDevices200JSONResponse{Devices: make([]wire.StaffDevice, len(devices))}
	for i, d := range devices {
		answer.Devices[i] = wire.StaffDevice{
			ID: d.ID, Name: d.Name, Site: d.Site, ShopID: d.ShopID, CreatedBy: d.CreatedBy, CreatedAt: d.CreatedAt,
			EnrolledAt: convert.OrNil(d.EnrolledAt), SeenAt: convert.OrNil(d.SeenAt), Person: convert.OrNil(d.Person),
		}
		if d.EnrolledAt.IsZero() {
			answer.Devices[i].CodeUntil = &d.CodeUntil
		}
	}
	return answer, err
}

// OperatorAddDevice is POST /operator/devices.
func (c *Calls) OperatorAddDevice(ctx context.Context, req wire.OperatorAddDeviceRequestObject) (wire.OperatorAddDeviceResponseObject, error) {
	b := req.Body
	if _, err := c.catalog.Current().FindBrand(b.Site, b.ShopID); err != nil {
		return nil, err
	}
	code, d, err := c.staff.AddDevice(ctx, staff.Device{Name: b.Name, Site: b.Site, ShopID: b.ShopID})
	return wire.OperatorAddDevice200JSONResponse{ID: d.ID, Code: code, ExpiresAt: d.CodeUntil}, err
}

// OperatorEndDevice is DELETE /operator/devices/{id}.
func (c *Calls) OperatorEndDevice(ctx context.Context, req wire.OperatorEndDeviceRequestObject) (wire.OperatorEndDeviceResponseObject, error) {
	return wire.OperatorEndDevice200JSONResponse{}, c.staff.EndDevice(ctx, access.From(ctx).Scope, req.ID)
}
