package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
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
		e := StopEntry{Site: r.Site, Kind: StopKind(r.Kind), Alias: r.Alias, ShopID: r.ShopID, Until: r.Until.Time}
		bySite[r.Site] = append(bySite[r.Site], e)
	}
	return bySite, nil
}

// findStop returns the stored stop of the same thing in the same shop; false when there is none.
func findStop(ctx context.Context, tx *db.Tx, e StopEntry) (stop StopEntry, exists bool, err error) {
	until, err := tx.Q.GetStop(ctx, gen.GetStopParams{Site: e.Site, Kind: string(e.Kind), Alias: e.Alias, ShopID: e.ShopID})
	if errors.Is(err, db.ErrNotFound) {
		return StopEntry{}, false, nil
	}
	if err != nil {
		return StopEntry{}, false, fmt.Errorf("find a stop: %w", err)
	}
	e.Until = until.Time
	return e, true, nil
}

// saveStop stores the stop, or deletes it when isRemoved. It also deletes the stops that have
// ended, and raises the version by which other servers notice the change. It must be called in a
// transaction.
func saveStop(ctx context.Context, tx *db.Tx, e StopEntry, isRemoved bool, now time.Time) error {
	if err := tx.Q.DeleteEndedStops(ctx, sql.NullTime{Time: now, Valid: true}); err != nil {
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
			Until: sql.NullTime{Time: e.Until.UTC(), Valid: !e.Until.IsZero()}, Now: now,
		})
	}
	if err != nil {
		return err
	}
	return tx.Q.BumpStops(ctx)
}
