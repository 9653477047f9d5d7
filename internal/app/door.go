package app

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"servery/internal/db"
)

const (
	// doorTimeout is how long a request waits for a program that starts.
	doorTimeout = 10 * time.Second
	// databasePause is the time between two tries to reach a database that does not answer.
	databasePause = time.Second
)

// door lets requests in once the program has started. Before that the process is alive and not ready,
// and other requests wait for a while. It is safe for concurrent use.
type door struct {
	opened  chan struct{}
	handler http.Handler // set before opened is closed
}

func newDoor() *door { return &door{opened: make(chan struct{})} }

// open lets requests in to the handler, those that wait as well. It is called once.
func (d *door) open(handler http.Handler) {
	d.handler = handler
	close(d.opened)
}

// ServeHTTP answers as the program does once it has started.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-d.opened:
		d.handler.ServeHTTP(w, r)
		return
	default:
	}
	if r.URL.Path == "/healthz" {
		w.WriteHeader(http.StatusOK)
		return
	}
	if !strings.HasPrefix(r.URL.Path, "/readyz") {
		timer := time.NewTimer(doorTimeout)
		defer timer.Stop()
		select {
		case <-d.opened:
			d.handler.ServeHTTP(w, r)
			return
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Retry-After", "5")
	http.Error(w, "starting", http.StatusServiceUnavailable)
}

// serveDoors serves both addresses, closed doors for now.
func (a *App) serveDoors() {
	a.door = newDoor()
	a.http = a.newHTTP(a.door)
	a.serve(a.http, a.listener)
	if a.opsListener != nil {
		a.opsDoor = newDoor()
		a.ops = a.newHTTP(a.opsDoor)
		a.serve(a.ops, a.opsListener)
	}
}

// closeDoors ends what serveDoors began, after a start that failed.
func (a *App) closeDoors() error {
	err := a.http.Close()
	if a.ops != nil {
		err = errors.Join(err, a.ops.Close())
	}
	a.work.Wait()
	return err
}

// awaitDatabase opens the database, and waits for a PostgreSQL that does not answer yet for as long as
// the settings say.
func (a *App) awaitDatabase(ctx context.Context) (*db.DB, error) {
	ticker := time.NewTicker(databasePause)
	defer ticker.Stop()
	until := time.NewTimer(a.cfg.DatabaseWait)
	defer until.Stop()
	for isFirst := true; ; isFirst = false {
		d, err := OpenDatabase(ctx, a.cfg)
		if err == nil || a.cfg.DatabaseURL == "" || !db.IsUnavailable(err) {
			return d, err
		}
		if isFirst {
			a.log.WarnContext(ctx, "the database does not answer, waiting for it", "at_most", a.cfg.DatabaseWait, "error", err)
		}
		select {
		case <-ticker.C:
		case <-until.C:
			return nil, err
		case <-ctx.Done():
			return nil, err
		}
	}
}
