package app

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"servery/internal/db"
	"servery/internal/server/precompressed"
)

const (
	// startupTimeout is how long a request waits for a program that starts.
	startupTimeout = 10 * time.Second
	// databasePause is the time between two tries to reach a database that does not answer.
	databasePause = time.Second
)

// startupHandler answers by another handler once the program has started. Before that the process is
// alive and not ready, and other requests wait for a while. It is safe for concurrent use.
type startupHandler struct {
	started chan struct{}
	next    http.Handler // set before started is closed
}

// newStartupHandler returns the handler of a program that has not started.
func newStartupHandler() *startupHandler { return &startupHandler{started: make(chan struct{})} }

// begin passes requests to the next handler from now on, those that wait as well. It must be called at
// most once.
func (h *startupHandler) begin(next http.Handler) {
	h.next = next
	close(h.started)
}

// ServeHTTP passes the request on once the program has started. Before, it answers /healthz with 200 and
// /readyz with 503. Any other request waits for the start, at most startupTimeout, and then gets a 503.
func (h *startupHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-h.started:
		h.next.ServeHTTP(w, r)
		return
	default:
	}
	if r.URL.Path == "/healthz" {
		w.WriteHeader(http.StatusOK)
		return
	}
	if !strings.HasPrefix(r.URL.Path, "/readyz") {
		timer := time.NewTimer(startupTimeout)
		defer timer.Stop()
		select {
		case <-h.started:
			h.next.ServeHTTP(w, r)
			return
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Retry-After", "5")
	http.Error(w, "starting", http.StatusServiceUnavailable)
}

// serveStartup serves both addresses while the program starts.
func (a *App) serveStartup() {
	a.startup = newStartupHandler()
	a.http = a.newHTTP(a.startup)
	a.serve(a.http, precompressed.WrapListener(a.http, a.listener))
	if a.opsListener != nil {
		a.opsStartup = newStartupHandler()
		a.ops = a.newHTTP(a.opsStartup)
		a.serve(a.ops, a.opsListener)
	}
}

// closeStartup closes both servers after a start that failed.
func (a *App) closeStartup() error {
	err := a.http.Close()
	if a.ops != nil {
		err = errors.Join(err, a.ops.Close())
	}
	a.work.Wait()
	return err
}

// awaitDatabase opens the database. It waits for a PostgreSQL that does not answer, at most for the
// time that the settings allow.
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
