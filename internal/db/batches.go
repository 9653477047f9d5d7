package db

import "context"

const (
	// BatchSize is how many rows a sweep removes in one transaction: the LIMIT of its query. It
	// stands there as a number and not as a parameter, because PostgreSQL plans for a tenth of the
	// table where it does not know the LIMIT.
	BatchSize = 500
	// maxBatches bounds what one sweep does: the next one continues.
	maxBatches = 20
)

// InBatches calls remove in one transaction after another, so that other writers get in between.
// remove must remove at most [BatchSize] rows and return how many. InBatches ends when a call has
// removed fewer than that, or after twenty calls: the rest is left to the next sweep.
func (d *DB) InBatches(ctx context.Context, remove func(tx *Tx) (int64, error)) error {
	for range maxBatches {
		var removed int64
		err := d.InTx(ctx, func(tx *Tx) (err error) {
			removed, err = remove(tx)
			return err
		})
		if err != nil || removed < BatchSize {
			return err
		}
	}
	return nil
}
