// Package move copies the whole database of the program into an empty one of the other engine, or of
// the same.
package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"servery/internal/db"
)

// summed has the column of a table that is a sum of money, work or pieces: its total is shown for
// both sides.
var summed = map[string]string{
	"orders": "total", "order_line": "total", "payment": "amount", "refund": "amount", "hand_refund": "amount",
	"bonus_account": "balance", "bonus_entry": "amount", "slot": "used_minutes", "stock_count": "used", "stock_share": "used",
}

// seeded are the tables that a new database has rows in.
var seeded = map[string]bool{"installation": true, "revision_lock": true, "stop_version": true, "write_probe": true}

// Faults of a move. Nothing has changed in either database then.
var (
	ErrNotEmpty = errors.New("the target is not empty")
	ErrDiffers  = errors.New("the copy differs")
)

// Side is what one side has of a table.
type Side struct {
	Rows int64
	// Sum is the total of the column [Moved].Summed.
	Sum int64
}

// Moved is a table that was copied, with what was read and what was found in the copy.
type Moved struct {
	Table string
	// Summed is the column whose total the sides have; empty for none.
	Summed   string
	From, To Side
}

// Move copies all rows from one database to another and returns what was copied. Both must have the newest
// tables and be open alone (see [db.OpenAlone]). Each table is read again from the copy; when any
// row differs, nothing is kept. Afterwards the first database is held, so that nothing is sent from
// it, and the other may be started anywhere. Jobs are not copied: the sweeps of the next start
// make up for them.
//
// Errors: [ErrNotEmpty], [ErrDiffers], [db.ErrInUse].
func Move(ctx context.Context, from, to *db.DB, now time.Time) ([]Moved, error) {
	var moved []Moved
	err := readAll(ctx, from, func(source *sql.Tx) error {
		return to.InTx(ctx, func(tx *db.Tx) error {
			var err error
			if moved, err = copyTables(ctx, source, from.Engine(), tx); err != nil {
				return err
			}
			// On PostgreSQL others may have connected during the copy.
			return errors.Join(db.CheckAlone(ctx, source, from.Engine()), db.CheckAlone(ctx, tx.SQL, tx.Engine))
		})
	})
	if err != nil {
		return nil, err
	}
	if err := from.Hold(ctx, now, "it was moved to another database"); err != nil {
		return moved, fmt.Errorf("hold the database that was moved: %w", err)
	}
	return moved, nil
}

// readAll calls do with a transaction that sees the database as it is now.
func readAll(ctx context.Context, d *db.DB, do func(tx *sql.Tx) error) error {
	options := sql.TxOptions{ReadOnly: true} // SQLite has no other isolation
	if d.Engine() == db.Postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := d.Reader().BeginTx(ctx, &options)
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	return do(tx)
}

// copyTables copies all tables and the numbers that were used last, and returns what was copied. It
// releases the target, so that its next start may be anywhere.
func copyTables(ctx context.Context, source *sql.Tx, engine db.Engine, target *db.Tx) ([]Moved, error) {
	tables, err := listTables(ctx, source, engine)
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	if err := emptyTarget(ctx, target, tables); err != nil {
		return nil, err
	}
	var moved []Moved
	for _, t := range tables {
		m, err := copyTable(ctx, source, target, t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.name, err)
		}
		moved = append(moved, m)
	}
	if err := copyNumbers(ctx, source, engine, target); err != nil {
		return nil, fmt.Errorf("numbers: %w", err)
	}
	// Without a place the next start takes its own. A database that is held stays so.
	_, err = target.SQL.ExecContext(ctx, `UPDATE installation SET place = '' WHERE held_at IS NULL`)
	return moved, err
}

// emptyTarget deletes from the target what every new database has: the rows of the seeded tables. It
// returns [ErrNotEmpty] when any other table has rows.
func emptyTarget(ctx context.Context, target *db.Tx, tables []*table) error {
	for _, t := range tables {
		if seeded[t.name] {
			if _, err := target.SQL.ExecContext(ctx, fmt.Sprintf(`DELETE FROM "%s"`, t.name)); err != nil {
				return err
			}
			continue
		}
		var found bool
		if err := target.SQL.QueryRowContext(ctx, fmt.Sprintf(`SELECT EXISTS (SELECT 1 FROM "%s")`, t.name)).Scan(&found); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		if found {
			return fmt.Errorf("%w: there are rows in %s", ErrNotEmpty, t.name)
		}
	}
	return nil
}

// copyTable copies the rows of a table and compares the copy with what was read.
func copyTable(ctx context.Context, source *sql.Tx, target *db.Tx, t *table) (Moved, error) {
	w := writer{target: target, table: t}
	read, err := readRows(ctx, source, t, func(values []any) error { return w.write(ctx, values) })
	if err != nil {
		return Moved{}, err
	}
	if err := w.flush(ctx); err != nil {
		return Moved{}, err
	}
	written, err := readRows(ctx, target.SQL, t, func([]any) error { return nil })
	if err != nil {
		return Moved{}, err
	}
	column := summed[t.name]
	m := Moved{t.name, column, Side{read.rows, read.sums[column]}, Side{written.rows, written.sums[column]}}
	if !read.isSame(written) {
		return m, fmt.Errorf("%w: %d rows were read, %d are in the copy", ErrDiffers, read.rows, written.rows)
	}
	return m, nil
}

// The most parameters and bytes of one statement.
const (
	maxParameters = 16_000
	maxBytes      = 4 << 20
)

// writer writes rows of a table, many in one statement.
type writer struct {
	target *db.Tx
	table  *table

	values []any
	bytes  int
}

// write writes a row, at once or with the next ones.
func (w *writer) write(ctx context.Context, values []any) error {
	w.values = append(w.values, values...)
	for _, value := range values {
		switch v := value.(type) {
		case string:
			w.bytes += len(v)
		case []byte:
			w.bytes += len(v)
		}
	}
	if len(w.values)+len(values) > maxParameters || w.bytes > maxBytes {
		return w.flush(ctx)
	}
	return nil
}

// flush writes the rows that were not written yet.
func (w *writer) flush(ctx context.Context) error {
	if len(w.values) == 0 {
		return nil
	}
	var statement strings.Builder
	fmt.Fprintf(&statement, `INSERT INTO "%s" (%s)`, w.table.name, w.table.quotedColumns())
	if w.target.Engine == db.Postgres {
		statement.WriteString(" OVERRIDING SYSTEM VALUE")
	}
	statement.WriteString(" VALUES ")
	for i := range w.values {
		switch {
		case i == 0:
			statement.WriteString("(")
		case i%len(w.table.columns) == 0:
			statement.WriteString("), (")
		default:
			statement.WriteString(", ")
		}
		if w.target.Engine == db.Postgres {
			fmt.Fprintf(&statement, "$%d", i+1)
		} else {
			statement.WriteString("?")
		}
	}
	statement.WriteString(")")
	_, err := w.target.SQL.ExecContext(ctx, statement.String(), w.values...)
	w.values, w.bytes = w.values[:0], 0
	return err
}

// The tables whose rows are numbered, with the column and the number that was used last.
const (
	sqliteNumbers   = `SELECT name, 'id', CAST(seq AS text) FROM sqlite_sequence WHERE name NOT LIKE 'river\_%' ESCAPE '\' AND name NOT LIKE 'goose\_%' ESCAPE '\'`
	postgresNumbers = `SELECT table_name::text, column_name::text,
			COALESCE(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass), 0)::text
		FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'
			AND table_name NOT LIKE 'river\_%' AND table_name NOT LIKE 'goose\_%'`
)

// copyNumbers makes the target go on numbering rows where the source stopped, so that the number of a
// row that was removed is not used again.
func copyNumbers(ctx context.Context, source *sql.Tx, engine db.Engine, target *db.Tx) error {
	query := sqliteNumbers
	if engine == db.Postgres {
		query = postgresNumbers
	}
	return eachTriple(ctx, source, query, func(name, column, last string) error {
		if last == "0" {
			return nil
		}
		if target.Engine == db.Postgres {
			_, err := target.SQL.ExecContext(ctx, `SELECT setval(pg_get_serial_sequence(quote_ident($1), $2)::regclass, CAST($3 AS bigint))`, name, column, last)
			return err
		}
		if _, err := target.SQL.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, name); err != nil {
			return err
		}
		_, err := target.SQL.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) VALUES (?, CAST(? AS integer))`, name, last)
		return err
	})
}
