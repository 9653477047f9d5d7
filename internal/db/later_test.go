package db_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
)

// hold writes a reservation of the holder with the next statement of the transaction.
func hold(t *testing.T, tx *db.Tx, holder string) error {
	t.Helper()
	return tx.Later().InsertNewSlotHold(t.Context(), gen.InsertNewSlotHoldParams{
		Holder: holder, ShopID: 1, OrderType: "takeaway", StartsAt: time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC), Minutes: "{}", Earlier: "{}",
	})
}

// holds reports whether the holder has a reservation that others see.
func holds(t *testing.T, d *db.DB, holder string) bool {
	t.Helper()
	_, err := d.Read().GetSlotHold(t.Context(), holder)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// What is written later is there for the next statement and after the commit, and not after a rollback; the first
// time, and when its statement is prepared.
func TestLater_isWrittenWithTheNextStatementOrTheCommit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		undo := errors.New("undo")
		for _, n := range []string{"1", "2", "3"} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				err := errors.Join(hold(t, tx, "read "+n), hold(t, tx, "read too "+n))
				for _, holder := range []string{"read ", "read too "} {
					if row, readErr := tx.Q.GetSlotHold(t.Context(), holder+n); readErr != nil || row.Holder != holder+n {
						t.Errorf("the next statement does not see it: %+v, %v", row, readErr)
					}
				}
				return errors.Join(err, hold(t, tx, "last "+n))
			})
			if err != nil || !holds(t, d, "read "+n) || !holds(t, d, "read too "+n) || !holds(t, d, "last "+n) {
				t.Errorf("after the commit: %v", err)
			}
			err = d.InTx(t.Context(), func(tx *db.Tx) error { return hold(t, tx, "alone "+n) })
			if err != nil || !holds(t, d, "alone "+n) {
				t.Errorf("after the commit of nothing else: %v", err)
			}
			for _, isRead := range []bool{true, false} {
				err = d.InTx(t.Context(), func(tx *db.Tx) error {
					if isRead {
						if _, err := tx.Q.GetSlotHold(t.Context(), "alone "+n); err != nil {
							return err
						}
					}
					return errors.Join(hold(t, tx, "undone "+n), undo)
				})
				if !errors.Is(err, undo) || holds(t, d, "undone "+n) {
					t.Errorf("after a rollback: %v", err)
				}
			}
		}
	})
}

// What the database refuses later is the error of the next statement or of the commit, and nothing of the transaction
// is written. The connection is as good as before, or another one.
func TestLater_isRefusedWithItsTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return hold(t, tx, "taken") }); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time all statements are prepared
			for name, last := range map[string]func(tx *db.Tx) error{
				"at the commit": func(*db.Tx) error { return nil },
				"at the next statement": func(tx *db.Tx) error {
					_, err := tx.Q.GetSlotHold(t.Context(), "taken")
					return err
				},
				"at the next statement, that is later too": func(tx *db.Tx) error { return hold(t, tx, "after") },
				"at a statement without arguments": func(tx *db.Tx) error {
					_, err := tx.SQL.ExecContext(t.Context(), "DELETE FROM slot_hold")
					return err
				},
			} {
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					if err := errors.Join(hold(t, tx, "before"), hold(t, tx, "taken")); err != nil {
						return err
					}
					return last(tx)
				})
				if !db.IsDuplicate(err, "slot_hold", "holder") {
					t.Errorf("%s: %v", name, err)
				}
				if holds(t, d, "before") || holds(t, d, "after") || !holds(t, d, "taken") {
					t.Errorf("%s: something was written", name)
				}
			}
		}
	})
}

// A text without arguments goes to PostgreSQL in another way than a prepared statement.
func TestLater_isWrittenBeforeAStatementWithoutArguments(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 2 {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := hold(t, tx, "first"); err != nil {
					return err
				}
				var holder string
				if err := tx.SQL.QueryRowContext(t.Context(), "SELECT holder FROM slot_hold").Scan(&holder); err != nil || holder != "first" {
					t.Errorf("a reading has found %q, %v", holder, err)
				}
				if err := hold(t, tx, "second"); err != nil {
					return err
				}
				_, err := tx.SQL.ExecContext(t.Context(), "DELETE FROM slot_hold")
				return errors.Join(err, hold(t, tx, "third"))
			})
			if err != nil || holds(t, d, "first") || holds(t, d, "second") || !holds(t, d, "third") {
				t.Errorf("%v; the first: %t, the second: %t, the third: %t", err, holds(t, d, "first"), holds(t, d, "second"), holds(t, d, "third"))
			}
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.SQL.ExecContext(t.Context(), "DELETE FROM slot_hold"); return err }); err != nil {
				t.Fatal(err)
			}
		}
	})
}
