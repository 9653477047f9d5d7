package app_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/web"
)

// scrapeNew returns the metrics of a process that has just started at the time, and serves the content folder.
func scrapeNew(t *testing.T, startedAt time.Time, folder string) string {
	t.Helper()
	cfg := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), Content: folder, CallsPerSecond: 100, Drain: time.Second}
	a, err := app.Start(t.Context(), cfg, slog.New(slog.DiscardHandler), clock.NewFake(startedAt))
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, text := getText(t, "http://"+a.Addr().String()+"/metrics")
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return text
}

// An alert on a sweep that is too old must also see a process whose sweep never succeeded.
func TestMetrics_countTheAgeOfTheSweepFromTheStart(t *testing.T) {
	t.Parallel()
	startedAt := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	want := []string{fmt.Sprintf("servery_last_success_timestamp_seconds{task=\"sweep\"} %g\n", float64(startedAt.Unix()))}
	if missing := missingFrom(scrapeNew(t, startedAt, writeMenu(t, "30")), want); len(missing) != 0 {
		t.Errorf("the metrics lack %q", missing)
	}
}

// An alert on a time without orders must also see a process that has had none since its start.
func TestMetrics_haveAcceptedOrdersOfEachBrandFromTheStart(t *testing.T) {
	t.Parallel()
	startedAt := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	want := []string{`servery_orders_total{site="pizza",status="accepted"} 0`, `servery_orders_total{site="sushi",status="accepted"} 0`}
	if missing := missingFrom(scrapeNew(t, startedAt, writeMenu(t, "30")), want); len(missing) != 0 {
		t.Errorf("the metrics lack %q", missing)
	}
}
