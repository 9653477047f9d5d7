package app_test

import (
	"database/sql"
	"testing"
	"time"

	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/schedule"
)

// The program releases the interval of a hold that has expired, long before its next sweep.
func TestApp_releasesWhatHasExpired(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		s.mustStart(t, func(*config.Config) {})
		d, err := db.Open(t.Context(), db.Config{URL: s.cfg.DatabaseURL, Dir: s.cfg.Data})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		const holder = "cache:expired"
		now := time.Now().UTC().Truncate(time.Millisecond)
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Q.InsertSlotHold(t.Context(), gen.InsertSlotHoldParams{
				Holder: holder, ShopID: 1, OrderType: "takeaway", StartsAt: now.Add(time.Hour), Minutes: "{}", Earlier: "{}",
				ExpiresAt: sql.NullTime{Time: now.Add(-time.Second), Valid: true},
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		late := time.After(30 * time.Second) // half of the time between sweeps
		for {
			_, isHeld, err := schedule.FindReservation(t.Context(), d.Read(), holder)
			if err != nil {
				t.Fatal(err)
			}
			if !isHeld {
				return
			}
			select {
			case <-late:
				t.Fatal("the interval is still held")
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
}
