package guestlimit_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/limit"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/visit"
)

// house is a brand with its services, and with helpers for guests with a network address.
type house struct{ *ordertest.Restaurant }

// newLimited returns a house that limits its guests.
func newLimited(t *testing.T, d *db.DB, limits limit.Limits) *house {
	t.Helper()
	h := &house{ordertest.New(t, d)}
	h.StartProcess(t, orders.Options{Limits: limits}, payments.Options{})
	return h
}

// newGuest returns a new visitor of the brand sushi whose requests come from the address.
func (h *house) newGuest(t *testing.T, address string) visit.Context {
	t.Helper()
	v := h.Visitor(t, "sushi")
	v.Now = h.Clock.Now()
	v.Caller = limit.Caller{Address: address, Network: limit.NetworkOf(address)}
	return v
}

// tryOrder places a takeaway order of one portion with the phone, and returns it or the error.
func (h *house) tryOrder(t *testing.T, v visit.Context, phone string) (order.Order, error) {
	t.Helper()
	r := h.Takeaway(t, v, carttest.Arbat, "asap")
	r.Phone = phone
	return h.Orders.Create(t.Context(), v, r)
}

// newPhone returns the n-th phone of the test.
func newPhone(n int) string { return fmt.Sprintf("+7 916 %07d", n) }

// expectCode fails the test unless err is a fault of the code.
func expectCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("refused with %v, want %v", err, code)
	}
}

// A phone may have three open orders, and a session too. The fourth is TooMany, with the time to
// wait. Other phones, a canceled order and a day's time make room.
func TestGuestLimit_ofOpenOrders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerPhone: 3, OrdersPerSession: 3})
		var placed []order.Order
		for n := range 3 {
			o, err := h.tryOrder(t, h.newGuest(t, fmt.Sprintf("192.0.2.%d", n)), newPhone(1))
			if err != nil {
				t.Fatal(err)
			}
			placed = append(placed, o)
		}
		_, err := h.tryOrder(t, h.newGuest(t, "192.0.2.9"), newPhone(1))
		expectCode(t, err, fault.TooMany)
		if f, ok := fault.Of(err); !ok || f.RetryAfter == 0 {
			t.Errorf("it is not said when to try again: %v", err)
		}
		if _, err := h.tryOrder(t, h.newGuest(t, "192.0.2.9"), newPhone(2)); err != nil {
			t.Errorf("another phone: %v", err)
		}
		h.Move(t, placed[0], order.Canceled)
		if _, err := h.tryOrder(t, h.newGuest(t, "192.0.2.9"), newPhone(1)); err != nil {
			t.Errorf("after one has ended: %v", err)
		}
		v := h.newGuest(t, "192.0.2.10")
		for n := range 3 {
			if _, err := h.tryOrder(t, v, newPhone(10+n)); err != nil {
				t.Fatal(err)
			}
		}
		_, err = h.tryOrder(t, v, newPhone(20))
		expectCode(t, err, fault.TooMany)
		h.Clock.Advance(24 * time.Hour)
		v.Now = h.Clock.Now()
		if _, err := h.tryOrder(t, v, newPhone(20)); err != nil {
			t.Errorf("a day after orders that no kitchen has ended: %v", err)
		}
	})
}

// An address may place four orders in an hour. Another address, a customer who has signed in, a
// phone that was delivered to and one more order for each delivered one pass; an hour later all
// do.
func TestGuestLimit_ofAnAddressInAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerAddress: 4})
		const address = "198.51.100.7"
		var first order.Order
		for n := range 4 {
			o, err := h.tryOrder(t, h.newGuest(t, address), newPhone(n))
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				first = o
			}
		}
		_, err := h.tryOrder(t, h.newGuest(t, address), newPhone(100))
		expectCode(t, err, fault.TooMany)
		if _, err := h.tryOrder(t, h.newGuest(t, "198.51.100.8"), newPhone(100)); err != nil {
			t.Errorf("another address: %v", err)
		}
		signedIn := h.NewSignedInVisitor(t, "79160000200")
		signedIn.Now, signedIn.Caller = h.Clock.Now(), h.newGuest(t, address).Caller
		if _, err := h.tryOrder(t, signedIn, ""); err != nil {
			t.Errorf("a customer who has signed in: %v", err)
		}
		h.Move(t, first, order.Cooking, order.Done)
		if _, err := h.tryOrder(t, h.newGuest(t, address), newPhone(0)); err != nil {
			t.Errorf("a phone that was delivered to: %v", err)
		}
		if _, err := h.tryOrder(t, h.newGuest(t, address), newPhone(101)); err != nil {
			t.Errorf("one more for the one that was delivered there: %v", err)
		}
		_, err = h.tryOrder(t, h.newGuest(t, address), newPhone(102))
		expectCode(t, err, fault.TooMany)
		h.Clock.Advance(time.Hour)
		if _, err := h.tryOrder(t, h.newGuest(t, address), newPhone(103)); err != nil {
			t.Errorf("an hour later: %v", err)
		}
	})
}

// A customer may have two open orders and place three in an hour, on all devices together. A canceled order counts in
// the hour, and makes room among those that are open. Another customer passes, and so does everybody an hour later.
func TestCustomerLimit_ofOpenOrdersAndOrdersInAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerCustomer: 2, OrdersPerHour: 3})
		phone, other := h.NewSignedInVisitor(t, "79160000200"), h.NewSignedInVisitor(t, "79160000201")
		tablet := h.SignInAs(t, h.newGuest(t, "192.0.2.9"), customer.Customer{ID: phone.CustomerID, Phone: phone.CustomerPhone})
		var placed []order.Order
		for n, v := range []visit.Context{phone, tablet} {
			v.Now = h.Clock.Now()
			o, err := h.tryOrder(t, v, "")
			if err != nil {
				t.Fatalf("order %d: %v", n+1, err)
			}
			placed = append(placed, o)
		}
		_, err := h.tryOrder(t, tablet, "")
		expectCode(t, err, fault.TooMany)
		if f, ok := fault.Of(err); !ok || f.RetryAfter == 0 {
			t.Errorf("it is not said when to try again: %v", err)
		}
		if _, err := h.tryOrder(t, other, ""); err != nil {
			t.Errorf("another customer: %v", err)
		}
		h.Move(t, placed[0], order.Canceled)
		third, err := h.tryOrder(t, phone, "")
		if err != nil {
			t.Fatalf("after one was canceled: %v", err)
		}
		h.Move(t, third, order.Canceled)
		_, err = h.tryOrder(t, phone, "")
		expectCode(t, err, fault.TooMany)
		h.Clock.Advance(time.Hour)
		phone.Now = h.Clock.Now()
		if _, err := h.tryOrder(t, phone, ""); err != nil {
			t.Errorf("an hour later: %v", err)
		}
	})
}

// Three orders of guests with one phone may be placed in an hour, whether they were canceled or the phone was delivered to.
func TestGuestLimit_ofOrdersWithAPhoneInAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerHour: 3})
		for n, last := range []order.State{order.Done, order.Canceled, order.Canceled} {
			o, err := h.tryOrder(t, h.newGuest(t, fmt.Sprintf("192.0.2.%d", n)), newPhone(1))
			if err != nil {
				t.Fatalf("order %d: %v", n+1, err)
			}
			if last == order.Done {
				h.Move(t, o, order.Cooking)
			}
			h.Move(t, o, last)
		}
		_, err := h.tryOrder(t, h.newGuest(t, "192.0.2.9"), newPhone(1))
		expectCode(t, err, fault.TooMany)
		if _, err := h.tryOrder(t, h.newGuest(t, "192.0.2.9"), newPhone(2)); err != nil {
			t.Errorf("another phone: %v", err)
		}
		h.Clock.Advance(time.Hour)
		if _, err := h.tryOrder(t, h.newGuest(t, "192.0.2.9"), newPhone(1)); err != nil {
			t.Errorf("an hour later: %v", err)
		}
	})
}

// A guest may order two portions in an hour; the third is TooMany. Where content has no limit it
// passes.
func TestGuestLimit_ofPortions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerPhone: 100})
		newGuestWithLimit := func(portions int) visit.Context {
			v := h.newGuest(t, "203.0.113.5")
			st := *v.Site
			st.Settings.GuestPortions = portions
			v.Site = &st
			return v
		}
		for n := range 2 {
			if _, err := h.tryOrder(t, newGuestWithLimit(2), newPhone(1)); err != nil {
				t.Fatalf("portion %d: %v", n+1, err)
			}
		}
		_, err := h.tryOrder(t, newGuestWithLimit(2), newPhone(1))
		expectCode(t, err, fault.TooMany)
		if key := fault.KeyOf(err); key != "order.too_many_portions_call" && key != "order.too_many_portions" {
			t.Errorf("refused with %s", key)
		}
		if _, err := h.tryOrder(t, newGuestWithLimit(0), newPhone(1)); err != nil {
			t.Errorf("where content bounds nothing: %v", err)
		}
	})
}

// Over the limit, the guest is asked for a code where the brand has codes, else for a captcha,
// and passes with a solved captcha.
func TestGuestLimit_isPassedByWhatTheBrandHas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerPhone: 1})
		if _, err := h.tryOrder(t, h.newGuest(t, "203.0.113.5"), newPhone(1)); err != nil {
			t.Fatal(err)
		}
		v := h.newGuest(t, "203.0.113.5")
		v.Caller.CanConfirm, v.Caller.HasCaptcha, v.Caller.PassedCaptcha = true, true, true
		_, err := h.tryOrder(t, v, newPhone(1))
		expectCode(t, err, fault.Unauthenticated)
		v = h.newGuest(t, "203.0.113.5")
		v.Caller.HasCaptcha = true
		_, err = h.tryOrder(t, v, newPhone(1))
		if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Fields["captcha_user_token"] == nil {
			t.Errorf("the captcha is not asked for: %v", err)
		}
		v.Caller.PassedCaptcha = true
		if _, err := h.tryOrder(t, v, newPhone(1)); err != nil {
			t.Errorf("with the captcha solved: %v", err)
		}
	})
}

// Twelve orders from one address come at once in two processes. Exactly the five that the limit
// allows are placed.
func TestGuestLimit_holdsForOrdersAtOnceInTwoProcesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		limits := limit.Limits{OrdersPerPhone: 3, OrdersPerAddress: 5}
		h := newLimited(t, d, limits)
		first := h.Orders
		h.StartProcess(t, orders.Options{Limits: limits}, payments.Options{})
		processes := []*orders.Service{first, h.Orders}
		var requests []order.Request
		var guests []visit.Context
		for n := range 12 {
			v := h.newGuest(t, "203.0.113.5")
			r := h.Takeaway(t, v, carttest.Arbat, "asap")
			r.Phone = newPhone(n % 2)
			requests, guests = append(requests, r), append(guests, v)
		}
		var work sync.WaitGroup
		var mu sync.Mutex
		placed := 0
		for n, r := range requests {
			work.Go(func() {
				_, err := processes[n%2].Create(t.Context(), guests[n], r)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					placed++
				} else if fault.CodeOf(err) != fault.TooMany {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if placed != 5 {
			t.Errorf("%d orders were placed, want 5", placed)
		}
	})
}

// With a limit of one order, the same request sent twice returns the same order.
func TestCreate_repeatedUnderTheLimitIsTheSameOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Limits{OrdersPerPhone: 1})
		v := h.newGuest(t, "203.0.113.5")
		r := h.Takeaway(t, v, carttest.Arbat, "asap")
		first := h.Place(t, v, r)
		if again := h.Place(t, v, r); again.ID != first.ID {
			t.Errorf("orders %d and %d", first.ID, again.ID)
		}
	})
}
