package db_test

import (
	"errors"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestOnCommit_runsOnceAfterTheCommitAndNeverWithoutOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		runs := 0
		failure := errors.New("refused")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			tx.OnCommit(func() { runs++ })
			return failure
		})
		if !errors.Is(err, failure) || runs != 0 {
			t.Errorf("after a rollback it ran %d times, with %v", runs, err)
		}
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			tx.OnCommit(func() { runs++ })
			if runs != 0 {
				t.Error("it ran before the commit")
			}
			return nil
		})
		if err != nil || runs != 1 {
			t.Errorf("after a commit it ran %d times, with %v", runs, err)
		}
	})
}
