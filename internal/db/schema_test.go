package db_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// schema is what both engines must agree on: the columns of each table in order,
// and its unique keys.
type schema map[string]*table

type table struct {
	columns []string // "name type" with "null" where it may be missing
	uniques []string // "a,b", with "where" for a partial key
}

func TestSchema_hasTheSameTablesOnBothEngines(t *testing.T) {
	t.Parallel()
	sqlite := sqliteSchema(t, dbtest.Open(t, db.SQLite))
	postgres := postgresSchema(t, dbtest.Open(t, db.Postgres))

	if got, want := slices.Sorted(maps.Keys(sqlite)), slices.Sorted(maps.Keys(postgres)); !slices.Equal(got, want) {
		t.Fatalf("tables on SQLite:     %v\ntables on PostgreSQL: %v", got, want)
	}
	for name, want := range postgres {
		got := sqlite[name]
		if !slices.Equal(got.columns, want.columns) {
			t.Errorf("%s: columns on SQLite:     %v\ncolumns on PostgreSQL: %v", name, got.columns, want.columns)
		}
		slices.Sort(got.uniques)
		slices.Sort(want.uniques)
		if !slices.Equal(got.uniques, want.uniques) {
			t.Errorf("%s: unique keys on SQLite:     %v\nunique keys on PostgreSQL: %v", name, got.uniques, want.uniques)
		}
	}
}

// isCompared reports whether a table must be the same on both engines. Those of the libraries and of
// SQLite itself need not, nor those for searching in text.
func isCompared(name string) bool {
	return !strings.HasPrefix(name, "river_") && !strings.HasPrefix(name, "goose_") &&
		!strings.HasPrefix(name, "sqlite_") && !strings.Contains(name, "_search")
}

// add adds a column to a table, which it creates at its first column. Tables of libraries are left out.
func (s schema) add(name, column, kind string, nullable bool) {
	if !isCompared(name) {
		return
	}
	if s[name] == nil {
		s[name] = &table{}
	}
	if nullable {
		kind += " null"
	}
	s[name].columns = append(s[name].columns, column+" "+kind)
}

// addUnique adds a unique key to a table. Tables that are not compared are left out.
func (s schema) addUnique(name, columns string, partial bool) {
	if !isCompared(name) {
		return
	}
	if partial {
		columns += " where"
	}
	s[name].uniques = append(s[name].uniques, columns)
}

// postgresName returns PostgreSQL's name for what SQLite calls the type.
var postgresName = map[string]string{
	"integer":   "bigint",
	"blob":      "bytea",
	"timestamp": "timestamp with time zone",
	"real":      "double precision",
}

// sqliteSchema returns the columns of the database, with the names that PostgreSQL has for their types.
func sqliteSchema(t *testing.T, d *db.DB) schema {
	t.Helper()
	s := schema{}
	eachRow(t, d, `SELECT m.name, c.name, lower(c.type), c."notnull" = 0 FROM sqlite_schema m, pragma_table_xinfo(m.name) c
		WHERE m.type = 'table' ORDER BY m.name, c.cid`, func(row []any) {
		kind := fmt.Sprint(row[2])
		if name, ok := postgresName[kind]; ok {
			kind = name
		}
		s.add(fmt.Sprint(row[0]), fmt.Sprint(row[1]), kind, row[3] == int64(1))
	})
	eachRow(t, d, `SELECT m.name, group_concat(c.name, ',' ORDER BY c.seqno), i.partial
		FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
		WHERE m.type = 'table' AND i."unique" = 1 GROUP BY m.name, i.name, i.partial`, func(row []any) {
		s.addUnique(fmt.Sprint(row[0]), fmt.Sprint(row[1]), row[2] == int64(1))
	})
	// An integer primary key is the row's own number and has no index.
	eachRow(t, d, `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.pk = 1
		AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) i WHERE i.origin = 'pk')`, func(row []any) {
		s.addUnique(fmt.Sprint(row[0]), fmt.Sprint(row[1]), false)
	})
	return s
}

// postgresSchema returns the columns of the database.
func postgresSchema(t *testing.T, d *db.DB) schema {
	t.Helper()
	s := schema{}
	eachRow(t, d, `SELECT table_name::text, column_name::text, data_type::text, is_nullable = 'YES'
		FROM information_schema.columns WHERE table_schema = current_schema()
		ORDER BY table_name, ordinal_position`, func(row []any) {
		s.add(fmt.Sprint(row[0]), fmt.Sprint(row[1]), fmt.Sprint(row[2]), row[3] == true)
	})
	eachRow(t, d, `SELECT t.relname::text, string_agg(a.attname, ',' ORDER BY array_position(i.indkey::int2[], a.attnum)), i.indpred IS NOT NULL
		FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (i.indkey)
		WHERE i.indisunique AND t.relnamespace = current_schema()::regnamespace
		GROUP BY t.relname, i.indexrelid, i.indpred`, func(row []any) {
		s.addUnique(fmt.Sprint(row[0]), fmt.Sprint(row[1]), row[2] == true)
	})
	return s
}

// eachRow calls do with each row of the query.
func eachRow(t *testing.T, d *db.DB, query string, do func(row []any)) {
	t.Helper()
	rows, err := d.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		row, into := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		do(row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
