package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// newestRevision gives the id and hash of the revision that is sold, zero before the
// first import.
func newestRevision(ctx context.Context, q *gen.Queries) (gen.NewestRevisionRow, error) {
	row, err := q.NewestRevision(ctx)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return row, fmt.Errorf("find the newest revision: %w", err)
	}
	return row, nil
}

func saveRevision(ctx context.Context, tx *db.Tx, id int64, hash string, body []byte, now time.Time) error {
	err := tx.Q.InsertRevision(ctx, gen.InsertRevisionParams{ID: id, Hash: hash, Body: body, Now: now})
	if err != nil {
		return fmt.Errorf("save the revision: %w", err)
	}
	return nil
}

// savePictures keeps what is not kept yet.
func savePictures(ctx context.Context, tx *db.Tx, files fs.FS, media []medium) error {
	hashes, err := tx.Q.PictureHashes(ctx)
	if err != nil {
		return fmt.Errorf("list the pictures: %w", err)
	}
	kept := make(map[string]bool, len(hashes)+len(media))
	for _, h := range hashes {
		kept[h] = true
	}
	for _, m := range media {
		if kept[m.hash] {
			continue
		}
		kept[m.hash] = true
		body := m.body
		if body == nil {
			if body, err = readUpTo(files, m.path, maxPicture); err != nil {
				return fmt.Errorf("read %s: %w", m.path, err)
			}
		}
		err := tx.Q.InsertPicture(ctx, gen.InsertPictureParams{Hash: m.hash, Type: types[m.ending], Body: body})
		if err != nil {
			return fmt.Errorf("save picture %s: %w", m.path, err)
		}
	}
	return nil
}
