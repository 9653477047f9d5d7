package schedule

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/limit"
)

// Bounds limit what a caller reserves without an order. Limits without a HoldShare limit nothing.
type Bounds struct {
	Limits limit.Limits
	Caller limit.Caller
}

// Lock makes the checkouts of one network wait for each other until their transactions end, so
// that each counts what the others have reserved. It must be called before the transaction
// touches an interval. It does nothing when networks are not limited or the caller's is unknown.
func (b Bounds) Lock(ctx context.Context, tx *db.Tx) error {
	if b.Limits.HoldsPerNetwork == 0 || b.Caller.Network == "" {
		return nil
	}
	return tx.Lock(ctx, db.LockedNetwork, b.Caller.Network)
}

// ReserveWithin reserves the work of a checkout if the bounds allow it, and reports whether it
// did. [Bounds.Lock] must be called before. It reserves nothing when the caller's address or
// network has reserved enough, or when checkouts have their share of the interval: the rest is
// left to orders. Such a checkout can still become an order, which then reserves the time
// itself. It returns schedule.full (Conflict) when no interval has room; the caller must then
// roll back.
func ReserveWithin(ctx context.Context, tx *db.Tx, h Request, b Bounds, now time.Time) (bool, error) {
	h.Address, h.Network = b.Caller.Address, b.Caller.Network
	if _, err := Reserve(ctx, tx, h); err != nil || b.Limits.HoldShare == 0 {
		return err == nil, err
	}
	fits, err := b.isWithin(ctx, tx, h, now)
	if err != nil || fits {
		return fits, err
	}
	return false, Release(ctx, tx, h.Holder)
}

// isWithin reports whether the bounds allow what the holder of h has just reserved. One reservation
// may take 1/HoldShare of each ceiling, and so may all of one network together. All checkouts
// together may take the ceilings less that share. A reservation that is spread over several
// intervals is never allowed.
func (b Bounds) isWithin(ctx context.Context, tx *db.Tx, h Request, now time.Time) (bool, error) {
	reserved, _, err := FindReservation(ctx, tx.Q, h.Holder)
	if err != nil {
		return false, err
	}
	share := h.Ceilings.dividedBy(b.Limits.HoldShare)
	if len(reserved.Parts) > 1 || reserved.TotalMinutes().Exceeds(share) {
		return false, nil
	}
	ofNetwork, isCountAllowed, err := b.heldByNetwork(ctx, tx, reserved, now)
	if err != nil || !isCountAllowed || ofNetwork.Exceeds(share) {
		return false, err
	}
	ofAll, err := heldByCheckouts(ctx, tx, reserved, now)
	return err == nil && !ofAll.Exceeds(h.Ceilings.minus(share)), err
}

// dividedBy returns the minutes of each group divided by a number, rounded down.
func (m Minutes) dividedBy(divisor int) Minutes {
	quotient := Minutes{}
	for group, n := range m {
		quotient[group] = n / divisor
	}
	return quotient
}

// minus returns the minutes of each group less those of part.
func (m Minutes) minus(part Minutes) Minutes {
	rest := Minutes{}
	for group, n := range m {
		rest[group] = n - part[group]
	}
	return rest
}
