package orders

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/db"
	"servery/internal/order"
)

// move moves an order into another state, stores that change, and announces it. It does not check that
// the move is allowed. It reports false when another transaction moved the order first; the caller must
// then roll back.
func (s *Service) move(ctx context.Context, tx *db.Tx, o *order.Order, to order.State, actor string, now time.Time) (bool, error) {
	c := order.Change{Kind: order.Moved, State: to, Actor: actor, At: now}
	switch {
	case to == order.Canceled:
		c.Kind = order.Cancellation
		o.Outcome = order.OutcomeCanceled
	case o.State == order.WaitingForPayment:
		c.Kind = order.Paid
	}
	return s.change(ctx, tx, o, c)
}

// change stores a change of an order, sets in o what it changes, and announces it.
// It does not check that the change is allowed. It reports false when another transaction moved the
// order first; the caller must then roll back.
func (s *Service) change(ctx context.Context, tx *db.Tx, o *order.Order, c order.Change) (bool, error) {
	isStored, err := storeChange(ctx, tx, o, c)
	if err != nil || !isStored {
		return isStored, err
	}
	return true, s.announceLast(ctx, tx, *o)
}

// newMoveCounter returns the counter of the states that orders come into. Accepted orders of each of the
// sites start at 0.
func newMoveCounter(sites []string) *prometheus.CounterVec {
	moves := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "servery_orders_total", Help: "Orders that came into a state, by this process.",
	}, []string{"site", "status"})
	for _, alias := range sites { // an alert on a time without orders must see that there were none
		moves.WithLabelValues(alias, string(order.Accepted))
	}
	return moves
}

// newLateCounter returns the counter of orders that were done after the promise that the customer has
// agreed to.
func newLateCounter() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "servery_orders_late_total", Help: "Orders that were done after the time that was agreed with the customer; moving the promise later does not change that.",
	}, []string{"site"})
}

// Collectors returns the metrics of orders.
func (s *Service) Collectors() []prometheus.Collector { return []prometheus.Collector{s.moves, s.late} }

// announceLast announces the last change of an order, in the transaction that has stored it. A change of
// state is counted when the transaction commits.
func (s *Service) announceLast(ctx context.Context, tx *db.Tx, o order.Order) error {
	if last := o.History[len(o.History)-1]; last.Kind.IsMove() {
		counter := s.moves.WithLabelValues(o.Site, string(last.State))
		tx.OnCommit(counter.Inc)
		if last.State == order.Done && last.At.After(o.AgreedEnd()) {
			tx.OnCommit(s.late.WithLabelValues(o.Site).Inc)
		}
	}
	if s.announce == nil {
		return nil
	}
	return s.announce(ctx, tx, o, o.History[len(o.History)-1])
}
