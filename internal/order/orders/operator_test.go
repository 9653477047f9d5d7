package orders_test

import (
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/schedule"
)

// A name of 65 characters is refused at the field actor; one of 64 is not.
func TestSetState_refusesAnActorThatIsTooLong(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		_, err := h.Orders.SetState(t.Context(), o.ID, order.Cooking, strings.Repeat("ж", 65), h.Clock.Now())
		if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Fields["actor"] == nil {
			t.Errorf("too long: %v", err)
		}
		if got, err := h.Orders.SetState(t.Context(), o.ID, order.Cooking, strings.Repeat("ж", 64), h.Clock.Now()); err != nil || got.State != order.Cooking {
			t.Errorf("as long as can be: %v", err)
		}
	})
}
