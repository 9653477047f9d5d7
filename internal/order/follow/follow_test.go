package follow_test

import (
	"context"
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
		report := func(p geo.Point) error { return h.Follow.SetCourier(t.Context(), v.Snapshot, o.ID, p, h.Clock.Now()) }
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
		want := func(s order.State) {
			t.Helper()
			if e := next(); e.Order == nil || e.Order.State != s {
				t.Fatalf("got %+v, want %s", e, s)
			}
		}
		want(order.Accepted)
		other.Move(t, o, order.Cooking)
		want(order.Cooking)
		other.Move(t, o, order.Sent)
		want(order.Sent)
		if err := other.Follow.SetCourier(ctx, v.Snapshot, o.ID, carttest.InFree, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if e := next(); e.Courier == nil || e.Courier.Point != carttest.InFree {
			t.Fatalf("got %+v", e)
		}
		other.Move(t, o, order.Done)
		want(order.Done)
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

// A hundred watchers of one order are too many; another order can still be watched.
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

// Who has looked the order up by phone sees no courier and no phone; who has its link sees the
// courier.
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
		if err := h.Follow.SetCourier(t.Context(), v.Snapshot, o.ID, geo.Point{Latitude: 55.75, Longitude: 37.61}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		byPhone, byLink := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		for _, look := range []struct {
			v    visit.Context
			look order.Lookup
			want int
		}{{byPhone, order.Lookup{OrderID: o.ID, Phone: o.Phone}, 0}, {byLink, order.Lookup{OrderID: o.ID, Link: o.Link}, 1}} {
			if _, err := h.Orders.LookUp(t.Context(), look.v, look.look); err != nil {
				t.Fatal(err)
			}
			_, known, err := h.Follow.Courier(t.Context(), look.v, o.ID)
			if err != nil || known != (look.want == 1) {
				t.Errorf("the courier is known: %v, %v", known, err)
			}
			events, err := h.Follow.Watch(t.Context(), look.v, o.ID)
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
			if couriers != look.want {
				t.Errorf("the stream shows %d couriers, want %d", couriers, look.want)
			}
		}
	})
}
