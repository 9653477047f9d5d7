package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"servery/internal/db"
)

// bareTables hold the rows of the bare transactions.
const bareTables = `
CREATE TABLE IF NOT EXISTS bare_one (id bigint NOT NULL PRIMARY KEY, body %[1]s NOT NULL, version bigint NOT NULL);
CREATE TABLE IF NOT EXISTS bare_many (id %[2]s, body %[1]s NOT NULL);`

// rowBytes is about as much as a small cart, an order or one of its lines takes.
const rowBytes = 500

// prepareBare creates the tables, with one row for each connection.
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

// oneRow returns a step for each connection: a transaction that changes one row, which is another one
// for each.
func oneRow(ctx context.Context, d *db.DB, connections int) []step {
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

// manyRows returns a step for each connection: transactions one after another, each of which inserts
// as many rows as one of the numbers in rows says.
func manyRows(ctx context.Context, d *db.DB, connections int, rows ...int) []step {
	steps := make([]step, connections)
	body := bytes.Repeat([]byte("x"), rowBytes)
	for i := range steps {
		steps[i] = func() error {
			for _, n := range rows {
				err := inTx(ctx, d, func(tx *sql.Tx) error {
					for range n {
						if _, err := tx.ExecContext(ctx, "INSERT INTO bare_many (body) VALUES ($1)", body); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		}
	}
	return steps
}

// inTx runs do in a transaction.
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
