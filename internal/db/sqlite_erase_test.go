package db_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"servery/internal/db"
	"servery/internal/queue"
)

func TestSQLite_leavesNothingOfADeletedRowInTheFile(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	d, err := db.Open(ctx, db.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(ctx, d, queue.Migrate); err != nil {
		t.Fatal(err)
	}
	file := func() []byte {
		t.Helper()
		if _, err := d.Writer().ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, db.File))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for n := range 3 {
		if _, err := insertSession(ctx, d, fmt.Sprint("token-of-", n)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(file(), []byte("token-of-1")) {
		t.Fatal("it is not in the file")
	}
	err = d.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(ctx, "DELETE FROM session WHERE token_hash = $1", []byte("token-of-1"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := file(); bytes.Contains(text, []byte("token-of-1")) || !bytes.Contains(text, []byte("token-of-2")) {
		t.Error("the deleted row is in the file, or one that is not deleted is missing")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
