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
// changes nothing, not even the expiry. When no request is above zero, it only releases what the
// holder has. It must be called in a transaction.
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
	if err != nil || maps.Equal(held.items(), requested) {
		return err
	}
	changes := held.items().changesTo(requested)
	next, released := held.plan(changes, shareOf(holder))
	// A second call of the same holder waits here until the first is committed.
	written, err := writeHold(ctx, tx.Q, holder, body, next, expiresAt)
	if err != nil {
		return err
	}
	if written == "" { // another call of the holder was first
		return checkConcurrentHold(ctx, tx.Q, holder, requested)
	}
	isMoved := false // whether an item is counted in another place than was planned
	for _, item := range changes.sortedItems() {
		if changes[item] < 0 {
			err = releasePlaces(ctx, tx.Q, released[item])
		} else {
			var moved bool
			moved, err = takeItem(ctx, tx, item, changes[item], limits[item], shareOf(holder), next)
			isMoved = isMoved || moved
		}
		if err != nil {
			return err
		}
	}
	if isMoved {
		_, err = writeHold(ctx, tx.Q, holder, written, next, expiresAt)
	}
	return err
}

// checkConcurrentHold is called when another call of the same holder was first. It returns nil
// when that call has reserved the same items, and otherwise stock.gone for the first of the requested
// items.
func checkConcurrentHold(ctx context.Context, q *gen.Queries, holder string, requested counts) error {
	held, _, err := readHold(ctx, q, holder)
	if err != nil || maps.Equal(held.items(), requested) {
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
// the counts stay, so that the items remain used. Confirm does not store its time: before it
// deletes, DeleteConfirmed stores now in the records without one. It works in batches, each in a
// transaction of its own.
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
	held := holding{}
	err := held.addHold(items)
	return held.items(), err
}

// entry is an item as a hold stores it. A hold of the release before names no share.
type entry struct {
	Item
	Share int `json:"share,omitempty"`
	Count int `json:"count"`
}

// readHold returns the items that the holder has reserved, and the text that they are stored as,
// empty when there is no reservation.
func readHold(ctx context.Context, q *gen.Queries, holder string) (holding, string, error) {
	body, err := q.GetStockHold(ctx, holder)
	if errors.Is(err, db.ErrNotFound) {
		return holding{}, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("read stock hold: %w", err)
	}
	held := holding{}
	return held, body, held.addHold(body)
}

// addHold adds the items of a reservation; body is the text that the database
// stores for it. It returns an error when that is not the expected JSON.
func (h holding) addHold(body string) error {
	var entries []entry
	if err := json.Unmarshal([]byte(body), &entries); err != nil {
		return fmt.Errorf("read stock hold: %w", err)
	}
	for _, e := range entries {
		h[place{e.Item, e.Share}] += e.Count
	}
	return nil
}

// writeHold stores what the holder has with its expiry, and returns the text that it is stored as.
// before is the stored text that it replaces, empty for none. It returns "" and writes nothing when
// another text is stored, because another call of the holder was first.
func writeHold(ctx context.Context, q *gen.Queries, holder, before string, held holding, expiresAt time.Time) (string, error) {
	entries := make([]entry, 0, len(held))
	for _, p := range held.sortedPlaces() {
		entries = append(entries, entry{p.Item, p.Share, held[p]})
	}
	body, err := json.Marshal(entries)
	if err != nil {
		return "", fmt.Errorf("write stock hold: %w", err)
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
		return "", fmt.Errorf("write stock hold: %w", err)
	}
	if rows == 0 {
		return "", nil
	}
	return string(body), nil
}

// takeItem adds count to what is used of an item. next is what the holder has then, with the new uses in
// the share that the holder prefers; when they are counted elsewhere takeItem corrects next and reports
// true. It returns stock.gone (Conflict) when the limit would be exceeded.
func takeItem(ctx context.Context, tx *db.Tx, item Item, count, limit, preferred int, next holding) (bool, error) {
	if count > limit {
		return false, &Gone{item}
	}
	if item.isShared() {
		taken, err := takeShared(ctx, tx, item, count, limit, preferred)
		if err != nil || taken == preferred {
			return false, err
		}
		from := place{item, preferred}
		if next[from] -= count; next[from] == 0 {
			delete(next, from)
		}
		next[place{item, taken}] += count
		return true, nil
	}
	rows, err := tx.Q.TakeStock(ctx, gen.TakeStockParams{
		Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Scope: item.Scope,
		Count: int64(count), MaxUsed: int64(limit),
	})
	if err != nil {
		return false, fmt.Errorf("reserve stock: %w", err)
	}
	if rows == 0 {
		return false, &Gone{item}
	}
	return false, nil
}

// releasePlaces subtracts what was released from the counts that it was taken from. The limit does not
// matter: what was taken under a higher one may be released too.
func releasePlaces(ctx context.Context, q *gen.Queries, released holding) error {
	for _, p := range released.sortedPlaces() {
		count, site, kind := int64(released[p]), p.Site, string(p.Kind)
		var err error
		if p.Share == whole {
			_, err = q.GiveStockBack(ctx, gen.GiveStockBackParams{Count: count, Site: site, Kind: kind, ThingID: p.ID, Scope: p.Scope})
		} else {
			_, err = q.GiveStockBackToShare(ctx, gen.GiveStockBackToShareParams{Count: count, Site: site, Kind: kind, ThingID: p.ID, Share: int64(p.Share)})
		}
		if err != nil {
			return fmt.Errorf("release stock: %w", err)
		}
	}
	return nil
}

// releaseHolds subtracts the items of deleted reservations from their counts; bodies are the
// texts that the database had stored for them.
func releaseHolds(ctx context.Context, q *gen.Queries, bodies []string) error {
	released := holding{}
	for _, body := range bodies {
		if err := released.addHold(body); err != nil {
			return err
		}
	}
	return releasePlaces(ctx, q, released)
}
