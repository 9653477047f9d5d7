package follow_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/follow"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// A position is refused before the order is on its way, seen while it is, and deleted once it is
// done. A point that does not exist is refused.
func TestCourier_isSeenOnTheWayOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		at := geo.Point{Latitude: 55.751, Longitude: 37.601}
		report := func(p geo.Point) error {
			return h.Follow.SetCourierLocation(t.Context(), v.Snapshot, o.ID, follow.Report{Point: p}, h.Clock.Now())
		}
		seen := func() bool {
			_, known, err := h.Follow.Courier(t.Context(), v, o.ID)
			if err != nil {
				t.Error(err)
			}
			return known
		}
		if err := report(at); fault.KeyOf(err) != "order.courier_not_sent" || seen() {
			t.Errorf("before: %v", err)
		}
		h.Move(t, o, order.Cooking, order.Sent)
		if seen() {
			t.Error("seen before the first report")
		}
		if err := report(geo.Point{Latitude: 95, Longitude: 37}); fault.KeyOf(err) != "order.bad_point" {
			t.Errorf("no point: %v", err)
		}
		if err := report(at); err != nil || !seen() {
			t.Errorf("on the way: %v", err)
		}
		h.Move(t, o, order.Done)
		if seen() {
			t.Error("seen after the order was done")
		}
		if rows, err := d.Read().ListCourierPositions(t.Context(), time.Time{}); err != nil || len(rows) != 0 {
			t.Errorf("the position is kept: %v, %v", rows, err)
		}
	})
}

// placeSent places an order for delivery whose courier is on the way.
func placeSent(t *testing.T, h *ordertest.Restaurant) (visit.Context, order.Order) {
	t.Helper()
	v := h.Visitor(t, "sushi")
	o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
	h.Move(t, o, order.Cooking, order.Sent)
	return v, o
}

// Another courier takes over an order on its way. Place and way of the first one are not shown as theirs.
func TestCourier_isNotSeenWhereTheFormerOneWas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeSent(t, h)
		at := geo.Point{Latitude: 55.751, Longitude: 37.601}
		report := func(r follow.Report) {
			t.Helper()
			if err := h.Follow.SetCourierLocation(t.Context(), v.Snapshot, o.ID, r, h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		see := func() (follow.Position, bool) {
			t.Helper()
			p, isKnown, err := h.Follow.Courier(t.Context(), v, o.ID)
			if err != nil {
				t.Fatal(err)
			}
			return p, isKnown
		}
		assign := func(c order.Courier) {
			t.Helper()
			if _, err := h.Orders.AssignCourier(t.Context(), o.ID, c, false, "Vera", h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		assign(order.Courier{ID: "c7", Name: "Ivan"})
		report(follow.Report{Point: at, Route: []geo.Point{at, at}})
		assign(order.Courier{ID: "c7", Name: "Ivan Petrov"})
		if _, isKnown := see(); !isKnown {
			t.Error("the place is gone with the name that was corrected")
		}
		assign(order.Courier{ID: "c8", Name: "Olga"})
		if p, isKnown := see(); isKnown {
			t.Errorf("Olga is seen at %v", p.Point)
		}
		report(follow.Report{Point: at})
		if p, _ := see(); len(p.Route) != 0 {
			t.Errorf("Olga goes the way of Ivan: %v", p.Route)
		}
	})
}

// The way is that of the last report that had one, the minutes are those of the last report alone. A courier
// stands since the first of the reports that are less than 50 m apart.
func TestCourier_hasRouteMinutesAndSinceWhenItStands(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeSent(t, h)
		at := geo.Point{Latitude: 55.751, Longitude: 37.601}
		near, far := geo.Point{Latitude: 55.7513, Longitude: 37.601}, geo.Point{Latitude: 55.752, Longitude: 37.601}
		way, minutes := []geo.Point{at, far}, 7
		start := h.Clock.Now()
		for _, step := range []struct {
			name       string
			report     follow.Report
			route      []geo.Point
			hasMinutes bool
			still      time.Duration
		}{
			{"first report", follow.Report{Point: at, Route: way, Minutes: &minutes}, way, true, 0},
			{"near to the first one", follow.Report{Point: near}, way, false, 0},
			{"away from the first one", follow.Report{Point: far, Minutes: &minutes}, way, true, 2 * time.Minute},
			{"back, without a way", follow.Report{Point: at, Route: []geo.Point{}}, nil, false, 3 * time.Minute},
		} {
			if err := h.Follow.SetCourierLocation(t.Context(), v.Snapshot, o.ID, step.report, h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			got, known, err := h.Follow.Courier(t.Context(), v, o.ID)
			if err != nil || !known {
				t.Fatalf("%s: %v, %v", step.name, known, err)
			}
			if got.Point != step.report.Point || !slices.Equal(got.Route, step.route) || (got.Minutes != nil) != step.hasMinutes {
				t.Errorf("%s: %+v", step.name, got)
			}
			if !got.StillSince.Equal(start.Add(step.still)) {
				t.Errorf("%s: it stands since %v after the first report, want %v", step.name, got.StillSince.Sub(start), step.still)
			}
			h.Clock.Advance(time.Minute)
		}
		bad := follow.Report{Point: at, Route: []geo.Point{{Latitude: 95}}}
		if err := h.Follow.SetCourierLocation(t.Context(), v.Snapshot, o.ID, bad, h.Clock.Now()); fault.KeyOf(err) != "order.bad_point" {
			t.Errorf("a way off the earth: %v", err)
		}
	})
}

// Another process moves the order and reports its courier. The watcher gets each state and the
// position once, and the channel closes after the last state. Watching a done order shows that
// state and closes.
func TestWatch_sendsEachStateOnceAndCloses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go h.Follow.Run(ctx, func(err error) { t.Error(err) })
		events, err := h.Follow.Watch(ctx, v, o.ID)
		if err != nil {
			t.Fatal(err)
		}
		// Another process of the same database makes the changes.
		other := h.NewProcess(t)
		next := func() follow.Event {
			select {
			case e := <-events:
				return e
			case <-time.After(20 * time.Second):
				t.Fatal("nothing came")
				return follow.Event{}
			}
		}
		expectState := func(s order.State) {
			t.Helper()
			if e := next(); e.Order == nil || e.Order.State != s {
				t.Fatalf("got %+v, want %s", e, s)
			}
		}
		expectState(order.Accepted)
		other.Move(t, o, order.Cooking)
		expectState(order.Cooking)
		other.Move(t, o, order.Sent)
		expectState(order.Sent)
		if err := other.Follow.SetCourierLocation(ctx, v.Snapshot, o.ID, follow.Report{Point: carttest.InFree}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if e := next(); e.Courier == nil || e.Courier.Point != carttest.InFree {
			t.Fatalf("got %+v", e)
		}
		other.Move(t, o, order.Done)
		expectState(order.Done)
		if e, open := <-events; open {
			t.Errorf("after the end: %+v", e)
		}
		late, err := h.Follow.Watch(ctx, v, o.ID)
		if err != nil {
			t.Fatal(err)
		}
		if e := <-late; e.Order.State != order.Done {
			t.Errorf("late: %+v", e)
		}
		if _, open := <-late; open {
			t.Error("a final order is still watched")
		}
	})
}

// Of a hundred watchers of one order some are refused. Another order can still be watched.
func TestWatch_limitsWatchersOfOneOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		first := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		var err error
		for range 100 {
			if _, err = h.Follow.Watch(t.Context(), v, first.ID); err != nil {
				break
			}
		}
		if fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("a hundred streams of one order: %v", err)
		}
		second := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		if _, err := h.Follow.Watch(t.Context(), v, second.ID); err != nil {
			t.Errorf("they keep others out: %v", err)
		}
	})
}

// A visitor who has looked the order up by phone sees neither the courier nor the phone. A visitor
// with its link sees the courier.
func TestLookUp_inBriefShowsNoCourier(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		for _, to := range []order.State{order.Cooking, order.Sent} {
			if _, err := h.Orders.SetState(t.Context(), o.ID, to, "anna", h.Clock.Advance(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if err := h.Follow.SetCourierLocation(t.Context(), v.Snapshot, o.ID, follow.Report{Point: geo.Point{Latitude: 55.75, Longitude: 37.61}}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		byPhone, byLink := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		for _, c := range []struct {
			v            visit.Context
			lookup       order.Lookup
			wantCouriers int
		}{{byPhone, order.Lookup{OrderID: o.ID, Phone: o.Phone}, 0}, {byLink, order.Lookup{OrderID: o.ID, Link: o.Link}, 1}} {
			if _, err := h.Orders.LookUp(t.Context(), c.v, c.lookup); err != nil {
				t.Fatal(err)
			}
			_, known, err := h.Follow.Courier(t.Context(), c.v, o.ID)
			if err != nil || known != (c.wantCouriers == 1) {
				t.Errorf("the courier is known: %v, %v", known, err)
			}
			events, err := h.Follow.Watch(t.Context(), c.v, o.ID)
			if err != nil {
				t.Fatal(err)
			}
			couriers := 0
			for range len(events) {
				e := <-events
				if e.Courier != nil {
					couriers++
				} else if e.Order.View == order.BriefView && e.Order.Phone != "" {
					t.Error("the stream shows the phone")
				}
			}
			if couriers != c.wantCouriers {
				t.Errorf("the stream shows %d couriers, want %d", couriers, c.wantCouriers)
			}
		}
	})
}
