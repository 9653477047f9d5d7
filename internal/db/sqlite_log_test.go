package db_test

import (
	"os"
	"path/filepath"
	"testing"

	"servery/internal/db"
)

// A reader that lasts keeps the log growing; once it has ended, its room is free again.
func TestSQLite_returnsTheRoomOfALongLog(t *testing.T) {
	t.Parallel()
	where := db.Config{Dir: t.TempDir()}
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	size := func() int64 {
		t.Helper()
		file, err := os.Stat(filepath.Join(where.Dir, db.File+"-wal"))
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	write := func(times int) {
		t.Helper()
		for range times {
			if _, err := d.Writer().ExecContext(t.Context(), "CREATE TABLE long (body BLOB); INSERT INTO long VALUES (zeroblob(8000000)); DROP TABLE long"); err != nil {
				t.Fatal(err)
			}
		}
	}
	read, err := d.Reader().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.ExecContext(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := read.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM sqlite_schema").Scan(&n); err != nil {
		t.Fatal(err)
	}
	write(15)
	if long := size(); long < 100<<20 {
		t.Fatalf("the log has only %d bytes beside a reader", long)
	}
	if _, err := read.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	write(3)
	if short := size(); short > 80<<20 {
		t.Errorf("the log still has %d bytes", short)
	}
}
