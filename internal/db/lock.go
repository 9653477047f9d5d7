package db

import (
	"context"
	"fmt"
	"hash/fnv"
)

// Locked names a kind of thing that transactions lock by its name.
type Locked int32

// The kinds. A transaction that locks several locks them in this order, and before it touches
// any row that others lock too.
const (
	LockedIntervals Locked = 0x5107 + iota
	LockedSession
	LockedPhone
	LockedAddress
	LockedNetwork
)

// Lock makes transactions that lock the same name wait for each other until they end: they
// decide by what they count, and no row stands for what they count. Two names may share a
// lock. On SQLite there is one writer at a time anyway.
func (tx *Tx) Lock(ctx context.Context, what Locked, name string) error {
	if tx.Engine != Postgres {
		return nil
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash never fails
	if _, err := tx.SQL.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1, $2)", int32(what), int32(h.Sum32())); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}
