package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"servery/internal/db"
)

// bareTables creates the tables of the bare transactions.
const bareTables = `
CREATE TABLE IF NOT EXISTS bare_one (id bigint NOT NULL PRIMARY KEY, body %[1]s NOT NULL, version bigint NOT NULL);
CREATE TABLE IF NOT EXISTS bare_many (id %[2]s, body %[1]s NOT NULL);`

// rowBytes is about the size of a small cart, an order or an order line, in bytes.
const rowBytes = 500

// prepareBare creates the tables, unless they exist, and one row of bare_one for each connection.
func prepareBare(ctx context.Context, d *db.DB, connections int) error {
	body, id := "blob", "integer NOT NULL PRIMARY KEY AUTOINCREMENT"
	if d.Engine() == db.Postgres {
		body, id = "bytea", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
	}
	if _, err := d.Writer().ExecContext(ctx, fmt.Sprintf(bareTables, body, id)); err != nil {
		return err
	}
	for i := range connections {
		_, err := d.Writer().ExecContext(ctx,
			"INSERT INTO bare_one (id, body, version) VALUES ($1, $2, 1) ON CONFLICT (id) DO NOTHING", i, make([]byte, rowBytes))
		if err != nil {
			return err
		}
	}
	return nil
}

// updateOneRow returns a step for each connection. The step changes one row in a transaction; each connection has
// a row of its own.
func updateOneRow(ctx context.Context, d *db.DB, connections int) []step {
	steps := make([]step, connections)
	body := bytes.Repeat([]byte("x"), rowBytes)
	for i := range steps {
		steps[i] = func() error {
			return inTx(ctx, d, func(tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, "UPDATE bare_one SET body = $1, version = version + 1 WHERE id = $2", body, i)
				return err
			})
		}
	}
	return steps
}

// insertRows returns a step for each connection. The step runs one transaction for each number in counts, which
// inserts as many rows.
func insertRows(ctx context.Context, d *db.DB, connections int, counts ...int) []step {
	steps := make([]step, connections)
	body := bytes.Repeat([]byte("x"), rowBytes)
	for i := range steps {
		steps[i] = func() error {
			for _, n := range counts {
				if err := insertInTx(ctx, d, n, body); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return steps
}

// insertInTx inserts n rows with the body in a transaction of its own.
func insertInTx(ctx context.Context, d *db.DB, n int, body []byte) error {
	return inTx(ctx, d, func(tx *sql.Tx) error {
		for range n {
			if _, err := tx.ExecContext(ctx, "INSERT INTO bare_many (body) VALUES ($1)", body); err != nil {
				return err
			}
		}
		return nil
	})
}

// inTx runs do in a transaction of its own, and commits it unless do returns an error.
func inTx(ctx context.Context, d *db.DB, do func(tx *sql.Tx) error) error {
	tx, err := d.Writer().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
