package staff

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

const (
	// enrolmentLife is how long a code enrols a device.
	enrolmentLife = 10 * time.Minute
	// codePrefix and devicePrefix begin the code of a device and its secret.
	codePrefix   = "enrol_"
	devicePrefix = "device_"
	// deviceTerm is how long a device is stored after its end.
	deviceTerm = 365 * 24 * time.Hour
)

// Device is a tablet of a shop.
type Device struct {
	ID     int64
	Name   string
	Site   string
	ShopID int64
	// CreatedBy is who made its code.
	CreatedBy string
	CreatedAt time.Time
	// CodeUntil is how long its code can be used, EnrolledAt when it was used; zero before. SeenAt is when the
	// device last made a call, exact to five minutes; zero before the first.
	CodeUntil, EnrolledAt, SeenAt time.Time
	// Person works at it now; empty for nobody.
	Person string
}

// deviceEntry returns what the audit log says of a change of a device.
func deviceEntry(p access.Principal, id int64, before, after audit.Fields) audit.Entry {
	e := audit.Entry{Site: p.Site, Subject: "device", ID: strconv.FormatInt(id, 10), Before: before, After: after}
	if len(p.Shops) == 1 {
		e.ShopID = p.Shops[0]
	}
	return e
}

// restingRights are those of a device without a shift.
func restingRights() access.Rights { return access.Rights{access.ReadOrders, access.ReadKitchen} }

// principal returns who makes the calls of a device without a shift.
func (d Device) principal() access.Principal {
	return access.Principal{
		Scope: access.Scope{Site: d.Site, Shops: []int64{d.ShopID}}, Kind: audit.Device, ID: d.ID, Name: d.Name, Rights: restingRights(),
	}
}

// AddDevice returns a code that enrols a device with the name, brand and shop of d, once within ten minutes.
// Brand and shop must exist. It returns common.invalid (Invalid) at a name that is empty or too long.
func (s *Service) AddDevice(ctx context.Context, d Device) (code string, added Device, err error) {
	d.Name = strings.TrimSpace(d.Name)
	if d.Name == "" || utf8.RuneCountInString(d.Name) > maxName {
		return "", Device{}, fault.New(fault.Invalid, "common.invalid", fault.Field("name", "common.required"))
	}
	code, d.CreatedBy, d.CreatedAt = newSecret(codePrefix), audit.From(ctx).Who(), s.clock.Now()
	d.CodeUntil = d.CreatedAt.Add(enrolmentLife)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if d.ID, err = insertDevice(ctx, tx.Q, d, hashSecret(code)); err != nil {
			return err
		}
		return audit.Record(ctx, tx, deviceEntry(d.principal(), d.ID, nil, audit.Fields{"name": d.Name, "enrolled": false}), d.CreatedAt)
	})
	return code, d, err
}

// Enrol enrols the device of a code, and returns the device with its secret. It returns staff.enrolment_over
// (NotFound) for a code that was used, is over or was never made.
func (s *Service) Enrol(ctx context.Context, code string) (secret string, d Device, err error) {
	secret = newSecret(devicePrefix)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		enrolled, isFirst, err := enrolDevice(ctx, tx.Q, hashSecret(code), hashSecret(secret), now)
		if err != nil {
			return err
		}
		if !isFirst {
			return fault.New(fault.NotFound, "staff.enrolment_over")
		}
		d = enrolled
		ctx := audit.With(ctx, audit.Origin{Kind: audit.Device, Name: d.Name, Call: audit.From(ctx).Call})
		return audit.Record(ctx, tx, deviceEntry(d.principal(), d.ID, audit.Fields{"enrolled": false}, audit.Fields{"enrolled": true}), now)
	})
	return secret, d, err
}

// findDevice returns the principal of a device's secret, and false when no device has the secret. During a
// shift it has the person and their rights, unless they may not work in the device's shop any more. It
// stores that the device was used, once in five minutes.
func (s *Service) findDevice(ctx context.Context, secret string) (access.Principal, bool, error) {
	d, worker, until, exists, err := findDevice(ctx, s.db.Read(), hashSecret(secret))
	if err != nil || !exists {
		return access.Principal{}, false, err
	}
	now, p := s.clock.Now(), d.principal()
	if worker.ID != 0 && now.Before(until) && worker.HasShop(d.Site, d.ShopID) {
		p = withPerson(p, worker)
	}
	if now.Sub(d.SeenAt) >= seenEvery {
		err = s.db.InTx(ctx, func(tx *db.Tx) error { return setDeviceSeen(ctx, tx.Q, d.ID, now) })
	}
	return p, true, err
}

// Devices returns the devices of the scope that have not ended, the newest first.
func (s *Service) Devices(ctx context.Context, scope access.Scope) ([]Device, error) {
	return listDevices(ctx, s.db.Read(), scope, s.clock.Now())
}

// EndDevice ends a device of the scope: no process accepts it from then on. It returns common.not_found
// (NotFound) for a device outside of the scope.
func (s *Service) EndDevice(ctx context.Context, scope access.Scope, id int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		d, exists, err := getDevice(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		if !exists || !scope.HasShop(d.Site, d.ShopID) {
			return fault.New(fault.NotFound, "common.not_found", fault.Field("id", "common.not_found"))
		}
		now := s.clock.Now()
		if err := endDevice(ctx, tx.Q, id, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, deviceEntry(d.principal(), id, audit.Fields{"name": d.Name, "ended": false}, audit.Fields{"ended": true}), now)
	})
}
