package kitchen_test

import (
	"log/slog"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/kitchen"
	"servery/internal/lang"
	"servery/internal/live"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// fixture is a brand with the service of one process, and the catalog of another on the same database.
type fixture struct {
	*carttest.Restaurant
	service *kitchen.Service
	other   *catalog.Catalog
}

// newFixture returns a fixture on the database, with the content of [carttest.New].
func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	h := carttest.New(t, d)
	other, err := catalog.Open(t.Context(), d, h.Clock, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{h, kitchen.New(d, h.Clock, h.Catalog), other}
}

// pause returns a valid request to pause the shop Arbat for an hour.
func (f *fixture) pause() kitchen.StateChange {
	return kitchen.StateChange{KitchenEntry: live.KitchenEntry{
		Site: "sushi", ShopID: carttest.Arbat, Kind: live.Pause, Until: f.Clock.Now().Add(time.Hour),
		Origin: live.Origin{Reason: live.Equipment, Note: "oven 2", Actor: "till 1"},
	}}
}

// setState makes a change that must succeed, and returns what is in force in the shop.
func (f *fixture) setState(t *testing.T, c kitchen.StateChange) []live.KitchenEntry {
	t.Helper()
	states, err := f.service.SetState(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// kitchenOf returns the pause and busy times of the shop Arbat for an order type in a snapshot.
func kitchenOf(s *catalog.Snapshot, t site.OrderType) schedule.Kitchen {
	brand, _ := s.Sites.ByAlias("sushi")
	shop, _ := s.Atlas(brand).Shop(carttest.Arbat)
	return shop.Kitchens[t]
}

// A pause is listed with its reason, note and actor. It holds in this process at once and in another
// after its refresh. It ends at its time, and earlier when it is removed.
func TestService_SetState_pausesAShopInEveryProcessUntilItsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		until := f.Clock.Now().Add(time.Hour)
		states := f.setState(t, f.pause())
		if len(states) != 1 || !states[0].Until.Equal(until) || states[0].Reason != live.Equipment || states[0].Note != "oven 2" || states[0].Actor != "till 1" || !states[0].At.Equal(f.Clock.Now()) {
			t.Fatalf("states %+v", states)
		}
		if swapped, err := f.other.Refresh(t.Context()); err != nil || !swapped {
			t.Fatalf("refresh %v, %v", swapped, err)
		}
		for name, s := range map[string]*catalog.Snapshot{"this process": f.Catalog.Current(), "another": f.other.Current()} {
			for _, orderType := range site.OrderTypes() {
				if k := kitchenOf(s, orderType); !k.PausedUntil.Equal(until) {
					t.Errorf("%s, %s: %+v", name, orderType, k)
				}
			}
		}
		f.Clock.Set(until)
		if kitchenOf(f.other.Current(), site.Takeaway).IsPaused(f.Clock.Now()) {
			t.Error("it is paused at its end")
		}
		if states, err := f.service.States("sushi", 0); err != nil || len(states) != 0 {
			t.Errorf("at its end %v, %v", states, err)
		}
		f.setState(t, f.pause())
		removal := f.pause()
		removal.Remove, removal.Reason = true, ""
		for range 2 {
			if states := f.setState(t, removal); len(states) != 0 {
				t.Errorf("removed: %v", states)
			}
		}
	})
}

// A pause of one order type leaves the other alone. A busy time stands beside a pause of the same shop.
func TestService_SetState_keepsOrderTypesAndKindsApart(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	delivery := f.pause()
	delivery.OrderType = site.Delivery
	f.setState(t, delivery)
	busy := f.pause()
	busy.Kind, busy.Minutes = live.Busy, 20
	if states := f.setState(t, busy); len(states) != 2 {
		t.Errorf("states %v", states)
	}
	now := f.Clock.Now()
	atDelivery, atTakeaway := kitchenOf(f.Catalog.Current(), site.Delivery), kitchenOf(f.Catalog.Current(), site.Takeaway)
	if !atDelivery.IsPaused(now) || atTakeaway.IsPaused(now) || atTakeaway.Delay(now) != 20*time.Minute {
		t.Errorf("delivery %+v, takeaway %+v", atDelivery, atTakeaway)
	}
	if states, err := f.service.States("sushi", carttest.Pokrovka); err != nil || len(states) != 0 {
		t.Errorf("another shop has %v, %v", states, err)
	}
}

// The same change made again changes nothing, not even the version that other processes compare.
func TestService_SetState_againChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		change := f.pause()
		first := f.setState(t, change)
		version := f.Catalog.Current().LiveVersion
		f.Clock.Advance(time.Minute)
		again := f.setState(t, change)
		if f.Catalog.Current().LiveVersion != version || !again[0].At.Equal(first[0].At) {
			t.Errorf("version %d, then %d; set at %v, then %v", version, f.Catalog.Current().LiveVersion, first[0].At, again[0].At)
		}
		change.Note = "oven 3"
		if other := f.setState(t, change); other[0].Note != "oven 3" || f.Catalog.Current().LiveVersion == version {
			t.Errorf("another note: %+v", other)
		}
	})
}

// Each wrong request is refused with its own fault.
func TestService_SetState_refusesWrongRequests(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	for want, change := range map[string]func(c *kitchen.StateChange){
		"catalog.unknown_site":   func(c *kitchen.StateChange) { c.Site = "none" },
		"catalog.unknown_shop":   func(c *kitchen.StateChange) { c.ShopID = 99 },
		"kitchen.order_type":     func(c *kitchen.StateChange) { c.ShopID, c.OrderType = carttest.Pokrovka, site.Delivery },
		"kitchen.minutes_needed": func(c *kitchen.StateChange) { c.Kind = live.Busy },
		"kitchen.reason_needed":  func(c *kitchen.StateChange) { c.Reason = "" },
		"kitchen.end_needed":     func(c *kitchen.StateChange) { c.Until = time.Time{} },
		"kitchen.one_end":        func(c *kitchen.StateChange) { c.UntilShiftEnd = true },
		"kitchen.until_past":     func(c *kitchen.StateChange) { c.Until = f.Clock.Now() },
		"kitchen.until_too_far":  func(c *kitchen.StateChange) { c.Until = f.Clock.Now().Add(7*24*time.Hour + 1) },
	} {
		c := f.pause()
		change(&c)
		if _, err := f.service.SetState(t.Context(), c); fault.KeyOf(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	f.Clock.Advance(12 * time.Hour)
	atNight := f.pause()
	atNight.Until, atNight.UntilShiftEnd = time.Time{}, true
	if _, err := f.service.SetState(t.Context(), atNight); fault.KeyOf(err) != "catalog.no_shift" {
		t.Errorf("at night: %v", err)
	}
}

// A pause until the end of the shift ends when the shop closes.
func TestService_SetState_endsWithTheShift(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	c := f.pause()
	c.Until, c.UntilShiftEnd = time.Time{}, true
	if states := f.setState(t, c); !states[0].Until.Equal(carttest.Noon.Add(11 * time.Hour)) {
		t.Errorf("it ends at %v", states[0].Until)
	}
}

// All work of 14:00 is reserved, and the shop is paused. Each time of the day has its work, and is closed
// by the clock, by the pause or by its capacity.
func TestService_Times_showWorkAndWhyATimeIsClosed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		brand, _ := f.Catalog.Current().Sites.ByAlias("sushi")
		moscow := brand.Cities[0].Location
		today := clock.DayOf(f.Clock.Now(), moscow)
		full := clock.At(today, 14*60, moscow)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := schedule.Reserve(t.Context(), tx, schedule.Request{
				Holder: "order:1", ShopID: carttest.Pokrovka, OrderType: site.Takeaway, Starts: []time.Time{full},
				Needs: schedule.Minutes{schedule.AllGroups: 5}, Ceilings: schedule.Minutes{schedule.AllGroups: 5},
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c := f.pause()
		c.ShopID = carttest.Pokrovka
		f.setState(t, c)
		times, err := f.service.Times(t.Context(), kitchen.TimesQuery{Site: "sushi", ShopID: carttest.Pokrovka, OrderType: site.Takeaway})
		if err != nil || times.Day != today || len(times.Times) != 24 {
			t.Fatalf("%d times of %v, %v", len(times.Times), times.Day, err)
		}
		closed := map[string]schedule.ClosedReason{}
		for _, i := range times.Times {
			closed[i.Title] = i.Closed
			taken := 0
			if i.Start.Equal(full) {
				taken = 5
			}
			if i.Capacity == nil || *i.Capacity != 5 || i.Taken != taken {
				t.Errorf("%s takes %v, taken %d", i.Title, i.Capacity, i.Taken)
			}
		}
		for title, want := range map[string]schedule.ClosedReason{
			"10:00–10:30": schedule.ClosedByPast, "12:00–12:30": schedule.ClosedByPast, "12:30–13:00": schedule.ClosedByPause,
			"13:00–13:30": schedule.ClosedByPause, "13:30–14:00": "", "14:00–14:30": schedule.ClosedByCapacity, "21:30–22:00": "",
		} {
			if closed[title] != want {
				t.Errorf("%s is closed by %q, want %q", title, closed[title], want)
			}
		}
	})
}

// Times of a city that takes no orders are closed by the stop; a day that is over or too far is refused.
func TestService_Times_ofAStoppedCityAndOfOtherDays(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	query := kitchen.TimesQuery{Site: "sushi", ShopID: carttest.Kizilay, OrderType: site.Takeaway}
	times, err := f.service.Times(t.Context(), query)
	if err != nil || times.Times[len(times.Times)-1].Closed != kitchen.ClosedByStop || times.Times[0].Capacity != nil {
		t.Errorf("got %+v, %v", times, err)
	}
	for _, ahead := range []int{-1, 7} {
		query.Day = times.Day.Add(ahead)
		if _, err := f.service.Times(t.Context(), query); fault.KeyOf(err) != "kitchen.day" {
			t.Errorf("%d days ahead: %v", ahead, err)
		}
	}
	query.Day, query.OrderType = clock.Day{}, site.Delivery
	if _, err := f.service.Times(t.Context(), query); fault.KeyOf(err) != "kitchen.order_type" {
		t.Errorf("delivery: %v", err)
	}
}

// priceOf returns the price of the product with the alias in a shop.
func (f *fixture) priceOf(c *catalog.Catalog, alias string, shop int64, t site.OrderType) money.Amount {
	s := c.Current()
	brand, _ := s.Sites.ByAlias("sushi")
	p, _ := s.Menu(brand, brand.Cities[0], t, shop, f.Clock.Now()).ProductByAlias(alias)
	return p.Price
}

// setPrice makes a change that must succeed, and returns the prices in force.
func (f *fixture) setPrice(t *testing.T, e live.PriceEntry) []kitchen.PriceInForce {
	t.Helper()
	e.Site = "sushi"
	prices, err := f.service.SetPrice(t.Context(), kitchen.PriceChange{PriceEntry: e})
	if err != nil {
		t.Fatal(err)
	}
	return prices
}

// A price holds in the menus of every process until its end or until it is removed. A price of the shop
// comes before one of the price list. Both are listed beside the price of content.
func TestService_SetPrice_holdsInEveryProcessUntilItsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		until := f.Clock.Now().Add(time.Hour)
		f.setPrice(t, live.PriceEntry{Product: "salmon-roll", PriceList: "ru", Price: 60000})
		prices := f.setPrice(t, live.PriceEntry{
			Product: "salmon-roll", ShopID: carttest.Arbat, OrderType: site.Takeaway, Price: 45000, Until: until, Origin: live.Origin{Actor: "till 1"},
		})
		if len(prices) != 2 || prices[1].Actor != "till 1" || prices[1].ContentPrice == nil || *prices[1].ContentPrice != 49900 || prices[0].ContentPrice != nil || prices[0].IsUnused {
			t.Fatalf("prices %+v", prices)
		}
		if _, err := f.other.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		expectPrices := func(when string, atArbat, atPokrovka, delivered money.Amount) {
			t.Helper()
			for name, c := range map[string]*catalog.Catalog{"this process": f.Catalog, "another": f.other} {
				got := [...]money.Amount{
					f.priceOf(c, "salmon-roll", carttest.Arbat, site.Takeaway), f.priceOf(c, "salmon-roll", carttest.Pokrovka, site.Takeaway),
					f.priceOf(c, "salmon-roll", carttest.Arbat, site.Delivery),
				}
				if got != [...]money.Amount{atArbat, atPokrovka, delivered} {
					t.Errorf("%s, %s: %v", when, name, got)
				}
			}
		}
		expectPrices("at first", 45000, 60000, 60000)
		f.Clock.Set(until)
		expectPrices("at its end", 60000, 60000, 60000)
		remove := kitchen.PriceChange{PriceEntry: live.PriceEntry{Site: "sushi", Product: "salmon-roll", PriceList: "ru"}, Remove: true}
		for range 2 {
			if left, err := f.service.SetPrice(t.Context(), remove); err != nil || len(left) != 0 {
				t.Errorf("left are %+v, %v", left, err)
			}
		}
		if _, err := f.other.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		expectPrices("removed", 49900, 49900, 54900)
	})
}

// An import of content leaves a price that is set in force, and lists it as unused when the product has
// gone; it counts again when the product is back.
func TestService_SetPrice_staysInForceAfterAnImport(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	f.setPrice(t, live.PriceEntry{Product: "wasabi", PriceList: "ru", Price: 2500})
	name := "sushi/menu/02-sauces.yaml"
	f.Import(t, map[string]string{name: "group: {id: 12, alias: sauces, name: Соусы}\nproducts:\n  - {id: 1004, alias: soy, name: Соевый соус, price: 30, composition: [soy], picture: none}\n"})
	if prices, err := f.service.Prices("sushi"); err != nil || len(prices) != 1 || !prices[0].IsUnused || prices[0].ContentPrice != nil {
		t.Errorf("without the product: %+v, %v", prices, err)
	}
	f.Import(t, map[string]string{name: "group: {id: 12, alias: sauces, name: Соусы}\nproducts:\n  - {id: 1005, alias: wasabi, name: Васаби, price: 99, picture: none}\n"})
	prices, err := f.service.Prices("sushi")
	if err != nil || prices[0].IsUnused || prices[0].ContentPrice == nil || *prices[0].ContentPrice != 9900 {
		t.Errorf("with another price of content: %+v, %v", prices, err)
	}
	if got := f.priceOf(f.Catalog, "wasabi", carttest.Arbat, site.Takeaway); got != 2500 {
		t.Errorf("it costs %v", got)
	}
}

// Each wrong request is refused with its own fault.
func TestService_SetPrice_refusesWrongRequests(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	for want, change := range map[string]func(e *live.PriceEntry){
		"catalog.unknown_site":     func(e *live.PriceEntry) { e.Site = "none" },
		"catalog.unknown_shop":     func(e *live.PriceEntry) { e.PriceList, e.ShopID = "", 99 },
		"price.unknown_product":    func(e *live.PriceEntry) { e.Product = "none" },
		"price.shop_or_list":       func(e *live.PriceEntry) { e.ShopID = carttest.Arbat },
		"price.unknown_list":       func(e *live.PriceEntry) { e.PriceList = "none" },
		"price.several_currencies": func(e *live.PriceEntry) { e.PriceList = "" },
		"price.amount":             func(e *live.PriceEntry) { e.Price = -100 },
		"kitchen.until_past":       func(e *live.PriceEntry) { e.Until = f.Clock.Now() },
	} {
		e := live.PriceEntry{Site: "sushi", Product: "soy", PriceList: "ru", Price: 3500}
		change(&e)
		if _, err := f.service.SetPrice(t.Context(), kitchen.PriceChange{PriceEntry: e}); fault.KeyOf(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// findAlerts returns the city Moscow and the English alerts of Moscow and of the shop Arbat in a
// snapshot, and reports whether Arbat is stopped.
func findAlerts(s *catalog.Snapshot) (city *site.City, alert, shopAlert string, isShopStopped bool) {
	brand, _ := s.Sites.ByAlias("sushi")
	city, _ = brand.City(carttest.Moscow)
	shop, _ := s.Atlas(brand).Shop(carttest.Arbat)
	return city, brand.Text(city.Alert, "en"), brand.Text(shop.Alert, "en"), shop.Stopped
}

// An alert of a city and a stop of a shop hold in every process, each until its end. Without them, the
// alerts of content hold. A stop of content stays while an alert without a stop is set over it.
func TestService_SetAlert_holdsInEveryProcessUntilItsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		until := f.Clock.Now().Add(time.Hour)
		set := func(e live.AlertEntry) []live.AlertEntry {
			t.Helper()
			e.Site = "sushi"
			alerts, err := f.service.SetAlert(t.Context(), kitchen.AlertChange{AlertEntry: e})
			if err != nil {
				t.Fatal(err)
			}
			return alerts
		}
		set(live.AlertEntry{CityID: carttest.Moscow, Text: lang.Text{"ru": " Снегопад ", "en": "Snow"}, Until: until})
		alerts := set(live.AlertEntry{ShopID: carttest.Arbat, Text: lang.Text{"ru": "Потоп", "en": "Flood"}, Stops: true, Origin: live.Origin{Reason: live.Equipment}})
		if len(alerts) != 2 || alerts[1].Text["ru"] != "Снегопад" && alerts[0].Text["ru"] != "Снегопад" {
			t.Fatalf("alerts %+v", alerts)
		}
		refresh := func() {
			t.Helper()
			for _, c := range []*catalog.Catalog{f.Catalog, f.other} {
				if _, err := c.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		refresh()
		for _, c := range []*catalog.Catalog{f.Catalog, f.other} {
			if city, alert, shopAlert, isStopped := findAlerts(c.Current()); city.Stopped || alert != "Snow" || shopAlert != "Flood" || !isStopped {
				t.Errorf("city %v %q, shop %v %q", city.Stopped, alert, isStopped, shopAlert)
			}
		}
		f.Clock.Set(until)
		refresh()
		for _, c := range []*catalog.Catalog{f.Catalog, f.other} {
			if _, alert, shopAlert, isStopped := findAlerts(c.Current()); alert != "" || shopAlert != "Flood" || !isStopped {
				t.Errorf("at the end: city %q, shop %v %q", alert, isStopped, shopAlert)
			}
		}
		remove := kitchen.AlertChange{AlertEntry: live.AlertEntry{Site: "sushi", ShopID: carttest.Arbat}, Remove: true}
		if left, err := f.service.SetAlert(t.Context(), remove); err != nil || len(left) != 0 {
			t.Errorf("left are %+v, %v", left, err)
		}
		if _, _, shopAlert, isStopped := findAlerts(f.Catalog.Current()); shopAlert != "" || isStopped {
			t.Errorf("removed: %v %q", isStopped, shopAlert)
		}
		set(live.AlertEntry{CityID: carttest.Ankara, Text: lang.Text{"ru": "Откроемся завтра"}})
		brand, _ := f.Catalog.Current().Sites.ByAlias("sushi")
		if ankara, _ := brand.City(carttest.Ankara); !ankara.Stopped || ankara.Alert["ru"] != "Откроемся завтра" {
			t.Errorf("Ankara %v %v", ankara.Stopped, ankara.Alert)
		}
	})
}

// Each wrong request is refused with its own fault.
func TestService_SetAlert_refusesWrongRequests(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	for want, change := range map[string]func(e *live.AlertEntry){
		"catalog.unknown_site": func(e *live.AlertEntry) { e.Site = "none" },
		"catalog.unknown_shop": func(e *live.AlertEntry) { e.CityID, e.ShopID = 0, 99 },
		"alert.unknown_city":   func(e *live.AlertEntry) { e.CityID = 99 },
		"alert.city_or_shop":   func(e *live.AlertEntry) { e.ShopID = carttest.Arbat },
		"alert.language":       func(e *live.AlertEntry) { e.Text["RUS"] = "Снег" },
		"alert.own_language":   func(e *live.AlertEntry) { delete(e.Text, "ru") },
		"alert.text":           func(e *live.AlertEntry) { e.Text["en"] = "a\nb" },
		"kitchen.until_past":   func(e *live.AlertEntry) { e.Until = f.Clock.Now() },
	} {
		e := live.AlertEntry{Site: "sushi", CityID: carttest.Moscow, Text: lang.Text{"ru": "Снег", "en": "Snow"}}
		change(&e)
		if _, err := f.service.SetAlert(t.Context(), kitchen.AlertChange{AlertEntry: e}); fault.KeyOf(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
