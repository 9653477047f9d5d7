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

// Opening sends the beginning of a transaction together with its first statement.
type Opening = opening

// OnWrite is onWrite.
func (o *opening) OnWrite(b []byte) []byte { return o.onWrite(b) }

// OnRead is onRead.
func (o *opening) OnRead(b []byte) (int, error) { return o.onRead(b) }

// Answer is answer.
func (o *opening) Answer(b []byte) int { return o.answer(b) }

// Begin and Begun are the beginning of a transaction as the driver sends it and expects the answer, and
// GroupedAnswer is the answer to the beginning that goes with a prepared statement.
var Begin, Begun, GroupedAnswer = string(begin), string(begun), string(groupedAnswer)

// ErrUnexpectedBegin is the error of a server that answers a beginning with something else.
var ErrUnexpectedBegin = errUnexpectedBegin
