package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// standingMetres is how far a courier who stands may seem to move: positions are not exact.
const standingMetres = 50

// Report is what the operator's system says of the courier of an order.
type Report struct {
	Point geo.Point
	// Route is the way to the door; nil leaves that of an earlier report, an empty one removes it.
	Route []geo.Point
	// Minutes are those until the courier is at the door; nil where that is not known.
	Minutes *int
}

// Position is where the courier of an order was last.
type Position struct {
	OrderID    int64
	Point      geo.Point
	ReportedAt time.Time
	// Route is the way to the door; empty where it is not known.
	Route []geo.Point
	// Minutes are those until the courier is at the door, from ReportedAt on; nil where that is not known.
	Minutes *int
	// Still is the point around which the courier has been since StillSince.
	Still      geo.Point
	StillSince time.Time
}

// move returns the position after a report. The minutes are those of the report, also when it has none; without
// a route the last one stays. The courier stands as long as each report is near to the first one of that place.
func (p Position) move(r Report, now time.Time) Position {
	next := Position{OrderID: p.OrderID, Point: r.Point, ReportedAt: now, Route: p.Route, Minutes: r.Minutes, Still: p.Still, StillSince: p.StillSince}
	if r.Route != nil {
		next.Route = r.Route
	}
	if p.StillSince.IsZero() || geo.DistanceMetres(p.Still, r.Point) >= standingMetres {
		next.Still, next.StillSince = r.Point, now
	}
	return next
}

// check returns order.bad_point (Invalid) when the point, or one of the route, is not on the earth.
func (r Report) check() error {
	badPoint := func(field string) error {
		return fault.New(fault.Invalid, "order.bad_point", fault.Field(field, "order.bad_point"))
	}
	if !r.Point.Valid() {
		return badPoint("coordinates")
	}
	if slices.ContainsFunc(r.Route, func(p geo.Point) bool { return !p.Valid() }) {
		return badPoint("route")
	}
	return nil
}

// SetCourierLocation stores where the courier of an order on its way is, in place of the last position. The
// first position is recorded in the audit log, without the place. Faults: order.bad_point (Invalid),
// order.not_found (NotFound); order.courier_not_sent when the order is not on its way and
// order.courier_not_tracked when the brand shows no couriers (both Conflict).
func (s *Service) SetCourierLocation(ctx context.Context, snapshot *catalog.Snapshot, id int64, r Report, now time.Time) error {
	if err := r.check(); err != nil {
		return err
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
		last, isKnown, err := findPosition(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		if !isKnown {
			if err := recordFirstPosition(ctx, tx, id, row.Site, row.ShopID, now); err != nil {
				return err
			}
		}
		last.OrderID = id
		return upsertPosition(ctx, tx.Q, last.move(r, now))
	})
}

// recordFirstPosition records in the audit log that a position of the order becomes known. It never records
// where the courier is.
func recordFirstPosition(ctx context.Context, tx *db.Tx, id int64, brand string, shopID int64, now time.Time) error {
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
