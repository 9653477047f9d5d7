package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/queue"
)

// reminder is a job that only this test enqueues.
type reminder struct{}

func (reminder) Kind() string { return "test.remind" }

func TestRestore_holdsListsAndReleases(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, _ string) {
		if _, err := s.run(t, "import", writeMenu(t, 30)); err != nil {
			t.Fatal(err)
		}
		s.mustRun(t, "not held: jobs run, acquirers and senders are called", "restore")
		cfg, _, err := config.Load(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		d, err := app.OpenExisting(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		q, err := queue.New(d, queue.Options{})
		if err != nil {
			t.Fatal(err)
		}
		queue.Handle(q, func(context.Context, reminder) error { return nil })
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return q.Enqueue(t.Context(), tx, reminder{}) }); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		const list = "\njobs to be run +1 +test.remind"
		s.mustRun(t, `held since .*Z: servery restore -hold`+list, "restore", "-hold")
		s.mustRun(t, `held since .*Z: servery restore -hold`+list, "restore")
		s.mustRun(t, `held since .*Z: servery restore -hold`+list+"\nreleased: start the service again", "restore", "-go")
		s.mustRun(t, "not held: jobs run, acquirers and senders are called"+list, "restore")
		if _, err := s.run(t, "restore", "-go", "-hold"); err == nil || !strings.Contains(err.Error(), "-hold or -go") {
			t.Errorf("both at once: %v", err)
		}
	})
}

// A copy that was not started yet is held by its first start: the list must not say that it sends.
func TestRestore_saysThatTheNextStartHolds(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, _ string) {
		if _, err := s.run(t, "import", writeMenu(t, 30)); err != nil {
			t.Fatal(err)
		}
		cfg, _, err := config.Load(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		d, err := app.OpenExisting(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Occupy(t.Context(), clock.System{}.Now()); err != nil {
			t.Fatal(err)
		}
		s.mustRun(t, "not held: jobs run, acquirers and senders are called", "restore")
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE installation SET place = 'elsewhere'")
			return err
		})
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
		s.mustRun(t, "held from the next start on: it was at work .*", "restore")
		s.mustRun(t, "held from the next start on: it was at work .*\nreleased: start the service again", "restore", "-go")
		s.mustRun(t, "not held: jobs run, acquirers and senders are called", "restore")
	})
}
