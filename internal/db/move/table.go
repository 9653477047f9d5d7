package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"servery/internal/db"
)

// kind is the type of a column, the same for both engines.
type kind string

// The kinds of columns that the program's tables have. The set is closed: a column of another type
// ends the move.
const (
	integer kind = "integer"
	real    kind = "real"
	text    kind = "text"
	blob    kind = "blob"
	boolean kind = "boolean"
	instant kind = "instant"
)

// kinds has the kind of each type of the two engines.
var kinds = map[string]kind{
	"integer": integer, "bigint": integer,
	"real": real, "double precision": real,
	"text": text,
	"blob": blob, "bytea": blob,
	"boolean":   boolean,
	"timestamp": instant, "timestamp with time zone": instant,
}

// column is a column that is copied. Generated columns are not.
type column struct {
	name string
	kind kind
}

// table is a table of the program.
type table struct {
	name    string
	columns []column
	// parents are the tables that its rows refer to.
	parents []string
}

// quotedColumns returns the names of the columns, quoted for both engines, with commas between.
func (t *table) quotedColumns() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = `"` + c.name + `"`
	}
	return strings.Join(names, ", ")
}

// querier runs SQL: a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// The columns of all tables: table, column, type. Those of libraries are left out: goose's versions
// are those of the target's own migration, and what River's jobs do is made up for by the sweeps.
const (
	sqliteColumns = `SELECT m.name, c.name, lower(c.type) FROM sqlite_schema m, pragma_table_xinfo(m.name) c
		WHERE m.type = 'table' AND c.hidden = 0 AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'
			AND m.name NOT LIKE 'goose\_%' ESCAPE '\' AND m.name NOT LIKE 'river\_%' ESCAPE '\'
		ORDER BY m.name, c.cid`
	postgresColumns = `SELECT c.table_name::text, c.column_name::text, c.data_type::text
		FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = current_schema() AND c.is_generated = 'NEVER' AND t.table_type = 'BASE TABLE'
			AND c.table_name NOT LIKE 'goose\_%' AND c.table_name NOT LIKE 'river\_%'
		ORDER BY c.table_name, c.ordinal_position`
	sqliteReferences = `SELECT DISTINCT m.name, f."table", '' FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table'`
	postgresReferences = `SELECT DISTINCT child.relname::text, parent.relname::text, '' FROM pg_constraint f
		JOIN pg_class child ON child.oid = f.conrelid JOIN pg_class parent ON parent.oid = f.confrelid
		WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace`
)

// listTables returns the tables of the program, each after those that it refers to.
func listTables(ctx context.Context, q querier, engine db.Engine) ([]*table, error) {
	columns, references := sqliteColumns, sqliteReferences
	if engine == db.Postgres {
		columns, references = postgresColumns, postgresReferences
	}
	byName := map[string]*table{}
	var tables []*table
	err := eachTriple(ctx, q, columns, func(name, columnName, typeName string) error {
		t := byName[name]
		if t == nil {
			t = &table{name: name}
			byName[name], tables = t, append(tables, t)
		}
		k, ok := kinds[typeName]
		if !ok {
			return fmt.Errorf("column %s of table %s has the type %s", columnName, name, typeName)
		}
		t.columns = append(t.columns, column{columnName, k})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = eachTriple(ctx, q, references, func(child, parent, _ string) error {
		if t := byName[child]; t != nil && child != parent && byName[parent] != nil {
			t.parents = append(t.parents, parent)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sortTables(tables)
}

// sortTables returns the tables, each after its parents.
func sortTables(tables []*table) ([]*table, error) {
	var sorted []*table
	placed := map[string]bool{}
	for len(sorted) < len(tables) {
		before := len(sorted)
		for _, t := range tables {
			if !placed[t.name] && !slices.ContainsFunc(t.parents, func(p string) bool { return !placed[p] }) {
				sorted, placed[t.name] = append(sorted, t), true
			}
		}
		if len(sorted) == before {
			return nil, errors.New("tables refer to each other in a circle")
		}
	}
	return sorted, nil
}

// eachTriple calls do for each row of three texts.
func eachTriple(ctx context.Context, q querier, query string, do func(a, b, c string) error) (err error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a, b, c string
		if err := rows.Scan(&a, &b, &c); err != nil {
			return err
		}
		if err := do(a, b, c); err != nil {
			return err
		}
	}
	return rows.Err()
}
