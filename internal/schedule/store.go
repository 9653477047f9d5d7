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

// Request asks for the work of one order in an interval.
type Request struct {
	// Holder names the holder, unique in the whole database: "cache:<key>", "order:<id>".
	Holder    string
	ShopID    int64
	OrderType site.OrderType
	// Starts are the acceptable intervals, the preferred one first, as [Plan.Resolve] returns them.
	Starts []time.Time
	// Earlier are the intervals before the last of Starts, as [Plan.EarlierStarts] returns them. A
	// large order takes free minutes of those before its own.
	Earlier []time.Time
	Needs   Minutes
	// Ceilings limit the whole and single groups; what has no ceiling is not counted.
	Ceilings Minutes
	// ExpiresAt is when ReleaseExpired releases the reservation; zero means never.
	ExpiresAt time.Time
	// Address and Network are where a checkout comes from, as in [limit.Caller].
	Address, Network string
}

// Reserve reserves the work in the first of the intervals that has room for all of it, a large
// order's also in those before, and returns the start of that interval. A second call by the same
// holder changes nothing where the reservation satisfies it, the expiry neither; otherwise the
// reservation moves. Concurrent orders never exceed a ceiling, because the database itself refuses
// that.
//
// It returns schedule.full (Conflict) when none has room; the caller then rolls back.
func Reserve(ctx context.Context, tx *db.Tx, h Request) (time.Time, error) {
	h.Starts, h.Earlier = cutAll(h.Starts), cutAll(h.Earlier)
	if len(h.Starts) == 0 {
		return time.Time{}, errors.New("reserve interval: no interval was asked for")
	}
	minutes := h.countedNeeds()
	if kept, ok, err := FindReservation(ctx, tx.Q, h.Holder); err != nil {
		return time.Time{}, err
	} else if ok && h.isSatisfiedBy(kept, minutes) {
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
		return checkConcurrentHold(ctx, tx, h, minutes)
	}
	taken, err := h.reserveParts(ctx, tx, minutes)
	if err != nil {
		return time.Time{}, err
	}
	if len(taken) > 1 || !taken[0].Start.Equal(h.Starts[0]) {
		err = moveHold(ctx, tx, h, taken)
	}
	return taken[0].Start, err
}

// checkConcurrentHold returns what a concurrent call of the same holder has reserved, and
// schedule.full (Conflict) when that is something else.
func checkConcurrentHold(ctx context.Context, tx *db.Tx, h Request, minutes Minutes) (time.Time, error) {
	kept, ok, err := FindReservation(ctx, tx.Q, h.Holder)
	switch {
	case err != nil:
		return time.Time{}, err
	case ok && h.isSatisfiedBy(kept, minutes):
		return kept.Start, nil
	default:
		return time.Time{}, fault.New(fault.Conflict, "schedule.full")
	}
}

// Reservation is what a holder has reserved.
type Reservation struct {
	ShopID    int64
	OrderType site.OrderType
	// Start is that of the interval in which the order is handed over, Parts what is reserved of it
	// and of those before it.
	Start time.Time
	Parts []Part
	// ExpiresAt is zero when it never expires.
	ExpiresAt time.Time
}

// TotalMinutes returns what the holder has reserved of all intervals together.
func (k Reservation) TotalMinutes() Minutes {
	all := Minutes{}
	for _, part := range k.Parts {
		for group, minutes := range part.Minutes {
			all[group] += minutes
		}
	}
	return all
}

// FindReservation returns what the holder has reserved, and false when that is nothing. An expired
// reservation exists until it is swept.
func FindReservation(ctx context.Context, q *gen.Queries, holder string) (Reservation, bool, error) {
	row, err := q.GetSlotHold(ctx, holder)
	if errors.Is(err, db.ErrNotFound) {
		return Reservation{}, false, nil
	}
	if err != nil {
		return Reservation{}, false, fmt.Errorf("read hold: %w", err)
	}
	kept, err := reservationOf(row)
	return kept, err == nil, err
}

// Release releases all that the holder has. Releasing nothing is no fault.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	rows, err := tx.Q.DeleteSlotHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release interval: %w", err)
	}
	return releaseRows(ctx, tx, rows)
}

// ReleaseExpired releases what was reserved until now or earlier, and returns for how many holders.
// It is the sweep behind every checkout's deadline.
func ReleaseExpired(ctx context.Context, tx *db.Tx, now time.Time) (int, error) {
	rows, err := tx.Q.DeleteExpiredSlotHolds(ctx, sql.NullTime{Time: clock.Cut(now), Valid: true})
	if err != nil {
		return 0, fmt.Errorf("release expired intervals: %w", err)
	}
	return len(rows), releaseRows(ctx, tx, rows)
}

// Confirm moves what the holder has to newHolder, for good: it does not expire any more. A second
// call changes nothing. It returns schedule.hold_lost (Conflict) when neither has anything.
func Confirm(ctx context.Context, tx *db.Tx, holder, newHolder string) error {
	renamed, err := tx.Q.RenameSlotHold(ctx, gen.RenameSlotHoldParams{Holder: holder, NewHolder: newHolder})
	if err != nil {
		return fmt.Errorf("confirm interval: %w", err)
	}
	if renamed > 0 {
		return nil
	}
	if _, ok, err := FindReservation(ctx, tx.Q, newHolder); err != nil || ok {
		return err
	}
	return fault.New(fault.Conflict, "schedule.hold_lost")
}

// DeletePast deletes all records of intervals that began before the instant. Their holders may
// still be released; that changes nothing.
func DeletePast(ctx context.Context, d *db.DB, before time.Time) error {
	err := d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeletePastSlotHolds(ctx, clock.Cut(before)) })
	if err != nil {
		return fmt.Errorf("delete past holds: %w", err)
	}
	err = d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeletePastSlots(ctx, clock.Cut(before)) })
	if err != nil {
		return fmt.Errorf("delete past slots: %w", err)
	}
	return nil
}

// Used returns the minutes that are taken in the intervals of the shop that begin from from until
// before to, by interval id.
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

// countedNeeds returns the needs that a ceiling limits.
func (h Request) countedNeeds() Minutes {
	counted := Minutes{}
	for group, need := range h.Needs {
		if _, limited := h.Ceilings[group]; limited && need > 0 {
			counted[group] = need
		}
	}
	return counted
}

// isSatisfiedBy reports whether the reservation is for this work in one of the acceptable
// intervals.
func (h Request) isSatisfiedBy(kept Reservation, minutes Minutes) bool {
	return kept.ShopID == h.ShopID && kept.OrderType == h.OrderType && maps.Equal(kept.TotalMinutes(), minutes) &&
		slices.ContainsFunc(h.Starts, kept.Start.Equal)
}

// insertHold writes the reservation. It reports false when the holder has one already.
func insertHold(ctx context.Context, tx *db.Tx, h Request, parts []Part) (bool, error) {
	own, earlier, err := encodeParts(parts)
	if err != nil {
		return false, err
	}
	rows, err := tx.Q.InsertSlotHold(ctx, gen.InsertSlotHoldParams{
		Holder: h.Holder, ShopID: h.ShopID, OrderType: string(h.OrderType), StartsAt: parts[0].Start,
		Minutes: own, Earlier: earlier, ExpiresAt: sql.NullTime{Time: clock.Cut(h.ExpiresAt), Valid: !h.ExpiresAt.IsZero()},
		Address: h.Address, Network: h.Network,
	})
	return rows > 0, wrapError("write hold", err)
}

func moveHold(ctx context.Context, tx *db.Tx, h Request, parts []Part) error {
	own, earlier, err := encodeParts(parts)
	if err != nil {
		return err
	}
	err = tx.Q.MoveSlotHold(ctx, gen.MoveSlotHoldParams{
		Holder: h.Holder, StartsAt: parts[0].Start, Minutes: own, Earlier: earlier,
	})
	return wrapError("move hold", err)
}

// releaseRows returns the minutes of deleted reservations to their slots. All transactions touch
// slots in the order of time, so that they seldom deadlock.
func releaseRows(ctx context.Context, tx *db.Tx, rows []gen.SlotHold) error {
	var all []Reservation
	for _, row := range rows {
		kept, err := reservationOf(row)
		if err != nil {
			return err
		}
		if len(kept.Parts) > 1 {
			if err := LockForLarge(ctx, tx, kept.ShopID); err != nil {
				return err
			}
		}
		for _, part := range kept.Parts {
			all = append(all, Reservation{ShopID: kept.ShopID, OrderType: kept.OrderType, Parts: []Part{part}})
		}
	}
	slices.SortStableFunc(all, func(a, b Reservation) int { return a.Parts[0].Start.Compare(b.Parts[0].Start) })
	for _, kept := range all {
		if err := releaseMinutes(ctx, tx, kept); err != nil {
			return err
		}
	}
	return nil
}

// releaseMinutes returns the minutes of a reservation to its slots.
func releaseMinutes(ctx context.Context, tx *db.Tx, kept Reservation) error {
	for _, part := range kept.Parts {
		for _, group := range slices.Sorted(maps.Keys(part.Minutes)) {
			_, err := tx.Q.GiveSlotBack(ctx, gen.GiveSlotBackParams{
				ShopID: kept.ShopID, OrderType: string(kept.OrderType), StartsAt: part.Start,
				ProductGroupID: group, Minutes: int64(part.Minutes[group]),
			})
			if err != nil {
				return fmt.Errorf("release interval: %w", err)
			}
		}
	}
	return nil
}

func reservationOf(row gen.SlotHold) (Reservation, error) {
	kept := Reservation{ShopID: row.ShopID, OrderType: site.OrderType(row.OrderType), Start: clock.Cut(row.StartsAt)}
	if row.ExpiresAt.Valid {
		kept.ExpiresAt = clock.Cut(row.ExpiresAt.Time)
	}
	var err error
	kept.Parts, err = ParseParts(row.StartsAt, row.Minutes, row.Earlier)
	return kept, err
}

func cutAll(starts []time.Time) []time.Time {
	instants := make([]time.Time, len(starts))
	for i, start := range starts {
		instants[i] = clock.Cut(start)
	}
	return instants
}

func wrapError(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
