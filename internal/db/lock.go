package db

import (
	"context"
	"fmt"
	"hash/fnv"
)

// Locked is a kind of what transactions lock besides rows: the first key of PostgreSQL's advisory
// locks. All kinds are listed here, so that no two have the same number.
type Locked int32

// The kinds. A transaction that locks several by name locks them in this order, and before it
// touches any row that others lock too.
const (
	LockedSession Locked = 0x5107 + iota
	LockedPhone
	LockedAddress
	LockedNetwork
	LockedIntervals
	// LockedChanges is held shared, with the number of a change in place of the hash of a name; no
	// transaction waits for it.
	LockedChanges
	// LockedReleases is held while the files of a release are written or removed.
	LockedReleases
)

// Lock makes transactions that lock the same name wait for each other until they end. It is for
// decisions that depend on a count, which no row stands for. Two names with the same hash share a
// lock. On SQLite it does nothing, because there is one writer at a time.
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
