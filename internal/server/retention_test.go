package server_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/retention"
)

// sweep sweeps all areas once, as the program does each minute.
func (e *edge) sweep(t *testing.T) {
	t.Helper()
	if err := e.server.Sweep(t.Context(), e.DB, e.Clock); err != nil {
		t.Fatal(err)
	}
}

// findOverdue returns the tables with rows whose term has ended, each with the number of these rows.
func findOverdue(t *testing.T, e *edge) []string {
	t.Helper()
	var found []string
	for _, table := range retention.Tables() {
		if table.Column == "" {
			continue
		}
		var n int
		query := fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s < $1", table.Name, table.Column)
		if err := e.DB.Reader().QueryRowContext(t.Context(), query, e.Clock.Now().Add(-table.Most)).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			found = append(found, fmt.Sprintf("%d of %s", n, table.Name))
		}
	}
	return found
}

func TestRetention_leavesNothingOverItsTermAndNamesNoPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLeaver(t, d)
		underWay := l.doEverything()
		l.haveStaffWork(underWay)
		l.move(underWay, "cooking", "sent", "done")
		l.leaveTraces()
		expectRowsOfEachTerm(t, d)
		guest := l.edge.browser(t)
		byGuest, _ := l.order(guest, func(request object) { request["phone"] = "79165556688" })
		l.move(byGuest, "cooking", "sent", "done")
		guests := l.edge.browser(t)
		guests.fill()
		booked := func() string {
			return queryRow(t, d, "SELECT COUNT(*), SUM(total) FROM orders") + queryRow(t, d, "SELECT COUNT(*), SUM(amount), SUM(refunded) FROM payment")
		}
		books := booked()
		const step = 28 * 24 * time.Hour
		for passed := time.Duration(0); passed < 720*24*time.Hour; passed += step {
			l.edge.sweep(t)
			places := l.findEntered()
			if len(places["phone"]) == 0 || len(places["room"]) == 0 {
				t.Fatalf("after %v the term is not over, and the person is gone", passed)
			}
			if wasRemoved := passed > 366*24*time.Hour; wasRemoved && slices.ContainsFunc(places["colleague"], isOfStaff) {
				t.Errorf("after %v the colleague still stands in %v", passed, places["colleague"])
			}
			if found := findOverdue(t, l.edge); found != nil {
				t.Errorf("after %v there are %v", passed, found)
			}
			l.edge.Clock.Advance(step)
		}
		for range 3 {
			l.edge.Clock.Advance(step)
			l.edge.sweep(t)
		}
		for what, places := range l.findEntered() {
			if what != "colleague" {
				t.Errorf("%s still stands in %v", what, places)
			}
		}
		if n := queryRow(t, d, "SELECT COUNT(*) FROM orders WHERE phone NOT LIKE 'mark:%' OR session_id <> 0 OR customer_id <> 0"); n != "0 " {
			t.Errorf("%sorders name somebody", n)
		}
		if found := findOverdue(t, l.edge); found != nil {
			t.Errorf("there are %v", found)
		}
		if after := booked(); after != books {
			t.Errorf("the books were %s, are %s", books, after)
		}
		for range 12 { // until three years are over
			l.edge.Clock.Advance(step)
			l.edge.sweep(t)
		}
		expectNoRowsWithATerm(t, d)
		if places := l.findEntered()["colleague"]; len(places) > 0 {
			t.Errorf("the colleague still stands in %v", places)
		}
	})
}

func TestRetention_removesCartsWhenTheTermOfTheBrandIsOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, customer := e.browser(t), e.browser(t)
		guest.order() // keeps the session
		guest.fill()
		customer.signIn(annasPhone)
		customer.fill()
		const day = 24 * time.Hour
		carts := func() string {
			e.sweep(t)
			return queryRow(t, d, "SELECT COUNT(session_id), COUNT(customer_id) FROM cart")
		}
		for _, at := range []struct {
			days time.Duration
			want string
		}{{0, "1 1 "}, {29, "1 1 "}, {2, "0 1 "}, {58, "0 1 "}, {2, "0 0 "}} {
			e.Clock.Advance(at.days * day)
			if got := carts(); got != at.want {
				t.Errorf("%d days later there are carts of guests and customers %s, want %s", at.days, got, at.want)
			}
		}
		guest.fill()
		e.Clock.Advance(20 * day)
		carts()
		guest.fill()
		e.Clock.Advance(20 * day)
		if got := carts(); got != "1 0 " {
			t.Errorf("a cart that was changed 20 days ago: %s", got)
		}
	})
}

func TestRetention_doesNotEraseACustomerWhoComesBackMeanwhile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		id := idOf(dig(b.signIn(annasPhone), "user", "id"))
		e.Clock.Advance(800 * 24 * time.Hour)
		before := e.Clock.Now().AddDate(0, -24, 0)
		e.browser(t).signIn(annasPhone) // after the sweep has found them idle
		if err := e.server.Rooms().EraseIdle(t.Context(), "sushi", id, before); !errors.Is(err, customer.ErrNotIdle) {
			t.Errorf("erased: %v", err)
		}
		if n := queryRow(t, d, "SELECT COUNT(*) FROM customer WHERE erased_at IS NULL"); n != "1 " {
			t.Errorf("%scustomers are left", n)
		}
		if n := queryRow(t, d, "SELECT COUNT(*) FROM session WHERE customer_id IS NOT NULL"); n == "0 " {
			t.Error("the sessions are gone")
		}
	})
}

func TestRetention_keepsACustomerWhoComesBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.signIn(annasPhone)
		for range 12 {
			e.Clock.Advance(100 * 24 * time.Hour)
			e.sweep(t)
			b.ok("GET", "/api/user/get", nil)
		}
		e.Clock.Advance(740 * 24 * time.Hour)
		e.sweep(t)
		if n := queryRow(t, d, "SELECT COUNT(*) FROM customer WHERE erased_at IS NULL"); n != "0 " {
			t.Errorf("%scustomers are left", n)
		}
	})
}
