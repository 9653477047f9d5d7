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
	"servery/internal/fault"
)

var (
	now     = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	code    = Item{Site: "sushi", Kind: Promocode, ID: 7}
	cake    = Item{Site: "sushi", Kind: Gift, ID: 3}
	errGone = fault.New(fault.Conflict, "stock.gone")
)

// reserve calls Reserve in a transaction of its own and returns its error.
func reserve(ctx context.Context, d *db.DB, holder string, expires time.Time, requests ...Request) error {
	return d.InTx(ctx, func(tx *db.Tx) error { return Reserve(ctx, tx, holder, requests, expires) })
}

// mustReserve calls Reserve in a transaction of its own. An error ends the test.
func mustReserve(t *testing.T, d *db.DB, holder string, expires time.Time, requests ...Request) {
	t.Helper()
	if err := reserve(t.Context(), d, holder, expires, requests...); err != nil {
		t.Fatal(err)
	}
}

// runInTx calls do in a transaction. An error ends the test.
func runInTx(t *testing.T, d *db.DB, do func(tx *db.Tx) error) {
	t.Helper()
	if err := d.InTx(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// release calls Release for the holder in a transaction. An error ends the test.
func release(t *testing.T, d *db.DB, holder string) {
	t.Helper()
	runInTx(t, d, func(tx *db.Tx) error { return Release(t.Context(), tx, holder) })
}

// releaseExpired calls ReleaseExpired in a transaction and returns how many reservations it has
// released.
func releaseExpired(t *testing.T, d *db.DB, at time.Time) int {
	t.Helper()
	var released int
	runInTx(t, d, func(tx *db.Tx) (err error) {
		released, err = ReleaseExpired(t.Context(), tx, at)
		return err
	})
	return released
}

// expectUsed fails the test unless want of the item are used or reserved.
func expectUsed(t *testing.T, d *db.DB, item Item, want int) {
	t.Helper()
	var used int
	err := d.Reader().QueryRowContext(t.Context(), `SELECT COALESCE(SUM(c.used), 0) - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
			WHERE s.site = $1 AND s.kind = $2 AND s.thing_id = $3 AND $4 = ''), 0)
		FROM stock_count c WHERE c.site = $1 AND c.kind = $2 AND c.thing_id = $3 AND c.scope = $4`,
		item.Site, item.Kind, item.ID, item.Scope).Scan(&used)
	if err != nil || used != want {
		t.Errorf("%v: %d used, want %d (%v)", item, used, want, err)
	}
}

// The same request counts once. Another request of the holder replaces it, and an empty one
// releases all.
func TestReserve_twiceByOneHolderCountsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 2 {
			mustReserve(t, d, "order:1", now, Request{code, 1, 1}, Request{cake, 2, 5})
		}
		expectUsed(t, d, code, 1)
		expectUsed(t, d, cake, 2)
		mustReserve(t, d, "order:1", now, Request{cake, 3, 5})
		expectUsed(t, d, code, 0)
		expectUsed(t, d, cake, 3)
		mustReserve(t, d, "order:1", now)
		expectUsed(t, d, cake, 0)
	})
}

// Twenty calls of one holder at once all succeed and count once, though the limit allows no
// more.
func TestReserve_concurrentlyByOneHolderCountsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				if err := reserve(t.Context(), d, "order:1", now, Request{code, 1, 1}, Request{cake, 2, 2}); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		expectUsed(t, d, code, 1)
		expectUsed(t, d, cake, 2)
	})
}

// A hundred holders reserve two items at once, in both orders, where one item is limited to ten.
// Exactly ten succeed; the others get stock.gone.
func TestReserve_reachesTheLimitExactlyWithAHundredHolders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var wait sync.WaitGroup
		var taken, refused atomic.Int32
		for n := range 100 {
			wait.Go(func() {
				requests := []Request{{code, 1, 10}, {cake, 1, 40}}
				if n%2 == 0 {
					requests[0], requests[1] = requests[1], requests[0]
				}
				switch err := reserve(t.Context(), d, fmt.Sprintf("order:%d", n), now, requests...); {
				case err == nil:
					taken.Add(1)
				case errors.Is(err, errGone):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if taken.Load() != 10 || refused.Load() != 90 {
			t.Errorf("%d taken and %d refused of a limit of 10", taken.Load(), refused.Load())
		}
		expectUsed(t, d, code, 10)
		expectUsed(t, d, cake, 10)
	})
}

// Each case requests an item of which enough is left, then one of which too little is left. The
// fault names the second, and the first is not reserved.
func TestReserve_namesWhatIsGoneAndReservesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, "order:1", now, Request{code, 1, 1})
		for name, requests := range map[string][]Request{
			"used up":              {{cake, 1, 5}, {code, 1, 1}},
			"more than there are":  {{cake, 1, 5}, {Item{"sushi", Promocode, 9, ""}, 2, 1}},
			"none at all":          {{cake, 1, 5}, {Item{"sushi", Promocode, 9, ""}, 1, 0}},
			"named twice, too few": {{cake, 1, 5}, {code, 1, 2}, {code, 1, 2}},
		} {
			err := reserve(t.Context(), d, "order:2", now, requests...)
			var gone *Gone
			if !errors.As(err, &gone) || !errors.Is(err, errGone) || gone.Item != requests[1].Item {
				t.Errorf("%s: %v", name, err)
			}
			expectUsed(t, d, cake, 0)
		}
		expectUsed(t, d, code, 1)
	})
}

// Items that differ in phone, site or kind are counted apart. Used returns the counts of a kind
// without those of single phones.
func TestReserve_countsEachPhoneAndSiteByItself(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for n, item := range []Item{
			{"sushi", PromocodePhone, 7, "79160000001"},
			{"sushi", PromocodePhone, 7, "79160000002"},
			{"pizza", PromocodePhone, 7, "79160000001"},
			{"sushi", FirstOrder, 7, "79160000001"},
		} {
			mustReserve(t, d, fmt.Sprintf("order:%d", n), now, Request{item, 1, 1})
			expectUsed(t, d, item, 1)
		}
		mustReserve(t, d, "order:9", now, Request{code, 1, 3}, Request{cake, 2, 3})
		if used, err := Used(t.Context(), d.Read(), "sushi", Promocode); err != nil || len(used) != 1 || used[7] != 1 {
			t.Errorf("got %v, %v", used, err)
		}
		if used, err := Used(t.Context(), d.Read(), "sushi", PromocodePhone); err != nil || len(used) != 0 {
			t.Errorf("counts of single phones among those of all: %v, %v", used, err)
		}
	})
}

// Ten releases of one holder at once lower the count once; another holder keeps its items.
func TestRelease_concurrentlyReleasesOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, "order:1", now, Request{cake, 2, 5})
		mustReserve(t, d, "order:2", now, Request{cake, 2, 5})
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				if err := d.InTx(t.Context(), func(tx *db.Tx) error { return Release(t.Context(), tx, "order:1") }); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		expectUsed(t, d, cake, 2)
	})
}

// Two of four reservations have expired. They are released, once; one that expires a second
// later and one without an end stay.
func TestReleaseExpired_releasesNothingElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, "order:1", now, Request{cake, 1, 9}, Request{code, 1, 9})
		mustReserve(t, d, "order:2", now, Request{cake, 2, 9})
		mustReserve(t, d, "order:3", now.Add(time.Second), Request{cake, 3, 9})
		mustReserve(t, d, "order:4", time.Time{}, Request{cake, 1, 9})
		for _, want := range []int{2, 0} {
			if got := releaseExpired(t, d, now); got != want {
				t.Errorf("released %d holders, want %d", got, want)
			}
		}
		expectUsed(t, d, cake, 4)
		expectUsed(t, d, code, 0)
	})
}

// A confirmed reservation does not expire in a year. Release still lowers the count.
func TestConfirm_endsTheExpiryAndAllowsRelease(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, "order:1", now, Request{cake, 1, 9})
		for range 2 {
			runInTx(t, d, func(tx *db.Tx) error { return Confirm(t.Context(), tx, "order:1") })
		}
		runInTx(t, d, func(tx *db.Tx) error { return Confirm(t.Context(), tx, "order:nothing") })
		if got := releaseExpired(t, d, now.AddDate(1, 0, 0)); got != 0 {
			t.Errorf("released %d confirmed holders", got)
		}
		expectUsed(t, d, cake, 1)
		release(t, d, "order:1")
		expectUsed(t, d, cake, 0)
	})
}

// Sweeps and releases run at once over twenty expired reservations. Each is released once, and
// the one without an end stays.
func TestReleaseExpired_concurrentlyReleasesOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for n := range 20 {
			mustReserve(t, d, fmt.Sprintf("order:%d", n), now, Request{cake, 1, 30}, Request{code, 1, 30})
		}
		mustReserve(t, d, "order:kept", time.Time{}, Request{cake, 1, 30}, Request{code, 1, 30})
		var wait sync.WaitGroup
		for n := range 8 {
			wait.Go(func() {
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					if n%2 == 0 {
						return Release(t.Context(), tx, fmt.Sprintf("order:%d", n))
					}
					_, err := ReleaseExpired(t.Context(), tx, now)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		expectUsed(t, d, cake, 1)
		expectUsed(t, d, code, 1)
	})
}

// Five are reserved when the limit becomes three. That releases nothing. Another holder can
// reserve only after three of the five are released.
func TestReserve_withALoweredLimit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for n := range 5 {
			mustReserve(t, d, fmt.Sprintf("order:%d", n), now, Request{cake, 1, 5})
		}
		lowered := Request{cake, 1, 3}
		for n := range 2 {
			if err := reserve(t.Context(), d, "order:new", now, lowered); !errors.Is(err, errGone) {
				t.Errorf("with %d used of 3: %v", 5-n, err)
			}
			release(t, d, fmt.Sprintf("order:%d", n))
		}
		release(t, d, "order:2")
		mustReserve(t, d, "order:new", now, lowered)
		expectUsed(t, d, cake, 3)
		if err := reserve(t.Context(), d, "order:newer", now, lowered); !errors.Is(err, errGone) {
			t.Errorf("above the lower limit: %v", err)
		}
		mustReserve(t, d, "order:raised", now, Request{cake, 1, 4})
	})
}

// The database refuses to set a count above its limit or below zero.
func TestStockCount_isBoundedByTheDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustReserve(t, d, "order:1", now, Request{cake, 5, 5})
		for _, statement := range []string{"UPDATE stock_count SET used = 6", "UPDATE stock_count SET used = -1"} {
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
