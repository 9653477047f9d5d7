package staff

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

// mostWrongPINs is how many PINs of an account may be wrong in a row. Then it has none until the person has
// signed in and set another.
const mostWrongPINs = 10

// shiftLife is how long a person works at a device before they enter their PIN again.
const shiftLife = 12 * time.Hour

var pinPattern = regexp.MustCompile(`^[0-9]{4,8}$`)

// isEasyPIN reports whether a PIN is one digit again and again, or a row of digits.
func isEasyPIN(pin string) bool {
	const up, down = "0123456789", "9876543210"
	return strings.Count(pin, pin[:1]) == len(pin) || strings.Contains(up, pin) || strings.Contains(down, pin)
}

// SetPIN sets the PIN with which a principal who has signed in works at devices. It returns common.invalid
// (Invalid) with staff.pin at pin when the PIN does not have four to eight digits or is too easy, and
// common.forbidden (Forbidden) for a principal without a session.
func (s *Service) SetPIN(ctx context.Context, p access.Principal, pin string) error {
	if p.Kind != audit.Staff {
		return fault.New(fault.Forbidden, "common.forbidden")
	}
	if !pinPattern.MatchString(pin) || isEasyPIN(pin) {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("pin", "staff.pin"))
	}
	stored, err := s.hashPassword(ctx, pin)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := setPIN(ctx, tx.Q, p.ID, stored); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Site: p.Site, Subject: "staff", ID: p.Name, After: audit.Fields{"pin": "set"}}, s.clock.Now())
	})
}

// Person is one who may work at a device.
type Person struct {
	ID   int64
	Name string
	Role access.Role
}

// People returns who may work at the device: those of its shop who have a PIN.
func (s *Service) People(ctx context.Context, device access.Principal) ([]Person, error) {
	accounts, err := s.workersAt(ctx, device)
	people := make([]Person, len(accounts))
	for i, a := range accounts {
		people[i] = Person{ID: a.ID, Name: a.Name, Role: a.Role}
	}
	return people, err
}

// workersAt returns the accounts of those who may work at the device: those of its shop who have a
// PIN. It returns common.forbidden (Forbidden) for a principal that is not a device.
func (s *Service) workersAt(ctx context.Context, device access.Principal) ([]Account, error) {
	if device.Kind != audit.Device {
		return nil, fault.New(fault.Forbidden, "common.forbidden")
	}
	accounts, err := listWithPIN(ctx, s.db.Read(), s.clock.Now())
	return slices.DeleteFunc(accounts, func(a Account) bool { return !a.HasShop(device.Site, device.Shops[0]) }), err
}

// BeginShift stores that a person works at the device until their shift ends or another begins. It returns
// the principal of the device's calls from now on, and the end of the shift. A wrong PIN and a person who
// does not work there are refused with staff.wrong_pin (Invalid), too many attempts with
// common.too_many_requests (TooMany). After ten wrong PINs in a row the person has no PIN any more.
func (s *Service) BeginShift(ctx context.Context, device access.Principal, personID int64, pin string) (access.Principal, time.Time, error) {
	wrong := fault.New(fault.Invalid, "common.invalid", fault.Field("pin", "staff.wrong_pin"))
	accounts, err := s.workersAt(ctx, device)
	if err != nil {
		return access.Principal{}, time.Time{}, err
	}
	counted := counters{{fmt.Sprintf("pin %d %d", device.ID, personID), maxFailures}}
	if err := s.countFailure(ctx, counted); err != nil {
		return access.Principal{}, time.Time{}, err
	}
	i := slices.IndexFunc(accounts, func(a Account) bool { return a.ID == personID })
	if i < 0 {
		return access.Principal{}, time.Time{}, wrong
	}
	a := accounts[i]
	stored, err := s.countPIN(ctx, a.ID)
	if err != nil {
		return access.Principal{}, time.Time{}, err
	}
	isRight, err := s.isPassword(ctx, stored, pin)
	if err == nil && !isRight {
		err = wrong
	}
	if err != nil {
		return access.Principal{}, time.Time{}, err
	}
	now := s.clock.Now()
	until, worker := now.Add(shiftLife), withPerson(device, a)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := setPerson(ctx, tx.Q, device.ID, a.ID, until); err != nil {
			return err
		}
		if err := resetWrongPINs(ctx, tx.Q, a.ID); err != nil {
			return err
		}
		ctx := audit.With(ctx, audit.Origin{Kind: audit.Device, Name: device.Name, Person: a.Name, Call: audit.From(ctx).Call})
		return audit.Record(ctx, tx, deviceEntry(device, device.ID, nil, audit.Fields{"person": a.Login}), now)
	})
	if err != nil {
		return access.Principal{}, time.Time{}, err
	}
	return worker, until, s.uncountFailure(ctx, counted)
}

// countPIN counts a PIN of the account as wrong before it is compared, and returns the stored one; empty
// when it has none any more.
func (s *Service) countPIN(ctx context.Context, accountID int64) (stored string, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		stored, err = countWrongPIN(ctx, tx.Q, accountID)
		return err
	})
	return stored, err
}

// EndShift ends the shift at the device. It returns common.forbidden (Forbidden) for a principal that is no
// device.
func (s *Service) EndShift(ctx context.Context, device access.Principal) error {
	if device.Kind != audit.Device {
		return fault.New(fault.Forbidden, "common.forbidden")
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		const noPerson = 0
		if err := setPerson(ctx, tx.Q, device.ID, noPerson, now); err != nil || device.Person == "" {
			return err
		}
		return audit.Record(ctx, tx, deviceEntry(device, device.ID, audit.Fields{"shift": true}, audit.Fields{"shift": false}), now)
	})
}

// withPerson returns the principal of a device at which a person works. It has the rights that both the role
// of a kitchen and the person's own role have.
func withPerson(device access.Principal, a Account) access.Principal {
	device.Person, device.Role, device.Rights = a.Name, a.Role, nil
	for _, right := range access.Kitchen.Rights() {
		if a.Role.Rights().Has(right) {
			device.Rights = append(device.Rights, right)
		}
	}
	return device
}
