package app_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/report/double"
)

func TestApp_Close_isNotReadyWhileThePortIsOpen(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), CallsPerSecond: 100, LameDuck: 3 * time.Second, Drain: time.Second}
	a, err := app.Start(t.Context(), cfg, slog.New(slog.DiscardHandler), clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + a.Addr().String()
	if got := getStatus(t, url+"/readyz"); got != http.StatusOK {
		t.Fatalf("ready is %d", got)
	}
	closed := make(chan error, 1)
	go func() { closed <- a.Close(context.WithoutCancel(t.Context())) }()
	for getStatus(t, url+"/readyz") == http.StatusOK {
		select {
		case err := <-closed:
			t.Fatalf("it closed while it was ready: %v", err)
		default:
		}
	}
	if got := getStatus(t, url+"/healthz"); got != http.StatusOK {
		t.Errorf("while it leaves it answers %d", got)
	}
	if err := <-closed; err != nil {
		t.Errorf("closed with %v", err)
	}
}

func TestApp_Close_cutsASlowBodyWithoutAnError(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), CallsPerSecond: 100, Drain: 300 * time.Millisecond}
	a, err := app.Start(t.Context(), cfg, slog.New(slog.DiscardHandler), clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", a.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("POST /api/cart/add HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Errorf("closed with %v", err)
	}
}

func TestApp_Close_sendsTheReportsThatWait(t *testing.T) {
	t.Parallel()
	reports := double.New()
	t.Cleanup(reports.Close)
	cfg := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), CallsPerSecond: 100, Drain: time.Second, ErrorReports: reports.DSN()}
	a, err := app.Start(t.Context(), cfg, slog.New(slog.DiscardHandler), clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	body := strings.NewReader(`{"kind":"thrown","name":"TypeError","message":"failed","route":"/:city"}`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+a.Addr().String()+"/api/errors", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusNoContent {
		t.Fatalf("answered %d, %v", response.StatusCode, err)
	}
	if err := a.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := len(reports.Events()); got != 1 {
		t.Errorf("%d reports arrived", got)
	}
}
