package db

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// ErrNotFound is what a query for one row returns when there is none.
var ErrNotFound = sql.ErrNoRows

// violation is the refusal of a constraint, in the same form for both engines.
type violation struct {
	kind    violationKind
	table   string
	columns []string
}

type violationKind uint8

const (
	none violationKind = iota
	duplicate
	reference
	check
	missing
)

// violationOf returns the refused constraint in err; its kind is none for any other error.
func violationOf(err error) violation {
	if v, ok := postgresViolation(err); ok {
		return v
	}
	v, _ := sqliteViolation(err)
	return v
}

// IsDuplicate reports whether err is the refusal of a second row with the same values in the named
// columns of a unique key: IsDuplicate(err, "session", "token_hash"). Without columns any unique
// key of the table is meant.
//
// On PostgreSQL the transaction is lost after any refusal. To continue after a duplicate, write ON
// CONFLICT DO NOTHING and check the number of rows instead.
func IsDuplicate(err error, table string, columns ...string) bool {
	v := violationOf(err)
	return v.kind == duplicate && v.table == table &&
		(len(columns) == 0 || slices.Equal(v.columns, columns))
}

// IsRefused reports whether err is the refusal of a value by a CHECK or a NOT NULL.
func IsRefused(err error) bool {
	kind := violationOf(err).kind
	return kind == check || kind == missing
}

// maxAttempts is how often a transaction is attempted that PostgreSQL keeps breaking.
const maxAttempts = 4

// waitBackoff waits for a random time, so that two transactions that broke each other do not meet
// again. The longest time doubles with each attempt.
func waitBackoff(ctx context.Context, attempt int) error {
	longest := 10 * time.Millisecond << attempt
	timer := time.NewTimer(rand.N(longest)) //nolint:gosec // spreads load, hides nothing
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// columnList splits "a, b" into its names.
func columnList(text string) []string {
	names := strings.Split(text, ",")
	for i, name := range names {
		names[i] = strings.Trim(name, ` "`)
	}
	return names
}
