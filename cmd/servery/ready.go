package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"servery/internal/app"
	"servery/internal/config"
)

const (
	// readyTimeout bounds how long the process may take to answer.
	readyTimeout = 5 * time.Second
	// readyPause is how long it waits before it asks again.
	readyPause = 200 * time.Millisecond
)

// readyRequest is what `servery ready` asks.
type readyRequest struct {
	// write asks whether orders can be placed, and not only whether pages are served.
	write bool
	// wait is for how long it asks again while the process is not ready.
	wait time.Duration
}

// awaitReady asks as askReady does, again and again until the process is ready or the wait is over. It returns the last
// error.
func awaitReady(ctx context.Context, cfg config.Config, r readyRequest, out io.Writer) error {
	deadline := time.After(r.wait)
	for {
		err := askReady(ctx, cfg, r.write, out)
		if err == nil {
			return nil
		}
		select {
		case <-deadline:
			return err
		case <-ctx.Done():
			return err
		case <-time.After(readyPause):
		}
	}
}

// askReady asks the process that serves on this machine with these settings whether it can serve pages; with
// write, whether orders can be placed. It prints "ready", or returns an error with the process's answer.
func askReady(ctx context.Context, cfg config.Config, write bool, out io.Writer) error {
	path := "/readyz/pages"
	if write {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	address := app.LocalAddress(cmp.Or(cfg.OpsAddr, cfg.Addr))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: &http.Transport{}}).Do(request) // without a proxy, also when the environment names one
	if err != nil {
		return fmt.Errorf("no process answers at %s: %w", address, err)
	}
	defer response.Body.Close() //nolint:errcheck // it is read or not needed
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1024))
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %d %s", response.StatusCode, bytes.TrimSpace(answer))
	}
	_, err = fmt.Fprintln(out, "ready")
	return err
}
