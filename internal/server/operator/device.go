package operator

import (
	"context"

	"servery/internal/access"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/staff"
)

// OperatorSetPin is POST /operator/sign-in/pin: it sets the PIN with which the caller, who has signed in,
// works at devices.
func (c *Calls) OperatorSetPin(ctx context.Context, req wire.OperatorSetPinRequestObject) (wire.OperatorSetPinResponseObject, error) {
	return wire.OperatorSetPin200JSONResponse{}, c.staff.SetPIN(ctx, access.From(ctx), req.Body.Pin)
}

// OperatorEnrolDevice is POST /operator/sign-in/device: it enrols a device of a shop by the code that the
// device has read, and returns the token of its calls. The code cannot be used again.
func (c *Calls) OperatorEnrolDevice(ctx context.Context, req wire.OperatorEnrolDeviceRequestObject) (wire.OperatorEnrolDeviceResponseObject, error) {
	token, d, err := c.staff.Enrol(ctx, req.Body.Code)
	return wire.OperatorEnrolDevice200JSONResponse{Token: token, DeviceID: d.ID, Name: d.Name, Site: d.Site, ShopID: d.ShopID}, err
}

// OperatorListPeople is GET /operator/sign-in/device/people: it returns who may work at the device that
// calls.
func (c *Calls) OperatorListPeople(ctx context.Context, _ wire.OperatorListPeopleRequestObject) (wire.OperatorListPeopleResponseObject, error) {
	people, err := c.staff.People(ctx, access.From(ctx))
	answer := wire.OperatorListPeople200JSONResponse{People: make([]wire.StaffPerson, len(people))}
	for i, p := range people {
		answer.People[i] = wire.StaffPerson{ID: p.ID, Name: p.Name, Role: string(p.Role)}
	}
	return answer, err
}

// OperatorBeginShift is POST /operator/sign-in/device/shift: it begins the shift of a person with the right
// PIN at the device that calls, in place of another shift, and returns the person and the end of the shift.
// Wrong PINs are counted and limited; see [staff.Service.BeginShift].
func (c *Calls) OperatorBeginShift(ctx context.Context, req wire.OperatorBeginShiftRequestObject) (wire.OperatorBeginShiftResponseObject, error) {
	worker, until, err := c.staff.BeginShift(ctx, access.From(ctx), req.Body.ID, req.Body.Pin)
	return wire.OperatorBeginShift200JSONResponse{Self: toWireSelf(worker), Until: until}, err
}

// OperatorEndShift is DELETE /operator/sign-in/device/shift: it ends the shift at the device that calls.
// From then on the device has the rights of a device without a shift.
func (c *Calls) OperatorEndShift(ctx context.Context, _ wire.OperatorEndShiftRequestObject) (wire.OperatorEndShiftResponseObject, error) {
	return wire.OperatorEndShift200JSONResponse{}, c.staff.EndShift(ctx, access.From(ctx))
}

// OperatorListDevices is GET /operator/devices: it returns the devices in the scope of the caller that have
// not ended, the newest first. A device that is not enrolled yet has the time at which its code ends.
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

// OperatorAddDevice is POST /operator/devices: it stores a new device of a shop and returns the code that
// enrols it.
func (c *Calls) OperatorAddDevice(ctx context.Context, req wire.OperatorAddDeviceRequestObject) (wire.OperatorAddDeviceResponseObject, error) {
	b := req.Body
	if _, err := c.catalog.Current().FindBrand(b.Site, b.ShopID); err != nil {
		return nil, err
	}
	code, d, err := c.staff.AddDevice(ctx, staff.Device{Name: b.Name, Site: b.Site, ShopID: b.ShopID})
	if err != nil {
		return nil, err
	}
	picture, err := drawQR(code)
	return wire.OperatorAddDevice200JSONResponse{ID: d.ID, Code: code, CodeQr: picture, ExpiresAt: d.CodeUntil}, err
}

// OperatorEndDevice is DELETE /operator/devices/{id}: it ends a device in the scope of the caller. Calls
// with its token are refused from then on.
func (c *Calls) OperatorEndDevice(ctx context.Context, req wire.OperatorEndDeviceRequestObject) (wire.OperatorEndDeviceResponseObject, error) {
	return wire.OperatorEndDevice200JSONResponse{}, c.staff.EndDevice(ctx, access.From(ctx).Scope, req.ID)
}
