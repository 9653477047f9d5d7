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
)

// Reserve reserves all requested items for the holder, in place of what the holder has. holder is
// unique in the whole database: "order:<id>". The reservation lasts until expiresAt, and for good
// when that is zero. A second call by the same holder with the same items changes nothing, the
// expiry neither. Concurrent holders never exceed a limit, because the database itself refuses
// that; a limit that was lowered releases nothing.
//
// It returns stock.gone (Conflict), a [*Gone], when there is not enough of an item; the caller then
// rolls back.
func Reserve(ctx context.Context, tx *db.Tx, holder string, requests []Request, expiresAt time.Time) error {
	requested, limits := sumRequests(requests)
	if len(requested) == 0 {
		return Release(ctx, tx, holder)
	}
	held, body, err := readHold(ctx, tx.Q, holder)
	if err != nil || maps.Equal(held, requested) {
		return err
	}
	// A second call of the same holder waits here until the first is committed.
	written, err := writeHold(ctx, tx.Q, holder, body, requested, expiresAt)
	if err != nil {
		return err
	}
	if !written {
		return checkConcurrentHold(ctx, tx.Q, holder, requested)
	}
	changes := held.changesTo(requested)
	for _, item := range changes.sortedItems() {
		if err := changeCount(ctx, tx.Q, item, changes[item], limits[item]); err != nil {
			return err
		}
	}
	return nil
}

// checkConcurrentHold returns nil when a concurrent call of the same holder has reserved the same,
// and stock.gone otherwise.
func checkConcurrentHold(ctx context.Context, q *gen.Queries, holder string, requested counts) error {
	held, _, err := readHold(ctx, q, holder)
	if err != nil || maps.Equal(held, requested) {
		return err
	}
	return &Gone{requested.sortedItems()[0]}
}

// Confirm keeps what the holder has for good: it does not expire any more. Confirming nothing is no
// fault, and a second call changes nothing.
func Confirm(ctx context.Context, tx *db.Tx, holder string) error {
	if _, err := tx.Q.ConfirmStockHold(ctx, holder); err != nil {
		return fmt.Errorf("confirm stock: %w", err)
	}
	return nil
}

// Release releases all that the holder has, confirmed or not. Releasing nothing is no fault.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	bodies, err := tx.Q.DeleteStockHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release stock: %w", err)
	}
	return releaseHolds(ctx, tx.Q, bodies)
}

// ReleaseExpired releases what was reserved until now or earlier, and returns for how many holders.
// Confirmed reservations do not expire.
func ReleaseExpired(ctx context.Context, tx *db.Tx, now time.Time) (int, error) {
	until := sql.NullTime{Time: clock.Cut(now), Valid: true}
	holders, err := tx.Q.ListExpiredStockHolds(ctx, until)
	if err != nil {
		return 0, fmt.Errorf("list expired stock: %w", err)
	}
	slices.Sort(holders) // concurrent sweeps touch them in one order
	var bodies []string
	for _, holder := range holders {
		deleted, err := tx.Q.DeleteExpiredStockHold(ctx, gen.DeleteExpiredStockHoldParams{Holder: holder, Now: until})
		if err != nil {
			return 0, fmt.Errorf("release expired stock: %w", err)
		}
		bodies = append(bodies, deleted...)
	}
	return len(bodies), releaseHolds(ctx, tx.Q, bodies)
}

// DeleteConfirmed deletes the records of who has confirmed what that were confirmed before the
// instant; the counts stay. A reservation counts as confirmed from the first sweep that finds it
// so.
func DeleteConfirmed(ctx context.Context, d *db.DB, now, before time.Time) error {
	at := func(t time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(t), Valid: true} }
	err := d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.StampConfirmedStockHolds(ctx, at(now)) })
	if err != nil {
		return fmt.Errorf("stamp confirmed stock: %w", err)
	}
	err = d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteOldStockHolds(ctx, at(before)) })
	if err != nil {
		return fmt.Errorf("delete confirmed stock: %w", err)
	}
	return nil
}

// DeletePresentCount deletes the count of a present that has ended.
func DeletePresentCount(ctx context.Context, q *gen.Queries, site string, id int64) error {
	if err := q.DeleteStockCountOfPresent(ctx, gen.DeleteStockCountOfPresentParams{Site: site, ID: id}); err != nil {
		return fmt.Errorf("delete the count of a present: %w", err)
	}
	return nil
}

// Used returns how many are used or held of all items of a kind without a scope, by their ids. An
// item that is not in the result was never reserved or is released.
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

// CountUsed returns how many of an item are used or held.
func CountUsed(ctx context.Context, q *gen.Queries, item Item) (int, error) {
	used, err := q.GetUsedStock(ctx, gen.GetUsedStockParams{
		Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Scope: item.Scope,
	})
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read used stock: %w", err)
	}
	return int(used), nil
}

// ParseHold returns how many of each item a hold has, from the text that it is stored as. It is for
// areas that read holds together with rows of their own.
func ParseHold(items string) (map[Item]int, error) {
	held := counts{}
	return held, held.addHold(items)
}

// entry is an item as a hold stores it.
type entry struct {
	Item
	Count int `json:"count"`
}

// readHold returns what the holder has, and the text of its hold, empty when it has none.
func readHold(ctx context.Context, q *gen.Queries, holder string) (counts, string, error) {
	body, err := q.GetStockHold(ctx, holder)
	if errors.Is(err, db.ErrNotFound) {
		return counts{}, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("read stock hold: %w", err)
	}
	held := counts{}
	return held, body, held.addHold(body)
}

// addHold adds the items of the text of a hold.
func (t counts) addHold(body string) error {
	var entries []entry
	if err := json.Unmarshal([]byte(body), &entries); err != nil {
		return fmt.Errorf("read stock hold: %w", err)
	}
	for _, e := range entries {
		t[e.Item] += e.Count
	}
	return nil
}

// writeHold writes the hold over the text that was read. It reports false, and writes nothing, when
// another call of the holder was first.
func writeHold(ctx context.Context, q *gen.Queries, holder, before string, requested counts, expiresAt time.Time) (bool, error) {
	entries := make([]entry, 0, len(requested))
	for _, item := range requested.sortedItems() {
		entries = append(entries, entry{item, requested[item]})
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

// changeCount reserves this many of an item, or releases them where by is below zero. It returns
// stock.gone (Conflict) where the limit does not allow it.
func changeCount(ctx context.Context, q *gen.Queries, item Item, by, limit int) error {
	if by < 0 {
		_, err := q.GiveStockBack(ctx, gen.GiveStockBackParams{
			Count: int64(-by), Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Scope: item.Scope,
		})
		if err != nil {
			return fmt.Errorf("release stock: %w", err)
		}
		return nil
	}
	if by > limit {
		return &Gone{item}
	}
	rows, err := q.TakeStock(ctx, gen.TakeStockParams{
		Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Scope: item.Scope,
		Count: int64(by), MaxUsed: int64(limit),
	})
	if err != nil {
		return fmt.Errorf("reserve stock: %w", err)
	}
	if rows == 0 {
		return &Gone{item}
	}
	return nil
}

// releaseHolds releases the items in the texts of deleted holds.
func releaseHolds(ctx context.Context, q *gen.Queries, bodies []string) error {
	all := counts{}
	for _, body := range bodies {
		if err := all.addHold(body); err != nil {
			return err
		}
	}
	for _, item := range all.sortedItems() {
		if err := changeCount(ctx, q, item, -all[item], 0); err != nil {
			return err
		}
	}
	return nil
}
