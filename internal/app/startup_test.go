package app_test

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/relaytest"
	"servery/web"
)

// freeAddress returns an address that no program listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// throughRelay returns the URL of a new PostgreSQL database that is reached through a relay, and the relay.
func throughRelay(t *testing.T) (string, *relaytest.Relay) {
	t.Helper()
	u, err := url.Parse(dbtest.Config(t, db.Postgres).URL)
	if err != nil {
		t.Fatal(err)
	}
	relay := relaytest.New(t, u.Host)
	u.Host = relay.Addr()
	return u.String(), relay
}

// A program that starts before its database is alive and not ready.
func TestStart_waitsForItsDatabase(t *testing.T) {
	t.Parallel()
	address, relay := throughRelay(t)
	relay.SetState(relaytest.Refusing)
	listen := freeAddress(t)
	type outcome struct {
		app *app.App
		err error
	}
	started := make(chan outcome, 1)
	go func() {
		a, err := app.Start(t.Context(), config.Config{
			Addr: listen, DatabaseURL: address, DatabaseWait: time.Minute, CallsPerSecond: 100, Drain: time.Second,
		}, slog.New(slog.DiscardHandler), clock.System{})
		started <- outcome{a, err}
	}()
	at := "http://" + listen
	for connected := false; !connected; {
		select {
		case got := <-started:
			if errors.Is(got.err, web.ErrNotBuilt) {
				t.Skip("without the page nothing starts")
			}
			t.Fatalf("it does not wait: %v", got.err)
		case <-time.After(10 * time.Millisecond):
		}
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", listen)
		if connected = err == nil; connected {
			_ = conn.Close()
		}
	}
	if got := getStatus(t, at+"/healthz"); got != http.StatusOK {
		t.Errorf("/healthz: %d while the database is away", got)
	}
	for _, path := range []string{"/readyz", "/readyz/pages"} {
		if got := getStatus(t, at+path); got != http.StatusServiceUnavailable {
			t.Errorf("%s: %d while the database is away", path, got)
		}
	}
	relay.SetState(relaytest.Open)
	got := <-started
	if got.err != nil {
		t.Fatal(got.err)
	}
	if status := getStatus(t, at+"/readyz"); status != http.StatusOK {
		t.Errorf("with its database it answers %d", status)
	}
	if err := got.app.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestStart_endsWhenItsDatabaseStaysAway(t *testing.T) {
	t.Parallel()
	address, relay := throughRelay(t)
	relay.SetState(relaytest.Refusing)
	listen := freeAddress(t)
	_, err := app.Start(t.Context(), config.Config{Addr: listen, DatabaseURL: address, CallsPerSecond: 1, Drain: time.Second}, slog.New(slog.DiscardHandler), clock.System{})
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if !db.IsUnavailable(err) {
		t.Errorf("it ends with %v", err)
	}
	if l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", listen); err != nil {
		t.Errorf("its port is not free: %v", err)
	} else {
		_ = l.Close()
	}
}
