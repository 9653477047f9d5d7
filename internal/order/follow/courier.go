package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/site"
	"servery/internal/visit"
)

// Position is where the courier of an order was last.
type Position struct {
	OrderID    int64
	Point      geo.Point
	ReportedAt time.Time
}

// SetCourier keeps the last position of the courier of an order on its way. Faults:
// order.bad_point (Invalid), order.not_found (NotFound), order.courier_not_sent and,
// where the brand shows no courier, order.courier_not_tracked (Conflict).
func (s *Service) SetCourier(ctx context.Context, snapshot *catalog.Snapshot, id int64, at geo.Point, now time.Time) error {
	if !at.Valid() {
		return fault.New(fault.Invalid, "order.bad_point", fault.Field("coordinates", "order.bad_point"))
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		row, err := tx.Q.GetOrder(ctx, id)
		if errors.Is(err, db.ErrNotFound) {
			return order.NotFound()
		}
		if err != nil {
			return fmt.Errorf("read order: %w", err)
		}
		if order.State(row.State) != order.Sent {
			return fault.New(fault.Conflict, "order.courier_not_sent")
		}
		if !showsCouriers(snapshot.Sites, row.Site) {
			return fault.New(fault.Conflict, "order.courier_not_tracked")
		}
		return upsertPosition(ctx, tx.Q, Position{OrderID: id, Point: at, ReportedAt: now})
	})
}

// showsCouriers reports whether the brand shows its customers where the courier is.
func showsCouriers(sites *site.Sites, alias string) bool {
	brand, ok := sites.ByAlias(alias)
	return ok && brand.Settings.CourierTracking
}

// Courier returns where the courier of an order is, and false while it is not on its
// way, not known yet, not shown by the brand, or the visitor sees the order in brief. Fault: order.not_found (NotFound).
func (s *Service) Courier(ctx context.Context, v visit.Context, id int64) (Position, bool, error) {
	o, err := s.orders.Get(ctx, v, id)
	if err != nil || o.State != order.Sent || o.View == order.BriefView || !v.Site.Settings.CourierTracking {
		return Position{}, false, err
	}
	return findPosition(ctx, s.db.Read(), id)
}
