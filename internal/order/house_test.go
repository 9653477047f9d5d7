package order_test

import (
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/queue"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// house is a kitchen with its database, and what it is asked through.
type house struct {
	*carttest.House
	carts     *cart.Service
	addresses *geo.Addresses
	orders    *order.Service
}

func newHouse(t testing.TB, d *db.DB) *house {
	t.Helper()
	h := &house{House: carttest.New(t, d), carts: cart.New(d)}
	h.addresses = geo.NewAddresses(d, h.Clock)
	h.orders = process(t, h)
	return h
}

func (h *house) address(t testing.TB, v visit.Context, at geo.Point) geo.Address {
	t.Helper()
	a, err := h.addresses.Save(t.Context(), geo.Owner{SessionID: v.SessionID, Site: v.Site.Alias}, geo.Address{
		CityID: carttest.Moscow, Precision: geo.AtHouse, Address: "улица Арбат, 10", FullAddress: "Москва, улица Арбат, 10",
		Street: "улица Арбат", House: "10", Room: "5", Point: at,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// delivery fills the visitor's cart and gives a good request to have it brought.
func (h *house) delivery(t testing.TB, v visit.Context, intervalID string) order.Request {
	t.Helper()
	a := h.address(t, v, carttest.InFree)
	if _, err := h.carts.SetAddress(t.Context(), v, a); err != nil {
		t.Fatal(err)
	}
	r := h.request(t, v, carttest.Delivery(), intervalID)
	r.Address = &order.AddressInput{ID: a.ID}
	return r
}

// takeaway fills the visitor's cart and gives a good request to fetch it.
func (h *house) takeaway(t testing.TB, v visit.Context, shop int64, intervalID string) order.Request {
	t.Helper()
	r := h.request(t, v, carttest.Takeaway(shop), intervalID)
	r.ShopID = shop
	return r
}

func (h *house) request(t testing.TB, v visit.Context, p cart.PlaceRequest, intervalID string) order.Request {
	t.Helper()
	rice := cart.Addition{ProductKey: "1-1002", Count: 1}
	salmon := cart.Addition{ProductKey: "1-1001", Count: 1, Modifiers: []cart.Chosen{
		{ID: carttest.SpicySauce, GroupID: carttest.Sauce, Count: 1},
	}}
	additions := []cart.Addition{rice}
	if p.OrderType == site.Delivery {
		additions = append(additions, salmon)
	}
	var q cart.Quoted
	var err error
	for _, a := range additions {
		if q, err = h.carts.Add(t.Context(), v, p, a); err != nil {
			t.Fatal(err)
		}
	}
	if intervalID != "" {
		if q, err = h.carts.SetInterval(t.Context(), v, carttest.Moscow, intervalID); err != nil {
			t.Fatal(err)
		}
	}
	checkout, err := h.orders.Begin(t.Context(), v, p)
	if err != nil {
		t.Fatal(err)
	}
	return order.Request{
		CityID: carttest.Moscow, OrderType: p.OrderType, CacheKey: checkout.Key,
		Phone: "+7 916 123-45-67", Username: "Анна", PaymentType: site.Cash, IntervalID: intervalID, SeenTotal: q.Prices.Total,
	}
}

// withLines gives another visitor who wants what takeaway orders, at half past two.
func (h *house) withLines(t testing.TB) visit.Context {
	t.Helper()
	v := h.Visitor(t, "sushi")
	rice := cart.Addition{ProductKey: "1-1002", Count: 1}
	if _, err := h.carts.Add(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), rice); err != nil {
		t.Fatal(err)
	}
	if _, err := h.carts.SetInterval(t.Context(), v, carttest.Moscow, halfPast(14)); err != nil {
		t.Fatal(err)
	}
	return v
}

func (h *house) place(t testing.TB, v visit.Context, r order.Request) order.Order {
	t.Helper()
	o, err := h.orders.Create(t.Context(), v, r)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// move brings an order along to a state, as the operator does.
func (h *house) move(t testing.TB, o order.Order, states ...order.State) {
	t.Helper()
	for _, to := range states {
		if _, err := h.orders.SetState(t.Context(), o.ID, to, "", h.Clock.Advance(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
}

// halfPast is the interval of today in Moscow that begins at the hour and a half.
func halfPast(hour int) string {
	moscow, err := time.LoadLocation("Europe/Moscow")
	if err != nil {
		panic(err)
	}
	return schedule.IDOf(clock.At(clock.DayOf(carttest.Noon, moscow), hour*60+30, moscow))
}

// process gives a process on the database of the house.
func process(t testing.TB, h *house) *order.Service {
	t.Helper()
	q, err := queue.New(h.DB, queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return order.New(h.DB, h.carts, h.addresses, q, h.Clock, order.Options{})
}

// signIn makes the visitor's session the customer's.
func (h *house) signIn(t testing.TB, v visit.Context, c customer.Customer) visit.Context {
	t.Helper()
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET customer_id = $1 WHERE id = $2", c.ID, v.SessionID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	v.CustomerID, v.CustomerPhone = c.ID, c.Phone
	return v
}
