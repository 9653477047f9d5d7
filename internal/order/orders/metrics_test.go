package orders_test

import (
	"maps"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/payment/payments"
	"servery/internal/schedule"
)

// countMoves returns how many orders came into each state, by "site status" of the metric.
func countMoves(t *testing.T, s *orders.Service) map[string]int {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, family := range families {
		if family.GetName() != "servery_orders_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			labels := m.GetLabel() // sorted by name
			counts[labels[0].GetValue()+" "+labels[1].GetValue()] = int(m.GetCounter().GetValue())
		}
	}
	return counts
}

func TestMetrics_acceptedOrdersOfEachBrandStartAtZero(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.StartProcess(t, orders.Options{Sites: []string{"sushi", "pizza"}}, payments.Options{})
		if got, want := countMoves(t, h.Orders), map[string]int{"sushi accepted": 0, "pizza accepted": 0}; !maps.Equal(got, want) {
			t.Errorf("before the first order %v, want %v", got, want)
		}
		v := h.Visitor(t, "sushi")
		h.Move(t, h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP)), order.Cooking)
		if got, want := countMoves(t, h.Orders), map[string]int{"sushi accepted": 1, "sushi cooking": 1, "pizza accepted": 0}; !maps.Equal(got, want) {
			t.Errorf("after an order %v, want %v", got, want)
		}
	})
}
