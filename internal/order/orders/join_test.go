package orders_test

import (
	"errors"
	"strings"
	"testing"

	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/order/erase"
	"servery/internal/order/ordertest"
	"servery/internal/phone"
	"servery/internal/site"
	"servery/internal/visit"
)

const ownPhone = "79161234567"

// A customer signed in on another device can see, repeat and cancel an order; another customer
// cannot.
func TestOrders_ofACustomerAreOnEachDevice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		desk, handset := h.NewSignedInVisitor(t, ownPhone), h.NewSignedInVisitor(t, ownPhone)
		done, open := h.PlaceTakeaway(t, desk), h.PlaceTakeaway(t, desk)
		h.Move(t, done, order.Cooking, order.Done)
		if _, err := h.Orders.Get(t.Context(), handset, done.ID); err != nil {
			t.Errorf("get: %v", err)
		}
		if _, err := h.Repeats().Repeat(t.Context(), handset, done.ID, carts.Replace); err != nil {
			t.Errorf("repeat: %v", err)
		}
		if _, err := h.Orders.Cancel(t.Context(), h.NewSignedInVisitor(t, "79161230002"), open.ID); fault.KeyOf(err) != "order.not_found" {
			t.Errorf("canceled by another: %v", err)
		}
		if o, err := h.Orders.Cancel(t.Context(), handset, open.ID); err != nil || o.State != order.Canceled {
			t.Errorf("cancel: %v", err)
		}
	})
}

// A guest signs in. Their orders with the same phone become the customer's; one with a friend's
// phone and one of another browser do not. The browser still sees the friend's order.
func TestJoin_assignsOrdersOfTheSessionWithTheSamePhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		here, elsewhere := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		same := h.PlaceTakeaway(t, here)
		request := h.Takeaway(t, here, carttest.Arbat, "asap")
		request.Phone = "79161230002"
		friends := h.Place(t, here, request)
		h.PlaceTakeaway(t, elsewhere)
		c, err := customer.NewCustomers(d, h.Clock).FindOrCreateByPhone(t.Context(), "sushi", ownPhone)
		if err != nil {
			t.Fatal(err)
		}
		v := h.SignInAs(t, here, c)
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return h.Orders.Join(t.Context(), tx, v, v.SessionID) }); err != nil {
			t.Fatal(err)
		}
		switch p, err := h.History.ReadPage(t.Context(), v, 1); {
		case err != nil:
			t.Fatal(err)
		case len(p.Orders) != 1 || p.Orders[0].ID != same.ID:
			t.Errorf("the customer's are %+v, want %d alone", p.Orders, same.ID)
		}
		if _, err := h.Orders.Get(t.Context(), v, friends.ID); err != nil {
			t.Errorf("what was ordered in this browser is hidden from it: %v", err)
		}
	})
}

// allowOnlyCustomers imports content in which only customers may order.
func (h *house) allowOnlyCustomers(t testing.TB) {
	t.Helper()
	brand := carttest.Texts["sushi/brand.yaml"]
	h.Import(t, map[string]string{"sushi/brand.yaml": strings.Replace(brand, "settings: {", "settings: {is_auth_enabled: true, notification_channels: [sms], ", 1)})
}

// A guest can fill a cart but neither begin a checkout nor order. A customer orders with the
// phone of the account.
func TestCreate_refusesGuestsWhereOnlyCustomersOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		guest, known := h.Visitor(t, "sushi"), h.NewSignedInVisitor(t, ownPhone)
		begun := h.Takeaway(t, guest, carttest.Arbat, "asap")
		h.allowOnlyCustomers(t)
		guest, known = h.Again(t, guest, "sushi"), h.Again(t, known, "sushi")
		refused := fault.New(fault.Unauthenticated, "order.sign_in_first")
		if _, err := h.Orders.Begin(t.Context(), guest, carttest.Takeaway(carttest.Arbat)); !errors.Is(err, refused) {
			t.Errorf("a guest's checkout: %v", err)
		}
		if _, err := h.Orders.Create(t.Context(), guest, begun); !errors.Is(err, refused) {
			t.Errorf("a guest's order: %v", err)
		}
		if q, err := h.Carts.Load(t.Context(), guest, carttest.Takeaway(carttest.Arbat), carttest.SameInterval); err != nil || q.Prices.Total == 0 {
			t.Errorf("the guest's cart and its total: %v, %v", q.Prices, err)
		}
		request := h.Takeaway(t, known, carttest.Arbat, "asap")
		request.Phone = ""
		if o := h.Place(t, known, request); o.Phone != ownPhone {
			t.Errorf("a customer orders with %q", o.Phone)
		}
	})
}

// The first order names the customer; the name of the second order changes nothing.
func TestCreate_namesACustomerWithoutAName(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.NewSignedInVisitor(t, ownPhone)
		for _, name := range []string{"Анна", "Фердинанд"} {
			request := h.Takeaway(t, v, carttest.Arbat, "asap")
			request.Username = name
			if o := h.Place(t, v, request); o.Details.Username != name {
				t.Errorf("the order is for %q", o.Details.Username)
			}
		}
		p, err := customer.NewCustomers(d, h.Clock).Profile(t.Context(), "sushi", v.CustomerID)
		if err != nil || p.Name != "Анна" {
			t.Errorf("the customer is called %q, %v", p.Name, err)
		}
	})
}

// The session ends during the checkout. Create returns customer.sign_in_first.
func TestCreate_refusesACustomerWhoHasLoggedOut(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.NewSignedInVisitor(t, ownPhone)
		request := h.Takeaway(t, v, carttest.Arbat, "asap")
		sessions := customer.NewSessions(d, h.Clock)
		if err := sessions.EndOne(t.Context(), "sushi", v.CustomerID, v.SessionID); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orders.Create(t.Context(), v, request); !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("ordered: %v", err)
		}
	})
}

// Forget returns customer.order_running while an order of the customer, or of a guest with the
// phone, is open. Then both are anonymized and hidden, and their prices and lines stay. Another
// customer's order is unchanged.
func TestForget_waitsForOpenOrdersAndLeavesOthers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v, guest, other := h.NewSignedInVisitor(t, ownPhone), h.Visitor(t, "sushi"), h.NewSignedInVisitor(t, "79161230002")
		own, asGuest, others := h.PlaceTakeaway(t, v), h.PlaceTakeaway(t, guest), h.PlaceTakeaway(t, other)
		marks := phone.NewMarks([]byte("secret"))
		forget := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				c := customer.Customer{ID: v.CustomerID, Phone: ownPhone}
				return erase.Forget(t.Context(), tx, customer.Erased{Customer: c, Site: "sushi"}, marks)
			})
		}
		running := fault.New(fault.Conflict, "customer.order_running")
		if err := forget(); !errors.Is(err, running) {
			t.Errorf("while it is cooked: %v", err)
		}
		h.Move(t, own, order.Cooking, order.Done)
		if err := forget(); !errors.Is(err, running) {
			t.Errorf("while a guest waits for an order with the phone: %v", err)
		}
		h.Move(t, asGuest, order.Canceled)
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		for _, o := range []order.Order{own, asGuest} {
			for name, who := range map[string]visit.Context{"customer": v, "guest": guest} {
				if _, err := h.Orders.Get(t.Context(), who, o.ID); fault.KeyOf(err) != "order.not_found" {
					t.Errorf("the %s still sees %d: %v", name, o.ID, err)
				}
			}
		}
		if o, err := h.Orders.Get(t.Context(), other, others.ID); err != nil || o.Phone != "79161230002" || o.Details.Username == "" {
			t.Errorf("another's order is %+v, %v", o, err)
		}
		if o, err := h.Orders.Refund(t.Context(), own.ID, ordertest.WholeOrder, h.Clock.Now()); err != nil || o.Phone != marks.Of("sushi", ownPhone) || o.Prices != own.Prices ||
			o.Details.Username != "" || len(o.Lines) != len(own.Lines) || o.Type != site.Takeaway || o.Link == own.Link {
			t.Errorf("in the books stands %+v, %v", o, err)
		}
	})
}
