package staff

import (
	"context"
	"errors"
	"time"

	"servery/internal/access"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// setPIN stores the hash of an account's PIN, and sets the account's count of wrong PINs to 0.
func setPIN(ctx context.Context, q *gen.Queries, accountID int64, stored string) error {
	_, err := q.SetStaffPIN(ctx, gen.SetStaffPINParams{ID: accountID, Pin: stored})
	return wrap("store a PIN", err)
}

// countWrongPIN counts a wrong PIN and returns the stored one, which is empty after too many.
func countWrongPIN(ctx context.Context, q *gen.Queries, accountID int64) (stored string, err error) {
	stored, err = q.CountWrongPIN(ctx, gen.CountWrongPINParams{ID: accountID, Most: mostWrongPINs})
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return stored, wrap("count a PIN", err)
}

// resetWrongPINs sets the count of wrong PINs to 0.
func resetWrongPINs(ctx context.Context, q *gen.Queries, accountID int64) error {
	return wrap("reset the count of wrong PINs", q.ResetWrongPINs(ctx, accountID))
}

// listWithPIN returns the accounts that have a PIN, by name.
func listWithPIN(ctx context.Context, q *gen.Queries, now time.Time) ([]Account, error) {
	rows, err := q.ListStaffWithPIN(ctx)
	if err != nil {
		return nil, wrap("list accounts", err)
	}
	accounts := make([]Account, len(rows))
	for i, row := range rows {
		if accounts[i], _, err = readAccount(row, nil, now); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

// insertDevice stores a device with the hash of the code that enrols it, and returns its id.
func insertDevice(ctx context.Context, q *gen.Queries, d Device, code []byte) (int64, error) {
	id, err := q.InsertStaffDevice(ctx, gen.InsertStaffDeviceParams{
		Name: d.Name, Site: d.Site, ShopID: d.ShopID, CodeHash: code, CodeUntil: d.CodeUntil, CreatedBy: d.CreatedBy, Now: d.CreatedAt,
	})
	return id, wrap("store a device", err)
}

// enrolDevice stores the secret of the device that has the code, and reports false when the code is over or used.
func enrolDevice(ctx context.Context, q *gen.Queries, code, secret []byte, now time.Time) (d Device, isFirst bool, err error) {
	row, err := q.EnrolStaffDevice(ctx, gen.EnrolStaffDeviceParams{CodeHash: code, Hash: secret, Now: instant(now), Until: now})
	if errors.Is(err, db.ErrNotFound) {
		return Device{}, false, nil
	}
	return Device{ID: row.ID, Name: row.Name, Site: row.Site, ShopID: row.ShopID, CreatedBy: row.CreatedBy}, err == nil, wrap("enrol a device", err)
}

// findDevice returns the device with the hash, the account of the person who works at it, and the end of
// their shift. exists is false when there is no such device.
func findDevice(ctx context.Context, q *gen.Queries, hash []byte) (d Device, worker Account, until time.Time, exists bool, err error) {
	row, err := q.FindStaffDevice(ctx, hash)
	if errors.Is(err, db.ErrNotFound) {
		return Device{}, Account{}, time.Time{}, false, nil
	}
	if err != nil {
		return Device{}, Account{}, time.Time{}, false, wrap("find a device", err)
	}
	shops, err := access.ParseShops(row.PersonShops)
	if err != nil {
		return Device{}, Account{}, time.Time{}, false, wrap("read the shops of an account", err)
	}
	d = Device{ID: row.ID, Name: row.Name, Site: row.Site, ShopID: row.ShopID, SeenAt: row.SeenAt.Time}
	worker = Account{Scope: access.Scope{Site: row.PersonSite, Shops: shops}, ID: row.PersonID, Name: row.Person, Role: access.Role(row.Role)}
	return d, worker, row.PersonUntil.Time, true, nil
}

// isDevice reports whether the device is enrolled and has not ended.
func isDevice(ctx context.Context, q *gen.Queries, id int64) (bool, error) {
	count, err := q.CountStaffDevice(ctx, id)
	return count == 1, wrap("find a device", err)
}

// getDevice returns a device that has not ended, and false when there is none.
func getDevice(ctx context.Context, q *gen.Queries, id int64) (Device, bool, error) {
	row, err := q.GetStaffDevice(ctx, id)
	if errors.Is(err, db.ErrNotFound) {
		return Device{}, false, nil
	}
	return Device{ID: row.ID, Name: row.Name, Site: row.Site, ShopID: row.ShopID}, err == nil, wrap("find a device", err)
}

// listDevices returns the devices of the scope that have not ended, each with the person who works at
// it at now.
func listDevices(ctx context.Context, q *gen.Queries, scope access.Scope, now time.Time) ([]Device, error) {
	rows, err := q.ListStaffDevices(ctx, gen.ListStaffDevicesParams{Site: scope.Site, Shops: db.ListOf(scope.Shops)})
	devices := make([]Device, len(rows))
	for i, row := range rows {
		devices[i] = Device{
			ID: row.ID, Name: row.Name, Site: row.Site, ShopID: row.ShopID, CreatedBy: row.CreatedBy, CreatedAt: row.CreatedAt, CodeUntil: row.CodeUntil,
			EnrolledAt: row.EnrolledAt.Time, SeenAt: row.SeenAt.Time,
		}
		if now.Before(row.PersonUntil.Time) {
			devices[i].Person = row.Person
		}
	}
	return devices, wrap("list devices", err)
}

func setDeviceSeen(ctx context.Context, q *gen.Queries, id int64, now time.Time) error {
	return wrap("store the use of a device", q.SetStaffDeviceSeen(ctx, gen.SetStaffDeviceSeenParams{ID: id, Now: instant(now)}))
}

// setPerson stores the account that works at a device, 0 for nobody, and until when.
func setPerson(ctx context.Context, q *gen.Queries, deviceID, accountID int64, until time.Time) error {
	_, err := q.SetStaffDevicePerson(ctx, gen.SetStaffDevicePersonParams{ID: deviceID, PersonID: accountID, Until: instant(until)})
	return wrap("store who works at a device", err)
}

// endShifts ends the shifts of an account at all devices, and returns how many there were at now.
func endShifts(ctx context.Context, q *gen.Queries, accountID int64, now time.Time) (ended int64, err error) {
	ended, err = q.EndStaffShifts(ctx, gen.EndStaffShiftsParams{AccountID: accountID, Now: instant(now)})
	return ended, wrap("end the shifts of an account", err)
}

// endDevice marks a device as ended, and deletes its secrets and who works at it. The row stays.
func endDevice(ctx context.Context, q *gen.Queries, id int64, now time.Time) error {
	_, err := q.EndStaffDevice(ctx, gen.EndStaffDeviceParams{ID: id, Now: instant(now)})
	return wrap("end a device", err)
}
