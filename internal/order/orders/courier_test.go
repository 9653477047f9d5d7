package orders_test

import (
	"strings"
	"sync"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/schedule"
)

// Arguments isOwn of AssignCourier and HandOver: whether the courier made the call.
const own, byOther = true, false

var ivan = order.Courier{ID: "c7", Name: "Ivan Petrov", Phone: "79161230000"}

// kindsOf returns the kinds of the changes of an order, without the first.
func kindsOf(o order.Order) []string {
	var kinds []string
	for _, c := range o.History[1:] {
		kinds = append(kinds, string(c.Kind))
	}
	return kinds
}

// A courier is assigned, replaced by another and taken off while the order is not sent, each once; one
// who takes the order themselves does not get it from another. The history names them.
func TestAssignCourier_isChangedAndTakenOffUntilItIsSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.placeIn(t, order.Accepted)
		olga := order.Courier{ID: "c8", Name: "Olga"}
		assign := func(c order.Courier, isOwn bool) error {
			_, err := h.Orders.AssignCourier(t.Context(), o.ID, c, isOwn, "Vera", h.Clock.Now())
			return err
		}
		remove := func(id string) error {
			_, err := h.Orders.RemoveCourier(t.Context(), o.ID, id, "Vera", h.Clock.Now())
			return err
		}
		for i, call := range []struct {
			do   func() error
			want string
		}{
			{func() error { return remove("") }, ""},
			{func() error { return assign(ivan, own) }, ""},
			{func() error { return assign(ivan, own) }, ""},
			{func() error { return assign(olga, own) }, "order.courier_taken"},
			{func() error { return assign(olga, byOther) }, ""},
			{func() error { return remove(ivan.ID) }, "order.courier_taken"},
			{func() error { return remove(olga.ID) }, ""},
			{func() error { return assign(olga, own) }, ""},
		} {
			if err := call.do(); call.want == "" && err != nil || call.want != "" && !isRefusedAs(err, call.want) {
				t.Errorf("call %d: %v, want %q", i, err, call.want)
			}
		}
		got := h.read(t, o.ID)
		if kinds := strings.Join(kindsOf(got), " "); kinds != "courier_assigned courier_assigned courier_removed courier_assigned" || got.Courier != olga {
			t.Errorf("%s has the courier %+v", kinds, got.Courier)
		}
		if first := got.History[1]; first.CourierID != ivan.ID || first.Actor != "operator:Vera" || first.State != order.Accepted {
			t.Errorf("the first change is %+v", first)
		}
		h.Move(t, o, order.Cooking, order.Sent)
		if err := remove(""); !isRefusedAs(err, "order.not_movable") {
			t.Errorf("taken off on the way: %v", err)
		}
		if err := assign(ivan, byOther); err != nil {
			t.Errorf("another takes over on the way: %v", err)
		}
		h.Move(t, o, order.Done)
		if err := assign(olga, byOther); !isRefusedAs(err, "order.no_courier") {
			t.Errorf("of a done order: %v", err)
		}
	})
}

// Eight couriers take an order at once, and one of them gets it.
func TestAssignCourier_ofEightWhoTakeItOneGetsIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.placeIn(t, order.Cooking)
		var calls sync.WaitGroup
		var got [8]bool
		for i := range got {
			calls.Go(func() {
				c := order.Courier{ID: string(rune('a' + i)), Name: "Somebody"}
				_, err := h.Orders.AssignCourier(t.Context(), o.ID, c, own, "", h.Clock.Now())
				if got[i] = err == nil; !got[i] && !isRefusedAs(err, "order.courier_taken") {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		winners := 0
		for i, won := range got {
			if won {
				winners++
				if id := h.read(t, o.ID).Courier.ID; id != string(rune('a'+i)) {
					t.Errorf("%s has it, not %d", id, i)
				}
			}
		}
		if winners != 1 {
			t.Errorf("%d got it", winners)
		}
	})
}

// A cooked delivery is handed to its courier and is sent, a cooked takeaway to its customer and is done;
// again changes nothing, and another courier who takes it along is refused. Neither is handed over before it is
// cooked, and a takeaway has no courier.
func TestHandOver_sendsADeliveryAndEndsATakeaway(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		delivery := h.placeIn(t, order.Accepted)
		v := h.Visitor(t, "sushi")
		takeaway := h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
		for _, o := range []order.Order{delivery, takeaway} {
			if _, err := h.Orders.HandOver(t.Context(), o.ID, nil, byOther, "Vera", h.Clock.Now()); !isRefusedAs(err, "order.not_movable") {
				t.Errorf("%s is handed over raw: %v", o.Type, err)
			}
			h.Move(t, o, order.Cooking)
		}
		if _, err := h.Orders.HandOver(t.Context(), takeaway.ID, &ivan, byOther, "", h.Clock.Now()); !isRefusedAs(err, "order.no_courier") {
			t.Errorf("a courier of a takeaway: %v", err)
		}
		if _, err := h.Orders.HandOver(t.Context(), delivery.ID, &order.Courier{ID: "c7"}, byOther, "", h.Clock.Now()); fault.KeyOf(err) != "common.invalid" {
			t.Errorf("a courier without a name: %v", err)
		}
		for range 2 {
			if _, err := h.Orders.HandOver(t.Context(), delivery.ID, &ivan, byOther, "Vera", h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Orders.HandOver(t.Context(), takeaway.ID, nil, byOther, "Vera", h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		olga := order.Courier{ID: "c8", Name: "Olga"}
		if _, err := h.Orders.HandOver(t.Context(), delivery.ID, &olga, own, "Olga", h.Clock.Now()); !isRefusedAs(err, "order.courier_taken") {
			t.Errorf("a courier takes along what another has taken: %v", err)
		}
		if got := h.read(t, delivery.ID); got.State != order.Sent || got.Courier != ivan || strings.Join(kindsOf(got), " ") != "moved courier_assigned moved" || !got.CanStepBack(h.Clock.Now()) {
			t.Errorf("the delivery is %s with %+v after %v", got.State, got.Courier, kindsOf(got))
		}
		if got := h.read(t, takeaway.ID); got.State != order.Done || strings.Join(kindsOf(got), " ") != "moved moved" {
			t.Errorf("the takeaway is %s after %v", got.State, kindsOf(got))
		}
	})
}
