package orders_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/feed"
	"servery/internal/order/orders"
	"servery/internal/schedule"
)

// readAll reads the changes after q.After to the end, two at a time. It returns their kinds and the number
// to continue from.
func readAll(t *testing.T, changes *feed.Service, q feed.Query) (kinds []order.ChangeKind, last int64) {
	t.Helper()
	q.Limit = 2
	for {
		page, err := changes.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			kinds = append(kinds, e.Kind)
		}
		if page.Last == q.After {
			return kinds, page.Last
		}
		q.After = page.Last
	}
}

// A reader that continues from the last number gets each change once, in order, also a customer's
// cancellation. A reader for one shop gets no change of another shop's order.
func TestFeed_listsEveryChangeInOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		changes := feed.New(d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
		kinds, last := readAll(t, changes, feed.Query{})
		if !slices.Equal(kinds, []order.ChangeKind{order.Placed}) {
			t.Errorf("at first %v", kinds)
		}
		other := h.PlaceTakeaway(t, h.Visitor(t, "sushi"))
		if _, err := h.Orders.TakeOrder(t.Context(), o.ID, time.Time{}, "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.Move(t, other, order.Cooking)
		if _, err := h.Orders.Cancel(t.Context(), h.Again(t, v, "sushi"), o.ID); err != nil {
			t.Fatal(err)
		}
		all, _ := readAll(t, changes, feed.Query{After: last})
		if want := []order.ChangeKind{order.Placed, order.Taken, order.Moved, order.Cancellation}; !slices.Equal(all, want) {
			t.Errorf("then %v, want %v", all, want)
		}
		ofShop, end := readAll(t, changes, feed.Query{After: last, Site: "sushi", Shops: []int64{o.ShopID}})
		if want := []order.ChangeKind{order.Taken, order.Cancellation}; !slices.Equal(ofShop, want) {
			t.Errorf("of the shop %v, want %v", ofShop, want)
		}
		if again, _ := readAll(t, changes, feed.Query{After: end}); len(again) != 0 {
			t.Errorf("after the last number there are %v", again)
		}
	})
}

// changeReader reads the feed, continuing after last. It expects each number to be above the one before.
type changeReader struct {
	changes *feed.Service
	last    int64
	numbers []int64
	orders  []int64
}

// read reads the feed to its end, two changes at a time, and appends what it reads to numbers and orders.
func (r *changeReader) read(t *testing.T) {
	t.Helper()
	for {
		page, err := r.changes.List(t.Context(), feed.Query{After: r.last, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			if n := len(r.numbers); n > 0 && e.ID <= r.numbers[n-1] {
				t.Errorf("change %d comes after %v", e.ID, r.numbers)
			}
			r.numbers, r.orders = append(r.numbers, e.ID), append(r.orders, e.OrderID)
		}
		if page.Last == r.last {
			return
		}
		r.last = page.Last
	}
}

// Three changes draw their numbers one after another. The last two are committed in the reverse order, and the
// first ten seconds later. A reader that looks again and again gets nothing while a lower number may still come,
// then each once in the order of the numbers.
func TestFeed_followsTheOrderOfCommits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		var orders [3]order.Order
		for n := range orders {
			v := h.Visitor(t, "sushi")
			orders[n] = h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
		}
		reader := changeReader{changes: feed.New(d)}
		reader.read(t)
		start := reader.last
		late := h.holdMove(t, orders[0].ID, order.Cooking)
		wait := h.commitInReverse(t, orders[1].ID, orders[2].ID)
		for range 10 {
			reader.read(t)
			if len(reader.numbers) != 3 || reader.last != start {
				t.Fatalf("while the lowest number is not committed the reader has %v and goes on after %d", reader.numbers, reader.last)
			}
			h.Clock.Advance(time.Second)
		}
		late.commit(t)
		wait()
		reader.read(t)
		got, want := reader.orders[3:], []int64{orders[0].ID, orders[1].ID, orders[2].ID}
		if len(got) == len(want) && d.Engine() == db.SQLite { // the two waited for the first, in no order
			slices.Sort(got[1:])
			slices.Sort(want[1:])
		}
		if !slices.Equal(got, want) {
			t.Errorf("the feed has %v, want %v", got, want)
		}
	})
}

// commitInReverse moves two orders, whose changes draw their numbers one after another and are committed in the
// reverse order. On SQLite both wait for the transaction that is open, and the function that it returns waits for
// them.
func (h *house) commitInReverse(t *testing.T, first, second int64) (wait func()) {
	t.Helper()
	if h.DB.Engine() == db.SQLite {
		one, two := h.startMove(t, first, order.Cooking), h.startMove(t, second, order.Cooking)
		return func() { one.Wait(); two.Wait() }
	}
	lower, higher := h.holdMove(t, first, order.Cooking), h.holdMove(t, second, order.Cooking)
	higher.commit(t)
	lower.commit(t)
	return func() {}
}

// A change that was rolled back leaves a gap in the numbers. A reader does not wait for it.
func TestFeed_goesOnAfterANumberThatWasRolledBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
		errBroken := errors.New("the process is broken")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return errors.Join(orders.Advance(t.Context(), tx, o.ID, order.Cooking, h.Clock.Now()), errBroken)
		})
		if !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		reader := changeReader{changes: feed.New(d)}
		reader.read(t)
		h.Move(t, o, order.Cooking)
		reader.read(t)
		if len(reader.numbers) != 2 {
			t.Errorf("the reader has %v", reader.numbers)
		}
	})
}
