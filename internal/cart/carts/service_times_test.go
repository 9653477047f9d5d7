package carts_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Half an hour before it closes, a shop sells a product by four instead of by two. A city of Turkey
// has no last hour.
func TestAdd_sellsInOtherStepsInTheLastHour(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s, v := newVisitor(t, d)
		h.Clock.Set(carttest.Noon.Add(9*time.Hour + 30*time.Minute)) // half past nine, Pokrovka closes at ten
		v = h.Again(t, v, "sushi")
		pair := cart.Addition{ProductKey: keyOf(carttest.Pair), Count: 2}
		if _, err := s.Add(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), pair); fault.KeyOf(err) != "cart.multiplicity" {
			t.Errorf("two in the last hour: %v", err)
		}
		notice := func(m fault.Message) bool { return m.Key == "cart.last_hour" }
		single := cart.Addition{ProductKey: keyOf(carttest.Soy), Count: 1}
		if q := mustAdd(t, s, v, carttest.Takeaway(carttest.Pokrovka), single); slices.ContainsFunc(q.Notices, notice) {
			t.Error("the notice of other steps is shown for a cart without a dish that has one")
		}
		mustAdd(t, s, v, carttest.Takeaway(carttest.Arbat), pair)
		pair.Count = 4
		lastOrder := carttest.Noon.Add(9*time.Hour + 40*time.Minute) // it cooks for 20 minutes
		q := mustAdd(t, s, v, carttest.Takeaway(carttest.Pokrovka), pair)
		if !q.Spot.LastHourUntil.Equal(lastOrder) || !slices.ContainsFunc(q.Notices, notice) {
			t.Errorf("the last hour ends at %v, want %v, and has the notices %v", q.Spot.LastHourUntil, lastOrder, q.Notices)
		}
		turkish := carttest.Takeaway(carttest.Kizilay)
		turkish.CityID = carttest.Ankara
		q, err := s.Load(t.Context(), v, turkish, carttest.SameInterval)
		if err != nil || q.Spot.Shop == nil || q.Spot.IsLastHour() {
			t.Errorf("in a city of Turkey: %+v, %v, want a shop without a last hour", q.Spot, err)
		}
	})
}

// A product is sold by ten, and by four in the last hour. Portions that are in the cart when the
// last hour begins stay. The step of four holds for each addition and removal from then on.
func TestStep_lastHourHoldsAsWritten(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		h.Import(t, map[string]string{"sushi/menu/02-sauces.yaml": carttest.Texts["sushi/menu/02-sauces.yaml"] +
			"  - {id: 1008, alias: gyoza, name: Гёдза, price: 20, sale_multiplicity: 10, sale_multiplicity_last_hour: 4, picture: none}\n"})
		s, v := carts.New(d), h.Visitor(t, "sushi")
		pokrovka := carttest.Takeaway(carttest.Pokrovka)
		var gyoza int64 = 1008
		change := func(count int) (cart.Quoted, error) {
			if count < 0 {
				return s.Remove(t.Context(), v, pokrovka, keyOf(gyoza), -count)
			}
			return s.Add(t.Context(), v, pokrovka, cart.Addition{ProductKey: keyOf(gyoza), Count: count})
		}
		for _, step := range []struct {
			name     string
			lastHour bool
			count    int
			refused  string
			left     int
		}{
			{"by four in the day", false, 4, "cart.multiplicity", 0},
			{"by ten in the day", false, 10, "", 10},
			{"by ten in the last hour", true, 10, "cart.multiplicity", 10},
			{"by four in the last hour", true, 4, "", 14},
			{"four less", true, -4, "", 10},
			{"four less again", true, -4, "", 6},
			{"three less", true, -3, "cart.multiplicity", 6},
			{"the next day by ten", false, 10, "", 16},
			{"all but six", false, -10, "", 6},
			{"less than a step is left", false, -10, "", 0},
		} {
			h.Clock.Set(carttest.Noon)
			if step.lastHour {
				h.Clock.Set(carttest.Noon.Add(9*time.Hour + 30*time.Minute)) // Pokrovka closes at ten
			}
			v = h.Again(t, v, "sushi")
			if _, err := change(step.count); fault.KeyOf(err) != step.refused {
				t.Errorf("%s: %v", step.name, err)
			}
			q, err := s.Load(t.Context(), v, pokrovka, carttest.SameInterval)
			if err != nil || q.Count != step.left || q.Spot.IsLastHour() != step.lastHour {
				t.Errorf("%s: %d in the cart, last hour %v, %v", step.name, q.Count, q.Spot.IsLastHour(), err)
			}
		}
	})
}

// Half an hour before the last order of Arbat, takeaway there is in the last hour. Delivery from the
// same shop is not, nor is a brand that has no last hour.
func TestLoad_lastHourIsThatOfTakeawayWhereTheBrandHasOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s, v := newVisitor(t, d)
		h.Clock.Set(carttest.Noon.Add(10*time.Hour + 10*time.Minute)) // ten past ten, Arbat closes at eleven
		expectLastHour := func(name string, place cart.PlaceRequest, want bool) {
			t.Helper()
			v = h.Again(t, v, "sushi")
			q, err := s.Load(t.Context(), v, place, carttest.SameInterval)
			if err != nil || q.Spot.Shop == nil || q.Spot.Shop.ID != carttest.Arbat || q.Spot.IsLastHour() != want {
				t.Errorf("%s: last hour %v of %+v, %v, want %v", name, q.Spot.IsLastHour(), q.Spot.Shop, err, want)
			}
		}
		expectLastHour("takeaway", carttest.Takeaway(carttest.Arbat), true)
		expectLastHour("delivery", carttest.Delivery(), false)
		h.Import(t, map[string]string{"sushi/brand.yaml": strings.Replace(carttest.Texts["sushi/brand.yaml"], "last_hour: true", "last_hour: false", 1)})
		expectLastHour("takeaway of a brand without a last hour", carttest.Takeaway(carttest.Arbat), false)
	})
}

// As soon as possible can be chosen; an unknown and a past time are refused. A chosen time that
// is over leaves the cart with a notice. An empty time removes the choice.
func TestSetInterval_refusesUnknownAndPastTimes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s, v := newVisitor(t, d)
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		q, err := s.SetInterval(t.Context(), v, carttest.Moscow, "asap")
		if err != nil || q.Interval == nil || !q.Interval.IsASAP() {
			t.Fatalf("got %+v, %v", q.Interval, err)
		}
		const noInterval = ""
		past := clock.Cut(carttest.Noon).Format(time.RFC3339)
		for id, want := range map[string]string{"tomorrow": "schedule.unknown_interval", past: "schedule.past"} {
			if _, err := s.SetInterval(t.Context(), v, carttest.Moscow, id); fault.KeyOf(err) != want {
				t.Errorf("%s: %v, want %s", id, err, want)
			}
		}
		h.Clock.Set(carttest.Noon.Add(12 * time.Hour)) // midnight, closed
		if q, err = s.Load(t.Context(), h.Again(t, v, "sushi"), carttest.Delivery(), carttest.SameInterval); err != nil || q.Interval != nil || len(q.Notices) == 0 {
			t.Errorf("a time that is gone: %+v, %v", q.Interval, err)
		}
		if q, err = s.SetInterval(t.Context(), v, carttest.Moscow, noInterval); err != nil || q.Cart.IntervalID != "" {
			t.Errorf("taken back: %+v, %v", q.Cart, err)
		}
	})
}

// As soon as possible moves to the next slot when others fill the first, and leaves the cart
// with a notice when all of them are full.
func TestASAP_isTheFirstTimeWithRoom(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, s, v := newVisitor(t, d)
		if _, err := s.Add(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), cart.Addition{ProductKey: "1-1002", Count: 1}); err != nil {
			t.Fatal(err)
		}
		q, err := s.SetInterval(t.Context(), v, carttest.Moscow, schedule.ASAP)
		if err != nil || q.Interval == nil {
			t.Fatalf("no time: %v", err)
		}
		first := q.Interval.Start
		fill := func(start time.Time) {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := schedule.Reserve(t.Context(), tx, schedule.Request{
					Holder: start.String(), ShopID: carttest.Pokrovka, OrderType: site.Takeaway, Starts: []time.Time{start},
					Needs: q.Needs(), Ceilings: q.Spot.Ceilings(),
				})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		fill(first)
		q, err = s.Load(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), carttest.SameInterval)
		if err != nil || q.Interval == nil || !q.Interval.IsASAP() || !q.Interval.Start.Equal(first.Add(30*time.Minute)) {
			t.Fatalf("with the first half hour taken: %+v, %v", q.Interval, err)
		}
		soon, err := q.Spot.Plan().Resolve(schedule.ASAP, v.Now)
		if err != nil {
			t.Fatal(err)
		}
		for _, interval := range soon[1:] {
			fill(interval.Start)
		}
		q, err = s.Load(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), carttest.SameInterval)
		if err != nil || q.Interval != nil || len(q.Notices) == 0 {
			t.Errorf("with all taken: %+v, %v, %v", q.Interval, q.Notices, err)
		}
	})
}
