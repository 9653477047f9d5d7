package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/live"
)

// readContent reads the revision of the snapshot from the database, and sets content, source, hash
// and time of import in the snapshot. Opening hours named "today" are those of the date of now.
func (c *Catalog) readContent(ctx context.Context, s *Snapshot, now time.Time) error {
	row, err := c.db.Read().GetRevision(ctx, s.Revision)
	if err != nil {
		return fmt.Errorf("read revision %d: %w", s.Revision, err)
	}
	s.Source, s.Hash, s.ImportedAt = row.Source, row.Hash, row.CreatedAt
	s.content, err = Revision{ID: s.Revision, Format: row.Format, Source: row.Source, Body: row.Body}.loadContent(now)
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
		stop, err := stopOf(r)
		if err != nil {
			return nil, err
		}
		bySite[r.Site] = append(bySite[r.Site], stop)
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
	stop, err = stopOf(row)
	return stop, err == nil, err
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
			Until: sql.NullTime{Time: e.Until.UTC(), Valid: !e.Until.IsZero()}, ShopEnds: encodeShopEnds(e.ShopEnds),
			Reason: string(e.Reason), Note: e.Note, Actor: e.Actor, Now: e.At,
		})
	}
	if err != nil {
		return err
	}
	return tx.Q.BumpLive(ctx)
}

// stopOf returns the stop that a row stores.
func stopOf(row gen.Stop) (StopEntry, error) {
	e := StopEntry{
		Site: row.Site, Kind: StopKind(row.Kind), Alias: row.Alias, ShopID: row.ShopID, Until: row.Until.Time,
		Origin: live.Origin{Reason: live.Reason(row.Reason), Note: row.Note, Actor: row.Actor, At: row.CreatedAt},
	}
	if row.ShopEnds == "" {
		return e, nil
	}
	if err := json.Unmarshal([]byte(row.ShopEnds), &e.ShopEnds); err != nil {
		return e, fmt.Errorf("read the ends of the stop of %s %s: %w", e.Kind, e.Alias, err)
	}
	return e, nil
}

// encodeShopEnds returns the ends by shop as JSON; empty for none.
func encodeShopEnds(ends map[int64]time.Time) string {
	if len(ends) == 0 {
		return ""
	}
	utc := make(map[int64]time.Time, len(ends))
	for shopID, end := range ends {
		utc[shopID] = end.UTC()
	}
	encoded, _ := json.Marshal(utc) // numbers and times of our century always have JSON
	return string(encoded)
}

// isSameAs reports whether two stops of the same thing have the same ends, reason, note and actor;
// when they were set does not count.
func (e StopEntry) isSameAs(other StopEntry) bool {
	return e.Until.Equal(other.Until) && maps.EqualFunc(e.ShopEnds, other.ShopEnds, time.Time.Equal) && e.HasOrigin(other.Origin)
}
