package retention_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/retention"
)

// listTables returns the names of all tables of a database in order, without those that
// libraries manage.
func listTables(t *testing.T, d *db.DB) []string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if d.Engine() == db.Postgres {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
	}
	rows, err := d.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(retention.ForeignPrefixes(), func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			names = append(names, name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// The list names exactly the tables of the database, each with a term, and with a column that
// exists or a reason.
func TestTables_haveEachTableOfTheDatabaseWithATermOrAReason(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var listed []string
		for _, table := range retention.Tables() {
			listed = append(listed, table.Name)
			if table.Term == "" || table.Column == "" && table.Why == "" || (table.Column == "") != (table.Most == 0) {
				t.Errorf("%s has neither a term nor a reason", table.Name)
			}
			if table.Column == "" {
				continue
			}
			if _, err := d.Reader().ExecContext(t.Context(), fmt.Sprintf("SELECT %s FROM %s", table.Column, table.Name)); err != nil {
				t.Error(err)
			}
		}
		if have := listTables(t, d); !slices.Equal(have, listed) {
			t.Errorf("the database has\n%v\nthe list has\n%v", have, listed)
		}
	})
}

// docs/operations.md has a row with name, term and reason for each table.
func TestTables_areThoseOfTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range retention.Tables() {
		if row := fmt.Sprintf("| `%s` | %s | %s |\n", table.Name, table.Term, table.Why); !strings.Contains(string(page), row) {
			t.Errorf("docs/operations.md lacks the row\n%s", row)
		}
	}
}
