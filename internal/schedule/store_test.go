package schedule

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/site"
)

var (
	// slot7 and slot8 are the starts of two intervals, half an hour apart.
	slot7   = time.Date(2026, 11, 21, 16, 0, 0, 0, time.UTC)
	slot8   = slot7.Add(30 * time.Minute)
	errFull = fault.New(fault.Conflict, "schedule.full")
)

// newRequest returns a request of the holder for minutes in the intervals with these starts,
// where the ceiling is 60.
func newRequest(holder string, minutes int, starts ...time.Time) Request {
	return Request{
		Holder: holder, ShopID: 1, OrderType: site.Delivery, Starts: starts,
		Needs: Minutes{AllGroups: minutes}, Ceilings: Minutes{AllGroups: 60},
	}
}

// reserve calls Reserve in a transaction of its own.
func reserve(ctx context.Context, d *db.DB, h Request) (start time.Time, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		start, err = Reserve(ctx, tx, h)
		return err
	})
	return start, err
}

// mustReserve calls Reserve in a transaction of its own and returns the start of the interval.
// An error ends the test.
func mustReserve(t *testing.T, d *db.DB, h Request) time.Time {
	t.Helper()
	start, err := reserve(t.Context(), d, h)
	if err != nil {
		t.Fatal(err)
	}
	return start
}

// runInTx calls do in a transaction. An error ends the test.
func runInTx(t *testing.T, d *db.DB, do func(tx *db.Tx) error) {
	t.Helper()
	if err := d.InTx(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// expectUsed fails the test unless at7 and at8 minutes of the group are taken in the intervals
// slot7 and slot8.
func expectUsed(t *testing.T, d *db.DB, group int64, at7, at8 int) {
	t.Helper()
	used, err := Used(t.Context(), d.Read(), 1, site.Delivery, slot7, slot8.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if got7, got8 := used[IDOf(slot7)][group], used[IDOf(slot8)][group]; got7 != at7 || got8 != at8 {
		t.Errorf("group %d: got %d and %d minutes used, want %d and %d", group, got7, got8, at7, at8)
	}
}

// Fifty orders reserve 7 minutes each of 60 at once. Eight succeed; the others get
// schedule.full.
func TestReserve_concurrentlyNeverExceedsTheCeiling(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var wg sync.WaitGroup
		var taken, refused atomic.Int32
		for n := range 50 {
			wg.Go(func() {
				switch _, err := reserve(t.Context(), d, newRequest(fmt.Sprintf("order:%d", n), 7, slot7)); {
				case err == nil:
					taken.Add(1)
				case errors.Is(err, errFull):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if taken.Load() != 8 || refused.Load() != 42 {
			t.Errorf("%d taken, %d refused; 8 orders of 7 minutes go into 60", taken.Load(), refused.Load())
		}
		expectUsed(t, d, AllGroups, 56, 0)
	})
}

// Twenty calls of one holder at once all succeed and count once.
func TestReserve_concurrentlyByOneHolderCountsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := reserve(t.Context(), d, newRequest("order:1", 10, slot7)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		expectUsed(t, d, AllGroups, 10, 0)
	})
}

// The same request changes nothing. Requests for other minutes or another interval replace the
// reservation.
func TestReserve_againByOneHolderReplacesTheReservation(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("cache:a", 40, slot7))
		mustReserve(t, d, newRequest("cache:a", 40, slot7))
		expectUsed(t, d, AllGroups, 40, 0)
		mustReserve(t, d, newRequest("cache:a", 50, slot7))
		expectUsed(t, d, AllGroups, 50, 0)
		mustReserve(t, d, newRequest("cache:a", 50, slot8))
		expectUsed(t, d, AllGroups, 0, 50)
	})
}

// A request for an interval without room is refused, and the holder keeps its reservation.
func TestReserve_refusedLeavesTheReservation(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("cache:a", 40, slot7))
		mustReserve(t, d, newRequest("cache:b", 40, slot8))
		if _, err := reserve(t.Context(), d, newRequest("cache:a", 40, slot8)); !errors.Is(err, errFull) {
			t.Fatalf("got %v", err)
		}
		expectUsed(t, d, AllGroups, 40, 40)
	})
}

// The first of two acceptable intervals is full, so the second is reserved. A repeated request
// stays there, though the first has room by then.
func TestReserve_choosesTheFirstIntervalWithRoomAndStays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("order:1", 40, slot7))
		if got := mustReserve(t, d, newRequest("cache:a", 30, slot7, slot8)); !got.Equal(slot8) {
			t.Errorf("got %v", got)
		}
		runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, "order:1") })
		if got := mustReserve(t, d, newRequest("cache:a", 30, slot7, slot8)); !got.Equal(slot8) {
			t.Errorf("moved to %v without being asked", got)
		}
		kept, ok, err := FindReservation(t.Context(), d.Read(), "cache:a")
		if err != nil || !ok || !kept.Start.Equal(slot8) || kept.TotalMinutes()[AllGroups] != 30 {
			t.Errorf("got %+v, %v, %v", kept, ok, err)
		}
	})
}

// An order for which one product group of an interval has no room reserves nothing there. It gets
// the next acceptable interval. A group without a ceiling is not counted.
func TestReserve_withAFullGroupReservesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newRequest("order:1", 30, slot7)
		h.Needs[11], h.Needs[12], h.Ceilings[11] = 20, 10, 25
		mustReserve(t, d, h)
		h.Holder = "order:2"
		if got, err := reserve(t.Context(), d, h); !errors.Is(err, errFull) {
			t.Fatalf("got %v, %v", got, err)
		}
		h.Starts = []time.Time{slot7, slot8}
		mustReserve(t, d, h)
		expectUsed(t, d, AllGroups, 30, 30)
		expectUsed(t, d, 11, 20, 20)
		expectUsed(t, d, 12, 0, 0)
	})
}

// Ten releases of one holder at once free the minutes once; another holder keeps its own.
func TestRelease_concurrentlyReleasesOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("order:1", 20, slot7))
		mustReserve(t, d, newRequest("order:2", 20, slot7))
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				err := d.InTx(t.Context(), func(tx *db.Tx) error { return Release(t.Context(), tx, "order:1") })
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		expectUsed(t, d, AllGroups, 20, 0)
	})
}

// Of three reservations the expired one is released, once. One that expires a second later and
// one without an end stay.
func TestReleaseExpired_releasesNothingElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := slot7.Add(-time.Hour)
		for holder, expires := range map[string]time.Time{"cache:a": now, "cache:b": now.Add(time.Second), "order:c": {}} {
			h := newRequest(holder, 10, slot7)
			h.ExpiresAt = expires
			mustReserve(t, d, h)
		}
		for _, want := range []int{1, 0} {
			runInTx(t, d, func(tx *db.Tx) error {
				n, err := ReleaseExpired(t.Context(), tx, now)
				if n != want {
					t.Errorf("released %d, want %d", n, want)
				}
				return err
			})
		}
		expectUsed(t, d, AllGroups, 20, 0)
	})
}

// A confirmed reservation has the new holder and does not expire; a second Confirm changes
// nothing. Without a reservation it returns schedule.hold_lost.
func TestConfirm_movesTheReservationToTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newRequest("cache:a", 10, slot7)
		h.ExpiresAt = slot7
		mustReserve(t, d, h)
		for range 2 {
			runInTx(t, d, func(tx *db.Tx) error { return Confirm(t.Context(), tx, "cache:a", "order:1") })
		}
		runInTx(t, d, func(tx *db.Tx) error {
			n, err := ReleaseExpired(t.Context(), tx, slot7.Add(time.Hour))
			if n != 0 {
				t.Errorf("released %d", n)
			}
			return err
		})
		expectUsed(t, d, AllGroups, 10, 0)
		err := d.InTx(t.Context(), func(tx *db.Tx) error { return Confirm(t.Context(), tx, "cache:x", "order:2") })
		if !errors.Is(err, fault.New(fault.Conflict, "schedule.hold_lost")) {
			t.Errorf("got %v", err)
		}
	})
}

// The earlier of two intervals is deleted with its reservation. Releasing the deleted one is no
// error.
func TestDeletePast_deletesIntervalsThatHaveBegun(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("order:1", 10, slot7))
		mustReserve(t, d, newRequest("order:2", 10, slot8))
		if err := DeletePast(t.Context(), d, slot8); err != nil {
			t.Fatal(err)
		}
		runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, "order:1") })
		expectUsed(t, d, AllGroups, 0, 10)
	})
}

// The database refuses to set the taken minutes above the ceiling, with two orders and with one.
func TestSlot_isBoundedByTheDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, newRequest("order:1", 30, slot7))
		mustReserve(t, d, newRequest("order:2", 30, slot7))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE slot SET used_minutes = 61")
			return err
		})
		if !db.IsRefused(err) {
			t.Errorf("got %v", err)
		}
		runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, "order:2") })
		err = d.InTx(t.Context(), func(tx *db.Tx) error { // one order alone does not exceed it either
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE slot SET used_minutes = 61")
			return err
		})
		if !db.IsRefused(err) {
			t.Errorf("of one order: got %v", err)
		}
	})
}
