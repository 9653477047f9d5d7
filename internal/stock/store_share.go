package stock

import (
	"context"
	"fmt"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// takeShared adds count to what is used of an item whose limit is split: in the preferred share where
// that has enough left, else in another one or in the row of the whole item. It returns the share that
// counts it, or [whole]. It returns [Gone] when less than count is left in all shares and
// the row of the whole item together. Concurrent takers of different shares do not wait for each other.
func takeShared(ctx context.Context, tx *db.Tx, item Item, count, limit, preferred int) (int, error) {
	if newShareSize(limit) > 0 { // a lower limit has no shares
		if taken, err := takeOfShare(ctx, tx, item, count, limit, preferred); taken || err != nil {
			return preferred, err
		}
	}
	for {
		now, err := readSplit(ctx, tx.Q, item)
		if err != nil {
			return whole, err
		}
		if now.used()+count > limit {
			return whole, &Gone{item}
		}
		number := now.pick(count, limit, preferred)
		if number == whole {
			return takeOfWhole(ctx, tx, item, count, limit, preferred)
		}
		// Another taker may have been faster; then less is left, so that this ends.
		if taken, err := takeOfShare(ctx, tx, item, count, limit, number); taken || err != nil {
			return number, err
		}
	}
}

// takeOfShare adds count to what is used of a share, and reports whether the share had as much left
// under the limit.
//
// A taker that has waited for a share in vain holds no lock of it afterwards. PostgreSQL locks a row
// also when it turns out not to be changed. A transaction that fills the shares has locked the row of
// the whole item; it would wait for the share, while the taker goes on to wait for the whole item.
func takeOfShare(ctx context.Context, tx *db.Tx, item Item, count, limit, number int) (bool, error) {
	if tx.Engine == db.Postgres {
		if _, err := tx.SQL.ExecContext(ctx, "SAVEPOINT stock_share"); err != nil {
			return false, fmt.Errorf("reserve stock of a share: %w", err)
		}
	}
	rows, err := tx.Q.TakeStockOfShare(ctx, gen.TakeStockOfShareParams{
		Count: int64(count), Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Share: int64(number), OfLimit: int64(limit),
	})
	if err == nil && rows == 0 && tx.Engine == db.Postgres {
		_, err = tx.SQL.ExecContext(ctx, "ROLLBACK TO SAVEPOINT stock_share")
	}
	if err != nil {
		return false, fmt.Errorf("reserve stock of a share: %w", err)
	}
	return rows > 0, nil
}

// takeOfWhole locks the row of the whole item, adds count to what is used there, and fills the shares
// when none has any left. When they were filled under another limit, or too little is left outside of them,
// it takes back all that they have left first. When a share has enough by then, it takes from that one. It
// returns as [takeShared] does.
func takeOfWhole(ctx context.Context, tx *db.Tx, item Item, count, limit, preferred int) (int, error) {
	site, kind := item.Site, string(item.Kind)
	err := tx.Q.LockStock(ctx, gen.LockStockParams{Site: site, Kind: kind, ThingID: item.ID, MaxUsed: int64(limit)})
	if err != nil {
		return whole, fmt.Errorf("lock stock: %w", err)
	}
	// What the shares may hand out changes only under this lock.
	now, err := readSplit(ctx, tx.Q, item)
	if err != nil {
		return whole, err
	}
	if number := now.pick(count, limit, preferred); number != whole { // who had the lock before has filled them
		if taken, err := takeOfShare(ctx, tx, item, count, limit, number); taken || err != nil {
			return number, err
		}
	}
	if now.hasOtherLimit(limit) || now.counted+count > limit {
		if now, err = emptyShares(ctx, tx.Q, item, now, limit); err != nil {
			return whole, err
		}
	}
	if now.counted+count > limit {
		return whole, &Gone{item}
	}
	counted := now.counted + count
	if size := newShareSize(limit - counted); size > 0 && now.left() == 0 {
		if err := fillShares(ctx, tx.Q, item, size, limit); err != nil {
			return whole, err
		}
		counted += size * shareCount
	}
	err = tx.Q.SetStockUsed(ctx, gen.SetStockUsedParams{Used: int64(counted), Site: site, Kind: kind, ThingID: item.ID})
	if err != nil {
		return whole, fmt.Errorf("reserve stock: %w", err)
	}
	return whole, nil
}

// emptyShares takes from the shares all that they have left, and sets limit as the limit that they are filled
// under next. The caller has locked the item's row and read before under that lock. emptyShares returns the
// new count of that row, without shares; the caller must store it.
func emptyShares(ctx context.Context, q *gen.Queries, item Item, before split, limit int) (split, error) {
	used, err := q.EmptyStockShares(ctx, gen.EmptyStockSharesParams{
		OfLimit: int64(limit), Site: item.Site, Kind: string(item.Kind), ThingID: item.ID,
	})
	if err != nil {
		return split{}, fmt.Errorf("take stock back from shares: %w", err)
	}
	// The row counts all that the shares may hand out. From now on it counts only what they have used.
	counted := before.counted
	for _, one := range before.shares {
		counted -= one.maxUsed
	}
	for _, count := range used {
		counted += int(count)
	}
	return split{counted: counted}, nil
}

// fillShares adds size to what each share may hand out, under the limit. The caller has locked the item's row
// and must add what all shares get to its count.
func fillShares(ctx context.Context, q *gen.Queries, item Item, size, limit int) error {
	for number := 1; number <= shareCount; number++ {
		err := q.FillStockShare(ctx, gen.FillStockShareParams{
			Site: item.Site, Kind: string(item.Kind), ThingID: item.ID, Share: int64(number),
			Count: int64(size), OfLimit: int64(limit),
		})
		if err != nil {
			return fmt.Errorf("fill a share of stock: %w", err)
		}
	}
	return nil
}

// readSplit reads what is counted of an item and its shares, at one moment.
func readSplit(ctx context.Context, q *gen.Queries, item Item) (split, error) {
	rows, err := q.ListStockShares(ctx, gen.ListStockSharesParams{Site: item.Site, Kind: string(item.Kind), ThingID: item.ID})
	if err != nil {
		return split{}, fmt.Errorf("read shares of stock: %w", err)
	}
	var now split
	for _, row := range rows {
		now.counted = int(row.WholeUsed)
		if row.Share != whole {
			now.shares = append(now.shares, share{int(row.Share), int(row.Used), int(row.MaxUsed), int(row.OfLimit)})
		}
	}
	return now, nil
}
