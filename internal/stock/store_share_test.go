package stock

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
)

// order returns the name of a holder.
func order(n int) string { return fmt.Sprintf("order:%d", n) }

// count returns the number that a query returns.
func count(t *testing.T, d *db.DB, query string) int {
	t.Helper()
	var n int
	if err := d.Reader().QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// race calls Reserve for as many holders at once, each on one of the databases in turn, and returns
// how many succeeded. An error other than stock.gone fails the test.
func race(t *testing.T, ds []*db.DB, holders, limit int) int {
	t.Helper()
	var wait sync.WaitGroup
	var taken atomic.Int32
	for n := range holders {
		wait.Go(func() {
			switch err := reserve(t.Context(), ds[n%len(ds)], order(n), time.Time{}, Request{code, 1, limit}); {
			case err == nil:
				taken.Add(1)
			case !errors.Is(err, errGone):
				t.Error(err)
			}
		})
	}
	wait.Wait()
	return int(taken.Load())
}

// Buyers race for one use fewer than they are, in two processes on one database. All uses are taken
// and one buyer gets none, whether the limit has shares or is too low for them.
func TestReserve_reachesTheLimitOfSharesExactlyInTwoProcesses(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 5, 15, 16, 31, 33, 67, 199} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				config := dbtest.Config(t, d.Engine())
				var ds []*db.DB
				for range 2 {
					process, err := db.Open(t.Context(), config)
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { _ = process.Close() })
					ds = append(ds, process)
				}
				if taken := race(t, ds, limit+1, limit); taken != limit {
					t.Errorf("%d taken of a limit of %d", taken, limit)
				}
				expectUsed(t, ds[0], code, limit)
				if shares := count(t, ds[0], "SELECT COUNT(*) FROM stock_share"); (shares == shareCount) != (limit > 2*shareCount) {
					t.Errorf("%d shares of a limit of %d", shares, limit)
				}
			})
		})
	}
}

// A use that is released goes back to the share that it was taken from, and can be taken again, by
// one who prefers another share too, because all other uses are taken.
func TestRelease_returnsAUseToItsShareForAnyHolder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const limit = 100
		if taken := race(t, []*db.DB{d}, limit, limit); taken != limit {
			t.Fatalf("%d taken", taken)
		}
		for n := range limit {
			used := "SELECT SUM(used) FROM stock_share"
			before := count(t, d, used)
			release(t, d, order(n))
			expectUsed(t, d, code, limit-1)
			mustReserve(t, d, order(limit+n), time.Time{}, Request{code, 1, limit})
			if after := count(t, d, used); after != before {
				t.Errorf("%d uses are counted in shares, were %d", after, before)
			}
			if err := reserve(t.Context(), d, "order:late", now, Request{code, 1, limit}); !errors.Is(err, errGone) {
				t.Errorf("above the limit: %v", err)
			}
		}
		for n := range limit {
			release(t, d, order(limit+n))
		}
		expectUsed(t, d, code, 0)
		if taken := race(t, []*db.DB{d}, limit+10, limit); taken != limit {
			t.Errorf("%d taken after all were released", taken)
		}
	})
}

// The limit is lowered below what is used, raised, and set back. It is never exceeded, and all of it
// can be used, also of what shares were filled with under another limit.
func TestReserve_followsALimitThatChangesWithShares(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		next, used := 0, 0
		takeAll := func(limit int) {
			t.Helper()
			for {
				err := reserve(t.Context(), d, order(next), now, Request{code, 1, limit})
				if errors.Is(err, errGone) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				next, used = next+1, used+1
			}
			expectUsed(t, d, code, used)
		}
		for n := range 60 { // half of it stays in the shares
			mustReserve(t, d, order(n), now, Request{code, 1, 200})
		}
		next, used = 60, 60
		for _, limit := range []int{50, 70, 200, 120, 40, 200} {
			takeAll(limit)
			if used != max(limit, used) || limit > 60 && used < limit {
				t.Errorf("%d used of %d", used, limit)
			}
		}
		for n := range 150 { // some of the uses of each share
			release(t, d, order(n))
			used--
		}
		takeAll(40)
		if used != 50 {
			t.Errorf("%d used after the limit was lowered to 40, want the 50 from before", used)
		}
		takeAll(100)
		if used != 100 {
			t.Errorf("%d used of 100", used)
		}
	})
}

// What is stored by the release before has no shares. Its uses count, and the rest of the limit is
// taken exactly. Its reservations are released.
func TestReserve_countsWhatTheReleaseBeforeHasStored(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const stored, limit = 30, 100
		runInTx(t, d, func(tx *db.Tx) error { return storeAsBefore(t.Context(), tx, "order:old", stored, limit) })
		if taken := race(t, []*db.DB{d}, limit, limit); taken != limit-stored {
			t.Errorf("%d taken beside %d of %d", taken, stored, limit)
		}
		release(t, d, "order:old")
		expectUsed(t, d, code, limit-stored)
		for n := range stored {
			mustReserve(t, d, order(1000+n), now, Request{code, 1, limit})
		}
		expectUsed(t, d, code, limit)
	})
}

// storeAsBefore reserves uses of the code as the release before does: in one row, named by no share.
func storeAsBefore(ctx context.Context, tx *db.Tx, holder string, uses, limit int) error {
	_, err := tx.SQL.ExecContext(ctx, `INSERT INTO stock_count (site, kind, thing_id, scope, used, max_used) VALUES ('sushi', 'promocode', 7, '', $1, $2)
		ON CONFLICT (site, kind, thing_id, scope) DO UPDATE SET used = stock_count.used + excluded.used, max_used = excluded.max_used
		WHERE stock_count.used + excluded.used <= excluded.max_used`, uses, limit)
	if err != nil {
		return err
	}
	_, err = tx.SQL.ExecContext(ctx, "INSERT INTO stock_hold (holder, things) VALUES ($1, $2)", holder,
		fmt.Sprintf(`[{"site":"sushi","kind":"promocode","id":7,"count":%d}]`, uses))
	return err
}

// During an upgrade a process of the release before takes and releases uses beside one that knows
// shares. It counts the release of a use of a share in the row of the whole, and the sum stays right.
func TestReserve_besideTheReleaseBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const limit = 100
		for n := range 20 {
			mustReserve(t, d, order(n), now, Request{code, 1, limit})
		}
		runInTx(t, d, func(tx *db.Tx) error { return storeAsBefore(t.Context(), tx, "order:before", 3, limit) })
		expectUsed(t, d, code, 23)
		runInTx(t, d, func(tx *db.Tx) error { // as the release before releases order 5
			_, err := tx.SQL.ExecContext(t.Context(), "DELETE FROM stock_hold WHERE holder = 'order:5'")
			if err == nil {
				_, err = tx.SQL.ExecContext(t.Context(), "UPDATE stock_count SET used = used - 1 WHERE thing_id = 7")
			}
			return err
		})
		expectUsed(t, d, code, 22)
		taken := 0
		for n := range limit {
			if reserve(t.Context(), d, order(1000+n), now, Request{code, 1, limit}) == nil {
				taken++
			}
		}
		if taken != limit-22 {
			t.Errorf("%d taken beside 22 of %d", taken, limit)
		}
	})
}

// A holder that requests several uses gets them from one place, and another count replaces it.
func TestReserve_ofSeveralUsesOfASharedItem(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, uses := range []int{1, 40, 3, 70, 0} {
			mustReserve(t, d, "order:1", now, Request{code, uses, 100})
			expectUsed(t, d, code, uses)
			mustReserve(t, d, "order:2", now, Request{code, 100 - uses, 100})
			expectUsed(t, d, code, 100)
			if err := reserve(t.Context(), d, "order:3", now, Request{code, 1, 100}); !errors.Is(err, errGone) {
				t.Errorf("beside %d and %d: %v", uses, 100-uses, err)
			}
			release(t, d, "order:2")
		}
	})
}

// The database refuses to count more of a share than it may hand out, or less than nothing.
func TestStockShare_isBoundedByTheDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, "order:1", now, Request{code, 1, 100})
		for _, statement := range []string{"UPDATE stock_share SET used = max_used + 1", "UPDATE stock_share SET used = -1"} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.SQL.ExecContext(t.Context(), statement)
				return err
			})
			if !db.IsRefused(err) {
				t.Errorf("%s: %v", statement, err)
			}
		}
	})
}
