package schedule

import (
	"context"
	"database/sql"
	"encoding/json"
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
	// [Plan.Resolve] gives them.
	Starts []time.Time
	Needs  Minutes
	// Ceilings limit the whole and single groups; what has no ceiling is not counted.
	Ceilings Minutes
	// ExpiresAt is when ReleaseExpired gives it back; zero means never.
	ExpiresAt time.Time
}

// Reserve takes the work out of the first of the intervals that has room for all of
// it, and gives the start of that one. Twice by the same holder is once: what it
// holds already, if it will do, stays as it is, expiry too; otherwise it moves.
// Parallel orders never exceed a ceiling: the database itself refuses that.
//
// Fault: schedule.full (Conflict) when none has room; the caller then rolls back.
func Reserve(ctx context.Context, tx *db.Tx, h Hold) (time.Time, error) {
	h.Starts = cut(h.Starts)
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
	inserted, err := insertHold(ctx, tx, h, minutes)
	if err != nil {
		return time.Time{}, err
	}
	if !inserted {
		return heldMeanwhile(ctx, tx, h, minutes)
	}
	for n, start := range h.Starts {
		taken, err := take(ctx, tx, h, start, minutes)
		switch {
		case err != nil:
			return time.Time{}, err
		case taken && n > 0:
			err = tx.Q.MoveSlotHold(ctx, gen.MoveSlotHoldParams{Holder: h.Holder, StartsAt: start})
			return start, wrap("move hold", err)
		case taken:
			return start, nil
		}
	}
	return time.Time{}, fault.New(fault.Conflict, "schedule.full")
}

// heldMeanwhile gives what a parallel call of the same holder has taken.
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
	Start     time.Time
	Minutes   Minutes
	// ExpiresAt is zero when it never does.
	ExpiresAt time.Time
}

// Held gives what the holder has, and false when it has nothing. An expired hold is
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

// Release gives back all that the holder has. Releasing nothing is no fault.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	rows, err := tx.Q.DeleteSlotHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release interval: %w", err)
	}
	return giveAllBack(ctx, tx, rows)
}

// ReleaseExpired gives back what was held until now or earlier, and tells of how many
// holders. It is the sweep behind every checkout's deadline.
func ReleaseExpired(ctx context.Context, tx *db.Tx, now time.Time) (int, error) {
	rows, err := tx.Q.DeleteExpiredSlotHolds(ctx, sql.NullTime{Time: clock.Cut(now), Valid: true})
	if err != nil {
		return 0, fmt.Errorf("release expired intervals: %w", err)
	}
	// All transactions touch slots in the same order, so that two do not wait for each
	// other.
	slices.SortFunc(rows, func(a, b gen.SlotHold) int { return a.StartsAt.Compare(b.StartsAt) })
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
func Forget(ctx context.Context, tx *db.Tx, before time.Time) error {
	if _, err := tx.Q.DeletePastSlotHolds(ctx, clock.Cut(before)); err != nil {
		return fmt.Errorf("forget holds: %w", err)
	}
	if _, err := tx.Q.DeletePastSlots(ctx, clock.Cut(before)); err != nil {
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
	return kept.ShopID == h.ShopID && kept.OrderType == h.OrderType && maps.Equal(kept.Minutes, minutes) &&
		slices.ContainsFunc(h.Starts, kept.Start.Equal)
}

func insertHold(ctx context.Context, tx *db.Tx, h Hold, minutes Minutes) (bool, error) {
	body, err := json.Marshal(minutes)
	if err != nil {
		return false, fmt.Errorf("write hold: %w", err)
	}
	rows, err := tx.Q.InsertSlotHold(ctx, gen.InsertSlotHoldParams{
		Holder: h.Holder, ShopID: h.ShopID, OrderType: string(h.OrderType), StartsAt: h.Starts[0],
		Minutes: string(body), ExpiresAt: sql.NullTime{Time: clock.Cut(h.ExpiresAt), Valid: !h.ExpiresAt.IsZero()},
	})
	return rows > 0, wrap("write hold", err)
}

// take takes all minutes out of the slot, or none when one group has no room.
func take(ctx context.Context, tx *db.Tx, h Hold, start time.Time, minutes Minutes) (bool, error) {
	taken := Minutes{}
	for _, group := range slices.Sorted(maps.Keys(minutes)) {
		rows, err := tx.Q.TakeSlot(ctx, gen.TakeSlotParams{
			ShopID: h.ShopID, OrderType: string(h.OrderType), StartsAt: start, ProductGroupID: group,
			Minutes: int64(minutes[group]), Ceiling: int64(h.Ceilings[group]),
		})
		if err != nil {
			return false, fmt.Errorf("take interval: %w", err)
		}
		if rows == 0 {
			return false, giveBack(ctx, tx, Kept{ShopID: h.ShopID, OrderType: h.OrderType, Start: start, Minutes: taken})
		}
		taken[group] = minutes[group]
	}
	return true, nil
}

func giveAllBack(ctx context.Context, tx *db.Tx, rows []gen.SlotHold) error {
	for _, row := range rows {
		kept, err := toKept(row)
		if err != nil {
			return err
		}
		if err := giveBack(ctx, tx, kept); err != nil {
			return err
		}
	}
	return nil
}

func giveBack(ctx context.Context, tx *db.Tx, kept Kept) error {
	for _, group := range slices.Sorted(maps.Keys(kept.Minutes)) {
		_, err := tx.Q.GiveSlotBack(ctx, gen.GiveSlotBackParams{
			ShopID: kept.ShopID, OrderType: string(kept.OrderType), StartsAt: kept.Start,
			ProductGroupID: group, Minutes: int64(kept.Minutes[group]),
		})
		if err != nil {
			return fmt.Errorf("give interval back: %w", err)
		}
	}
	return nil
}

func toKept(row gen.SlotHold) (Kept, error) {
	kept := Kept{ShopID: row.ShopID, OrderType: site.OrderType(row.OrderType), Start: clock.Cut(row.StartsAt)}
	if row.ExpiresAt.Valid {
		kept.ExpiresAt = clock.Cut(row.ExpiresAt.Time)
	}
	if err := json.Unmarshal([]byte(row.Minutes), &kept.Minutes); err != nil {
		return Kept{}, fmt.Errorf("read hold: %w", err)
	}
	return kept, nil
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
