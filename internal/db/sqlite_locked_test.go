package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// Another program keeps the file locked for longer than a caller has time.
func TestInTx_comesBackAtItsDeadlineWhileTheFileIsLocked(t *testing.T) {
	t.Parallel()
	where := dbtest.Config(t, db.SQLite)
	var both []*db.DB
	for range 2 {
		d, err := db.Open(t.Context(), where)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		both = append(both, d)
	}
	late := func(*db.Tx) error {
		t.Error("a transaction began in a locked file")
		return nil
	}
	err := both[0].InTx(t.Context(), func(*db.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := both[1].InTx(ctx, late); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := both[1].InTx(t.Context(), func(*db.Tx) error { return nil }); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
