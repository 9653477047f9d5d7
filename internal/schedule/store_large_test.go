package schedule

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// newLargeRequest returns a request for more than the ceiling of 60, which may also use free
// minutes of slot7.
func newLargeRequest(holder string, minutes int, starts ...time.Time) Request {
	h := newRequest(holder, minutes, starts...)
	h.Earlier = []time.Time{slot7}
	return h
}

// A large order gets all free minutes of two intervals, and is refused when one is missing or
// when it may not use the earlier interval. Repeating it changes nothing, a smaller one replaces
// it, and releasing it frees both.
func TestReserve_spreadsALargeOrderOverIntervalsBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("order:1", 25, slot7))
		mustReserve(t, d, newRequest("order:2", 10, slot8))
		for _, c := range []struct {
			name    string
			hold    Request
			refused bool
		}{
			{"nothing before", newRequest("order:big", 61, slot8), true},
			{"a minute too much", newLargeRequest("order:big", 86, slot8), true},
			{"what is free", newLargeRequest("order:big", 85, slot8), false},
		} {
			start, err := reserve(t.Context(), d, c.hold)
			if errors.Is(err, errFull) != c.refused || !c.refused && (err != nil || !start.Equal(slot8)) {
				t.Errorf("%s: %v, %v", c.name, start, err)
			}
		}
		expectUsed(t, d, AllGroups, 60, 60)
		kept, _, err := FindReservation(t.Context(), d.Read(), "order:big")
		if err != nil || !kept.Start.Equal(slot8) || len(kept.Parts) != 2 || kept.Parts[0].Minutes[AllGroups] != 50 || kept.Parts[1].Minutes[AllGroups] != 35 {
			t.Errorf("held are %+v, %v", kept, err)
		}
		mustReserve(t, d, newLargeRequest("order:big", 85, slot8)) // changes nothing
		expectUsed(t, d, AllGroups, 60, 60)
		mustReserve(t, d, newLargeRequest("order:big", 70, slot8))
		expectUsed(t, d, AllGroups, 45, 60)
		runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, "order:big") })
		expectUsed(t, d, AllGroups, 25, 10)
	})
}

// The order's own interval is full. A large order reserves minutes of two intervals before it
// only.
func TestReserve_largeOrderMayLeaveItsOwnIntervalAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		slot6 := slot7.Add(-30 * time.Minute)
		mustReserve(t, d, newRequest("order:1", 60, slot8))
		h := newLargeRequest("order:big", 90, slot8)
		h.Earlier = []time.Time{slot6, slot7}
		mustReserve(t, d, h)
		expectUsed(t, d, AllGroups, 60, 60)
		runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, "order:big") })
		expectUsed(t, d, AllGroups, 0, 60)
	})
}

// A large order does not fit into the first of two acceptable intervals. It gets the second, with
// minutes of the first.
func TestReserve_asSoonAsPossibleOfALargeOrderIsTheFirstThatTakesIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if got := mustReserve(t, d, newLargeRequest("order:big", 90, slot7, slot8)); !got.Equal(slot8) {
			t.Errorf("got %v", got)
		}
		expectUsed(t, d, AllGroups, 30, 60)
	})
}

// Both parts of a large reservation are freed when it expires, and also when it is released
// after Confirm.
func TestReserve_everyPartOfALargeOrderIsReleased(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		until := slot7.Add(-time.Hour)
		big := newLargeRequest("cache:big", 100, slot8)
		big.ExpiresAt = until
		mustReserve(t, d, big)
		runInTx(t, d, func(tx *db.Tx) error {
			_, err := ReleaseExpired(t.Context(), tx, until)
			return err
		})
		expectUsed(t, d, AllGroups, 0, 0)
		mustReserve(t, d, big)
		runInTx(t, d, func(tx *db.Tx) error { return Confirm(t.Context(), tx, "cache:big", "order:big") })
		expectUsed(t, d, AllGroups, 40, 60)
		runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, "order:big") })
		expectUsed(t, d, AllGroups, 0, 0)
	})
}

// A transaction has the lock of large orders. Another one replaces a holder's small reservation with a
// large one: it waits for that lock before it releases the small one, so that the first transaction can
// reserve in the same interval. Neither is broken by a deadlock. Only PostgreSQL has two writers at once.
func TestReserve_ofALargeOrderInPlaceOfASmallOneWaitsBeforeItReleases(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	mustReserve(t, d, newRequest("order:grown", 20, slot7))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var tries atomic.Int32
	var grown sync.WaitGroup
	runInTx(t, d, func(tx *db.Tx) error {
		if tries.Add(1); tries.Load() > 1 {
			return errors.New("it was broken by a deadlock")
		}
		if err := LockForLarge(t.Context(), tx, 1); err != nil {
			return err
		}
		grown.Go(func() {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				tries.Add(1)
				_, err := Reserve(t.Context(), tx, newLargeRequest("order:grown", 90, slot8))
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		for waits := false; !waits; { // until the other transaction waits for the lock
			err := tx.SQL.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&waits)
			if err != nil {
				return err
			}
		}
		_, err := Reserve(t.Context(), tx, newRequest("order:other", 10, slot7))
		return err
	})
	grown.Wait()
	if got := tries.Load(); got != 2 {
		t.Errorf("the two transactions ran %d times", got)
	}
}

// Sixty holders reserve and release large and small orders in twelve intervals at once.
// Afterwards no ceiling is exceeded, and what is taken equals what is reserved.
func TestReserve_concurrentLargeAndSmallOrdersNeverExceedACeiling(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const slots = 12
		starts := make([]time.Time, slots)
		for n := range starts {
			starts[n] = slot7.Add(time.Duration(n) * 30 * time.Minute)
		}
		var wg sync.WaitGroup
		for n := range 60 {
			wg.Go(func() {
				dice := rand.New(rand.NewPCG(uint64(n), 5))
				for round := range 4 {
					own := dice.IntN(slots)
					h := newRequest(fmt.Sprintf("order:%d", n), 5+dice.IntN(50), starts[own])
					if dice.IntN(2) == 0 {
						h.Needs[AllGroups] += 60 + dice.IntN(200)
						h.Earlier = starts[:own]
					}
					h.Needs[11], h.Ceilings[11] = h.Needs[AllGroups]/2, 40
					if _, err := reserve(t.Context(), d, h); err != nil && !errors.Is(err, errFull) {
						t.Error(err)
					}
					if round < 3 && dice.IntN(3) == 0 {
						runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, h.Holder) })
					}
				}
			})
		}
		wg.Wait()
		checkSlots(t, d)
	})
}

// checkSlots fails the test unless each interval is within its ceilings, and its taken minutes
// and number of reservations equal those of the stored reservations.
func checkSlots(t *testing.T, d *db.DB) {
	t.Helper()
	held, holds := map[string]int{}, map[string]int{}
	queryRows(t, d, "SELECT starts_at, minutes, earlier FROM slot_hold", func(rows *sql.Rows) error {
		var start time.Time
		var own, earlier string
		if err := rows.Scan(&start, &own, &earlier); err != nil {
			return err
		}
		parts, err := ParseParts(start, own, earlier)
		for _, part := range parts {
			for group, minutes := range part.Minutes {
				held[fmt.Sprint(IDOf(part.Start), group)] += minutes
				holds[fmt.Sprint(IDOf(part.Start), group)]++
			}
		}
		return err
	})
	queryRows(t, d, "SELECT starts_at, product_group_id, used_minutes, ceiling_minutes, holds FROM slot", func(rows *sql.Rows) error {
		var start time.Time
		var group int64
		var used, ceiling, count int
		if err := rows.Scan(&start, &group, &used, &ceiling, &count); err != nil {
			return err
		}
		slot := fmt.Sprint(IDOf(start), group)
		if used > ceiling || used != held[slot] || count != holds[slot] {
			t.Errorf("%s: %d of %d minutes by %d, held are %d by %d", slot, used, ceiling, count, held[slot], holds[slot])
		}
		delete(held, slot)
		return nil
	})
	if len(held) > 0 {
		t.Errorf("held and not given away: %v", held)
	}
}

// queryRows runs the query and calls read with each row.
func queryRows(t *testing.T, d *db.DB, query string, read func(*sql.Rows) error) {
	t.Helper()
	rows, err := d.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
