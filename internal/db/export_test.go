package db

import (
	"context"
	"testing"
)

// Waiting returns how many callers of InTx wait for their turn on SQLite.
func (d *DB) Waiting() int {
	d.committer.mu.Lock()
	defer d.committer.mu.Unlock()
	return len(d.committer.waiting)
}

// MaxMembers is how many callers share a commit at most.
const MaxMembers = maxMembers

// IsSQLiteUnavailable reports whether an error code of SQLite says that the file cannot be used now.
func IsSQLiteUnavailable(code int) bool { return isSQLiteUnavailable(code) }

// IsBrokenReference reports whether err is the refusal of a row that points to
// nothing, or of removing a row that others point to.
func IsBrokenReference(err error) bool { return violationOf(err).kind == reference }

// AnalyzeNew analyzes the tables of PostgreSQL that have no statistics.
func (d *DB) AnalyzeNew(ctx context.Context) error { return d.analyzeNew(ctx, map[string]bool{}) }

// WithoutStatistics returns the tables that AnalyzeNew would analyze.
func (d *DB) WithoutStatistics(t *testing.T) []string {
	t.Helper()
	tables, err := d.listWithoutStatistics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// NewDialer returns the dialer of connections to PostgreSQL.
var NewDialer = newDialer

// HeldMessages holds messages back until the next one is sent.
type HeldMessages = heldMessages

// OnWrite is onWrite.
func (h *heldMessages) OnWrite(b []byte, mayWait bool) []byte { return h.onWrite(b, mayWait) }

// OnRead is onRead.
func (h *heldMessages) OnRead(b []byte) (int, error) { return h.onRead(b) }

// Answer is answer.
func (h *heldMessages) Answer(b []byte) int { return h.answer(b) }

// Messages as the driver sends them, and what it reads at once in answer.
var (
	Begin, Begun         = string(begin), string(begun)
	Commit               = string(commit)
	Rollback, RolledBack = string(rollback), string(rolledBack)
	Done                 = string(done)
)

// ErrUnexpectedAnswer is the error of a server that answers what was held with something else.
var ErrUnexpectedAnswer = errUnexpectedAnswer
