package asset

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// saveRelease stores that the release is in use now, and stores its files unless they are stored
// already.
func saveRelease(ctx context.Context, tx *db.Tx, release string, now time.Time, names []string, files fs.FS) error {
	if err := tx.Q.UseRelease(ctx, gen.UseReleaseParams{ID: release, Now: now}); err != nil {
		return err
	}
	count, err := tx.Q.CountReleaseAssets(ctx, release)
	if err != nil {
		return err
	}
	if int(count) == len(names) {
		return nil // an earlier start has stored them all
	}
	for _, name := range names {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if err := tx.Q.InsertAsset(ctx, gen.InsertAssetParams{Name: name, Body: body}); err != nil {
			return err
		}
		if err := tx.Q.InsertReleaseAsset(ctx, gen.InsertReleaseAssetParams{ReleaseID: release, Name: name}); err != nil {
			return err
		}
	}
	return nil
}

// deleteOld removes the releases that last ran before the instant, except the newest ones, and then
// the files that no remaining release has.
func deleteOld(ctx context.Context, tx *db.Tx, before time.Time) error {
	deleted, err := tx.Q.DeleteOldReleases(ctx, gen.DeleteOldReleasesParams{Before: before, Kept: keptReleases})
	if err != nil || deleted == 0 {
		return err
	}
	return tx.Q.DeleteUnusedAssets(ctx)
}

func listNames(ctx context.Context, q *gen.Queries) ([]string, error) { return q.ListAssets(ctx) }

func readBody(ctx context.Context, q *gen.Queries, name string) ([]byte, error) {
	return q.GetAsset(ctx, name)
}
