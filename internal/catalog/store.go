package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/live"
)

// readContent reads the revision that into names from the database and stores its content,
// source and hash in into. Opening hours named "today" are those of the date of now.
func (c *Catalog) readContent(ctx context.Context, into *Snapshot, now time.Time) error {
	row, err := c.db.Read().GetRevision(ctx, into.Revision)
	if err != nil {
		return fmt.Errorf("read revision %d: %w", into.Revision, err)
	}
	into.Source, into.Hash, into.ImportedAt = row.Source, row.Hash, row.CreatedAt
	into.content, err = Revision{ID: into.Revision, Format: row.Format, Source: row.Source, Body: row.Body}.loadContent(now)
	return err
}

// readStops returns the stops in the database that are in force at now, by the alias of the
// site.
func (c *Catalog) readStops(ctx context.Context, now time.Time) (map[string]stops, error) {
	rows, err := c.db.Read().ListStops(ctx, sql.NullTime{Time: now, Valid: true})
	if err != nil {
		return nil, fmt.Errorf("read the stops: %w", err)
	}
	bySite := map[string]stops{}
	for _, r := range rows {
		bySite[r.Site] = append(bySite[r.Site], stopOf(r))
	}
	return bySite, nil
}

// findStop returns the stored stop of the same thing in the same shop; false when there is none.
func findStop(ctx context.Context, tx *db.Tx, e StopEntry) (stop StopEntry, exists bool, err error) {
	row, err := tx.Q.GetStop(ctx, gen.GetStopParams{Site: e.Site, Kind: string(e.Kind), Alias: e.Alias, ShopID: e.ShopID})
	if errors.Is(err, db.ErrNotFound) {
		return StopEntry{}, false, nil
	}
	if err != nil {
		return StopEntry{}, false, fmt.Errorf("find a stop: %w", err)
	}
	return stopOf(row), true, nil
}

// saveStop stores the stop, or deletes it when isRemoved. It also deletes the stops that have
// ended, and raises the version by which other servers notice the change. It must be called in a
// transaction.
func saveStop(ctx context.Context, tx *db.Tx, e StopEntry, isRemoved bool) error {
	if err := tx.Q.DeleteEndedStops(ctx, sql.NullTime{Time: e.At, Valid: true}); err != nil {
		return err
	}
	var err error
	if isRemoved {
		err = tx.Q.DeleteStop(ctx, gen.DeleteStopParams{
			Site: e.Site, Kind: string(e.Kind), Alias: e.Alias, ShopID: e.ShopID,
		})
	} else {
		err = tx.Q.UpsertStop(ctx, gen.UpsertStopParams{
			Site: e.Site, Kind: string(e.Kind), Alias: e.Alias, ShopID: e.ShopID,
			Until:  sql.NullTime{Time: e.Until.UTC(), Valid: !e.Until.IsZero()},
			Reason: string(e.Reason), Note: e.Note, Actor: e.Actor, Now: e.At,
		})
	}
	if err != nil {
		return err
	}
	return tx.Q.BumpLive(ctx)
}

// stopOf returns the stop that a row stores.
func stopOf(row gen.Stop) StopEntry {
	return StopEntry{
		Site: row.Site, Kind: StopKind(row.Kind), Alias: row.Alias, ShopID: row.ShopID, Until: row.Until.Time,
		Origin: live.Origin{Reason: live.Reason(row.Reason), Note: row.Note, Actor: row.Actor, At: row.CreatedAt},
	}
}

// isSameAs reports whether two stops of the same thing differ in nothing but when they were set.
func (e StopEntry) isSameAs(other StopEntry) bool {
	return e.Until.Equal(other.Until) && e.IsSameAs(other.Origin)
}
