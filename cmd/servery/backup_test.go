package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestBackup_isRestoredIntoAnEmptyFolderAndHeld(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.SQLite)
	s := shell{"SERVERY_DATA=" + c.Dir}
	if _, err := s.run(t, "import", writeMenu(t, 30)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	s.mustRun(t, regexp.QuoteMeta(file)+`: \d+ bytes, checked, a copy of `+regexp.QuoteMeta(c.Name()), "backup", file)
	if _, err := s.run(t, "restore", file); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("over a database: %v", err)
	}
	empty := filepath.Join(t.TempDir(), "data")
	restored := shell{"SERVERY_DATA=" + empty}
	restored.mustRun(t, `.*: \d+ bytes, checked, a copy of `+regexp.QuoteMeta(file)+`\nheld since .*: it was restored from a copy`, "restore", file)
	restored.mustRun(t, `(?s).*REVISION.*\n1 .*`, "revisions")
	if _, err := (shell{"SERVERY_DATA=" + filepath.Join(t.TempDir(), "none")}).run(t, "backup", file+"2"); err == nil || !strings.Contains(err.Error(), "there is no database") {
		t.Errorf("of no database: %v", err)
	}
}

func TestBackup_printsWhatPostgresNeeds(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.Postgres)
	s := shell{"DATABASE_URL=" + c.URL}
	for command, want := range map[string]string{
		"backup":  `pg_dump --format=custom --file=shop.dump --dbname="host=`,
		"restore": `pg_restore --exit-on-error --no-owner --dbname="host=`,
	} {
		text, err := s.run(t, command, "shop.dump")
		if !errors.Is(err, db.ErrByHand) || !strings.HasPrefix(text, want) || !strings.Contains(text, "dbname=servery_test_") {
			t.Errorf("%s: %v\n%s", command, err, text)
		}
	}
}

func TestMove_bringsTheMenuToTheOtherDatabase(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, where string) {
		if _, err := s.run(t, "import", writeMenu(t, 30)); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "data")
		s.mustRun(t, `(?s) +table +rows.*\n +revision +1 +1 .*\n`+where+`: moved to .*servery\.db, and held; start the service with the new one`, "move", "-", to)
		(shell{"SERVERY_DATA=" + to}).mustRun(t, `(?s).*REVISION.*\n1 .*`, "revisions")
		s.mustRun(t, `held since .*: it was moved to another database`, "restore")
		for _, args := range [][]string{{"move"}, {"move", to}, {"move", to, to}} {
			if _, err := s.run(t, args...); err == nil {
				t.Errorf("%v is done", args)
			}
		}
	})
}

func TestMove_refusesADatabaseInUse(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, _ string) {
		c := db.Config{}
		for _, setting := range s {
			if dir, ok := strings.CutPrefix(setting, "SERVERY_DATA="); ok {
				c.Dir = dir
			}
			if url, ok := strings.CutPrefix(setting, "DATABASE_URL="); ok {
				c.URL = url
			}
		}
		serving, err := db.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = serving.Close() })
		if _, err := s.run(t, "move", "-", t.TempDir()); !errors.Is(err, db.ErrInUse) || !strings.Contains(err.Error(), "stop all processes") {
			t.Error(err)
		}
	})
}

func TestReady_asksAgainUntilTheProcessIsReady(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	serving := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 3 {
			http.Error(w, "starting", http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(serving.Close)
	s := shell{"SERVERY_ADDR=" + strings.TrimPrefix(serving.URL, "http://")}
	s.mustRun(t, "ready", "ready", "-wait", "1m")
	if asked.Load() != 3 {
		t.Errorf("it was asked %d times", asked.Load())
	}
}

func TestReady_saysWhatTheProcessAnswers(t *testing.T) {
	t.Parallel()
	serving := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz/pages" {
			http.Error(w, "database takes no writes", http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(serving.Close)
	address := strings.TrimPrefix(serving.URL, "http://")
	for _, s := range []shell{{"SERVERY_ADDR=" + address}, {"SERVERY_ADDR=:1", "SERVERY_OPS_ADDR=" + address}} {
		s.mustRun(t, "ready", "ready")
		if _, err := s.run(t, "ready", "-write"); err == nil || !strings.Contains(err.Error(), "not ready: 503 database takes no writes") {
			t.Errorf("whether orders can be placed: %v", err)
		}
	}
	serving.Close()
	if _, err := (shell{"SERVERY_ADDR=" + address}).run(t, "ready"); err == nil || !strings.Contains(err.Error(), "no process answers at "+address) {
		t.Errorf("after its end: %v", err)
	}
}
