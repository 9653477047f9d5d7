package erase_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/erase"
	"servery/internal/order/ordertest"
	"servery/internal/phone"
)

// A guest orders twice within two years. Neither order is anonymized while the later one is
// recent. Then the done one is, and the open one only once it is done.
func TestAnonymizeIdle_leavesGuestsWhoOrderAgainAndOrdersThatAreOpen(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		sweep := func() {
			if err := erase.AnonymizeIdle(t.Context(), d, "sushi", h.Clock.Now().AddDate(0, -24, 0), h.Clock.Now(), phone.Marks{}); err != nil {
				t.Fatal(err)
			}
		}
		isNamed := func(o order.Order) bool {
			m, err := h.Orders.FindWithPayment(t.Context(), o.ID)
			if err != nil {
				t.Fatal(err)
			}
			return !strings.HasPrefix(m.Order.Phone, "mark:") || m.Order.Details.Username != ""
		}
		first := h.PlaceTakeaway(t, h.Visitor(t, "sushi"))
		h.Move(t, first, order.Cooking, order.Done)
		h.Clock.Advance(600 * 24 * time.Hour)
		again := h.PlaceTakeaway(t, h.Visitor(t, "sushi")) // with the same phone
		h.Clock.Advance(200 * 24 * time.Hour)
		sweep()
		if !isNamed(first) || !isNamed(again) {
			t.Error("a guest who has ordered again is forgotten")
		}
		h.Clock.Advance(600 * 24 * time.Hour)
		sweep()
		if isNamed(first) || !isNamed(again) {
			t.Errorf("done and idle: named is %t; open: named is %t", isNamed(first), isNamed(again))
		}
		h.Move(t, again, order.Cooking, order.Done)
		h.Clock.Advance(31 * 24 * time.Hour)
		sweep()
		if isNamed(again) {
			t.Error("an order that was done since is not forgotten")
		}
	})
}

// Anna takes an order and cooks it. Once the order is anonymized, it names neither its customer nor Anna.
// What was done stays, and that the restaurant did it.
func TestAnonymizeIdle_removesTheNamesOfWhoWorkedAnOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		placed := h.PlaceTakeaway(t, h.Visitor(t, "sushi"))
		if _, err := h.Orders.TakeOrder(t.Context(), placed.ID, time.Time{}, "Anna", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		for _, to := range []order.State{order.Cooking, order.Done} {
			if _, err := h.Orders.SetState(t.Context(), placed.ID, to, "Anna", h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		read := func() order.Order {
			found, err := h.Orders.Read(t.Context(), placed.ID)
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			return found[0]
		}
		before := read()
		if before.TakenBy != "operator:Anna" {
			t.Fatalf("taken by %q", before.TakenBy)
		}
		h.Clock.Advance(800 * 24 * time.Hour)
		if err := erase.AnonymizeIdle(t.Context(), d, "sushi", h.Clock.Now().AddDate(0, -24, 0), h.Clock.Now(), phone.Marks{}); err != nil {
			t.Fatal(err)
		}
		after := read()
		if after.TakenBy != "operator" || !after.TakenAt.Equal(before.TakenAt) || len(after.History) != len(before.History) {
			t.Errorf("taken by %q at %s, %d changes", after.TakenBy, after.TakenAt, len(after.History))
		}
		for i, change := range after.History {
			if want, _, _ := strings.Cut(before.History[i].Actor, ":"); change.Actor != want || change.State != before.History[i].State {
				t.Errorf("change %d to %s is of %q, want %q", i, change.State, change.Actor, want)
			}
		}
	})
}

// Four calls anonymize twenty orders of one phone at once. All orders have the same mark
// afterwards.
func TestAnonymizeIdle_leavesOneMarkWhenTwoProcessesDoItAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		var last order.Order
		for range 20 {
			last = h.PlaceTakeaway(t, h.Visitor(t, "sushi"))
			h.Move(t, last, order.Cooking, order.Done)
		}
		h.Clock.Advance(800 * 24 * time.Hour)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				if err := erase.AnonymizeIdle(t.Context(), d, "sushi", h.Clock.Now().AddDate(0, -24, 0), h.Clock.Now(), phone.Marks{}); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		var other int
		err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM orders WHERE phone <> $1", phone.Marks{}.Of("sushi", last.Phone)).Scan(&other)
		if err != nil || other != 0 {
			t.Errorf("%d orders have another mark than that of the phone, %v", other, err)
		}
	})
}
