package staff_test

import (
	"sync"
	"testing"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/staff"
)

// tablet is a device that can be added.
func tablet() staff.Device { return staff.Device{Name: "wok tablet", Site: "sushi", ShopID: 11} }

// enrol adds a device and enrols it.
func (h house) enrol() (secret string, p access.Principal) {
	h.t.Helper()
	code, _, err := h.AddDevice(h.t.Context(), tablet())
	if err != nil {
		h.t.Fatal(err)
	}
	secret, _, err = h.Enrol(h.t.Context(), code)
	if err != nil {
		h.t.Fatal(err)
	}
	return secret, h.mustFind(secret)
}

// mustFind returns the principal of a secret.
func (h house) mustFind(secret string) access.Principal {
	h.t.Helper()
	p, found, err := h.Find(h.t.Context(), secret)
	if err != nil || !found {
		h.t.Fatal(found, err)
	}
	return p
}

// addWithPIN adds an account, sets its PIN and returns its id.
func (h house) addWithPIN(a staff.Account, pin string) int64 {
	h.t.Helper()
	h.join(a)
	list, err := h.List(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, stored := range list {
		if stored.Name == a.Name {
			if err := h.SetPIN(h.t.Context(), access.Principal{Kind: audit.Staff, ID: stored.ID, Name: stored.Login}, pin); err != nil {
				h.t.Fatal(err)
			}
			return stored.ID
		}
	}
	h.t.Fatal("there is no ", a.Name)
	return 0
}

func TestDevice_isEnrolledOnceAndEndsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		other := house{staff.New(d, h.clock), t, d, h.clock}
		code, added, err := h.AddDevice(t.Context(), tablet())
		if err != nil || !added.CodeUntil.Equal(evening.Add(10*time.Minute)) {
			t.Fatal(added, err)
		}
		var done sync.WaitGroup
		secrets := make(chan string, 2)
		for _, process := range []house{h, other} {
			done.Go(func() {
				if secret, _, err := process.Enrol(t.Context(), code); err == nil {
					secrets <- secret
				}
			})
		}
		done.Wait()
		if len(secrets) != 1 {
			t.Fatalf("%d of two at once were enrolled", len(secrets))
		}
		secret := <-secrets
		p := other.mustFind(secret)
		if p.Kind != audit.Device || p.Name != "wok tablet" || p.May(access.MoveOrders) || !p.May(access.ReadOrders) || p.HasShop("sushi", 12) || p.Person != "" {
			t.Errorf("it is %+v", p)
		}
		if list, err := h.Devices(t.Context(), access.Scope{Site: "sushi", Shops: []int64{11}}); err != nil || len(list) != 1 || list[0].EnrolledAt.IsZero() {
			t.Errorf("the devices are %+v, %v", list, err)
		}
		elsewhere := access.Scope{Site: "sushi", Shops: []int64{12}}
		if list, err := h.Devices(t.Context(), elsewhere); err != nil || len(list) != 0 {
			t.Errorf("another shop has %+v, %v", list, err)
		}
		expectFault(t, "ending another shop's", h.EndDevice(t.Context(), elsewhere, p.ID), "common.not_found")
		if err := h.EndDevice(t.Context(), access.Scope{Site: "sushi"}, p.ID); err != nil {
			t.Fatal(err)
		}
		_, found, err := other.Find(t.Context(), secret)
		valid, errValid := other.IsValid(t.Context(), p)
		if found || valid || err != nil || errValid != nil {
			t.Errorf("after its end: %v, %v, %v, %v", found, valid, err, errValid)
		}
		expectFault(t, "ending it again", h.EndDevice(t.Context(), access.Scope{}, p.ID), "common.not_found")
		late, _, err := h.AddDevice(t.Context(), tablet())
		if err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(10 * time.Minute)
		_, _, err = h.Enrol(t.Context(), late)
		expectFault(t, "a late code", err, "staff.enrolment_over")
		for _, code := range []string{code, "enrol_", secret} {
			_, _, err = h.Enrol(t.Context(), code)
			expectFault(t, "a used or wrong code", err, "staff.enrolment_over")
		}
	})
}

// At a device a person has those rights of a kitchen that their role has, and no others.
func TestDevice_bringsNoRightsOfAPersonBeyondAKitchens(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, p := h.enrol()
		people := map[access.Role]int64{}
		for _, role := range access.Roles() {
			people[role] = h.addWithPIN(staff.Account{Scope: access.Scope{Site: "sushi"}, Login: string(role), Name: "the " + string(role), Role: role}, "7391")
		}
		stranger := h.addWithPIN(staff.Account{Scope: access.Scope{Site: "sushi", Shops: []int64{12}}, Login: "stranger", Name: "a stranger", Role: access.Kitchen}, "7391")
		if list, err := h.People(t.Context(), p); err != nil || len(list) != len(access.Roles()) {
			t.Errorf("there may work %+v, %v", list, err)
		}
		for role, id := range people {
			worker, until, err := h.BeginShift(t.Context(), p, id, "7391")
			if err != nil || worker.Person != "the "+string(role) || !until.Equal(h.clock.Now().Add(12*time.Hour)) {
				t.Errorf("%s: %+v, %s, %v", role, worker, until, err)
			}
			found := h.mustFind(secret)
			for _, right := range access.AllRights() {
				isAllowed := found.May(right)
				isExcess := isAllowed && (!role.Rights().Has(right) || !access.Kitchen.Rights().Has(right))
				if isExcess || isAllowed != worker.May(right) {
					t.Errorf("with a PIN of %s the device may %s", role, right)
				}
			}
		}
		_, _, err := h.BeginShift(t.Context(), p, stranger, "7391")
		expectFault(t, "one of another shop", err, "common.invalid")
		_, _, err = h.BeginShift(t.Context(), access.Principal{Kind: audit.Token}, people[access.Owner], "7391")
		expectFault(t, "a token", err, "common.forbidden")
		if err := h.EndShift(t.Context(), h.mustFind(secret)); err != nil || h.mustFind(secret).Person != "" {
			t.Errorf("after the shift there works %s, %v", h.mustFind(secret).Person, err)
		}
		for _, end := range []func(){
			func() { h.clock.Advance(12 * time.Hour) },
			func() {
				if sessions, shifts, err := h.SignOut(t.Context(), "kitchen"); err != nil || shifts != 1 {
					t.Errorf("a sign-out ended %d sessions, %d shifts, %v", sessions, shifts, err)
				}
			},
			func() {
				invitation, err := h.Invite(t.Context(), "kitchen")
				if err != nil {
					t.Fatal(err)
				}
				h.accept(invitation)
			},
			func() {
				if err := h.Remove(t.Context(), "kitchen"); err != nil {
					t.Fatal(err)
				}
			},
		} {
			if _, _, err := h.BeginShift(t.Context(), p, people[access.Kitchen], "7391"); err != nil {
				t.Fatal(err)
			}
			end()
			if found := h.mustFind(secret); found.Person != "" || found.May(access.MoveOrders) {
				t.Errorf("there still works %s", found.Person)
			}
		}
	})
}

func TestPIN_isBounded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		olgas := h.addWithPIN(olga(), "7391")
		for _, easy := range []string{"739", "739173917", "0000", "1234", "98765", "12a4", " 7391"} {
			expectFault(t, easy, h.SetPIN(t.Context(), access.Principal{Kind: audit.Staff, ID: olgas}, easy), "common.invalid")
		}
		expectFault(t, "a token's", h.SetPIN(t.Context(), access.Principal{Kind: audit.Token, ID: olgas}, "7391"), "common.forbidden")
		_, first := h.enrol()
		_, second := h.enrol()
		const isAccepted = "" // no message of a fault
		expectShift := func(device access.Principal, pin, message string) {
			t.Helper()
			_, _, err := h.BeginShift(t.Context(), device, olgas, pin)
			if message == isAccepted && err != nil {
				t.Errorf("%s at %d: %v", pin, device.ID, err)
			}
			if message != isAccepted {
				expectFault(t, pin, err, message)
			}
		}
		for range 5 {
			expectShift(first, "0001", "common.invalid")
		}
		expectShift(first, "7391", "common.too_many_requests")
		expectShift(second, "7391", isAccepted) // and the row of wrong ones begins again
		h.clock.Advance(15 * time.Minute)
		for _, device := range []access.Principal{first, second} {
			for range 5 {
				expectShift(device, "0001", "common.invalid")
			}
		}
		h.clock.Advance(15 * time.Minute)
		expectShift(first, "7391", "common.invalid") // ten in a row were wrong
		if list, err := h.People(t.Context(), first); err != nil || len(list) != 0 {
			t.Errorf("there may work %+v, %v", list, err)
		}
	})
}
