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

// Reserve reserves all requested items for the holder, in place of those that the holder has.
// holder is unique in the whole database: "order:<id>". The reservation lasts until expiresAt,
// and without an end when that is zero. A second call by the same holder with the same items
// changes nothing, not even the expiry. It must be called in a transaction.
//
// The database itself refuses to exceed a limit, also for concurrent holders. A limit that was
// lowered releases nothing.
//
// It returns stock.gone (Conflict), a [*Gone], when there is not enough of an item; the caller
// must then roll back.
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
	isWritten, err := writeHold(ctx, tx.Q, holder, body, requested, expiresAt)
	if err != nil {
		return err
	}
	if !isWritten {
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

// checkConcurrentHold is called when another call of the same holder was first. It returns nil
// when that call has reserved the same items, and stock.gone otherwise.
func checkConcurrentHold(ctx context.Context, q *gen.Queries, holder string, requested counts) error {
	held, _, err := readHold(ctx, q, holder)
	if err != nil || maps.Equal(held, requested) {
		return err
	}
	return &Gone{requested.sortedItems()[0]}
}

// Confirm removes the expiry of what the holder has reserved, so that it stays used. A second
// call changes nothing, and a holder without a reservation is no error.
func Confirm(ctx context.Context, tx *db.Tx, holder string) error {
	if _, err := tx.Q.ConfirmStockHold(ctx, holder); err != nil {
		return fmt.Errorf("confirm stock: %w", err)
	}
	return nil
}

// Release releases all that the holder has reserved, confirmed or not. A holder without a
// reservation is no error.
func Release(ctx context.Context, tx *db.Tx, holder string) error {
	bodies, err := tx.Q.DeleteStockHold(ctx, holder)
	if err != nil {
		return fmt.Errorf("release stock: %w", err)
	}
	return releaseHolds(ctx, tx.Q, bodies)
}

// ReleaseExpired releases the reservations that expire at now or earlier, and returns how many they
// were. Confirmed reservations do not expire.
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

// DeleteConfirmed deletes the records of reservations that were confirmed before the instant;
// the counts stay, so that the items remain used. It also stores now as the time of confirmation
// in those that have none yet. It works in batches, each in a transaction of its own.
func DeleteConfirmed(ctx context.Context, d *db.DB, now, before time.Time) error {
	param := func(t time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(t), Valid: true} }
	err := d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.StampConfirmedStockHolds(ctx, param(now)) })
	if err != nil {
		return fmt.Errorf("stamp confirmed stock: %w", err)
	}
	err = d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteOldStockHolds(ctx, param(before)) })
	if err != nil {
		return fmt.Errorf("delete confirmed stock: %w", err)
	}
	return nil
}

// DeletePresentCount deletes the count of a present that no longer exists. It is no error when
// there is none.
func DeletePresentCount(ctx context.Context, q *gen.Queries, site string, id int64) error {
	if err := q.DeleteStockCountOfPresent(ctx, gen.DeleteStockCountOfPresentParams{Site: site, ID: id}); err != nil {
		return fmt.Errorf("delete the count of a present: %w", err)
	}
	return nil
}

// Used returns by item id how many of the items of a kind are used or reserved at the site.
// Counts of single phones are left out. An item that is not in the result has none.
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

// ParseHold returns how many of each item a reservation has; items is the text that the database
// stores for it. It returns an error for any other text. It is for areas that read reservations
// in queries of their own.
func ParseHold(items string) (map[Item]int, error) {
	held := counts{}
	return held, held.addHold(items)
}

// entry is an item as a hold stores it.
type entry struct {
	Item
	Count int `json:"count"`
}

// readHold returns the items that the holder has reserved, and the text that they are stored as,
// empty when there is no reservation.
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

// addHold adds the items of a reservation to the counts; body is the text that the database
// stores for it. It returns an error when that is not the expected JSON.
func (c counts) addHold(body string) error {
	var entries []entry
	if err := json.Unmarshal([]byte(body), &entries); err != nil {
		return fmt.Errorf("read stock hold: %w", err)
	}
	for _, e := range entries {
		c[e.Item] += e.Count
	}
	return nil
}

// writeHold stores the requested items and the expiry for the holder. before is the stored text
// that they replace, empty for none. It reports false and writes nothing when another text is
// stored, because another call of the holder was first.
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

// changeCount adds change to the count of an item, which may be negative. It returns stock.gone
// (Conflict) when the limit does not allow it.
func changeCount(ctx context.Context, q *gen.Queries, item Item, change, limit int) error {
	if change < 0 {
		_, err := q.GiveStockBack(ctx, gen.GiveStockBackParams{
			Count: int64(-change), Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Scope: item.Scope,
		})
		if err != nil {
			return fmt.Errorf("release stock: %w", err)
		}
		return nil
	}
	if change > limit {
		return &Gone{item}
	}
	rows, err := q.TakeStock(ctx, gen.TakeStockParams{
		Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Scope: item.Scope,
		Count: int64(change), MaxUsed: int64(limit),
	})
	if err != nil {
		return fmt.Errorf("reserve stock: %w", err)
	}
	if rows == 0 {
		return &Gone{item}
	}
	return nil
}

// releaseHolds subtracts the items of deleted reservations from their counts; bodies are the
// texts that the database had stored for them.
func releaseHolds(ctx context.Context, q *gen.Queries, bodies []string) error {
	released := counts{}
	for _, body := range bodies {
		if err := released.addHold(body); err != nil {
			return err
		}
	}
	const noLimit = 0 // a count that goes down needs none
	for _, item := range released.sortedItems() {
		if err := changeCount(ctx, q, item, -released[item], noLimit); err != nil {
			return err
		}
	}
	return nil
}
