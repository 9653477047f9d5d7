package schedule

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/fault"
	"servery/internal/site"
)

// Hold asks for the work of one order in an interval.
type Hold struct {
	// Holder names who holds, once in the whole database: "cache:<key>", "order:<id>".
	Holder    string
	ShopID    int64
	OrderType site.OrderType
	// Starts are the intervals that will do, the preferred one first, as
	// [Plan.Resolve] returns them.
	Starts []time.Time
	// Earlier are the intervals before the last of Starts, as [Plan.Earlier] returns them. A
	// large order takes free minutes of those before its own.
	Earlier []time.Time
	Needs   Minutes
	// Ceilings limit the whole and single groups; what has no ceiling is not counted.
	Ceilings Minutes
	// ExpiresAt is when ReleaseExpired releases it; zero means never.
	ExpiresAt time.Time
	// Address and Network stand for where a checkout comes from, as [limit.Caller] has them.
	Address, Network string
}

// Reserve takes the work out of the first of the intervals that has room for all of it, a
// large order's also out of those before, and returns the start of that one. Twice by the same
// holder is once: what it holds already, if it will do, stays as it is, expiry too; otherwise
// it moves. Parallel orders never exceed a ceiling: the database itself refuses that.
//
// Fault: schedule.full (Conflict) when none has room; the caller then rolls back.
func Reserve(ctx context.Context, tx *db.Tx, h Hold) (time.Time, error) {
	h.Starts, h.Earlier = cut(h.Starts), cut(h.Earlier)
	if len(h.Starts) == 0 {
		return time.Time{}, errors.New("reserve interval: no interval was asked for")
	}
	minutes := h.counted()
	if kept, ok, err := Held(ctx, tx.Q, h.Holder); err != nil {
		return time.Time{}, err
	} else if ok && h.willDo(kept, minutes) {
		return kept.Start, nil
	}
	if err := Release(ctx, tx, h.Holder); err != nil {
		return time.Time{}, err
	}
	// A second call of the same holder waits here until the first is committed.
	first := []Part{{h.Starts[0], minutes}}
	inserted, err := insertHold(ctx, tx, h, first)
	if err != nil {
		return time.Time{}, err
	}
	if !inserted {
		return heldMeanwhile(ctx, tx, h, minutes)
	}
	taken, err := h.take(ctx, tx, minutes)
	if err != nil {
		return time.Time{}, err
	}
	if len(taken) > 1 || !taken[0].Start.Equal(h.Starts[0]) {
		err = moveHold(ctx, tx, h, taken)
	}
	return taken[0].Start, err
}

// heldMeanwhile returns what a parallel call of the same holder has taken.
func heldMeanwhile(ctx context.Context, tx *db.Tx, h Hold, minutes Minutes) (time.Time, error) {
	kept, ok, err := Held(ctx, tx.Q, h.Holder)
	switch {
	case err != nil:
		return time.Time{}, err
	case ok && h.willDo(kept, minutes):
		return kept.Start, nil
	default:
		return time.Time{}, fault.New(fault.Conflict, "schedule.full")
	}
}

// Kept is what a holder has.
type Kept struct {
	ShopID    int64
	OrderType site.OrderType
	// Start is that of the interval in which the order is handed over, Parts what is taken of
	// it and of those before it.
	Start time.Time
	Parts []Part
	// ExpiresAt is zero when it never does.
	ExpiresAt time.Time
}

// Minutes returns what the holder has of all intervals together.
func (k Kept) Minutes() Minutes {
	all := Minutes{}
	for _, part := range k.Parts {
		for group, minutes := range part.Minutes {
			all[group] += minutes
		}
	}
	return all
}

// Held returns what the holder has, and false when it has nothing. An expired hold is
// there until it is swept.
func Held(ctx context.Context, q *gen.Queries, holder string) (Kept, bool, error) {
	row, err := q.GetSlotHold(ctx, holder)
	if errors.Is(err, db.ErrNotFound) {
		return Kept{}, false, nil
	}
	if err != nil {
		return Kept{}, false, fmt.Errorf("read hold: %w", err)
	}
	kept, err := toKept(row)
	return kept, err == nil, err
}

// Release releases all that the holder has. Releasing nothing is no fault.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	rows, err := tx.Q.DeleteSlotHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release interval: %w", err)
	}
	return giveAllBack(ctx, tx, rows)
}

// ReleaseExpired releases what was held until now or earlier, and returns of how many
// holders. It is the sweep behind every checkout's deadline.
func ReleaseExpired(ctx context.Context, tx *db.Tx, now time.Time) (int, error) {
	rows, err := tx.Q.DeleteExpiredSlotHolds(ctx, sql.NullTime{Time: clock.Cut(now), Valid: true})
	if err != nil {
		return 0, fmt.Errorf("release expired intervals: %w", err)
	}
	return len(rows), giveAllBack(ctx, tx, rows)
}

// Confirm hands what the holder has to newHolder, for good: it does not expire any
// more. Twice is once. Fault: schedule.hold_lost (Conflict) when neither has anything.
func Confirm(ctx context.Context, tx *db.Tx, holder, newHolder string) error {
	renamed, err := tx.Q.RenameSlotHold(ctx, gen.RenameSlotHoldParams{Holder: holder, NewHolder: newHolder})
	if err != nil {
		return fmt.Errorf("confirm interval: %w", err)
	}
	if renamed > 0 {
		return nil
	}
	if _, ok, err := Held(ctx, tx.Q, newHolder); err != nil || ok {
		return err
	}
	return fault.New(fault.Conflict, "schedule.hold_lost")
}

// Forget removes all that is kept of intervals that began before the instant. Their
// holders may still be released; that changes nothing.
func Forget(ctx context.Context, d *db.DB, before time.Time) error {
	err := d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeletePastSlotHolds(ctx, clock.Cut(before)) })
	if err != nil {
		return fmt.Errorf("forget holds: %w", err)
	}
	err = d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeletePastSlots(ctx, clock.Cut(before)) })
	if err != nil {
		return fmt.Errorf("forget slots: %w", err)
	}
	return nil
}

// Used gives the minutes that are given away in the intervals of the shop that begin
// from from until before to, by interval id.
func Used(ctx context.Context, q *gen.Queries, shopID int64, orderType site.OrderType, from, to time.Time) (map[string]Minutes, error) {
	rows, err := q.ListUsedSlots(ctx, gen.ListUsedSlotsParams{
		ShopID: shopID, OrderType: string(orderType), FromTime: clock.Cut(from), ToTime: clock.Cut(to),
	})
	if err != nil {
		return nil, fmt.Errorf("read used intervals: %w", err)
	}
	used := map[string]Minutes{}
	for _, row := range rows {
		id := IDOf(row.StartsAt)
		if used[id] == nil {
			used[id] = Minutes{}
		}
		used[id][row.ProductGroupID] = int(row.UsedMinutes)
	}
	return used, nil
}

// counted gives the needs that a ceiling limits.
func (h Hold) counted() Minutes {
	counted := Minutes{}
	for group, need := range h.Needs {
		if _, limited := h.Ceilings[group]; limited && need > 0 {
			counted[group] = need
		}
	}
	return counted
}

func (h Hold) willDo(kept Kept, minutes Minutes) bool {
	return kept.ShopID == h.ShopID && kept.OrderType == h.OrderType && maps.Equal(kept.Minutes(), minutes) &&
		slices.ContainsFunc(h.Starts, kept.Start.Equal)
}

func insertHold(ctx context.Context, tx *db.Tx, h Hold, parts []Part) (bool, error) {
	own, earlier, err := toRow(parts)
	if err != nil {
		return false, err
	}
	rows, err := tx.Q.InsertSlotHold(ctx, gen.InsertSlotHoldParams{
		Holder: h.Holder, ShopID: h.ShopID, OrderType: string(h.OrderType), StartsAt: parts[0].Start,
		Minutes: own, Earlier: earlier, ExpiresAt: sql.NullTime{Time: clock.Cut(h.ExpiresAt), Valid: !h.ExpiresAt.IsZero()},
		Address: h.Address, Network: h.Network,
	})
	return rows > 0, wrap("write hold", err)
}

func moveHold(ctx context.Context, tx *db.Tx, h Hold, parts []Part) error {
	own, earlier, err := toRow(parts)
	if err != nil {
		return err
	}
	err = tx.Q.MoveSlotHold(ctx, gen.MoveSlotHoldParams{
		Holder: h.Holder, StartsAt: parts[0].Start, Minutes: own, Earlier: earlier,
	})
	return wrap("move hold", err)
}

// giveAllBack returns the minutes of holds to their slots. All transactions touch slots in the
// order of time, so that two seldom wait for each other.
func giveAllBack(ctx context.Context, tx *db.Tx, rows []gen.SlotHold) error {
	var all []Kept
	for _, row := range rows {
		kept, err := toKept(row)
		if err != nil {
			return err
		}
		if len(kept.Parts) > 1 {
			if err := LockForLarge(ctx, tx, kept.ShopID); err != nil {
				return err
			}
		}
		for _, part := range kept.Parts {
			all = append(all, Kept{ShopID: kept.ShopID, OrderType: kept.OrderType, Parts: []Part{part}})
		}
	}
	slices.SortStableFunc(all, func(a, b Kept) int { return a.Parts[0].Start.Compare(b.Parts[0].Start) })
	for _, kept := range all {
		if err := giveBack(ctx, tx, kept); err != nil {
			return err
		}
	}
	return nil
}

func giveBack(ctx context.Context, tx *db.Tx, kept Kept) error {
	for _, part := range kept.Parts {
		for _, group := range slices.Sorted(maps.Keys(part.Minutes)) {
			_, err := tx.Q.GiveSlotBack(ctx, gen.GiveSlotBackParams{
				ShopID: kept.ShopID, OrderType: string(kept.OrderType), StartsAt: part.Start,
				ProductGroupID: group, Minutes: int64(part.Minutes[group]),
			})
			if err != nil {
				return fmt.Errorf("give interval back: %w", err)
			}
		}
	}
	return nil
}

func toKept(row gen.SlotHold) (Kept, error) {
	kept := Kept{ShopID: row.ShopID, OrderType: site.OrderType(row.OrderType), Start: clock.Cut(row.StartsAt)}
	if row.ExpiresAt.Valid {
		kept.ExpiresAt = clock.Cut(row.ExpiresAt.Time)
	}
	var err error
	kept.Parts, err = ReadParts(row.StartsAt, row.Minutes, row.Earlier)
	return kept, err
}

func cut(starts []time.Time) []time.Time {
	instants := make([]time.Time, len(starts))
	for i, start := range starts {
		instants[i] = clock.Cut(start)
	}
	return instants
}

func wrap(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
