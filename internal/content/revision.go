package content

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"servery/internal/audit"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
)

// keptRevisions is how many of the newest revisions are stored.
const keptRevisions = 20

// Revision is a content folder as it was imported.
type Revision struct {
	// ID is zero where there is no revision yet.
	ID int64
	// Hash names all that the folder held.
	Hash string
	// Source is the folder's name; empty where it was not stored.
	Source string
	// Brands are the aliases of its brands.
	Brands []string
	// CopyOf is the revision whose content was made the newest again; 0 for an import.
	CopyOf    int64
	CreatedAt time.Time
}

// revision is a revision with its body.
type revision struct {
	Revision
	format int64
	body   []byte
}

// toCatalog returns the revision as the catalogue reads it.
func (r revision) toCatalog() catalog.Revision {
	return catalog.Revision{ID: r.ID, Format: r.format, Source: r.Source, Body: r.body}
}

// Newest returns the revision that is sold.
func Newest(ctx context.Context, d *db.DB) (Revision, error) {
	row, err := newestRevision(ctx, d.Read())
	return Revision{ID: row.ID, Hash: row.Hash, Source: row.Source}, err
}

// Revisions returns the stored revisions, the newest first; the newest is sold.
func Revisions(ctx context.Context, d *db.DB) ([]Revision, error) {
	return listRevisions(ctx, d.Read())
}

// Rollback makes the content of a stored revision the newest revision, which it returns;
// running servers pick it up by themselves. Where the newest has that content already,
// changed is false. A revision that this program cannot read is refused, as is a document for which check
// returns an error; a check of nil takes each.
func Rollback(ctx context.Context, d *db.DB, id int64, now time.Time, check func(*catalog.Document) error) (newest Revision, changed bool, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		if err := lockRevisions(ctx, tx); err != nil {
			return err
		}
		list, err := listRevisions(ctx, tx.Q)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(r Revision) bool { return r.ID == id }) {
			return fmt.Errorf("there is no revision %d: servery revisions lists those that are kept", id)
		}
		r, err := readRevision(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		newest = list[0]
		changed = r.Hash != newest.Hash
		if !changed {
			return nil
		}
		if err := checkRevision(r.toCatalog(), now, check); err != nil {
			return err
		}
		before := newest.ID
		r.CopyOf, r.ID, r.CreatedAt = id, before+1, clock.Cut(now)
		newest = r.Revision
		if err := saveRevision(ctx, tx, r); err != nil {
			return err
		}
		return recordRevision(ctx, tx, before, newest)
	})
	return newest, changed, err
}

// checkRevision returns an error when the revision cannot be put on sale at now, or when check, unless it is
// nil, refuses its document.
func checkRevision(r catalog.Revision, now time.Time, check func(*catalog.Document) error) error {
	if err := r.Check(now); err != nil || check == nil {
		return err
	}
	document, err := r.Document()
	if err != nil {
		return err
	}
	if err := check(document); err != nil {
		return fmt.Errorf("content of revision %d: %w", r.ID, err)
	}
	return nil
}

// recordRevision stores in the audit log that a revision has taken the place of another; before is 0 for
// the first one.
func recordRevision(ctx context.Context, tx *db.Tx, before int64, r Revision) error {
	after := audit.Fields{"revision": r.ID, "hash": r.Hash, "source": r.Source, "brands": r.Brands}
	if r.CopyOf != 0 {
		after["copy_of"] = r.CopyOf
	}
	return audit.Record(ctx, tx, audit.Entry{
		Subject: "content", ID: strconv.FormatInt(r.ID, 10), Before: audit.Fields{"revision": before}, After: after,
	}, r.CreatedAt)
}
