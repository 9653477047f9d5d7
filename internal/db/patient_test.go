package db_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// A caller goes away while its statement runs. The statement ends by itself, the next one of the transaction is
// refused, and the connection is as good as before.
func TestInTx_interruptsNoStatementOfACallerThatGoesAway(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	d.Writer().SetMaxOpenConns(1)
	before := backendOf(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var first, second error
	err := d.InTx(ctx, func(tx *db.Tx) error {
		time.AfterFunc(200*time.Millisecond, cancel)
		_, first = tx.SQL.ExecContext(ctx, "SELECT pg_sleep(0.5)")
		_, second = tx.SQL.ExecContext(ctx, "SELECT 1")
		return nil
	})
	if first != nil || !errors.Is(second, context.Canceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("the statement that had begun ended with %v, the next with %v, the transaction with %v", first, second, err)
	}
	if after := backendOf(t, d); after != before {
		t.Error("the connection was lost")
	}
}

// A statement takes longer than its caller has time: it ends with the deadline, before any limit of the server.
func TestStatements_endByTheDeadlineOfTheirCaller(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	const wait = "SELECT pg_sleep(3)"
	for name, run := range map[string]func(ctx context.Context, tx *db.Tx) error{
		"in a transaction": func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(ctx, wait)
			return err
		},
		"in a part of one": func(ctx context.Context, tx *db.Tx) error {
			std, err := tx.Std(ctx)
			if err == nil {
				_, err = std.ExecContext(ctx, wait)
			}
			return err
		},
		"outside of one": func(ctx context.Context, tx *db.Tx) error {
			if _, err := tx.SQL.ExecContext(ctx, "LOCK TABLE slot_hold"); err != nil {
				return err
			}
			_, err := d.Read().GetSlotHold(ctx, "order:1")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			var late, ended error
			err := d.InTx(ctx, func(tx *db.Tx) error {
				late = run(ctx, tx)
				ended = ctx.Err()
				return late
			})
			if ended == nil {
				t.Error("the statement ended before its caller's context, which cannot know why")
			}
			if !errors.Is(late, os.ErrDeadlineExceeded) && !errors.Is(late, context.DeadlineExceeded) {
				t.Errorf("the statement ended with %v", late)
			}
			if !db.IsUnavailable(err) {
				t.Errorf("the transaction ended with %v", err)
			}
		})
	}
}

// Another call holds the only connection.
func TestStatements_waitForAConnectionNoLongerThanTheirCaller(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	d.Writer().SetMaxOpenConns(1)
	held, err := d.Writer().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := d.Read().GetSlotHold(ctx, "order:1"); !errors.Is(err, context.Canceled) {
		t.Errorf("a reading ended with %v", err)
	}
	if err := d.InTx(ctx, func(*db.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a transaction ended with %v", err)
	}
}

// What the job queue writes with the transaction of database/sql is part of the whole.
func TestStd_isCommittedAndRolledBackWithItsTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		failure := errors.New("refused")
		insert := func(name string, end error) error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				std, err := tx.Std(t.Context())
				if err != nil {
					return err
				}
				if _, err := std.ExecContext(t.Context(), "INSERT INTO slot_hold (holder, shop_id, order_type, starts_at, minutes) VALUES ($1, 1, 'takeaway', '2026-11-27T18:00:00Z', '{}')", name); err != nil {
					return err
				}
				if _, err := tx.Q.GetSlotHold(t.Context(), name); err != nil {
					t.Errorf("the transaction does not see it: %v", err)
				}
				return end
			})
		}
		if err := insert("order:1", failure); !errors.Is(err, failure) {
			t.Error(err)
		}
		if _, err := d.Read().GetSlotHold(t.Context(), "order:1"); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("after a rollback: %v", err)
		}
		if err := insert("order:2", nil); err != nil {
			t.Error(err)
		}
		if _, err := d.Read().GetSlotHold(t.Context(), "order:2"); err != nil {
			t.Errorf("after a commit: %v", err)
		}
	})
}

// backendOf returns the process of the server that serves the next connection.
func backendOf(t *testing.T, d *db.DB) (pid int) {
	t.Helper()
	if err := d.Reader().QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		t.Fatal(err)
	}
	return pid
}
