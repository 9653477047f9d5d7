package feed_test

import (
	"reflect"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/correct"
	"servery/internal/order/feed"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
)

// Each listed change equals the one in the history of its order, with the courier and the corrected fields.
func TestFeed_listsEachChangeWhole(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		name := "Vera"
		if _, _, err := correct.New(d, h.Orders, h.Payments).Correct(t.Context(), h.Catalog.Current(), o.ID, correct.Request{Key: "name", Name: &name, Actor: "desk"}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		const isOwn = false // the desk assigns the courier
		if _, err := h.Orders.AssignCourier(t.Context(), o.ID, order.Courier{ID: "c7", Name: "Ivan"}, isOwn, "desk", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		found, err := h.Orders.Read(t.Context(), o.ID)
		if err != nil || len(found) != 1 || len(found[0].History) != 3 {
			t.Fatalf("%d orders, %v: %+v", len(found), err, found)
		}
		page, err := feed.New(d).List(t.Context(), feed.Query{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var listed []order.Change
		for _, e := range page.Entries {
			listed = append(listed, e.Change)
		}
		if !reflect.DeepEqual(listed, found[0].History) {
			t.Errorf("the feed lists %+v, the history is %+v", listed, found[0].History)
		}
	})
}

// A reader of a database that was restored from a copy has numbers that the copy does not know: no later change has one
// of them, else it would pass for one that the reader has processed.
func TestFeed_listsWhatHappensAfterARestoreToAReaderFromBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		known := h.Place(t, v, h.Delivery(t, v, schedule.ASAP)).History[0].ID + 1000
		if err := d.Hold(t.Context(), h.Clock.Now(), "it was restored"); err != nil {
			t.Fatal(err)
		}
		if err := d.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		page, err := feed.New(d).List(t.Context(), feed.Query{After: known, Limit: 10})
		if err != nil || len(page.Entries) != 1 || page.Entries[0].OrderID != o.ID {
			t.Errorf("after change %d: %+v, %v", known, page, err)
		}
	})
}
