package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// countSecrets returns how many secrets the database has.
func countSecrets(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM secret").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func addSecret(t *testing.T, d *db.DB, name string) {
	t.Helper()
	if _, err := d.Writer().ExecContext(t.Context(), "INSERT INTO secret (name, value, created_at) VALUES (?, x'00', '2026-11-25 12:00:00+00:00')", name); err != nil {
		t.Fatal(err)
	}
}

func TestBackUp_isRestoredAsItWas(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	addSecret(t, d, "first")
	copied := filepath.Join(t.TempDir(), "copy.db")
	size, err := d.BackUp(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(copied)
	if err != nil || info.Size() != size || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %+v, %v; %d bytes were announced", info, err, size)
	}
	addSecret(t, d, "later")

	to := db.Config{Dir: t.TempDir()}
	if _, err := db.Restore(t.Context(), to, copied); err != nil {
		t.Fatal(err)
	}
	restored, err := db.Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	if got := countSecrets(t, restored); got != 1 {
		t.Errorf("the restored database has %d secrets", got)
	}
	if err := restored.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestBackUp_replacesNothing(t *testing.T) {
	t.Parallel()
	cfg := dbtest.Config(t, db.SQLite)
	d, err := db.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	copied := filepath.Join(t.TempDir(), "copy.db")
	if _, err := d.BackUp(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if _, err := d.BackUp(t.Context(), copied); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a second copy into the file: %v", err)
	}
	if _, err := db.Restore(t.Context(), cfg, copied); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a copy over a database: %v", err)
	}
	if _, err := d.BackUp(t.Context(), filepath.Join(t.TempDir(), "none", "copy.db")); err == nil {
		t.Error("a copy is written into a folder that is not there")
	}
}

func TestRestore_refusesWhatIsNoWholeDatabase(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	copied := filepath.Join(t.TempDir(), "copy.db")
	if _, err := d.BackUp(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	torn := append([]byte{}, whole...)
	clear(torn[len(torn)/2 : len(torn)/2+8192])
	for name, body := range map[string][]byte{"text": []byte("not a database, but long enough to be looked at"), "half": whole[:len(whole)/2], "torn": torn} {
		path, to := filepath.Join(t.TempDir(), name), t.TempDir()
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Restore(t.Context(), db.Config{Dir: to}, path); err == nil || !strings.Contains(err.Error(), path+" is ") {
			t.Errorf("%s is restored, or the error does not name the file: %v", name, err)
		}
		if left, err := os.ReadDir(to); err != nil || len(left) != 0 {
			t.Errorf("%s leaves %v, %v", name, left, err)
		}
	}
}

// Who owns the data folder must not make root write into another file.
func TestRestore_writesThroughNoLink(t *testing.T) {
	t.Parallel()
	copied, to := filepath.Join(t.TempDir(), "copy.db"), db.Config{Dir: t.TempDir()}
	if _, err := dbtest.Open(t, db.SQLite).BackUp(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := errors.Join(os.WriteFile(other, []byte("kept"), 0o600), os.Symlink(other, filepath.Join(to.Dir, db.File+".partial"))); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Restore(t.Context(), to, copied); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "kept" {
		t.Errorf("the other file has %d bytes, %v", len(text), err)
	}
	if info, err := os.Lstat(filepath.Join(to.Dir, db.File)); err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o600 {
		t.Errorf("the database is %+v, %v", info, err)
	}
}

func TestBackUp_leavesPostgresToItsOwnTools(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	if _, err := d.BackUp(t.Context(), filepath.Join(t.TempDir(), "copy")); !errors.Is(err, db.ErrByHand) {
		t.Error(err)
	}
}

func TestOpenAlone_refusesADatabaseThatOthersUse(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			cfg := dbtest.Config(t, engine)
			other, err := db.Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.OpenAlone(t.Context(), cfg); !errors.Is(err, db.ErrInUse) {
				t.Errorf("beside another: %v", err)
			}
			if err := other.Close(); err != nil {
				t.Fatal(err)
			}
			d, err := db.OpenAlone(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
