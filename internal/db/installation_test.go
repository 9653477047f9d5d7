package db_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

var startedAt = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// occupy starts a process on the database, and returns whether the database is held.
func occupy(t *testing.T, d *db.DB) db.Held {
	t.Helper()
	held, err := d.Occupy(t.Context(), startedAt)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func TestOccupy_startsAgainInTheSamePlace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 3 {
			if held := occupy(t, d); held.IsHeld() {
				t.Fatalf("held: %s", held.Because)
			}
		}
	})
}

func TestOccupy_holdsUntilReleased(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		occupy(t, d)
		if err := d.Hold(t.Context(), startedAt, "a rehearsal"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if held := occupy(t, d); held.Because != "a rehearsal" || !held.Since.Equal(startedAt) {
				t.Errorf("held %+v", held)
			}
		}
		if err := d.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		if held := occupy(t, d); held.IsHeld() {
			t.Errorf("released, and held: %s", held.Because)
		}
	})
}

// backUp returns the content of a backup of the database.
func backUp(t *testing.T, d *db.DB) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "copy")
	if _, err := d.Writer().ExecContext(t.Context(), "VACUUM INTO ?", name); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// restore opens a copy of a database in a folder.
func restore(t *testing.T, dir string, body []byte) *db.DB {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, db.File), body, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), db.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestOccupy_holdsACopyInAnotherFolder(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	occupy(t, d)
	if held := occupy(t, restore(t, t.TempDir(), backUp(t, d))); !held.IsHeld() {
		t.Error("a copy is at work beside the original")
	}
	if held := occupy(t, d); held.IsHeld() {
		t.Errorf("the original is held: %s", held.Because)
	}
}

// A backup lacks the payments that were made since, so it must not go on in place of the original.
func TestOccupy_holdsABackupInThePlaceOfTheOriginal(t *testing.T) {
	t.Parallel()
	where := dbtest.Config(t, db.SQLite)
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	occupy(t, d)
	backup := backUp(t, d)
	occupy(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := restore(t, where.Dir, backup)
	if held := occupy(t, again); !held.IsHeld() {
		t.Error("a backup goes on as if nothing had been done since")
	}
	if err := again.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if held := occupy(t, again); held.IsHeld() {
			t.Errorf("released, and held: %s", held.Because)
		}
	}
}

// A dump that was restored is another database of the server.
func TestOccupy_holdsADumpThatWasRestored(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	if held := occupy(t, d); held.IsHeld() {
		t.Fatal(held)
	}
	if _, err := d.Writer().ExecContext(t.Context(), "UPDATE installation SET place = '7301/16384'"); err != nil {
		t.Fatal(err)
	}
	if held := occupy(t, d); !held.IsHeld() {
		t.Error("a copy is at work beside the original")
	}
}

func TestOccupy_ofProcessesThatStartAtOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			where := dbtest.Config(t, engine)
			helds := make(chan db.Held)
			const processes = 6
			for range processes {
				d, err := db.Open(t.Context(), where)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := d.Close(); err != nil {
						t.Error(err)
					}
				})
				go func() {
					held, err := d.Occupy(t.Context(), startedAt)
					if err != nil {
						t.Error(err)
					}
					helds <- held
				}()
			}
			for range processes {
				if held := <-helds; held.IsHeld() {
					t.Errorf("held: %s", held.Because)
				}
			}
		})
	}
}
