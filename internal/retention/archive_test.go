package retention

import (
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/site"
)

// A done order of thirteen months ago is archived by a brand whose term is twelve, not by one whose term
// is fourteen or that has none. The newest order stays.
func TestJob_archivesOrdersByTheTermOfTheBrand(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		h.Move(t, h.PlaceTakeaway(t, h.Visitor(t, "sushi")), order.Cooking, order.Done)
		h.Clock.Advance(400 * 24 * time.Hour)
		v := h.Visitor(t, "sushi")
		h.Place(t, v, h.TakeawayFromPhone(t, v, 1))
		for _, c := range []struct{ months, archived int }{{0, 0}, {14, 0}, {12, 1}, {12, 1}} {
			if err := (Job{DB: d}).archive(t.Context(), "sushi", site.Terms{ArchiveMonths: c.months}, h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			var archived int
			if err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM order_archive").Scan(&archived); err != nil || archived != c.archived {
				t.Errorf("after %d months %d orders are archived, want %d (%v)", c.months, archived, c.archived, err)
			}
		}
	})
}
