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

// Lock makes checkouts of one network wait for each other until their transactions end: each
// then counts what the others hold. It must be called before the transaction touches an
// interval.
func (b Bounds) Lock(ctx context.Context, tx *db.Tx) error {
	if b.Limits.HoldsPerNetwork == 0 || b.Caller.Network == "" {
		return nil
	}
	return tx.Lock(ctx, db.LockedNetwork, b.Caller.Network)
}

// ReserveWithin is Reserve for a checkout, within the bounds; [Bounds.Lock] comes before it.
// It reports false, and takes nothing, when the caller's address or network holds enough, or
// when so much of the interval is held without an order that the rest is left to those who
// order: such a checkout may still become an order, which takes the time then.
func ReserveWithin(ctx context.Context, tx *db.Tx, h Hold, b Bounds, now time.Time) (bool, error) {
	h.Address, h.Network = b.Caller.Address, b.Caller.Network
	if _, err := Reserve(ctx, tx, h); err != nil || b.Limits.HoldShare == 0 {
		return err == nil, err
	}
	fits, err := b.allow(ctx, tx, h, now)
	if err != nil || fits {
		return fits, err
	}
	return false, Release(ctx, tx, h.Holder)
}

// allow reports whether what the holder has just taken is within the bounds.
func (b Bounds) allow(ctx context.Context, tx *db.Tx, h Hold, now time.Time) (bool, error) {
	kept, _, err := Held(ctx, tx.Q, h.Holder)
	if err != nil {
		return false, err
	}
	if len(kept.Parts) > 1 || kept.Minutes().Exceeds(h.Ceilings.divided(b.Limits.HoldShare)) {
		return false, nil
	}
	own, ok, err := b.ofNetwork(ctx, tx, kept, now)
	if err != nil || !ok || own.Exceeds(h.Ceilings.divided(b.Limits.HoldShare)) {
		return false, err
	}
	all, err := heldOf(ctx, tx, kept, now)
	return err == nil && !all.Exceeds(h.Ceilings.without(h.Ceilings.divided(b.Limits.HoldShare))), err
}

// divided returns one of so many parts of each ceiling.
func (m Minutes) divided(parts int) Minutes {
	part := Minutes{}
	for group, n := range m {
		part[group] = n / parts
	}
	return part
}

// without returns the ceilings less a part of each.
func (m Minutes) without(part Minutes) Minutes {
	rest := Minutes{}
	for group, n := range m {
		rest[group] = n - part[group]
	}
	return rest
}
