package db_test

import (
	"context"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// The first migration that is held to the rules: nothing was in use before.
const firstInUse = "0031"

var (
	oneStatement = regexp.MustCompile(`(?s)([^;]+);`)
	sqlRemark    = regexp.MustCompile(`(?m)--.*$`)
	tableMade    = regexp.MustCompile(`(?i)^CREATE TABLE (\w+)`)
	indexMade    = regexp.MustCompile(`(?i)^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(\w+) ON (\w+)`)
	columnMade   = regexp.MustCompile(`(?i)\bADD COLUMN\b.*\bNOT NULL\b`)
	breaking     = regexp.MustCompile(`(?i)\bDROP (?:TABLE|COLUMN|CONSTRAINT)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b`)
	// No code needs that a value is refused; the other constraints are needed by name or by ON CONFLICT.
	checkDropped = regexp.MustCompile(`(?i)^ALTER TABLE \w+ DROP CONSTRAINT \w+_check$`)
	checked      = regexp.MustCompile(`(?i)\bADD (?:CONSTRAINT\b|CHECK\b|FOREIGN KEY\b|UNIQUE\b|PRIMARY KEY\b)`)
)

// faultsOfMigration returns the faults of a migration for PostgreSQL: statements that stop orders while
// the migration runs, and statements that break the release before.
func faultsOfMigration(text string) (faults []string) {
	inTransaction := !strings.Contains(text, "-- +goose NO TRANSACTION")
	var made, dropped []string
	for _, found := range oneStatement.FindAllStringSubmatch(sqlRemark.ReplaceAllString(text, ""), -1) {
		statement := strings.Join(strings.Fields(found[1]), " ")
		if m := tableMade.FindStringSubmatch(statement); m != nil {
			made = append(made, m[1])
			continue
		}
		if name, ok := strings.CutPrefix(statement, "DROP INDEX CONCURRENTLY IF EXISTS "); ok {
			dropped = append(dropped, name)
			continue
		}
		if m := indexMade.FindStringSubmatch(statement); m != nil && slices.Contains(growing, m[3]) && !slices.Contains(made, m[3]) {
			if m[1] == "" || inTransaction {
				faults = append(faults, m[2]+" stops writers: make it CONCURRENTLY, in a file with -- +goose NO TRANSACTION")
			} else if !slices.Contains(dropped, m[2]) {
				faults = append(faults, m[2]+" may be there half made: DROP INDEX CONCURRENTLY IF EXISTS first")
			}
			continue
		}
		switch {
		case checkDropped.MatchString(statement): // it breaks nothing
		case breaking.MatchString(statement):
			faults = append(faults, "the release before still needs it: "+statement)
		case columnMade.MatchString(statement) && !strings.Contains(strings.ToUpper(statement), " DEFAULT "):
			faults = append(faults, "the release before does not fill it: "+statement)
		case checked.MatchString(statement) && !strings.Contains(strings.ToUpper(statement), "NOT VALID"):
			faults = append(faults, "it reads the whole table while writers wait, add it NOT VALID: "+statement)
		}
	}
	return faults
}

// No migration stops or breaks the release before, which runs during the migration and after it.
func TestMigrations_letOrdersGoOn(t *testing.T) {
	t.Parallel()
	files, err := db.Migrations(db.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if path.Base(name) < firstInUse {
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faultsOfMigration(string(text)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func TestMigrations_thatBreakAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"CREATE INDEX a ON orders (phone);":                                                                              false,
		"CREATE INDEX CONCURRENTLY a ON orders (phone);":                                                                 false,
		"-- +goose NO TRANSACTION\nCREATE UNIQUE INDEX CONCURRENTLY a ON orders (phone);":                                false,
		"-- +goose NO TRANSACTION\nDROP INDEX CONCURRENTLY IF EXISTS a;\nCREATE INDEX CONCURRENTLY a ON orders (phone);": true,
		"CREATE TABLE new (id bigint NOT NULL);\nCREATE INDEX a ON new (id);":                                            true,
		"CREATE INDEX a ON revision (hash);":                                                                             true,
		"ALTER TABLE orders ADD COLUMN a text;":                                                                          true,
		"ALTER TABLE orders ADD COLUMN a boolean NOT NULL DEFAULT FALSE;":                                                true,
		"ALTER TABLE orders ADD COLUMN a text NOT NULL;":                                                                 false,
		"ALTER TABLE orders DROP CONSTRAINT orders_site_key;":                                                            false,
		"ALTER TABLE orders DROP CONSTRAINT orders_a_check;":                                                             true,
		"ALTER TABLE orders DROP COLUMN a;":                                                                              false,
		"ALTER TABLE orders RENAME COLUMN a TO b;":                                                                       false,
		"ALTER TABLE orders ALTER COLUMN a TYPE bigint;":                                                                 false,
		"ALTER TABLE orders ALTER COLUMN a SET NOT NULL;":                                                                false,
		"ALTER TABLE orders ADD CONSTRAINT a CHECK (total >= 0);":                                                        false,
		"ALTER TABLE orders ADD CONSTRAINT a CHECK (total >= 0) NOT VALID;":                                              true,
	} {
		if found := faultsOfMigration(text); (len(found) == 0) != want {
			t.Errorf("%s: %q", text, found)
		}
	}
}

// A migration waits for a lock for three seconds only and then tries again: while it waits for a table,
// all later callers of the table wait too.
func TestMigrate_triesAgainForALock(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	other, err := d.Writer().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.ExecContext(t.Context(), "LOCK TABLE orders"); err != nil {
		t.Fatal(err)
	}
	tries := 0
	_, err = db.Migrate(t.Context(), d, func(ctx context.Context, d *db.DB) (int, error) {
		tries++
		if tries == 1 {
			var limit string
			if err := d.Writer().QueryRowContext(ctx, "SHOW lock_timeout").Scan(&limit); err != nil || limit != "3s" {
				t.Errorf("a migration waits for a lock %s, %v", limit, err)
			}
		} else if err := other.Rollback(); err != nil {
			return 0, err
		}
		_, err := d.Writer().ExecContext(ctx, "ALTER TABLE orders ADD COLUMN test_migration text")
		return 1, err
	})
	if err != nil || tries != 2 {
		t.Errorf("after %d tries: %v", tries, err)
	}
}
