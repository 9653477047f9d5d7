package orders_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/parallel"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// byPhone returns a delivery for Anna who calls, at an address within the free zone.
func byPhone(key string) orders.PhoneOrder {
	p := carttest.Delivery()
	return orders.PhoneOrder{
		Key: key, Actor: "Olga",
		Request: order.Request{
			CityID: p.CityID, OrderType: p.OrderType, Phone: "+7 916 123-45-67", Username: "Анна", PaymentType: site.Cash, IntervalID: schedule.ASAP,
		},
		Address: &geo.Address{
			CityID: p.CityID, Precision: geo.AtHouse, Address: "улица Арбат, 10", FullAddress: "Москва, улица Арбат, 10", Room: "5", Point: carttest.InFree,
		},
		Additions: []cart.Addition{{ProductKey: ordertest.RiceKey, Count: 2}},
	}
}

// moscow returns the city of the visit in which the tests order.
func moscow(t testing.TB, v visit.Context) *site.City {
	t.Helper()
	city, err := v.City(carttest.Moscow)
	if err != nil {
		t.Fatal(err)
	}
	return city
}

// staff returns the visit in which staff of the sushi brand order.
func (h *house) staff(t testing.TB) visit.Context {
	t.Helper()
	v := h.Visitor(t, "sushi")
	v.SessionID = 0
	return v
}

// After midnight a call is about the shift that still runs: without a day the quote has its times.
func TestQuoteByPhone_inTheNightHasTheTimesOfTheRunningShift(t *testing.T) {
	t.Parallel()
	h := newShop(t, dbtest.Open(t, db.SQLite))
	h.Import(t, map[string]string{"sushi/shops.yaml": strings.ReplaceAll(carttest.Texts["sushi/shops.yaml"], "10:00-23:00", "10:00-26:00")})
	h.Clock.Set(carttest.Noon.Add(12*time.Hour + 10*time.Minute))
	v := h.staff(t)
	q, err := h.Orders.QuoteByPhone(t.Context(), v, byPhone(""), clock.Day{})
	if err != nil {
		t.Fatal(err)
	}
	if len(q.Intervals) == 0 || q.Intervals[0].ID != schedule.ASAP || q.Intervals[0].Start.After(v.Now.Add(2*time.Hour)) {
		t.Errorf("at ten past midnight: %+v", q.Intervals)
	}
}

func TestPlaceByPhone_placesTheOrderOfAKeyOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v, p := h.staff(t), byPhone("call-1")
		quoted, err := h.Orders.QuoteByPhone(t.Context(), v, p, clock.DayOf(v.Now, moscow(t, v).Location))
		if err != nil || len(quoted.Intervals) == 0 {
			t.Fatalf("%d intervals, %v", len(quoted.Intervals), err)
		}
		placed := make([]order.Order, 6)
		err = parallel.Each([]int{0, 1, 2, 3, 4, 5}, len(placed), func(i int) (err error) {
			placed[i], err = h.Orders.PlaceByPhone(t.Context(), v, p)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		first := placed[0]
		for _, o := range placed {
			if o.ID != first.ID {
				t.Fatalf("orders %d and %d under one key", first.ID, o.ID)
			}
		}
		if first.Prices.Total != quoted.Prices.Total || first.State != order.Accepted || !first.IsByPhone() || first.History[0].Actor != "operator:Olga" {
			t.Errorf("total %v after a quote of %v, %s, %+v", first.Prices.Total, quoted.Prices.Total, first.State, first.History)
		}
		p.Additions[0].Count = 3
		if _, err := h.Orders.PlaceByPhone(t.Context(), v, p); !errors.Is(err, fault.New(fault.Invalid, "order.other_request")) {
			t.Errorf("another order under the key: %v", err)
		}
	})
}

// The order belongs to the customer, who gets its bonuses. The customer's own cart stays as it is.
func TestPlaceByPhone_belongsToTheCustomerOfThePhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		anna := h.NewSignedInVisitor(t, "79161234567")
		rice := cart.Addition{ProductKey: ordertest.RiceKey, Count: 5}
		if _, err := h.Carts.Add(t.Context(), anna, carttest.Takeaway(carttest.Pokrovka), rice); err != nil {
			t.Fatal(err)
		}
		o, err := h.Orders.PlaceByPhone(t.Context(), h.staff(t), byPhone("call-1"))
		if err != nil {
			t.Fatal(err)
		}
		if seen, err := h.Orders.Get(t.Context(), anna, o.ID); err != nil || seen.View != order.OwnView {
			t.Errorf("the customer sees %v, %v", seen.View, err)
		}
		h.Move(t, o, order.Cooking, order.Sent, order.Done)
		h.WantBalance(t, anna, o.Prices.UpcomingBonuses)
		if o.Prices.UpcomingBonuses == 0 {
			t.Error("it brings no bonuses")
		}
		if kept, _, err := h.Carts.StoredCart(t.Context(), anna, moscow(t, anna)); err != nil || len(kept.Lines) != 1 || kept.Lines[0].Count != 5 {
			t.Errorf("the customer's cart: %+v, %v", kept.Lines, err)
		}
	})
}

// A code may be used three times. A fourth use is refused, also when staff place the order.
func TestPlaceByPhone_takesOfWhatIsLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.staff(t)
		for i, key := range []string{"a", "b", "c", "d"} {
			p := byPhone(key)
			p.Promocode = "three"
			o, err := h.Orders.PlaceByPhone(t.Context(), v, p)
			if f, isRefused := fault.Of(err); (i == 3) != (isRefused && f.Fields["promocode"] != nil) || i < 3 && o.Promocode != "THREE" {
				t.Errorf("use %d: %v, %q", i+1, err, o.Promocode)
			}
		}
		h.WantUsed(t, ordertest.CodeThree, 3)
	})
}

func TestPlaceByPhone_namesWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	h := newShop(t, d)
	v := h.staff(t)
	one := money.Amount(100)
	for field, spoil := range map[string]func(*orders.PhoneOrder){
		"key":              func(p *orders.PhoneOrder) { p.Key = "" },
		"phone":            func(p *orders.PhoneOrder) { p.Request.Phone = "12" },
		"username":         func(p *orders.PhoneOrder) { p.Request.Username = " " },
		"room":             func(p *orders.PhoneOrder) { p.Address.Room = "" },
		"payment_type":     func(p *orders.PhoneOrder) { p.Request.PaymentType = site.CardOnline },
		"interval_id":      func(p *orders.PhoneOrder) { p.Request.IntervalID = "" },
		"delivery_address": func(p *orders.PhoneOrder) { p.Address.Point = geo.Point{Latitude: 10, Longitude: 10} },
		"":                 func(p *orders.PhoneOrder) { p.Total = &one },
	} {
		p := byPhone("call")
		spoil(&p)
		_, err := h.Orders.PlaceByPhone(t.Context(), v, p)
		f, ok := fault.Of(err)
		if !ok || field != "" && f.Fields[field] == nil || field == "" && f.Message.Key != "order.total_changed" {
			t.Errorf("%s: %v", field, err)
		}
	}
}
