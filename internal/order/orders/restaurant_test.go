package orders_test

import (
	"slices"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
)

// isRefusedAs reports whether the error is the fault with the key.
func isRefusedAs(err error, key string) bool {
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

// An accepted order can be refused or canceled, one that is cooked can be canceled, one on its way can be
// undelivered or canceled: once, with the reason. Any other outcome is refused and changes nothing.
func TestCancelForRestaurant_endsAnOrderByItsState(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		outcomes := map[order.State][]order.Outcome{
			order.Accepted: {order.OutcomeRefused, order.OutcomeCanceled},
			order.Cooking:  {order.OutcomeCanceled},
			order.Sent:     {order.OutcomeUndelivered, order.OutcomeCanceled},
			order.Done:     nil,
		}
		for state, allowed := range outcomes {
			for _, outcome := range order.Outcomes() {
				o := h.placeIn(t, state)
				r := order.CancelRequest{Outcome: outcome, Reason: "sold_out", Note: "no dough", Actor: "Vera"}
				if outcome == order.OutcomeUndelivered {
					r.Food = "returned"
				}
				_, err := h.Orders.CancelForRestaurant(t.Context(), o.ID, r, h.Clock.Now())
				got := h.read(t, o.ID)
				if !slices.Contains(allowed, outcome) {
					if !isRefusedAs(err, "order.not_movable") || got.State != state || got.Outcome != "" {
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
// its sum, and the latest news for the customer is still the cancellation.
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
		if _, err := h.Orders.Cancel(t.Context(), h.Again(t, v, "sushi"), o.ID); !isRefusedAs(err, "order.not_cancelable_cooking") {
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
		if _, err := h.Orders.Delay(t.Context(), o.ID, later.Add(time.Hour), "", "", h.Clock.Now()); !isRefusedAs(err, "order.not_delayable") {
			t.Errorf("a canceled order is delayed: %v", err)
		}
	})
}

// An order for a chosen interval cannot be promised earlier than that. It can be delayed to the next day.
// Brought back into the interval, its promise begins as agreed.
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

// A time finer than the database stores is one change however often the call is repeated, so that the customer gets
// one message about it.
func TestDelay_isRepeatedWithAFractionOfASecond(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.placeIn(t, order.Accepted)
		later := o.PromisedTo.Add(40*time.Minute + 123456789*time.Nanosecond)
		for range 2 {
			if _, err := h.Orders.Delay(t.Context(), o.ID, later, "", "Vera", h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.read(t, o.ID); len(got.History) != len(o.History)+1 {
			t.Errorf("%d changes: %+v", len(got.History), got.History)
		}
	})
}

// An order that is late can no longer be canceled by its customer once it is sent.
func TestDelay_ofASentOrderDoesNotLetTheCustomerCancel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		h.Move(t, o, order.Cooking, order.Sent)
		if _, err := h.Orders.Delay(t.Context(), o.ID, o.PromisedTo.Add(time.Hour), "", "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orders.Cancel(t.Context(), h.Again(t, v, "sushi"), o.ID); !isRefusedAs(err, "order.not_cancelable_sent") {
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
		if _, err := h.Orders.TakeOrder(t.Context(), sent.ID, time.Time{}, "", h.Clock.Now()); !isRefusedAs(err, "order.not_movable") {
			t.Errorf("an order on its way is taken: %v", err)
		}
	})
}

// A mistaken move can be undone within five minutes, once. An accepted or a done order cannot go back.
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
			h.Move(t, o, from) // it goes on as usual
			if _, reached := h.read(t, o.ID).ReachedAt(from); !reached {
				t.Errorf("%s is not reached again", from)
			}
			late := h.placeIn(t, from)
			h.Clock.Advance(5*time.Minute + time.Second)
			if _, err := h.Orders.StepBack(t.Context(), late.ID, "", h.Clock.Now()); !isRefusedAs(err, "order.no_step_back") {
				t.Errorf("%s after more than five minutes: %v", from, err)
			}
		}
		for _, state := range []order.State{order.Accepted, order.Done} {
			o := h.placeIn(t, state)
			if _, err := h.Orders.StepBack(t.Context(), o.ID, "", h.Clock.Now()); !isRefusedAs(err, "order.no_step_back") {
				t.Errorf("from %s: %v", state, err)
			}
		}
	})
}
