package orders_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// noInterval is the id of no interval: none is chosen.
const noInterval = ""

// The order has the total, address, phone and times that the customer saw, is read back
// unchanged, empties the cart and counts among the most ordered.
func TestCreate_storesWhatTheCustomerSaw(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		cash := money.Major(1000)
		r.Cash, r.Comment, r.Phone = &cash, " no bell ", "8 916 123-45-67"
		o := h.Place(t, v, r)
		if o.ID < 10_000_000 || o.ID > 99_999_999 || o.State != order.Accepted || o.Phone != "79161234567" {
			t.Errorf("got %+v", o)
		}
		if o.Prices.Total != r.SeenTotal || o.Revision != v.Snapshot.Revision || o.ZoneID != carttest.Free || o.ShopID != carttest.Arbat {
			t.Errorf("got %+v", o)
		}
		if want := h.Clock.Now().Add(45 * time.Minute); !o.PromisedFrom.Equal(want) || !o.PromisedTo.Equal(want.Add(10*time.Minute)) {
			t.Errorf("promised %v to %v", o.PromisedFrom, o.PromisedTo)
		}
		got, err := h.Orders.Get(t.Context(), v, o.ID)
		if err != nil || toJSON(t, got) != toJSON(t, o) {
			t.Errorf("read back %s, %v; want %s", toJSON(t, got), err, toJSON(t, o))
		}
		if got.Details.Comment != "no bell" || *got.Details.Cash != cash || got.Details.Address.Room != "5" || len(got.Lines) != 2 || got.Lines[1].Modifiers[0].Name["en"] != "Spicy" {
			t.Errorf("got %+v", got)
		}
		if q, err := h.Carts.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || len(q.Lines) != 0 || q.Cart.Address == nil {
			t.Errorf("the cart is not emptied: %+v, %v", q.Cart, err)
		}
		if ids, err := h.History.MostOrdered(t.Context(), "sushi", carttest.Moscow); err != nil || len(ids) != 2 {
			t.Errorf("most ordered: %v, %v", ids, err)
		}
	})
}

// Twenty equal requests at once return the same order. Another request with the checkout key,
// and another session with it, are refused.
func TestCreate_sentTwentyTimesIsOneOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, ordertest.HalfPast(14))
		answers := make([]string, 20)
		var wait sync.WaitGroup
		for i := range answers {
			wait.Go(func() {
				o, err := h.Orders.Create(t.Context(), v, r)
				if err != nil {
					t.Error(err)
				}
				answers[i] = toJSON(t, o)
			})
		}
		wait.Wait()
		for _, a := range answers {
			if a != answers[0] {
				t.Fatalf("two answers:\n%s\n%s", answers[0], a)
			}
		}
		if open, err := h.Orders.Open(t.Context(), orders.OpenQuery{Limit: 100}); err != nil || len(open) != 1 {
			t.Errorf("%d orders, %v", len(open), err)
		}
		r.Username = "Somebody else"
		if _, err := h.Orders.Create(t.Context(), v, r); fault.KeyOf(err) != "order.other_request" {
			t.Errorf("another body under the key: %v", err)
		}
		if _, err := h.Orders.Create(t.Context(), h.Visitor(t, "sushi"), r); fault.KeyOf(err) != "order.no_cache" {
			t.Errorf("the key in another session: %v", err)
		}
	})
}

// Two visitors order the last place of an interval at once. One gets it; the other gets
// schedule.full_next with the fresh cart.
func TestCreate_allowsOneOfTwoTheLastOfAnInterval(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		// Both begin without a time, so that nothing is held, and ask for the same one.
		var wait sync.WaitGroup
		var mu sync.Mutex
		won, full := 0, 0
		for range 2 {
			v := h.Visitor(t, "sushi")
			r := h.Takeaway(t, v, carttest.Pokrovka, noInterval)
			r.IntervalID = ordertest.HalfPast(14)
			wait.Go(func() {
				_, err := h.Orders.Create(t.Context(), v, r)
				mu.Lock()
				defer mu.Unlock()
				f, _ := fault.Of(err)
				switch {
				case err == nil:
					won++
				case f != nil && f.Message.Key == "schedule.full_next" && f.Code == fault.Conflict && f.Fields["interval_id"] != nil:
					full++
					if q, ok := cart.FreshCart(err); !ok || len(q.Lines) != 1 {
						t.Errorf("no fresh cart beside the refusal: %+v", q)
					}
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if won != 1 || full != 1 {
			t.Errorf("%d won, %d found it full", won, full)
		}
	})
}

// A checkout that is never ordered keeps its interval from others until its deadline, and not
// longer. Canceling an order frees the interval again.
func TestBegin_reservesTheIntervalUntilItsDeadline(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		slow, quick := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		h.Takeaway(t, slow, carttest.Pokrovka, ordertest.HalfPast(14)) // begins and never ends
		r := h.Takeaway(t, quick, carttest.Pokrovka, noInterval)
		r.IntervalID = ordertest.HalfPast(14)
		if _, err := h.Orders.Create(t.Context(), quick, r); fault.KeyOf(err) != "schedule.full_next" {
			t.Fatalf("the held interval was given away: %v", err)
		}
		h.Clock.Advance(orders.HoldFor - time.Second)
		if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orders.Create(t.Context(), quick, r); fault.KeyOf(err) != "schedule.full_next" {
			t.Fatalf("given back too early: %v", err)
		}
		h.Clock.Advance(time.Second)
		if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		o := h.Place(t, quick, r) // its own deadline is the visitor's clock, which stands still
		if _, err := h.Orders.Cancel(t.Context(), quick, o.ID); err != nil {
			t.Fatal(err)
		}
		again := h.Takeaway(t, h.Again(t, slow, "sushi"), carttest.Pokrovka, ordertest.HalfPast(14))
		h.Place(t, h.Again(t, slow, "sushi"), agreeToTotal(t, h, slow, again))
	})
}

// agreeToTotal returns the request with the total that the visitor's cart has now.
func agreeToTotal(t *testing.T, h *house, v visit.Context, r order.Request) order.Request {
	t.Helper()
	q, err := h.Carts.Load(t.Context(), h.Again(t, v, "sushi"), carttest.Takeaway(r.ShopID), carttest.SameInterval)
	if err != nil {
		t.Fatal(err)
	}
	r.SeenTotal = q.Prices.Total
	return r
}

// After the deadline of the checkout Create returns order.cache_expired with the fresh cart.
func TestCreate_refusesAnExpiredCheckoutWithTheCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		h.Clock.Advance(orders.HoldFor)
		v = h.Again(t, v, "sushi")
		_, err := h.Orders.Create(t.Context(), v, r)
		if q, ok := cart.FreshCart(err); !ok || !errors.Is(err, fault.New(fault.Conflict, "order.cache_expired")) || len(q.Lines) != 2 {
			t.Fatalf("got %v", err)
		}
	})
}

// Each case spoils fields of a good request. Create returns order.check_fields with the messages
// expected, and the good request can still be ordered.
func TestCreate_namesEachBadField(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		good := h.Delivery(t, v, schedule.ASAP)
		cash := func(major int64) *money.Amount { a := money.Major(major); return &a }
		noRoom := h.SaveAddress(t, v, carttest.InFree)
		noRoom.ID, noRoom.Room, noRoom.House = 0, "", "11"
		noRoom.FullAddress = "Москва, улица Арбат, 11"
		noRoom, err := h.Addresses.Save(t.Context(), addressOwner(v), noRoom, (&site.Country{}).AddressForm())
		if err != nil {
			t.Fatal(err)
		}
		outside := h.SaveAddress(t, v, carttest.Outside)
		foreign := h.SaveAddress(t, h.Visitor(t, "sushi"), carttest.InFree)
		for name, c := range map[string]struct {
			spoil func(*order.Request)
			want  map[string]string
		}{
			"no phone, no name, no time": {
				func(r *order.Request) { r.Phone, r.Username, r.IntervalID = "", " ", "" },
				map[string]string{"phone": "phone.required", "username": "order.name_required", "interval_id": "order.interval_required"},
			},
			"a bad phone":         {func(r *order.Request) { r.Phone = "12345" }, map[string]string{"phone": "phone.invalid"}},
			"a foreign phone":     {func(r *order.Request) { r.Phone = "+16502530000" }, map[string]string{"phone": "phone.country"}},
			"no address":          {func(r *order.Request) { r.Address = nil }, map[string]string{"delivery_address": "order.no_address"}},
			"someone's address":   {func(r *order.Request) { r.Address.ID = foreign.ID }, map[string]string{"delivery_address": "order.address_gone"}},
			"outside the zones":   {func(r *order.Request) { r.Address.ID = outside.ID }, map[string]string{"delivery_address": "order.not_delivered"}},
			"no room":             {func(r *order.Request) { r.Address.ID = noRoom.ID }, map[string]string{"room": "order.room_required"}},
			"a long room":         {func(r *order.Request) { r.Address.Room = new(strings.Repeat("5", 21)) }, map[string]string{"room": "common.too_long"}},
			"no shop":             {func(r *order.Request) { r.OrderType, r.ShopID = site.Takeaway, 0 }, map[string]string{"shop_id": "order.no_shop"}},
			"another city's shop": {func(r *order.Request) { r.OrderType, r.ShopID = site.Takeaway, carttest.Kizilay }, map[string]string{"shop_id": "cart.unknown_shop"}},
			"online payment":      {func(r *order.Request) { r.PaymentType = "cardOnline" }, map[string]string{"payment_type": "order.payment_type"}},
			"too little cash":     {func(r *order.Request) { r.Cash = cash(600) }, map[string]string{"cash": "order.cash_below"}},
			"negative cash":       {func(r *order.Request) { r.Cash = cash(-1) }, map[string]string{"cash": "order.cash_below"}},
			"too much cash":       {func(r *order.Request) { r.Cash = cash(5001) }, map[string]string{"cash": "order.cash_limit"}},
			"a bad e-mail":        {func(r *order.Request) { r.Email = "anna@" }, map[string]string{"email": "order.email_invalid"}},
			"a long comment":      {func(r *order.Request) { r.Comment = strings.Repeat("ы", 501) }, map[string]string{"order_comment": "common.too_long"}},
			"a long name":         {func(r *order.Request) { r.Username = strings.Repeat("ы", 101) }, map[string]string{"username": "common.too_long"}},
		} {
			r := good
			address := *good.Address
			r.Address = &address
			c.spoil(&r)
			_, err := h.Orders.Create(t.Context(), v, r)
			f, ok := fault.Of(err)
			if !ok || f.Code != fault.Invalid || f.Message.Key != "order.check_fields" {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for field, key := range c.want {
				if f.Fields[field] == nil || f.Fields[field][0].Key != key {
					t.Errorf("%s: %s says %v, want %s", name, field, f.Fields[field], key)
				}
			}
		}
		h.Place(t, v, good) // nothing was lost by the refusals
	})
}

// In a city without takeaway an address outside all zones is refused without a word of takeaway.
func TestCreate_offersNoTakeawayWhereTheCityHasNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.Import(t, map[string]string{
			"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"], "  price_list: ru\n", "  price_list: ru\n  order_types: [delivery]\n", 1),
		})
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		r.Address.ID = h.SaveAddress(t, v, carttest.Outside).ID
		_, err := h.Orders.Create(t.Context(), v, r)
		f, ok := fault.Of(err)
		if !ok || len(f.Fields["delivery_address"]) == 0 || f.Fields["delivery_address"][0].Key != "geo.not_delivered" {
			t.Errorf("got %v, want geo.not_delivered at delivery_address", err)
		}
	})
}

// addressOwner returns the visitor's session as the owner of addresses.
func addressOwner(v visit.Context) geo.Owner {
	return geo.Owner{SessionID: v.SessionID, Site: v.Site.Alias}
}

// A wrong total, a changed price and a stopped dish are Conflicts with the fresh cart.
func TestCreate_refusesAnotherCartThanWasSeen(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		expectConflict := func(name, want string, r order.Request) {
			t.Helper()
			_, err := h.Orders.Create(t.Context(), h.Again(t, v, "sushi"), r)
			f, ok := fault.Of(err)
			if !ok || f.Code != fault.Conflict || f.Message.Key != want {
				t.Errorf("%s: %v, want %s", name, err, want)
				return
			}
			if q, ok := cart.FreshCart(err); !ok || len(q.Lines) != 2 {
				t.Errorf("%s: no fresh cart: %+v", name, q)
			}
		}
		tampered := r
		tampered.SeenTotal = money.Major(1)
		expectConflict("a tampered total", "order.total_changed", tampered)
		h.Import(t, map[string]string{"sushi/packages.yaml": `- {id: 1, alias: paket, name: Пакет, price: 11, rule: per_order, can_refuse: true, order_types: [delivery]}
`})
		expectConflict("another price", "order.total_changed", r)
		h.Stop(t, catalog.StopProduct, "rice-roll")
		expectConflict("a stopped product", "order.lines_changed", r)
	})
}

// The cart is below the minimum of the zone. Create returns order.minimum at the field cart.
func TestCreate_refusesBelowTheMinimum(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		far := h.SaveAddress(t, v, carttest.InHard)
		q, err := h.Carts.SetAddress(t.Context(), v, far)
		if err != nil {
			t.Fatal(err)
		}
		if q, err = h.Carts.Forget(t.Context(), v, carttest.Delivery(), "1-1002"); err != nil {
			t.Fatal(err)
		}
		r.Address.ID, r.SeenTotal = far.ID, q.Prices.Total
		_, err = h.Orders.Create(t.Context(), v, r)
		if f, ok := fault.Of(err); !ok || f.Message.Key != "order.minimum" || f.Fields["cart"] == nil {
			t.Errorf("got %v", err)
		}
	})
}

// The shop stops after the checkout began. Create returns order.alert with the text of content.
func TestCreate_refusesWithTheReasonWhereAShopStoppedDuringTheCheckout(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Takeaway(t, v, carttest.Arbat, schedule.ASAP)
		h.Import(t, map[string]string{"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], "alias: arbat,", "alias: arbat, type: stop, alert: {ru: Ремонт, en: Repairs},", 1)})
		_, err := h.Orders.Create(t.Context(), h.Again(t, v, "sushi"), r)
		if f := ordertest.WantFault(t, err, fault.Invalid, "order.alert"); f.Message.Args["alert"] != "Repairs" {
			t.Errorf("it says %v", f.Message.Args)
		}
	})
}

// A customer who checks out an empty cart sees dishes that are gone, as after a sign-out on another device: the
// refusal is one of a cart that has changed, and carries the fresh one.
func TestBegin_refusesAnEmptyCartWithTheFreshOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	_, err := h.Orders.Begin(t.Context(), h.Visitor(t, "sushi"), carttest.Delivery())
	ordertest.WantFault(t, err, fault.Conflict, "order.empty")
	if fresh, ok := cart.FreshCart(err); !ok || len(fresh.Lines) != 0 {
		t.Errorf("the fresh cart is %+v", fresh)
	}
}

// toJSON returns the order as JSON, for comparing.
func toJSON(t *testing.T, o order.Order) string {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
