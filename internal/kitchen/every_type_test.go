package kitchen_test

import (
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/live"
	"servery/internal/site"
)

// A removal without an order type ends the pauses of every type, those that were set for one type too. It leaves
// the busy times. One for a type leaves the pause of the other type.
func TestService_SetState_removesThePausesOfEveryType(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		busy := f.pause()
		busy.Kind, busy.Minutes, busy.OrderType = live.Busy, 20, site.Delivery
		f.setState(t, busy)
		for _, orderType := range site.OrderTypes() {
			pause := f.pause()
			pause.OrderType = orderType
			f.setState(t, pause)
		}
		removal := f.pause()
		removal.Remove, removal.OrderType = true, site.Takeaway
		if states := f.setState(t, removal); len(states) != 2 {
			t.Errorf("without the pause of takeaway: %v", states)
		}
		removal.OrderType = ""
		for range 2 {
			if states := f.setState(t, removal); len(states) != 1 || states[0].Kind != live.Busy {
				t.Errorf("without pauses: %v", states)
			}
		}
	})
}
