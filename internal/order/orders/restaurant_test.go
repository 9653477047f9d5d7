package orders_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/feed"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
)

// refusedAs reports whether the error is the fault with the key.
func refusedAs(err error, key string) bool {
	f, ok := fault.Of(err)
	return ok && f.Message.Key == key
}

// placeIn returns a delivery in the state.
func (h *house) placeIn(t *testing.T, s order.State) order.Order {
	t.Helper()
	v := h.Visitor(t, "sushi")
	o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
	path := order.Path(o.Type)
	h.Move(t, o, path[1:slices.Index(path, s)+1]...)
	return o
}

// read returns the order as it is stored.
func (h *house) read(t *testing.T, id int64) order.Order {
	t.Helper()
	found, err := h.Orders.Read(t.Context(), id)
	if err != nil || len(found) != 1 {
		t.Fatal(len(found), err)
	}
	return found[0]
}

// An order that is accepted is refused, one that is cooked is canceled, one on its way is undelivered,
// each with its reason and once. The other ends are refused, and nothing changes.
func TestCancelForRestaurant_endsAnOrderByItsState(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		ends := map[order.State][]order.Outcome{
			order.Accepted: {order.OutcomeRefused, order.OutcomeCanceled},
			order.Cooking:  {order.OutcomeCanceled},
			order.Sent:     {order.OutcomeUndelivered, order.OutcomeCanceled},
			order.Done:     nil,
		}
		for state, allowed := range ends {
			for _, outcome := range order.Outcomes() {
				o := h.placeIn(t, state)
				r := order.CancelRequest{Outcome: outcome, Reason: "sold_out", Note: "no dough", Actor: "Vera"}
				if outcome == order.OutcomeUndelivered {
					r.Food = "returned"
				}
				_, err := h.Orders.CancelForRestaurant(t.Context(), o.ID, r, h.Clock.Now())
				got := h.read(t, o.ID)
				if !slices.Contains(allowed, outcome) {
					if !refusedAs(err, "order.not_movable") || got.State != state || got.Outcome != "" {
						t.Errorf("%s: %s is not refused: %v, %s", state, outcome, err, got.State)
					}
					continue
				}
				if err != nil {
					t.Fatal(state, outcome, err)
				}
				// A repeated call changes nothing.
				if _, err := h.Orders.CancelForRestaurant(t.Context(), o.ID, order.CancelRequest{Outcome: order.OutcomeCanceled}, h.Clock.Now()); err != nil {
					t.Errorf("%s: again: %v", state, err)
				}
				got = h.read(t, o.ID)
				last := got.History[len(got.History)-1]
				if got.State != order.Canceled || got.Outcome != outcome || last.Reason != "sold_out" || last.Note != "no dough" || last.Actor != "operator:Vera" ||
					last.Kind != order.Cancellation || last.Food != r.Food {
					t.Errorf("%s: %s ended as %s %s with %+v", state, outcome, got.State, got.Outcome, last)
				}
			}
		}
	})
}

func TestCancelForRestaurant_refusesWhatIsNotOnItsLists(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.placeIn(t, order.Sent)
		for field, r := range map[string]order.CancelRequest{
			"outcome": {Outcome: "lost"},
			"reason":  {Outcome: order.OutcomeCanceled, Reason: "rain"},
			"food":    {Outcome: order.OutcomeUndelivered},
			"note":    {Outcome: order.OutcomeCanceled, Note: string(make([]byte, 501))},
		} {
			_, err := h.Orders.CancelForRestaurant(t.Context(), o.ID, r, h.Clock.Now())
			if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Fields[field] == nil {
				t.Errorf("%s: %v", field, err)
			}
		}
	})
}

// A paid order that is canceled while it is cooked is refunded in full and once. The refund is listed with
// its sum, and the customer's news stays the cancellation.
func TestCancelForRestaurant_refundsWhatWasPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		before := c.Balance(t, v)
		o, _ := c.MarkPaid(t, c.Place(t, v, c.PayWithBonuses(t, v, c.TakeawayFromPhone(t, v, 1), money.Major(40))))
		c.Move(t, o, order.Cooking)
		for range 2 {
			if _, err := c.Orders.CancelForRestaurant(t.Context(), o.ID, order.CancelRequest{Outcome: order.OutcomeCanceled}, c.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		c.SweepEachMinute(t, 2*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
		c.WantBalance(t, v, before)
		c.WantBalanced(t)
		got := c.WithPayment(t, o.ID).Order
		last := got.History[len(got.History)-1]
		if last.Kind != order.Refunded || last.Amount != o.Prices.Total || last.State != order.Canceled || !got.IsRefunded() {
			t.Errorf("at last %+v", last)
		}
		if news := got.History[len(got.History)-2]; news.Kind != order.Cancellation || got.NewsID() != news.ID {
			t.Errorf("the news is %d, the cancellation %+v", got.NewsID(), news)
		}
	})
}

// A time within the agreed interval narrows the promise. A later one makes the order late: its
// customer may cancel it while it is cooked, and the agreed time is kept.
func TestDelay_letsTheCustomerCancelWhenItIsLate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		h.Move(t, o, order.Cooking)
		delay := func(to time.Time) order.Order {
			t.Helper()
			for range 2 { // a repeated call changes nothing
				if _, err := h.Orders.Delay(t.Context(), o.ID, to, "", "Vera", h.Clock.Now()); err != nil {
					t.Fatal(err)
				}
			}
			return h.read(t, o.ID)
		}
		got := delay(o.PromisedTo.Add(-time.Minute))
		if got.IsLate() || got.CanCancel() || !got.AgreedTo.Equal(o.PromisedTo) || len(got.History) != 3 {
			t.Errorf("within the interval: late %v, agreed for %s, %d changes", got.IsLate(), got.AgreedTo, len(got.History))
		}
		if _, err := h.Orders.Cancel(t.Context(), h.Again(t, v, "sushi"), o.ID); !refusedAs(err, "order.not_cancelable_cooking") {
			t.Errorf("an order in time is canceled while it is cooked: %v", err)
		}
		later := o.PromisedTo.Add(40 * time.Minute)
		got = delay(later)
		if !got.IsLate() || !got.PromisedTo.Equal(later) || !got.AgreedTo.Equal(o.PromisedTo) || got.NewsID() != got.ChangeID {
			t.Errorf("late: %v, promised for %s", got.IsLate(), got.PromisedTo)
		}
		if _, err := h.Orders.Cancel(t.Context(), h.Again(t, v, "sushi"), o.ID); err != nil {
			t.Errorf("a late order cannot be canceled: %v", err)
		}
		open := h.placeIn(t, order.Accepted)
		for _, to := range []time.Time{h.Clock.Now(), open.PromisedTo.Add(24 * time.Hour)} {
			_, err := h.Orders.Delay(t.Context(), open.ID, to, "", "", h.Clock.Now())
			if f, ok := fault.Of(err); !ok || f.Fields["promised_at"] == nil {
				t.Errorf("promised for %s: %v", to, err)
			}
		}
		if _, err := h.Orders.Delay(t.Context(), o.ID, later.Add(time.Hour), "", "", h.Clock.Now()); !refusedAs(err, "order.not_movable") {
			t.Errorf("a canceled order is delayed: %v", err)
		}
	})
}

// An interval that the customer has chosen is not brought forward. Delayed and brought back, it begins as
// agreed; a day ahead it can be promised too.
func TestDelay_keepsToTheChosenInterval(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, ordertest.HalfPast(15)))
		delay := func(to time.Time) (order.Order, error) {
			return h.Orders.Delay(t.Context(), o.ID, to, "", "", h.Clock.Now())
		}
		if _, err := delay(o.PromisedFrom.Add(-time.Minute)); err == nil {
			t.Error("an interval is brought forward")
		}
		length := o.PromisedTo.Sub(o.PromisedFrom)
		later := o.PromisedTo.Add(20 * time.Hour)
		if got, err := delay(later); err != nil || !got.PromisedFrom.Equal(later.Add(-length)) {
			t.Errorf("promised from %s on: %v", got.PromisedFrom, err)
		}
		moscow := o.PromisedTo.Location()
		late := h.read(t, o.ID)
		if text := late.Description(moscow, h.Clock.Now()); text[len(text)-1].Key != "order.late_delivery_day" {
			t.Errorf("the next day is not named: %v", text)
		}
		back := o.PromisedTo.Add(-time.Minute)
		if got, err := delay(back); err != nil || !got.PromisedFrom.Equal(o.PromisedFrom) || got.IsLate() {
			t.Errorf("brought back, it is promised from %s on, late: %v, %v", got.PromisedFrom, got.IsLate(), err)
		}
	})
}

// An order that is late can no longer be canceled by its customer once it is sent.
func TestDelay_ofAnOrderThatIsSentLeavesNoWayBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		h.Move(t, o, order.Cooking, order.Sent)
		if _, err := h.Orders.Delay(t.Context(), o.ID, o.PromisedTo.Add(time.Hour), "", "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orders.Cancel(t.Context(), h.Again(t, v, "sushi"), o.ID); !refusedAs(err, "order.not_cancelable_sent") {
			t.Error(err)
		}
	})
}

// The first who takes an order is named on it, and the time that they promise counts.
func TestTakeOrder_marksAnOrderOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.placeIn(t, order.Accepted)
		promised := o.PromisedTo.Add(10 * time.Minute)
		if _, err := h.Orders.TakeOrder(t.Context(), o.ID, promised, "Vera", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orders.TakeOrder(t.Context(), o.ID, time.Time{}, "Oleg", h.Clock.Advance(time.Minute)); err != nil {
			t.Fatal(err)
		}
		got := h.read(t, o.ID)
		if got.State != order.Accepted || got.TakenBy != "operator:Vera" || got.TakenAt.IsZero() || !got.PromisedTo.Equal(promised) || len(got.History) != 2 {
			t.Errorf("%s, taken by %q at %s, promised for %s, %d changes", got.State, got.TakenBy, got.TakenAt, got.PromisedTo, len(got.History))
		}
		sent := h.placeIn(t, order.Sent)
		if _, err := h.Orders.TakeOrder(t.Context(), sent.ID, time.Time{}, "", h.Clock.Now()); !refusedAs(err, "order.not_movable") {
			t.Errorf("an order on its way is taken: %v", err)
		}
	})
}

// A mistaken move is undone within five minutes and once; what is final stays.
func TestStepBack_undoesOneMoveWithinFiveMinutes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		for from, to := range map[order.State]order.State{order.Cooking: order.Accepted, order.Sent: order.Cooking} {
			o := h.placeIn(t, from)
			h.Clock.Advance(5 * time.Minute)
			for range 2 { // a repeated call takes no second step
				if _, err := h.Orders.StepBack(t.Context(), o.ID, "Vera", h.Clock.Now()); err != nil {
					t.Fatal(from, err)
				}
			}
			got := h.read(t, o.ID)
			if _, reached := got.ReachedAt(from); got.State != to || reached {
				t.Errorf("from %s back to %s, still reached: %v", from, got.State, reached)
			}
			h.Move(t, o, from) // and goes on
			if _, reached := h.read(t, o.ID).ReachedAt(from); !reached {
				t.Errorf("%s is not reached again", from)
			}
			late := h.placeIn(t, from)
			h.Clock.Advance(5*time.Minute + time.Second)
			if _, err := h.Orders.StepBack(t.Context(), late.ID, "", h.Clock.Now()); !refusedAs(err, "order.no_step_back") {
				t.Errorf("%s after more than five minutes: %v", from, err)
			}
		}
		for _, final := range []order.State{order.Accepted, order.Done} {
			o := h.placeIn(t, final)
			if _, err := h.Orders.StepBack(t.Context(), o.ID, "", h.Clock.Now()); !refusedAs(err, "order.no_step_back") {
				t.Errorf("from %s: %v", final, err)
			}
		}
	})
}

// readAll reads the changes from the number on, two at a time, as a reader does.
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

// A reader that goes on from the last number gets each change once, in order: of a customer's
// cancellation too, and of orders of other shops none.
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
			t.Errorf("behind the last number stand %v", again)
		}
	})
}

// changeReader reads the feed from where it has come to, and expects each number to be above all before.
type changeReader struct {
	changes *feed.Service
	last    int64
	numbers []int64
	orders  []int64
}

// read reads to the end, two changes at a time.
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

// A change that was rolled back leaves a number that never comes, and holds no reader back.
func TestFeed_goesOnBehindANumberThatWasRolledBack(t *testing.T) {
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
