package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

func insertEntry(ctx context.Context, q *gen.Queries, o Origin, e Entry, before, after string, now time.Time) error {
	err := q.InsertAuditEntry(ctx, gen.InsertAuditEntryParams{
		Now: now, Kind: string(o.Kind), Name: o.Name, Person: o.Person, Call: o.Call,
		Site: e.Site, ShopID: e.ShopID, Subject: e.Subject, SubjectID: e.ID, Was: before, Became: after,
	})
	if err != nil {
		return fmt.Errorf("store who made a change: %w", err)
	}
	return nil
}

// endOfTime is after every change.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// listEntries returns the changes of the filter, the newest first: one more than the limit when there is
// another page.
func listEntries(ctx context.Context, q *gen.Queries, f Filter) ([]Stored, error) {
	if f.Before == 0 {
		f.Before = math.MaxInt64
	}
	if f.Until.IsZero() {
		f.Until = endOfTime
	}
	rows, err := q.PageAuditLog(ctx, gen.PageAuditLogParams{
		Before: f.Before, Site: f.Site, Shops: db.ListOf(f.Shops), Subject: f.Subject, SubjectID: f.SubjectID, Who: f.Who,
		Since: f.Since.UTC(), Until: f.Until.UTC(), Most: int32(f.Limit + 1),
	})
	if err != nil {
		return nil, fmt.Errorf("list changes: %w", err)
	}
	page := make([]Stored, len(rows))
	for i, r := range rows {
		page[i] = Stored{
			ID: r.ID, At: r.At, Origin: Origin{Kind: Kind(r.Kind), Name: r.Name, Person: r.Person, Call: r.Call},
			Entry: Entry{Site: r.Site, ShopID: r.ShopID, Subject: r.Subject, ID: r.SubjectID},
		}
		if err := json.Unmarshal([]byte(r.Was), &page[i].Before); err != nil {
			return nil, fmt.Errorf("read what a change was: %w", err)
		}
		if err := json.Unmarshal([]byte(r.Became), &page[i].After); err != nil {
			return nil, fmt.Errorf("read what a change is: %w", err)
		}
	}
	return page, nil
}

func deleteOld(ctx context.Context, q *gen.Queries, before time.Time) error {
	if err := q.DeleteOldAuditEntries(ctx, before); err != nil {
		return fmt.Errorf("delete old changes: %w", err)
	}
	return nil
}
