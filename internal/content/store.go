package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// newestRevision returns the revision that is sold, without its body; its id is zero
// before the first import.
func newestRevision(ctx context.Context, q *gen.Queries) (gen.NewestRevisionRow, error) {
	row, err := q.NewestRevision(ctx)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return row, fmt.Errorf("find the newest revision: %w", err)
	}
	return row, nil
}

// readRevision reads a revision with its body. It returns [db.ErrNotFound] when there is
// none of that id.
func readRevision(ctx context.Context, q *gen.Queries, id int64) (revision, error) {
	row, err := q.GetRevision(ctx, id)
	if err != nil {
		return revision{}, fmt.Errorf("read revision %d: %w", id, err)
	}
	return revision{
		Revision: Revision{ID: id, Hash: row.Hash, Source: row.Source, Brands: strings.Fields(row.Brands)},
		format:   row.Format, body: row.Body,
	}, nil
}

// listRevisions returns the stored revisions without their bodies, the newest first.
func listRevisions(ctx context.Context, q *gen.Queries) ([]Revision, error) {
	rows, err := q.ListRevisions(ctx, keptRevisions)
	if err != nil {
		return nil, fmt.Errorf("list the revisions: %w", err)
	}
	list := make([]Revision, len(rows))
	for i, r := range rows {
		list[i] = Revision{ID: r.ID, Hash: r.Hash, Source: r.Source, Brands: strings.Fields(r.Brands), CopyOf: r.CopyOf, CreatedAt: r.CreatedAt}
	}
	return list, nil
}

// lockRevisions lets one transaction at a time change revisions and pictures, until it
// ends.
func lockRevisions(ctx context.Context, tx *db.Tx) error {
	if err := tx.Q.LockRevisions(ctx); err != nil {
		return fmt.Errorf("lock the revisions: %w", err)
	}
	return nil
}

// saveRevision writes a new revision.
func saveRevision(ctx context.Context, tx *db.Tx, r revision) error {
	err := tx.Q.InsertRevision(ctx, gen.InsertRevisionParams{
		ID: r.ID, Hash: r.Hash, Format: r.format, Source: r.Source, Brands: strings.Join(r.Brands, " "),
		CopyOf: r.CopyOf, Body: r.body, Now: r.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("save the revision: %w", err)
	}
	return nil
}

// listOldRevisions returns the ids of the oldest revisions beyond the kept ones, at most
// count of them.
func listOldRevisions(ctx context.Context, q *gen.Queries, count int32) ([]int64, error) {
	ids, err := q.ListOldRevisions(ctx, gen.ListOldRevisionsParams{Kept: keptRevisions, Count: count})
	if err != nil {
		return nil, fmt.Errorf("list old revisions: %w", err)
	}
	return ids, nil
}

func deletePictures(ctx context.Context, tx *db.Tx, hashes []string) error {
	for _, hash := range hashes {
		if err := tx.Q.DeletePicture(ctx, hash); err != nil {
			return fmt.Errorf("remove a picture: %w", err)
		}
	}
	return nil
}

func deleteRevisions(ctx context.Context, tx *db.Tx, ids []int64) error {
	for _, id := range ids {
		if err := tx.Q.DeleteRevision(ctx, id); err != nil {
			return fmt.Errorf("remove revision %d: %w", id, err)
		}
	}
	return nil
}

// readPacked returns the hashes of what was packed before, by source and recipe.
func readPacked(ctx context.Context, q *gen.Queries) (map[variant]string, error) {
	rows, err := q.ListPictureVariants(ctx)
	if err != nil {
		return nil, fmt.Errorf("list what was packed: %w", err)
	}
	packed := make(map[variant]string, len(rows))
	for _, r := range rows {
		packed[variant{r.Source, r.Recipe}] = r.Hash
	}
	return packed, nil
}

// savePacked stores which pictures were made of which sources, unless that is stored already.
func savePacked(ctx context.Context, tx *db.Tx, variants []packedVariant) error {
	for _, v := range variants {
		err := tx.Q.InsertPictureVariant(ctx, gen.InsertPictureVariantParams{Source: v.source, Recipe: v.recipe, Hash: v.hash})
		if err != nil {
			return fmt.Errorf("save what was packed: %w", err)
		}
	}
	return nil
}

// savePictures stores the pictures that are not stored yet. A medium has its bytes, or the path of its
// file, or neither when it was packed before: for such a one that is not stored any more it returns
// errPackedGone.
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
		switch {
		case body != nil:
		case m.path == "":
			return errPackedGone
		default:
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
