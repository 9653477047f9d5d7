package schedule

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/limit"
)

// Bounds limit what a caller holds without an order. Limits without a HoldShare limit nothing.
type Bounds struct {
	Limits limit.Limits
	Caller limit.Caller
}

// Lock makes the checkouts of one network wait for each other until their transactions end, so that
// each counts what the others hold. It must be called before the transaction touches an interval.
func (b Bounds) Lock(ctx context.Context, tx *db.Tx) error {
	if b.Limits.HoldsPerNetwork == 0 || b.Caller.Network == "" {
		return nil
	}
	return tx.Lock(ctx, db.LockedNetwork, b.Caller.Network)
}

// ReserveWithin is Reserve for a checkout, within the bounds; [Bounds.Lock] must be called before
// it. It reports false, and reserves nothing, when the caller's address or network holds enough, or
// when checkouts hold their share of the interval and the rest is left to orders. Such a checkout
// may still become an order, which reserves the time then.
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

// isWithin reports whether what the holder has just reserved is within the bounds.
func (b Bounds) isWithin(ctx context.Context, tx *db.Tx, h Request, now time.Time) (bool, error) {
	kept, _, err := FindReservation(ctx, tx.Q, h.Holder)
	if err != nil {
		return false, err
	}
	if len(kept.Parts) > 1 || kept.TotalMinutes().Exceeds(h.Ceilings.dividedBy(b.Limits.HoldShare)) {
		return false, nil
	}
	own, ok, err := b.heldByNetwork(ctx, tx, kept, now)
	if err != nil || !ok || own.Exceeds(h.Ceilings.dividedBy(b.Limits.HoldShare)) {
		return false, err
	}
	all, err := heldByCheckouts(ctx, tx, kept, now)
	return err == nil && !all.Exceeds(h.Ceilings.minus(h.Ceilings.dividedBy(b.Limits.HoldShare))), err
}

// dividedBy returns one of this many parts of each ceiling.
func (m Minutes) dividedBy(parts int) Minutes {
	part := Minutes{}
	for group, n := range m {
		part[group] = n / parts
	}
	return part
}

// minus returns the ceilings less a part of each.
func (m Minutes) minus(part Minutes) Minutes {
	rest := Minutes{}
	for group, n := range m {
		rest[group] = n - part[group]
	}
	return rest
}
