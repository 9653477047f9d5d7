package db_test

import (
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestInBatches_leavesTheRestToTheNextCall(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	left, transactions := int64(15_250), 0
	sweep := func() {
		err := d.InBatches(t.Context(), func(*db.Tx) (int64, error) {
			removed := min(left, db.BatchSize)
			left, transactions = left-removed, transactions+1
			return removed, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	if left != 5250 || transactions != 20 {
		t.Errorf("after one call %d are left, in %d transactions", left, transactions)
	}
	sweep()
	if left != 0 || transactions != 31 {
		t.Errorf("after two calls %d are left, in %d transactions", left, transactions)
	}
}
