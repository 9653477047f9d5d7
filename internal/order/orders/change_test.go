package orders_test

import (
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/follow"
	"servery/internal/order/orders"
	"servery/internal/schedule"
)

// openFeed polls open orders as an operator's program does: from the highest number received on.
type openFeed struct {
	orders *orders.Service
	after  int64
	seen   map[int64]order.State
}

// poll reads the open orders above the last number, and stores their states and the highest
// number.
func (f *openFeed) poll(t testing.TB) {
	t.Helper()
	orders, err := f.orders.Open(t.Context(), orders.OpenQuery{After: f.after, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range orders {
		f.seen[o.ID] = o.State
		f.after = max(f.after, o.ChangeID)
	}
}

// expectState fails the test unless the polls have shown the order in the state last.
func (f *openFeed) expectState(t testing.TB, id int64, state order.State) {
	t.Helper()
	if got := f.seen[id]; got != state {
		t.Errorf("the feed shows order %d as %q, want %q", id, got, state)
	}
}

// heldMove is a move of an order whose number is drawn and whose transaction is open.
type heldMove struct {
	release chan struct{}
	ended   chan error
}

// holdMove moves an order in a transaction that stays open, with the number of the change drawn,
// until commit is called.
func (h *house) holdMove(t testing.TB, id int64, to order.State) heldMove {
	t.Helper()
	m := heldMove{make(chan struct{}), make(chan error, 1)}
	drawn := make(chan struct{})
	go func() {
		m.ended <- h.DB.InTx(t.Context(), func(tx *db.Tx) error {
			if err := orders.Advance(t.Context(), tx, id, to, h.Clock.Now()); err != nil {
				return err
			}
			close(drawn)
			<-m.release
			return nil
		})
	}()
	select {
	case <-drawn:
	case err := <-m.ended:
		t.Fatal(err)
	}
	return m
}

// commit commits the transaction of the move.
func (m heldMove) commit(t testing.TB) {
	t.Helper()
	close(m.release)
	if err := <-m.ended; err != nil {
		t.Fatal(err)
	}
}

// startMove moves an order while another transaction is open. On PostgreSQL it returns when the
// move is done; on SQLite the move waits for that transaction, and Wait waits for the move.
func (h *house) startMove(t testing.TB, id int64, to order.State) *sync.WaitGroup {
	t.Helper()
	var move sync.WaitGroup
	move.Go(func() {
		if _, err := h.Orders.SetState(t.Context(), id, to, "", h.Clock.Now()); err != nil {
			t.Error(err)
		}
	})
	if h.DB.Engine() == db.Postgres {
		move.Wait()
	}
	return &move
}

// A change with a lower number is committed after one with a higher. A poll between the two
// shows neither, and the next shows both.
func TestService_Open_neverPassesAChangeThatIsNotCommitted(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		var orders [3]order.Order
		for n := range orders {
			v := h.Visitor(t, "sushi")
			orders[n] = h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
		}
		kitchen := openFeed{orders: h.Orders, seen: map[int64]order.State{}}
		kitchen.poll(t)
		start := kitchen.after
		first := h.holdMove(t, orders[0].ID, order.Cooking)
		second := h.startMove(t, orders[1].ID, order.Cooking)
		kitchen.poll(t)
		if kitchen.after != start {
			t.Errorf("the feed is at %d while a change above %d is not committed", kitchen.after, start)
		}
		kitchen.expectState(t, orders[1].ID, order.Accepted)
		first.commit(t)
		second.Wait()
		kitchen.poll(t)
		for n, want := range []order.State{order.Cooking, order.Cooking, order.Accepted} {
			kitchen.expectState(t, orders[n].ID, want)
		}
		h.Move(t, orders[2], order.Cooking)
		kitchen.poll(t)
		kitchen.expectState(t, orders[2].ID, order.Cooking)
	})
}

// A change with a lower number is committed minutes after one with a higher. The watcher of its
// order gets it.
func TestService_Watch_showsAChangeThatCommitsLate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		var orders [2]order.Order
		v := h.Visitor(t, "sushi")
		for n := range orders {
			orders[n] = h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
		}
		events, err := h.Follow.Watch(t.Context(), v, orders[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		expectState := func(state order.State) {
			t.Helper()
			select {
			case e := <-events:
				if e.Order == nil || e.Order.State != state {
					t.Fatalf("got %+v, want %s", e, state)
				}
			default:
				t.Fatalf("no event, want %s", state)
			}
		}
		expectState(order.Accepted)
		var p follow.Progress
		poll := func() {
			t.Helper()
			if err := h.Follow.PollChanges(t.Context(), &p); err != nil {
				t.Fatal(err)
			}
		}
		poll()
		first := h.holdMove(t, orders[0].ID, order.Cooking)
		second := h.startMove(t, orders[1].ID, order.Cooking)
		for range 3 { // however long it takes
			poll()
			h.Clock.Advance(time.Minute)
		}
		first.commit(t)
		second.Wait()
		poll()
		expectState(order.Cooking)
	})
}

// A transaction has locks on sessions, phones and addresses. Open still returns all orders.
func TestService_Open_isNotHeldBackByOtherLocks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Engine() != db.Postgres {
			return // one writer at a time: nothing is locked by name
		}
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Takeaway(t, v, carttest.Arbat, "asap"))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for _, what := range []db.Locked{db.LockedSession, db.LockedPhone, db.LockedAddress, db.LockedNetwork, db.LockedIntervals} {
				for _, name := range []string{"1", "2", "a", "b", "192.0.2.1", "sushi 79161234567"} {
					if err := tx.Lock(t.Context(), what, name); err != nil {
						return err
					}
				}
			}
			f := openFeed{orders: h.Orders, seen: map[int64]order.State{}}
			f.poll(t)
			f.expectState(t, o.ID, order.Accepted)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
