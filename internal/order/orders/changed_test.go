package orders_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// Each case changes content or stops a dish during the checkout. Create returns the Conflict
// named and uses nothing of promocode and gift; the fresh cart can then be ordered.
func TestCreate_refusesWhatHasChangedSinceItWasShown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		replaced := func(file, old, replacement string) func(*house) {
			return func(h *house) {
				text := carttest.Texts[file] + ordertest.Offers[file]
				if !strings.Contains(text, old) {
					t.Fatalf("%s has no %s", file, old)
				}
				changed := map[string]string{"sushi/gifts.yaml": ordertest.Offers["sushi/gifts.yaml"], "sushi/promocodes.yaml": ordertest.Offers["sushi/promocodes.yaml"]}
				changed[file] = strings.Replace(text, old, replacement, 1)
				h.Import(t, changed)
			}
		}
		for name, c := range map[string]struct {
			change func(*house)
			want   string
		}{
			"a price":               {replaced("sushi/menu/01-rolls.yaml", "price: 100,", "price: 101,"), "order.total_changed"},
			"a package's price":     {replaced("sushi/packages.yaml", "price: 10,", "price: 11,"), "order.total_changed"},
			"a package for nothing": {replaced("sushi/packages.yaml", "price: 5, rule: {per_items: 4}, order_types: [delivery]", "price: 0, rule: {per_items: 4}, order_types: [takeaway]"), "order.changed"},
			"a gift's condition":    {replaced("sushi/gifts.yaml", "ru: 50,", "ru: 5000,"), "order.changed"},
			"a gift that is gone":   {replaced("sushi/gifts.yaml", "stock: 3", "stock: 3, only_cities: [ankara]"), "order.changed"},
			"a code that is over":   {replaced("sushi/promocodes.yaml", "limit: 3", "limit: 3, until: \"2020-01-01\""), "order.total_changed"},
			"a stopped dish":        {func(h *house) { h.Stop(t, catalog.StopProduct, "rice-roll") }, "order.lines_changed"},
		} {
			h := newShop(t, dbtest.Open(t, d.Engine()))
			h.Import(t, ordertest.Offers) // without a bonus programme
			v := h.Visitor(t, "sushi")
			r := h.AddGift(t, v, h.ApplyCode(t, v, h.TakeawayFromPhone(t, v, 1), "THREE"), ordertest.SoyGiftID)
			c.change(h)
			v = h.Again(t, v, "sushi")
			_, err := h.Orders.Create(t.Context(), v, r)
			f, ok := fault.Of(err)
			if !ok || f.Code != fault.Conflict || f.Message.Key != c.want {
				t.Errorf("%s: %v, want %s", name, err, c.want)
				continue
			}
			h.WantUsed(t, ordertest.CodeThree, 0)
			h.WantUsed(t, ordertest.SoyGift, 0)
			if open, err := h.Orders.Open(t.Context(), orders.OpenQuery{Limit: 100}); err != nil || len(open) != 0 {
				t.Errorf("%s: %d orders, %v", name, len(open), err)
			}
			if c.want == "order.lines_changed" {
				continue // has to leave the cart first
			}
			fresh, _ := cart.FreshCart(err)
			h.Place(t, v, ordertest.Agree(r, fresh)) // what is shown now can be ordered
		}
	})
}

// The reserved time has expired and another order has taken it. Begin and Create return
// schedule.full_next, and neither the fresh cart nor the stored one has the time any more.
func TestCreate_removesALostTimeFromTheCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		expectLost := func(name string, v visit.Context, err error) {
			t.Helper()
			f, ok := fault.Of(err)
			if !ok || f.Code != fault.Conflict || f.Message.Key != "schedule.full_next" || f.Fields["interval_id"] == nil {
				t.Fatalf("%s: %v", name, err)
			}
			if q, ok := cart.FreshCart(err); !ok || q.Interval != nil || q.Cart.IntervalID != "" {
				t.Errorf("%s: the fresh cart has the time %v", name, q.Interval)
			}
			if q, err := h.Carts.Load(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), carttest.SameInterval); err != nil || q.Cart.IntervalID != "" {
				t.Errorf("%s: the cart has the time %v, %v", name, q.Cart.IntervalID, err)
			}
		}
		late := h.Visitor(t, "sushi")
		r := h.Takeaway(t, late, carttest.Pokrovka, ordertest.HalfPast(14)) // held until its deadline
		h.Clock.Advance(orders.HoldFor)
		if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		quick := h.Visitor(t, "sushi")
		h.Place(t, quick, h.Takeaway(t, quick, carttest.Pokrovka, ordertest.HalfPast(14)))

		late = h.Again(t, late, "sushi")
		_, err := h.Orders.Begin(t.Context(), late, carttest.Takeaway(carttest.Pokrovka))
		expectLost("the checkout", late, err)
		checkout, err := h.Orders.Begin(t.Context(), late, carttest.Takeaway(carttest.Pokrovka))
		if err != nil {
			t.Fatal(err)
		}
		r.CacheKey = checkout.Key
		_, err = h.Orders.Create(t.Context(), late, r)
		expectLost("the order", late, err)
		r.IntervalID = ordertest.HalfPast(15)
		h.Place(t, late, r)
	})
}

// The customer was shown an earlier time than ASAP means by now. Create returns
// order.time_changed with both times, and places the order once the customer agrees to the new
// one.
func TestCreate_refusesALaterASAPThanWasShown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP)
		shown := h.Clock.Now().Add(30 * time.Minute) // 20 of cooking and 10 for delays
		r.SeenEnd = &shown
		if err := h.Orders.Sweep(t.Context(), h.Clock.Advance(orders.HoldFor)); err != nil { // what it held is given back
			t.Fatal(err)
		}
		for range 2 { // and others take the next two half hours
			other := h.Visitor(t, "sushi")
			h.Place(t, other, h.Takeaway(t, other, carttest.Pokrovka, schedule.ASAP))
		}
		v = h.Again(t, v, "sushi")
		checkout, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Pokrovka))
		if err != nil {
			t.Fatal(err)
		}
		r.CacheKey = checkout.Key
		_, err = h.Orders.Create(t.Context(), v, r)
		f, ok := fault.Of(err)
		if !ok || f.Code != fault.Conflict || f.Message.Key != "order.time_changed" || f.Fields["interval_id"] == nil {
			t.Fatalf("got %v", err)
		}
		if f.Message.Args["was"] != "12:30" || f.Message.Args["now"] != "14:00" {
			t.Errorf("shown %v", f.Message.Args)
		}
		q, _ := cart.FreshCart(err)
		_, end := q.Spot.Plan().Handover(*q.Interval, v.Now)
		if q.Interval.ID != schedule.ASAP || end.In(q.Spot.City.Location).Format("15:04") != "14:00" {
			t.Errorf("the fresh cart shows %v until %v", q.Interval, end)
		}
		again, err := h.Carts.Load(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), carttest.SameInterval)
		if err != nil || again.Interval == nil {
			t.Fatalf("the cart has the time %v, %v", again.Interval, err)
		}
		if _, until := again.Spot.Plan().Handover(*again.Interval, v.Now); !until.Equal(end) {
			t.Errorf("the cart shows %v, and the order is promised for %v", until, end)
		}
		r.SeenEnd = &end // the customer agrees
		if o := h.Place(t, v, r); !o.PromisedTo.Equal(end) {
			t.Errorf("promised until %v, agreed to %v", o.PromisedTo, end)
		}
	})
}

// The customer needs almost ten minutes for the form. The ASAP order, a little later than shown,
// is placed.
func TestCreate_toleratesTheMinutesOfTheForm(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	v := h.Visitor(t, "sushi")
	r := h.Takeaway(t, v, carttest.Arbat, schedule.ASAP)
	shown := h.Clock.Now().Add(30 * time.Minute)
	r.SeenEnd = &shown
	h.Clock.Advance(orders.HoldFor - time.Second)
	h.Place(t, h.Again(t, v, "sushi"), r)
}

// An unknown allergen is refused. The ticket for the kitchen names the known ones, each once and
// in order; an order without any has no ticket.
func TestOrder_Ticket_namesTheAllergensOfTheCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		r.Comment, r.Allergens = "no bell", []string{"nuts", "milk", "chalk", "nuts"}
		_, err := h.Orders.Create(t.Context(), v, r)
		if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Fields["allergens"] == nil {
			t.Fatalf("an unknown allergen: %v", err)
		}
		r.Allergens = []string{"nuts", "milk", "nuts"}
		o := h.Place(t, v, r)
		for l, want := range map[lang.Lang]string{lang.RU: "Не ест: молоко, орехи", lang.EN: "Does not eat: milk, nuts"} {
			ticket := o.Ticket(l)
			if len(ticket) != 1 || lang.T(l, ticket[0].Key, ticket[0].Args) != want {
				t.Errorf("the ticket says %v, want %q", ticket, want)
			}
		}
		if o.Details.Comment != "no bell" {
			t.Errorf("the comment says %q", o.Details.Comment)
		}
		other := h.Visitor(t, "sushi")
		if ticket := h.Place(t, other, h.Delivery(t, other, schedule.ASAP)).Ticket(lang.RU); len(ticket) != 0 {
			t.Errorf("a ticket for nothing: %v", ticket)
		}
	})
}

// A customer spends the same 30 bonuses in carts of two cities at once. One order is placed; the
// other is refused with a fresh cart without bonuses.
func TestCreate_ofTwoCartsSpendsBonusesOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		h.Import(t, map[string]string{
			"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "bonus_programme: {percent: \"5\"}\n",
			// Bonuses of one currency are one account, so this Ankara sells in roubles too.
			"places/ankara.yaml": strings.Replace(carttest.Texts["places/ankara.yaml"], "TR", "RU", 1),
			"sushi/cities.yaml":  strings.NewReplacer("type: stop, ", "", "price_list: tr", "price_list: ru").Replace(carttest.Texts["sushi/cities.yaml"]),
		})
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", money.Major(30))
		moscow := h.PayWithBonuses(t, v, h.TakeawayFromPhone(t, v, 1), money.Major(30))
		place := cart.PlaceRequest{CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay}
		if _, err := h.Carts.Add(t.Context(), v, place, cart.Addition{ProductKey: "2-1002", Count: 5}); err != nil {
			t.Fatal(err)
		}
		q, err := h.Carts.ApplyBonuses(t.Context(), v, place, money.Major(30))
		if err != nil {
			t.Fatal(err)
		}
		checkout, err := h.Orders.Begin(t.Context(), v, place)
		if err != nil {
			t.Fatal(err)
		}
		ankara := ordertest.Agree(order.Request{
			CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay, CacheKey: checkout.Key,
			Phone: "79161234567", Username: "Anna", PaymentType: site.Cash, IntervalID: schedule.ASAP,
		}, q)
		errs := make(chan error, 2)
		for _, r := range []order.Request{moscow, ankara} {
			go func() {
				_, err := h.Orders.Create(t.Context(), v, r)
				errs <- err
			}()
		}
		won := 0
		for range 2 {
			if err := <-errs; err == nil {
				won++
			} else if q := ordertest.WantRefused(t, err, "bonus.not_enough", "order.total_changed"); q.Prices.Bonuses != 0 {
				t.Errorf("the fresh cart spends %v", q.Prices.Bonuses)
			}
		}
		if won != 1 {
			t.Errorf("%d won", won)
		}
		h.WantBalance(t, v, 0)
		h.WantBalanced(t)
	})
}

// A roll and the same roll as a gift reserve the minutes of two.
func TestCreate_countsGiftsAsWorkOfTheKitchen(t *testing.T) {
	t.Parallel()
	h := newShop(t, dbtest.Open(t, db.SQLite))
	h.Import(t, map[string]string{
		"sushi/gifts.yaml": "- {id: 5, alias: more, product: rice-roll, conditions: [{subtotal: {ru: 50, tr: 1}}]}\n",
	})
	v := h.Visitor(t, "sushi")
	r := h.AddGift(t, v, h.TakeawayFromPhone(t, v, 1), 5)
	o := h.Place(t, v, r)
	kept, ok, err := schedule.FindReservation(t.Context(), h.DB.Read(), fmt.Sprintf("order:%d", o.ID))
	if err != nil || !ok || kept.TotalMinutes()[schedule.AllGroups] != 10 {
		t.Errorf("two rolls are %v, %v", kept.TotalMinutes(), err)
	}
}
