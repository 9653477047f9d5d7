package geo

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
	"servery/internal/fault"
	"servery/internal/site"
)

var (
	noon              = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	errAddressUnknown = fault.New(fault.NotFound, "geo.address_unknown")
)

// allFields is a form that asks for all details.
var allFields = func() (form site.AddressForm) {
	for _, f := range site.AddressFields() {
		form = append(form, site.AddressQuestion{Field: f})
	}
	return form
}()

// newOwner creates a guest's session with the token and returns it as an owner.
func newOwner(t *testing.T, d *db.DB, token string) Owner {
	t.Helper()
	o := Owner{Site: "sushi"}
	err := d.InTx(t.Context(), func(tx *db.Tx) (err error) {
		o.SessionID, err = tx.Q.InsertSession(t.Context(), gen.InsertSessionParams{
			TokenHash: []byte(token), Site: o.Site, Now: noon, ExpiresAt: noon.AddDate(1, 0, 0),
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// newArbatAddress returns an address in Arbat Street that has every field but the id.
func newArbatAddress(house string) Address {
	return Address{
		CityID: 1, Precision: AtHouse, Address: "улица Арбат, " + house, FullAddress: "Москва, улица Арбат, " + house,
		Locality: "Москва", District: "Арбат", Street: "улица Арбат", House: house, Room: "7", Entrance: "2",
		Floor: "3", Intercom: "7K", IsPrivateHouse: true, Building: "Б", RearBuilding: "флигель", BellName: "Иванов", Landmark: "за аптекой",
		Description: "Собака", Point: Point{55.7512345678, 37.5987654321}, ZoneID: 101,
	}
}

// An address with every field is saved and read back unchanged.
func TestAddresses_Save_storesTheWholeAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, me := NewAddresses(d, clock.NewFake(noon)), newOwner(t, d, "me")
		saved, err := s.Save(t.Context(), me, newArbatAddress("12"), allFields)
		if err != nil || saved.ID == 0 {
			t.Fatal(saved.ID, err)
		}
		want := newArbatAddress("12")
		want.ID = saved.ID
		if got, err := s.Get(t.Context(), me, saved.ID); err != nil || got != want {
			t.Errorf("got %+v, %v", showWhole(got), err)
		}
	})
}

// The houses 1, 2 and 1 are saved. The list has two addresses, house 1 with its newest details
// first.
func TestAddresses_List_hasAnAddressOnceAndTheLastUsedFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(noon)
		s, me := NewAddresses(d, now), newOwner(t, d, "me")
		var first Address
		for _, house := range []string{"1", "2", "1"} {
			now.Advance(time.Minute)
			a := newArbatAddress(house)
			a.Floor = now.Now().Format(time.TimeOnly)
			var err error
			if first, err = s.Save(t.Context(), me, a, allFields); err != nil {
				t.Fatal(err)
			}
		}
		list, err := s.List(t.Context(), me)
		if err != nil || len(list) != 2 || list[0] != first || list[1].House != "2" {
			t.Errorf("got %d, %v", len(list), err)
		}
	})
}

// For another session, another site and no session, an address cannot be read, listed or
// removed. Its owner can remove it once.
func TestAddresses_hideThoseOfOthers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, me, other := NewAddresses(d, clock.NewFake(noon)), newOwner(t, d, "me"), newOwner(t, d, "other")
		mine, err := s.Save(t.Context(), me, newArbatAddress("12"), allFields)
		if err != nil {
			t.Fatal(err)
		}
		for _, stranger := range []Owner{other, {SessionID: me.SessionID, Site: "pizza"}, {Site: "sushi"}} {
			if _, err := s.Get(t.Context(), stranger, mine.ID); !errors.Is(err, errAddressUnknown) {
				t.Errorf("%v reads it: %v", stranger, err)
			}
			if err := s.Remove(t.Context(), stranger, mine.ID); !errors.Is(err, errAddressUnknown) {
				t.Errorf("%v removes it: %v", stranger, err)
			}
			if list, err := s.List(t.Context(), stranger); err != nil || len(list) != 0 {
				t.Errorf("%v lists %d, %v", stranger, len(list), err)
			}
		}
		if err := s.Remove(t.Context(), me, mine.ID); err != nil {
			t.Error(err)
		}
		if err := s.Remove(t.Context(), me, mine.ID); !errors.Is(err, errAddressUnknown) {
			t.Errorf("removed twice: %v", err)
		}
	})
}

// Of 33 saved addresses the last 30 are listed.
func TestAddresses_Save_keepsTheLastThirty(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(noon)
		s, me := NewAddresses(d, now), newOwner(t, d, "me")
		for n := range 33 {
			now.Advance(time.Second)
			if _, err := s.Save(t.Context(), me, newArbatAddress(fmt.Sprint(n)), allFields); err != nil {
				t.Fatal(err)
			}
		}
		list, err := s.List(t.Context(), me)
		if err != nil || len(list) != 30 || list[0].House != "32" || list[29].House != "3" {
			t.Errorf("got %d, %v", len(list), err)
		}
	})
}

// A guest saves addresses on two devices and signs in on both. Both sessions list the same
// addresses, each once; another customer does not see them.
func TestAddresses_ofACustomerAreOnEveryDevice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(noon)
		s, phone, desk, stranger := NewAddresses(d, now), newOwner(t, d, "phone"), newOwner(t, d, "desk"), newOwner(t, d, "stranger")
		save := func(o Owner, house string) Address {
			now.Advance(time.Minute)
			a, err := s.Save(t.Context(), o, newArbatAddress(house), allFields)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		list := func(o Owner) (houses string) {
			addresses, err := s.List(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range addresses {
				houses += a.House + " "
			}
			return houses
		}
		before := save(phone, "1") // as a guest
		save(desk, "1")
		for _, o := range []*Owner{&phone, &desk} {
			o.CustomerID = 7
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return s.MoveToCustomer(t.Context(), tx, *o, o.SessionID) }); err != nil {
				t.Fatal(err)
			}
		}
		save(desk, "2")
		stranger.CustomerID = 8
		save(stranger, "3")
		if got := list(phone); got != "2 1 " {
			t.Errorf("on the phone there are %s", got)
		}
		if got := list(stranger); got != "3 " {
			t.Errorf("another customer has %s", got)
		}
		if got, err := s.Get(t.Context(), desk, before.ID); err != nil || got != before {
			t.Errorf("saved as a guest on the phone, at the desk: %v", err)
		}
		if err := s.Remove(t.Context(), phone, before.ID); err != nil {
			t.Fatal(err)
		}
		if got := list(desk); got != "2 " {
			t.Errorf("removed on the phone, at the desk there are %s", got)
		}
	})
}

// After a year the sessions of a guest and of a customer expire. Sweep keeps the customer's
// address for a younger session; the guest's is deleted.
func TestAddresses_ofACustomerOutliveTheSession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(noon)
		s, mine, guest, young := NewAddresses(d, now), newOwner(t, d, "mine"), newOwner(t, d, "guest"), newOwner(t, d, "young")
		mine.CustomerID, young.CustomerID = 7, 7
		for _, o := range []Owner{mine, guest} {
			if _, err := s.Save(t.Context(), o, newArbatAddress("1"), allFields); err != nil {
				t.Fatal(err)
			}
		}
		now.Set(noon.AddDate(1, 0, 0))
		end := func(want int64) {
			t.Helper()
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := tx.Q.TouchSession(t.Context(), gen.TouchSessionParams{ID: young.SessionID, Now: now.Now(), ExpiresAt: now.Now().Add(time.Hour)}); err != nil {
					return err
				}
				ended, err := tx.Q.DeleteExpiredSessions(t.Context(), now.Now())
				if ended != want {
					t.Errorf("%d sessions end, want %d", ended, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		end(1) // the guest's; the other one still has an address
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		end(1)
		for o, want := range map[Owner]int{young: 1, guest: 0} {
			if list, err := s.List(t.Context(), o); err != nil || len(list) != want {
				t.Errorf("%v has %d addresses, %v", o, len(list), err)
			}
		}
	})
}

// No way of printing or logging an address shows its street or coordinates.
func TestAddress_printsNothingPersonal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	a := newArbatAddress("12")
	slog.New(slog.NewTextHandler(&out, nil)).Info("saved", "address", a)
	fmt.Fprintf(&out, "%v %+v %#v %s", a, a, a, a)
	if strings.Contains(out.String(), "Арбат") || strings.Contains(out.String(), "55.75") {
		t.Error(out.String())
	}
}

// showWhole returns the address in a type that prints all fields.
func showWhole(a Address) any {
	type shown Address
	return shown(a)
}

// Each case makes one field too long, unreadable or invalid; Save returns Invalid at that field. The longest
// allowed details are saved.
func TestAddresses_Save_refusesDetailsThatAreTooLongAndPointsOfNoPlace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, me := NewAddresses(d, clock.NewFake(noon)), newOwner(t, d, "me")
		for field, change := range map[string]func(a *Address){
			"room":          func(a *Address) { a.Room = strings.Repeat("ж", 21) },
			"building":      func(a *Address) { a.Building = strings.Repeat("ж", 61) },
			"rear_building": func(a *Address) { a.RearBuilding = strings.Repeat("ж", 41) },
			"entrance":      func(a *Address) { a.Entrance = strings.Repeat("ж", 21) },
			"floor":         func(a *Address) { a.Floor = "2\n3" },
			"intercom":      func(a *Address) { a.Intercom = strings.Repeat("ж", 41) },
			"bell_name":     func(a *Address) { a.BellName = "Иванов\x07" },
			"landmark":      func(a *Address) { a.Landmark = strings.Repeat("ж", 201) },
			"description":   func(a *Address) { a.Description = strings.Repeat("ж", 301) },
			"coordinates":   func(a *Address) { a.Point = Point{Latitude: 91, Longitude: 37} },
		} {
			a := newArbatAddress("12")
			change(&a)
			_, err := s.Save(t.Context(), me, a, allFields)
			if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || len(f.Fields) != 1 || f.Fields[field] == nil {
				t.Errorf("%s: %v", field, err)
			}
		}
		longest := newArbatAddress("12")
		longest.Room, longest.Description = strings.Repeat("ж", 20), strings.Repeat("ж", 299)+"\n"
		if _, err := s.Save(t.Context(), me, longest, allFields); err != nil {
			t.Error(err)
		}
		if list, err := s.List(t.Context(), me); err != nil || len(list) != 1 {
			t.Errorf("%d are kept, %v", len(list), err)
		}
	})
}
