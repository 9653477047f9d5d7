package customer_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
)

func TestClaimExport_isOneInAMinuteForAllProcesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		processes := [2]*customer.Customers{customer.NewCustomers(d, c), customer.NewCustomers(d, c)}
		anna, err := processes[0].FindOrCreateByPhone(t.Context(), "sushi", "79161234567")
		if err != nil {
			t.Fatal(err)
		}
		claim := func(i int) error {
			return processes[i%2].ClaimExport(context.WithoutCancel(t.Context()), anna.ID, time.Minute)
		}
		var work sync.WaitGroup
		var claimed atomic.Int32
		for i := range 8 {
			work.Go(func() {
				switch err := claim(i); {
				case err == nil:
					claimed.Add(1)
				case fault.KeyOf(err) != "customer.export_too_soon":
					t.Error(err)
				}
			})
		}
		work.Wait()
		if claimed.Load() != 1 {
			t.Errorf("%d exports at once, want 1", claimed.Load())
		}
		c.Advance(59 * time.Second)
		if f, ok := fault.Of(claim(1)); !ok || f.Code != fault.TooMany || f.RetryAfter != time.Second {
			t.Errorf("after 59 s: %+v", f)
		}
		c.Advance(time.Second)
		if err := claim(1); err != nil {
			t.Errorf("after a minute: %v", err)
		}
	})
}
