package follow

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"servery/internal/audit"
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

// SetCourier stores where the courier of an order on its way is, in place of the last position.
// Faults: order.bad_point (Invalid), order.not_found (NotFound); order.courier_not_sent when the
// order is not on its way and order.courier_not_tracked when the brand shows no couriers (both
// Conflict).
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
		if err := recordFirstPosition(ctx, tx, id, row.Site, row.ShopID, now); err != nil {
			return err
		}
		return upsertPosition(ctx, tx.Q, Position{OrderID: id, Point: at, ReportedAt: now})
	})
}

// recordFirstPosition records in the audit log that a position of the order becomes known. It does
// nothing for later positions on the same way, and never records where the courier is.
func recordFirstPosition(ctx context.Context, tx *db.Tx, id int64, brand string, shopID int64, now time.Time) error {
	_, isKnown, err := findPosition(ctx, tx.Q, id)
	if err != nil || isKnown {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		Site: brand, ShopID: shopID, Subject: "order", ID: strconv.FormatInt(id, 10), After: audit.Fields{"courier_followed": true},
	}, now)
}

// showsCouriers reports whether the brand with the alias lets customers see the courier.
func showsCouriers(sites *site.Sites, alias string) bool {
	brand, ok := sites.ByAlias(alias)
	return ok && brand.Settings.CourierTracking
}

// Courier returns where the courier of an order is. It reports false while the order is not on
// its way or the position not known, and when the brand or the visitor's view shows no courier.
// It returns order.not_found (NotFound) for an order that is hidden from the visitor.
func (s *Service) Courier(ctx context.Context, v visit.Context, id int64) (Position, bool, error) {
	o, err := s.orders.Get(ctx, v, id)
	if err != nil || o.State != order.Sent || o.View == order.BriefView || !v.Site.Settings.CourierTracking {
		return Position{}, false, err
	}
	return findPosition(ctx, s.db.Read(), id)
}
