package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/gzip"

	"servery/internal/catalog"
	"servery/internal/db"
)

const (
	// pruneAtOnce is how many old revisions are removed by one call of Prune.
	pruneAtOnce = 50
	// picturesAtOnce is how many pictures are removed in one transaction.
	picturesAtOnce = 100
)

// Retain removes from the set unused the hashes of pictures that something besides the revisions still
// shows, such as an order.
type Retain func(ctx context.Context, unused map[string]bool) error

// errNewerRevision says that a revision was made while another one was being removed.
var errNewerRevision = errors.New("a newer revision was made by another process")

// Prune removes all but the newest keptRevisions revisions. It also removes the pictures that only
// removed revisions have shown, except those that retain takes out of the set. One call removes a
// bounded number. It is safe to run in several processes at once.
func Prune(ctx context.Context, d *db.DB, retain Retain) error {
	old, err := listOldRevisions(ctx, d.Read(), pruneAtOnce)
	if err != nil || len(old) == 0 {
		return err
	}
	list, err := listRevisions(ctx, d.Read())
	if err != nil {
		return err
	}
	unused := map[string]bool{}
	for _, id := range old {
		if err := eachPicture(ctx, d, id, func(hash string) { unused[hash] = true }); err != nil {
			return err
		}
	}
	for _, r := range list {
		if err := eachPicture(ctx, d, r.ID, func(hash string) { delete(unused, hash) }); err != nil {
			return err
		}
	}
	if len(unused) > 0 {
		if err := retain(ctx, unused); err != nil {
			return err
		}
	}
	err = removeAll(ctx, d, list[0].ID, old, slices.Sorted(maps.Keys(unused)))
	if errors.Is(err, errNewerRevision) {
		return nil // it may show some of the pictures: the next call checks again
	}
	return err
}

// removeAll removes the pictures in bounded transactions, and with the last ones the revisions. It
// returns errNewerRevision when newest is not the newest any more.
func removeAll(ctx context.Context, d *db.DB, newest int64, revisions []int64, pictures []string) error {
	for {
		batch := pictures[:min(picturesAtOnce, len(pictures))]
		pictures = pictures[len(batch):]
		err := d.InTx(ctx, func(tx *db.Tx) error {
			if err := lockRevisions(ctx, tx); err != nil {
				return err
			}
			current, err := newestRevision(ctx, tx.Q)
			if err != nil {
				return err
			}
			if current.ID != newest {
				return errNewerRevision
			}
			if err := deletePictures(ctx, tx, batch); err != nil || len(pictures) > 0 {
				return err
			}
			return deleteRevisions(ctx, tx, revisions)
		})
		if err != nil || len(pictures) == 0 {
			return err
		}
	}
}

// eachPicture calls do with the hash of each picture of a revision, which may have any format. A
// revision that is gone has no pictures.
func eachPicture(ctx context.Context, d *db.DB, id int64, do func(hash string)) error {
	r, err := readRevision(ctx, d.Read(), id)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(r.body))
	if err != nil {
		return fmt.Errorf("revision %d: %w", id, err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return fmt.Errorf("revision %d: %w", id, err)
	}
	catalog.EachPicture(text, do)
	return nil
}
