package schedule

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/limit"
)

// Bounds limit what a caller may reserve without an order. They limit nothing when the HoldShare of
// Limits is 0.
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
// did. [Bounds.Lock] must be called before, and the holder has no reservation yet. It reserves nothing when the caller's address or
// network has reserved enough, or when checkouts have taken their share of the interval, so that
// orders have the rest. A checkout without a reservation can still become an order, which then
// reserves the time itself. It returns schedule.full (Conflict) when no interval has room; the
// caller must then roll back.
func ReserveWithin(ctx context.Context, tx *db.Tx, request Request, b Bounds, now time.Time) (bool, error) {
	request.Address, request.Network = b.Caller.Address, b.Caller.Network
	if _, err := ReserveOver(ctx, tx, request, Reservation{}, false); err != nil || b.Limits.HoldShare == 0 { // 0 limits nothing
		return err == nil, err
	}
	fits, err := b.isWithin(ctx, tx, request, now)
	if err != nil || fits {
		return fits, err
	}
	return false, Release(ctx, tx, request.Holder)
}

// isWithin reports whether the bounds allow what the request has just reserved. One reservation
// may take 1/HoldShare of each ceiling, and so may all of one network together. All checkouts
// together may take the ceilings less that share. A reservation that is spread over several
// intervals is never allowed.
func (b Bounds) isWithin(ctx context.Context, tx *db.Tx, request Request, now time.Time) (bool, error) {
	reserved, _, err := FindReservation(ctx, tx.Q, request.Holder)
	if err != nil {
		return false, err
	}
	share := request.Ceilings.dividedBy(b.Limits.HoldShare)
	if len(reserved.Parts) > 1 || reserved.TotalMinutes().Exceeds(share) {
		return false, nil
	}
	networkMinutes, isCountAllowed, err := b.heldByNetwork(ctx, tx, reserved, now)
	if err != nil || !isCountAllowed || networkMinutes.Exceeds(share) {
		return false, err
	}
	checkoutMinutes, err := heldByCheckouts(ctx, tx, reserved, now)
	return err == nil && !checkoutMinutes.Exceeds(request.Ceilings.minus(share)), err
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
