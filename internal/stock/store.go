package stock

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
)

// Take takes all that is wanted, in place of what the holder has. holder names who holds,
// once in the whole database: "order:<id>". It holds until expiresAt, and for good when
// that is zero. Twice by the same holder is once: what it has already stays as it is,
// expiry too. Parallel holders never exceed a limit: the database itself refuses that. A
// limit that is lower than before takes nothing back.
//
// Fault: stock.gone (Conflict) with the [Thing] of which there is not enough; the caller
// then rolls back.
func Take(ctx context.Context, tx *db.Tx, holder string, wants []Want, expiresAt time.Time) error {
	wanted, limits := summed(wants)
	if len(wanted) == 0 {
		return Release(ctx, tx, holder)
	}
	held, body, err := read(ctx, tx.Q, holder)
	if err != nil || maps.Equal(held, wanted) {
		return err
	}
	// A second call of the same holder waits here until the first is committed.
	written, err := write(ctx, tx.Q, holder, body, wanted, expiresAt)
	if err != nil {
		return err
	}
	if !written {
		return takenMeanwhile(ctx, tx.Q, holder, wanted)
	}
	changes := held.changes(wanted)
	for _, thing := range changes.things() {
		if err := change(ctx, tx.Q, thing, changes[thing], limits[thing]); err != nil {
			return err
		}
	}
	return nil
}

// takenMeanwhile judges by what a parallel call of the same holder has taken.
func takenMeanwhile(ctx context.Context, q *gen.Queries, holder string, wanted taken) error {
	held, _, err := read(ctx, q, holder)
	if err != nil || maps.Equal(held, wanted) {
		return err
	}
	return gone(wanted.things()[0])
}

// Confirm makes what the holder has its own for good: it does not expire any more.
// Confirming nothing is no fault, and twice is once.
func Confirm(ctx context.Context, tx *db.Tx, holder string) error {
	if _, err := tx.Q.ConfirmStockHold(ctx, holder); err != nil {
		return fmt.Errorf("confirm stock: %w", err)
	}
	return nil
}

// Release gives back all that the holder has, confirmed or not. Releasing nothing is no
// fault.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	bodies, err := tx.Q.DeleteStockHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release stock: %w", err)
	}
	return giveBack(ctx, tx.Q, bodies)
}

// ReleaseExpired gives back what was held until now or earlier, and tells of how many
// holders. What was confirmed is never among it.
func ReleaseExpired(ctx context.Context, tx *db.Tx, now time.Time) (int, error) {
	until := sql.NullTime{Time: clock.Cut(now), Valid: true}
	holders, err := tx.Q.ListExpiredStockHolds(ctx, until)
	if err != nil {
		return 0, fmt.Errorf("find expired stock: %w", err)
	}
	slices.Sort(holders) // sweeps side by side touch them in one order
	var bodies []string
	for _, holder := range holders {
		deleted, err := tx.Q.DeleteExpiredStockHold(ctx, gen.DeleteExpiredStockHoldParams{Holder: holder, Now: until})
		if err != nil {
			return 0, fmt.Errorf("release expired stock: %w", err)
		}
		bodies = append(bodies, deleted...)
	}
	return len(bodies), giveBack(ctx, tx.Q, bodies)
}

// ForgetConfirmed removes what says who has confirmed what for as long as the term says; the
// counts stay. A hold counts as confirmed from the first sweep that finds it so.
func ForgetConfirmed(ctx context.Context, d *db.DB, now, before time.Time) error {
	at := func(t time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(t), Valid: true} }
	err := d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.StampConfirmedStockHolds(ctx, at(now)) })
	if err != nil {
		return fmt.Errorf("stamp confirmed stock: %w", err)
	}
	err = d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteOldStockHolds(ctx, at(before)) })
	if err != nil {
		return fmt.Errorf("forget confirmed stock: %w", err)
	}
	return nil
}

// ForgetPresent removes the count of a present that has ended.
func ForgetPresent(ctx context.Context, q *gen.Queries, site string, id int64) error {
	if err := q.DeleteStockCountOfPresent(ctx, gen.DeleteStockCountOfPresentParams{Site: site, ID: id}); err != nil {
		return fmt.Errorf("forget the count of a present: %w", err)
	}
	return nil
}

// Used gives how many are used or held of all things of a kind that have no scope, by
// their ids. What is not in it was never taken or all given back.
func Used(ctx context.Context, q *gen.Queries, site string, kind Kind) (map[int64]int, error) {
	rows, err := q.ListUsedStock(ctx, gen.ListUsedStockParams{Site: site, Kind: string(kind)})
	if err != nil {
		return nil, fmt.Errorf("read used stock: %w", err)
	}
	used := make(map[int64]int, len(rows))
	for _, row := range rows {
		used[row.ThingID] = int(row.Used)
	}
	return used, nil
}

// UsedOf gives how many of a thing are used or held.
func UsedOf(ctx context.Context, q *gen.Queries, thing Thing) (int, error) {
	used, err := q.GetUsedStock(ctx, gen.GetUsedStockParams{
		Site: thing.Site, Kind: string(thing.Kind), ThingID: thing.ID, Scope: thing.Scope,
	})
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read used stock: %w", err)
	}
	return int(used), nil
}

// ParseHold returns how many of each thing a hold has, from the text that it is stored as:
// for areas that read holds together with rows of their own.
func ParseHold(things string) (map[Thing]int, error) {
	held := taken{}
	return held, held.add(things)
}

// entry is a thing as a hold is stored.
type entry struct {
	Thing
	Count int `json:"count"`
}

// read gives what the holder has, and the text of its hold, empty when it has none.
func read(ctx context.Context, q *gen.Queries, holder string) (taken, string, error) {
	body, err := q.GetStockHold(ctx, holder)
	if errors.Is(err, db.ErrNotFound) {
		return taken{}, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("read stock hold: %w", err)
	}
	held := taken{}
	return held, body, held.add(body)
}

// add adds what the text of a hold says.
func (t taken) add(body string) error {
	var entries []entry
	if err := json.Unmarshal([]byte(body), &entries); err != nil {
		return fmt.Errorf("read stock hold: %w", err)
	}
	for _, e := range entries {
		t[e.Thing] += e.Count
	}
	return nil
}

// write writes the hold over the text that was read, or nothing and false when another
// call of the holder was first.
func write(ctx context.Context, q *gen.Queries, holder, before string, wanted taken, expiresAt time.Time) (bool, error) {
	entries := make([]entry, 0, len(wanted))
	for _, thing := range wanted.things() {
		entries = append(entries, entry{thing, wanted[thing]})
	}
	body, err := json.Marshal(entries)
	if err != nil {
		return false, fmt.Errorf("write stock hold: %w", err)
	}
	expires := sql.NullTime{Time: clock.Cut(expiresAt), Valid: !expiresAt.IsZero()}
	var rows int64
	if before == "" {
		rows, err = q.InsertStockHold(ctx, gen.InsertStockHoldParams{Holder: holder, Things: string(body), ExpiresAt: expires})
	} else {
		rows, err = q.ChangeStockHold(ctx, gen.ChangeStockHoldParams{
			Things: string(body), ExpiresAt: expires, Holder: holder, HeldThings: before,
		})
	}
	if err != nil {
		return false, fmt.Errorf("write stock hold: %w", err)
	}
	return rows > 0, nil
}

// change takes so many of a thing, or gives them back where by is below zero.
func change(ctx context.Context, q *gen.Queries, thing Thing, by, limit int) error {
	if by < 0 {
		_, err := q.GiveStockBack(ctx, gen.GiveStockBackParams{
			Count: int64(-by), Site: thing.Site, Kind: string(thing.Kind), ThingID: thing.ID, Scope: thing.Scope,
		})
		if err != nil {
			return fmt.Errorf("give stock back: %w", err)
		}
		return nil
	}
	if by > limit {
		return gone(thing)
	}
	rows, err := q.TakeStock(ctx, gen.TakeStockParams{
		Site: thing.Site, Kind: string(thing.Kind), ThingID: thing.ID, Scope: thing.Scope,
		Count: int64(by), MaxUsed: int64(limit),
	})
	if err != nil {
		return fmt.Errorf("take stock: %w", err)
	}
	if rows == 0 {
		return gone(thing)
	}
	return nil
}

// giveBack gives back what the texts of deleted holds say.
func giveBack(ctx context.Context, q *gen.Queries, bodies []string) error {
	all := taken{}
	for _, body := range bodies {
		if err := all.add(body); err != nil {
			return err
		}
	}
	for _, thing := range all.things() {
		if err := change(ctx, q, thing, -all[thing], 0); err != nil {
			return err
		}
	}
	return nil
}

func gone(thing Thing) error { return fault.New(fault.Conflict, "stock.gone", fault.Data(thing)) }
