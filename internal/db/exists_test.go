package db_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestExists_isTrueOfAMigratedDatabase(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			if found, err := db.Exists(t.Context(), dbtest.Config(t, engine)); err != nil || !found {
				t.Errorf("got %t, %v", found, err)
			}
		})
	}
}

func TestExists_createsNothing(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		folder := filepath.Join(t.TempDir(), "data")
		if found, err := db.Exists(t.Context(), db.Config{Dir: folder}); err != nil || found {
			t.Errorf("got %t, %v", found, err)
		}
		if _, err := os.Stat(folder); !os.IsNotExist(err) {
			t.Errorf("the folder: %v", err)
		}
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		where := dbtest.Config(t, db.Postgres)
		u, err := url.Parse(where.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.RawQuery += "&search_path=nowhere" // as good as a database without tables
		empty := db.Config{URL: strings.Replace(u.String(), "?&", "?", 1)}
		if found, err := db.Exists(t.Context(), empty); err != nil || found {
			t.Errorf("got %t, %v", found, err)
		}
	})
}

func TestConfigName_saysWhereWithoutASecret(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://user:hunter2@db.example:6432/shop": "PostgreSQL database shop at db.example:6432",
		"postgres://user:hunter2@db.example":           "PostgreSQL database user at db.example:5432",
	} {
		if got := (db.Config{URL: address}).Name(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	whole, err := filepath.Abs("data/" + db.File)
	if err != nil {
		t.Fatal(err)
	}
	if got := (db.Config{Dir: "./data"}).Name(); got != whole {
		t.Errorf("%q, want %q", got, whole)
	}
}

func TestOpen_makesFilesThatOthersCannotRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d, err := db.Open(t.Context(), db.Config{Dir: folder})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if info, err := file.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", file.Name(), info.Mode(), err)
		}
	}
}
