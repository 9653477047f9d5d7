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
	Holder string
	// IsNewHolder says that no other call knows the holder yet.
	IsNewHolder bool
	ShopID      int64
	OrderType   site.OrderType
	// Starts are the beginnings of the acceptable intervals, the preferred one first.
	Starts []time.Time
	// Earlier are the intervals before the last of Starts, as [Plan.EarlierStarts] returns them. A
	// large order takes free minutes of those before its own.
	Earlier []time.Time
	Needs   Minutes
	// Ceilings limit all work and single groups. Work of a group without a ceiling is not counted.
	Ceilings Minutes
	// ExpiresAt is when ReleaseExpired releases the reservation; zero means never.
	ExpiresAt time.Time
	// Address and Network are where a checkout comes from, as in [limit.Caller].
	Address, Network string
}

// Reserve reserves the work in the first of the acceptable intervals that has room for all of
// it, and returns the start of that interval. A large order also gets minutes of the intervals
// before. The database itself refuses to exceed a ceiling, also for concurrent orders. It must
// be called in a transaction.
//
// When the holder has a reservation already that satisfies the request, nothing changes, not
// even its expiry. Otherwise that reservation is released and made again.
//
// It returns schedule.full (Conflict) when none has room; the caller must then roll back.
func Reserve(ctx context.Context, tx *db.Tx, request Request) (time.Time, error) {
	former, hasFormer, err := FindReservation(ctx, tx.Q, request.Holder)
	if err != nil {
		return time.Time{}, err
	}
	return ReserveOver(ctx, tx, request, former, hasFormer)
}

// ReserveOver does what [Reserve] does, for a caller that has read in the transaction what the holder
// has: former, or nothing where hasFormer is false.
func ReserveOver(ctx context.Context, tx *db.Tx, request Request, former Reservation, hasFormer bool) (time.Time, error) {
	request.Starts, request.Earlier = cutAll(request.Starts), cutAll(request.Earlier)
	if len(request.Starts) == 0 {
		return time.Time{}, errors.New("reserve interval: no interval was asked for")
	}
	minutes := request.countedNeeds()
	if hasFormer && request.isSatisfiedBy(former, minutes) {
		return former.Start, nil
	}
	if minutes.Exceeds(request.Ceilings) { // before the release touches an interval
		if err := LockForLarge(ctx, tx, request.ShopID); err != nil {
			return time.Time{}, err
		}
	}
	if hasFormer {
		if err := Release(ctx, tx, request.Holder); err != nil {
			return time.Time{}, err
		}
	}
	// The row names the preferred interval until the minutes are reserved. A second call of the same
	// holder waits here until the first is committed.
	first := []Part{{request.Starts[0], minutes}}
	inserted, err := insertHold(ctx, tx, request, first)
	if err != nil {
		return time.Time{}, err
	}
	if !inserted {
		return checkConcurrentHold(ctx, tx, request, minutes)
	}
	taken, err := request.reserveParts(ctx, tx, minutes)
	if err != nil {
		return time.Time{}, err
	}
	if len(taken) > 1 || !taken[0].Start.Equal(request.Starts[0]) {
		err = moveHold(ctx, tx, request, taken)
	}
	return taken[0].Start, err
}

// checkConcurrentHold is called when another call of the same holder was first. It returns the
// start of the interval which that call has reserved, or schedule.full (Conflict) when that does
// not satisfy this request.
func checkConcurrentHold(ctx context.Context, tx *db.Tx, request Request, minutes Minutes) (time.Time, error) {
	reserved, ok, err := FindReservation(ctx, tx.Q, request.Holder)
	switch {
	case err != nil:
		return time.Time{}, err
	case ok && request.isSatisfiedBy(reserved, minutes):
		return reserved.Start, nil
	default:
		return time.Time{}, fault.New(fault.Conflict, "schedule.full")
	}
}

// Reservation is what a holder has reserved.
type Reservation struct {
	ShopID    int64
	OrderType site.OrderType
	// Start is that of the interval in which the order is handed over. Parts has what is reserved of
	// this interval first, then what is reserved of earlier ones.
	Start time.Time
	Parts []Part
	// ExpiresAt is zero when it never expires.
	ExpiresAt time.Time
}

// TotalMinutes returns the minutes that are reserved in all intervals together, by group.
func (k Reservation) TotalMinutes() Minutes {
	all := Minutes{}
	for _, part := range k.Parts {
		for group, minutes := range part.Minutes {
			all[group] += minutes
		}
	}
	return all
}

// FindReservation returns the reservation of the holder, and false when there is none. An expired
// reservation is found until ReleaseExpired has run.
func FindReservation(ctx context.Context, q *gen.Queries, holder string) (Reservation, bool, error) {
	row, err := q.GetSlotHold(ctx, holder)
	if errors.Is(err, db.ErrNotFound) {
		return Reservation{}, false, nil
	}
	if err != nil {
		return Reservation{}, false, fmt.Errorf("read hold: %w", err)
	}
	reserved, err := reservationOf(row)
	return reserved, err == nil, err
}

// Release releases all that the holder has reserved. A holder without a reservation is no error.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	rows, err := tx.Q.DeleteSlotHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release interval: %w", err)
	}
	return releaseRows(ctx, tx, rows)
}

// ReleaseExpired releases all reservations that expire at now or earlier, and returns how many
// it has released. It is called each minute.
func ReleaseExpired(ctx context.Context, tx *db.Tx, now time.Time) (int, error) {
	rows, err := tx.Q.DeleteExpiredSlotHolds(ctx, sql.NullTime{Time: clock.Cut(now), Valid: true})
	if err != nil {
		return 0, fmt.Errorf("release expired intervals: %w", err)
	}
	return len(rows), releaseRows(ctx, tx, rows)
}

// Confirm moves the reservation of holder to newHolder and removes its expiry. A second call
// changes nothing. It returns schedule.hold_lost (Conflict) when neither has a reservation.
func Confirm(ctx context.Context, tx *db.Tx, holder, newHolder string) error {
	renamedRows, err := tx.Q.RenameSlotHold(ctx, gen.RenameSlotHoldParams{Holder: holder, NewHolder: newHolder})
	if err != nil {
		return fmt.Errorf("confirm interval: %w", err)
	}
	if renamedRows > 0 {
		return nil
	}
	if _, ok, err := FindReservation(ctx, tx.Q, newHolder); err != nil || ok {
		return err
	}
	return fault.New(fault.Conflict, "schedule.hold_lost")
}

// DeletePast deletes all records of intervals that began before the instant, reservations too,
// in batches with a transaction each. Releasing such a reservation afterwards changes nothing.
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

// Used returns the minutes that are taken in intervals of the shop, by interval id and product
// group. It reads the intervals that begin at from or later and before to.
func Used(ctx context.Context, q *gen.Queries, shopID int64, orderType site.OrderType, from, to time.Time) (map[string]Minutes, error) {
	rows, err := q.ListUsedSlots(ctx, gen.ListUsedSlotsParams{
		ShopID: shopID, OrderType: string(orderType), FromTime: clock.Cut(from), ToTime: clock.Cut(to),
	})
	if err != nil {
		return nil, fmt.Errorf("read used intervals: %w", err)
	}
	used := map[string]Minutes{}
	for _, row := range rows {
		SetUsed(used, row.StartsAt, row.ProductGroupID, int(row.UsedMinutes))
	}
	return used, nil
}

// SetUsed sets the minutes of a group that are taken in the interval that begins at start, in a map as [Used]
// returns it. It is for areas that read intervals in queries of their own.
func SetUsed(used map[string]Minutes, start time.Time, group int64, minutes int) {
	id := IDOf(start)
	if used[id] == nil {
		used[id] = Minutes{}
	}
	used[id][group] = minutes
}

// countedNeeds returns the needed minutes of those groups that have a ceiling.
func (request Request) countedNeeds() Minutes {
	counted := Minutes{}
	for group, need := range request.Needs {
		if _, isLimited := request.Ceilings[group]; isLimited && need > 0 {
			counted[group] = need
		}
	}
	return counted
}

// isSatisfiedBy reports whether the reservation has exactly these minutes, in one of the
// acceptable intervals of the same shop and order type.
func (request Request) isSatisfiedBy(reserved Reservation, minutes Minutes) bool {
	return reserved.ShopID == request.ShopID && reserved.OrderType == request.OrderType && maps.Equal(reserved.TotalMinutes(), minutes) &&
		slices.ContainsFunc(request.Starts, reserved.Start.Equal)
}

// insertHold inserts the reservation of the holder with the parts. It reports false and writes
// nothing when the holder has one already; a new holder has none.
func insertHold(ctx context.Context, tx *db.Tx, request Request, parts []Part) (bool, error) {
	own, earlier, err := encodeParts(parts)
	if err != nil {
		return false, err
	}
	row := gen.InsertSlotHoldParams{
		Holder: request.Holder, ShopID: request.ShopID, OrderType: string(request.OrderType), StartsAt: parts[0].Start,
		Minutes: own, Earlier: earlier, ExpiresAt: sql.NullTime{Time: clock.Cut(request.ExpiresAt), Valid: !request.ExpiresAt.IsZero()},
		Address: request.Address, Network: request.Network,
	}
	if request.IsNewHolder {
		return true, wrapError("write hold", tx.Later().InsertNewSlotHold(ctx, gen.InsertNewSlotHoldParams(row)))
	}
	rows, err := tx.Q.InsertSlotHold(ctx, row)
	return rows > 0, wrapError("write hold", err)
}

// moveHold replaces the parts in the stored reservation of the holder.
func moveHold(ctx context.Context, tx *db.Tx, request Request, parts []Part) error {
	own, earlier, err := encodeParts(parts)
	if err != nil {
		return err
	}
	err = tx.Q.MoveSlotHold(ctx, gen.MoveSlotHoldParams{
		Holder: request.Holder, StartsAt: parts[0].Start, Minutes: own, Earlier: earlier,
	})
	return wrapError("move hold", err)
}

// releaseRows subtracts the minutes of deleted reservations from what is taken of their
// intervals. It does so in the order of time, as all transactions do, so that they seldom
// deadlock. For a reservation of several intervals it takes the lock of [LockForLarge].
func releaseRows(ctx context.Context, tx *db.Tx, rows []gen.SlotHold) error {
	var all []Reservation
	for _, row := range rows {
		reserved, err := reservationOf(row)
		if err != nil {
			return err
		}
		if len(reserved.Parts) > 1 {
			if err := LockForLarge(ctx, tx, reserved.ShopID); err != nil {
				return err
			}
		}
		for _, part := range reserved.Parts {
			all = append(all, Reservation{ShopID: reserved.ShopID, OrderType: reserved.OrderType, Parts: []Part{part}})
		}
	}
	slices.SortStableFunc(all, func(a, b Reservation) int { return a.Parts[0].Start.Compare(b.Parts[0].Start) })
	for _, reserved := range all {
		if err := releaseMinutes(ctx, tx, reserved); err != nil {
			return err
		}
	}
	return nil
}

// releaseMinutes subtracts the minutes of a reservation from what is taken of its intervals.
func releaseMinutes(ctx context.Context, tx *db.Tx, reserved Reservation) error {
	for _, part := range reserved.Parts {
		for _, group := range slices.Sorted(maps.Keys(part.Minutes)) {
			_, err := tx.Q.GiveSlotBack(ctx, gen.GiveSlotBackParams{
				ShopID: reserved.ShopID, OrderType: string(reserved.OrderType), StartsAt: part.Start,
				ProductGroupID: group, Minutes: int64(part.Minutes[group]),
			})
			if err != nil {
				return fmt.Errorf("release interval: %w", err)
			}
		}
	}
	return nil
}

// reservationOf returns the reservation that a row of the database stores. It returns an error
// when its JSON cannot be read.
func reservationOf(row gen.SlotHold) (Reservation, error) {
	reserved := Reservation{ShopID: row.ShopID, OrderType: site.OrderType(row.OrderType), Start: clock.Cut(row.StartsAt)}
	if row.ExpiresAt.Valid {
		reserved.ExpiresAt = clock.Cut(row.ExpiresAt.Time)
	}
	var err error
	reserved.Parts, err = ParseParts(row.StartsAt, row.Minutes, row.Earlier)
	return reserved, err
}

// cutAll returns the instants in UTC and cut to milliseconds, as the database stores them.
func cutAll(starts []time.Time) []time.Time {
	instants := make([]time.Time, len(starts))
	for i, start := range starts {
		instants[i] = clock.Cut(start)
	}
	return instants
}

// wrapError returns err with the operation before its text, nil for nil.
func wrapError(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
