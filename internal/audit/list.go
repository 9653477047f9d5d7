package audit

import (
	"context"
	"time"

	"servery/internal/db"
)

// Stored is a change of the log.
type Stored struct {
	Entry
	Origin

	// ID goes up over all changes.
	ID int64
	At time.Time
}

// Filter says which changes are listed; what is zero does not count.
type Filter struct {
	Site  string
	Shops []int64
	// Subject and SubjectID are those of [Entry].
	Subject, SubjectID string
	// Who is a name or a person of the origin.
	Who string
	// Since is the first instant, Until the first one after it.
	Since, Until time.Time
	// Before is the id that all changes are below; 0 for the newest.
	Before int64
	Limit  int
}

// Log reads the changes. It is safe for concurrent use.
type Log struct{ db *db.DB }

// NewLog returns the log of the database.
func NewLog(d *db.DB) *Log { return &Log{d} }

// List returns the changes of the filter, the newest first. next is the Before of the next page, 0 on
// the last page.
func (l *Log) List(ctx context.Context, f Filter) (page []Stored, next int64, err error) {
	page, err = listEntries(ctx, l.db.Read(), f)
	if err != nil || len(page) <= f.Limit {
		return page, 0, err
	}
	page = page[:f.Limit]
	return page, page[len(page)-1].ID, nil
}

// Term is how long changes are stored.
const Term = 3 * 365 * 24 * time.Hour

// Sweep deletes what is stored longer than [Term].
func (l *Log) Sweep(ctx context.Context, now time.Time) error {
	return l.db.InTx(ctx, func(tx *db.Tx) error { return deleteOld(ctx, tx.Q, now.Add(-Term)) })
}
