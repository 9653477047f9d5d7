// Package archive moves final orders that are older than a brand's term out of the tables that all
// orders are in, each with all its rows as one compressed document, and back when one is read or
// changed. So these tables stay as large as the orders of the term, and everything else works on
// orders in them alone (decision 0123).
package archive

import (
	"context"
	"slices"
	"time"

	"servery/internal/db"
)

const (
	// atOnce is how many orders are moved in one transaction, batches how many transactions one
	// sweep makes.
	atOnce, batches = 20, 25
	// recalledFor is how long an order that came back from the archive stays out of it.
	recalledFor = 7 * 24 * time.Hour
)

// Sweep archives orders of a site that were promised for a time before the instant, were not changed
// since, are final and nothing is owed for: up to 500 in transactions of 20. The next call continues. It
// is safe to run in several processes at once, and to end at any point: an order is in the archive or it
// is not.
//
// An order stays while a row of a shorter term belongs to it (who looked it up, messages about it), for a
// week after it came back from the archive, and while its last change is the newest of all orders.
func Sweep(ctx context.Context, d *db.DB, site string, before, now time.Time) error {
	for range batches {
		archived := 0
		err := d.InTx(ctx, func(tx *db.Tx) error {
			var err error
			archived, err = archiveNext(ctx, tx, site, before, now)
			return err
		})
		if err != nil || archived < atOnce {
			return err
		}
	}
	return nil
}

// archiveNext archives the next orders of a site that were promised for and last changed before the instant,
// and returns how many. It must be called in a transaction.
func archiveNext(ctx context.Context, tx *db.Tx, site string, before, now time.Time) (int, error) {
	found, err := listArchivable(ctx, tx.Q, site, before, now)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	// All transactions lock orders by their numbers.
	for _, id := range slices.Sorted(slices.Values(found)) {
		if _, err := lockOrder(ctx, tx.Q, id); err != nil {
			return 0, err
		}
	}
	// Another transaction may have changed or archived one before the lock. An order that only this
	// second list has is not locked, and waits for the next call.
	still, err := listArchivable(ctx, tx.Q, site, before, now)
	if err != nil {
		return 0, err
	}
	archived := 0
	for _, id := range still {
		if !slices.Contains(found, id) {
			continue
		}
		if err := archiveOrder(ctx, tx, id, now); err != nil {
			return 0, err
		}
		archived++
	}
	return archived, nil
}

// Recall moves orders back from the archive, those of them that are in it. When it returns, an order that
// exists is not archived, also when a concurrent call has recalled it: the caller has to read again. It
// must not be called in a transaction.
func Recall(ctx context.Context, d *db.DB, now time.Time, ids ...int64) error {
	for part := range slices.Chunk(slices.Sorted(slices.Values(ids)), atOnce) {
		archived, err := keepArchived(ctx, d.Read(), part)
		if err != nil {
			return err
		}
		if len(archived) == 0 {
			continue
		}
		if err := d.InTx(ctx, func(tx *db.Tx) error { return RecallIn(ctx, tx, now, archived...) }); err != nil {
			return err
		}
	}
	return nil
}

// RecallIn is Recall in a transaction.
func RecallIn(ctx context.Context, tx *db.Tx, now time.Time, ids ...int64) error {
	archived, err := keepArchived(ctx, tx.Q, slices.Sorted(slices.Values(ids)))
	if err != nil {
		return err
	}
	for _, id := range archived {
		if err := recallOrder(ctx, tx, id, now); err != nil {
			return err
		}
	}
	return nil
}

// RecallIdle recalls up to a hundred orders of guests who, as far as is stored, were last seen before
// the instant, so that the orders can be anonymized.
func RecallIdle(ctx context.Context, d *db.DB, site string, seenBefore, now time.Time) error {
	ids, err := listIdle(ctx, d.Read(), site, seenBefore)
	if err != nil {
		return err
	}
	return Recall(ctx, d, now, ids...)
}

// RecallOf recalls all orders of a customer, those of guests with the phone, and those that a guest has
// placed in one of the sessions. It must be called in a transaction.
func RecallOf(ctx context.Context, tx *db.Tx, site string, customerID int64, phone string, sessions []int64, now time.Time) error {
	ids, err := listOf(ctx, tx.Q, site, customerID, phone, sessions)
	if err != nil {
		return err
	}
	return RecallIn(ctx, tx, now, ids...)
}

// RecallAllOfCustomer recalls all orders of a customer.
func RecallAllOfCustomer(ctx context.Context, d *db.DB, site string, customerID int64, now time.Time) error {
	ids, err := listOfCustomer(ctx, d.Read(), site, customerID)
	if err != nil {
		return err
	}
	return Recall(ctx, d, now, ids...)
}

// RecallNewest recalls those of the newest count orders of a customer that are archived.
func RecallNewest(ctx context.Context, d *db.DB, site string, customerID int64, count int, now time.Time) error {
	archived, err := CountOfCustomer(ctx, d.Read(), site, customerID)
	if err != nil || archived == 0 {
		return err
	}
	ids, err := listNewest(ctx, d.Read(), site, customerID, count)
	if err != nil {
		return err
	}
	return Recall(ctx, d, now, ids...)
}

// RecallPayment recalls the order of a payment, if it is archived.
func RecallPayment(ctx context.Context, d *db.DB, paymentID string, now time.Time) error {
	id, found, err := findOfPayment(ctx, d.Read(), paymentID)
	if err != nil || !found {
		return err
	}
	return Recall(ctx, d, now, id)
}
