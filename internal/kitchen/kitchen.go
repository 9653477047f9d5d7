// Package kitchen changes and shows what the restaurant sets over its content while the servers run:
// pauses and busy times of kitchens, prices, and alerts of cities and shops. It also shows how much work
// the times of a shop still take.
//
// A change is one transaction. This process uses it at once, the others within a second or two. The
// same change made again changes nothing.
package kitchen

import (
	"context"
	"time"

	"servery/internal/audit"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/live"
	"servery/internal/site"
)

// maxAhead is the longest time that a kitchen may be paused or busy for.
const maxAhead = 7 * 24 * time.Hour

// Service is safe for concurrent use.
type Service struct {
	db      *db.DB
	clock   clock.Clock
	catalog *catalog.Catalog
}

// New returns the service over a migrated database and the catalog that reads it.
func New(d *db.DB, c clock.Clock, cat *catalog.Catalog) *Service {
	return &Service{db: d, clock: c, catalog: cat}
}

// StateChange is a request to set or remove a pause or a busy time of a kitchen.
type StateChange struct {
	live.KitchenEntry

	// UntilShiftEnd ends the pause or busy time with the present shift of the shop. Until must be zero then.
	UntilShiftEnd bool
	// Remove ends the pause or busy time now, without an order type that of every type. It is no error when
	// there is none.
	Remove bool
}

// SetState sets or removes a pause or a busy time, and returns the pauses and busy times that are in force
// in the shop afterwards. It writes a change to the audit log.
//
// Faults: catalog.unknown_site, catalog.unknown_shop (NotFound); kitchen.order_type at order_type,
// kitchen.reason_needed at reason, kitchen.minutes_needed at minutes, catalog.no_shift, and at until
// kitchen.end_needed, kitchen.one_end, kitchen.until_past and kitchen.until_too_far (Invalid).
func (s *Service) SetState(ctx context.Context, change StateChange) ([]live.KitchenEntry, error) {
	entry := change.KitchenEntry
	entry.At = s.clock.Now()
	snapshot := s.catalog.Current()
	brand, err := snapshot.FindBrand(entry.Site, entry.ShopID)
	if err != nil {
		return nil, err
	}
	if !change.Remove {
		if err := checkState(snapshot, brand, entry); err != nil {
			return nil, err
		}
		if entry.Until, err = endOf(snapshot, brand, change, entry.At); err != nil {
			return nil, err
		}
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, orderType := range change.orderTypes() {
			entry.OrderType = orderType
			if err := storeState(ctx, tx, entry, change.Remove); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.catalog.Refresh(ctx); err != nil {
		return nil, err
	}
	return s.States(entry.Site, entry.ShopID)
}

// orderTypes returns the order types of the entries that the change is about. A removal without an order type is
// about those of every type, others are about one entry.
func (c StateChange) orderTypes() []site.OrderType {
	own := []site.OrderType{c.OrderType}
	if c.Remove && c.OrderType == "" {
		return append(own, site.OrderTypes()...)
	}
	return own
}

// storeState stores or removes a pause or busy time, and records it in the audit log. It must be called in a
// transaction. It does nothing when the entry is stored so already, or is not there to be removed.
func storeState(ctx context.Context, tx *db.Tx, e live.KitchenEntry, isRemoved bool) error {
	before, isSet, err := live.FindKitchen(ctx, tx, e, e.At)
	switch {
	case err != nil:
		return err
	case isRemoved && !isSet, !isRemoved && isSet && isSameState(before, e): // nothing changes
		return nil
	}
	if err := live.SaveKitchen(ctx, tx, e, isRemoved); err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		Site: e.Site, ShopID: e.ShopID, Subject: "kitchen", ID: string(e.Kind),
		Before: stateFields(before, isSet), After: stateFields(e, !isRemoved),
	}, e.At)
}

// States returns the pauses and busy times that are in force in a shop of a site; shopID 0 is all shops.
// Faults, both NotFound: catalog.unknown_site and catalog.unknown_shop.
func (s *Service) States(siteAlias string, shopID int64) ([]live.KitchenEntry, error) {
	snapshot, now := s.catalog.Current(), s.clock.Now()
	brand, err := snapshot.FindBrand(siteAlias, shopID)
	if err != nil {
		return nil, err
	}
	inForce := []live.KitchenEntry{}
	for _, e := range snapshot.Live(brand).Kitchens {
		if live.IsInForce(e.Until, now) && (shopID == 0 || e.ShopID == shopID) {
			inForce = append(inForce, e)
		}
	}
	return inForce, nil
}

// checkState returns the first fault of a pause or busy time; nil when there is none. Its end is checked
// by endOf.
func checkState(snapshot *catalog.Snapshot, brand *site.Site, e live.KitchenEntry) error {
	shop, _ := snapshot.Atlas(brand).Shop(e.ShopID)
	switch {
	case e.OrderType != "" && !shop.Serves(e.OrderType):
		return refuse("order_type", "kitchen.order_type")
	case e.Kind == live.Busy && e.Minutes == 0:
		return refuse("minutes", "kitchen.minutes_needed")
	case e.Reason == "":
		return refuse("reason", "kitchen.reason_needed")
	}
	return nil
}

// endOf returns when the pause or busy time ends. It returns the faults of [Service.SetState] for a
// missing or wrong end.
func endOf(snapshot *catalog.Snapshot, brand *site.Site, change StateChange, now time.Time) (time.Time, error) {
	switch until := change.Until; {
	case change.UntilShiftEnd && !until.IsZero():
		return until, refuse("until", "kitchen.one_end")
	case change.UntilShiftEnd:
		return snapshot.ShiftEnd(brand, change.ShopID, now)
	case until.IsZero():
		return until, refuse("until", "kitchen.end_needed")
	case !until.After(now):
		return until, refuse("until", "kitchen.until_past")
	case until.After(now.Add(maxAhead)):
		return until, refuse("until", "kitchen.until_too_far")
	default:
		return clock.Cut(until), nil
	}
}

// isSameState reports whether two states of one kitchen are equal apart from the time they were set.
func isSameState(a, b live.KitchenEntry) bool {
	return a.Minutes == b.Minutes && a.Until.Equal(b.Until) && a.HasOrigin(b.Origin)
}

// stateFields returns the fields of a pause or busy time for the audit log; isSet is false when there is
// none.
func stateFields(e live.KitchenEntry, isSet bool) audit.Fields {
	if !isSet {
		return audit.Fields{"set": false}
	}
	return audit.Fields{"set": true, "order_type": e.OrderType, "minutes": e.Minutes, "until": e.Until.UTC(), "reason": e.Reason}
}

// refuse returns an Invalid fault with the message key, which it also sets at the field.
func refuse(field, key string) error {
	return fault.New(fault.Invalid, key, fault.Field(field, key))
}
