package app_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/web"
)

// getStatus returns the status of the answer to a GET of the address.
func getStatus(t *testing.T, url string) int {
	t.Helper()
	status, _ := getText(t, url)
	return status
}

// getText returns the status and the body of the answer to a GET of the address.
func getText(t *testing.T, url string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestStart_servesMetricsAndReadinessOnAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	a, err := start(t, func(c *config.Config) { c.OpsAddr = "127.0.0.1:0" })
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if err != nil {
		t.Fatal(err)
	}
	public, ops := "http://"+a.Addr().String(), "http://"+a.OpsAddr().String()
	for url, want := range map[string]int{
		public + "/metrics": 404, public + "/readyz": 404, public + "/readyz/pages": 404, public + "/healthz": 200,
		ops + "/metrics": 200, ops + "/readyz": 200, ops + "/readyz/pages": 200, ops + "/healthz": 200, ops + "/moscow": 404,
		public + "/debug/pprof/": 404, public + "/debug/pprof/heap": 404, ops + "/debug/pprof/": 200, ops + "/debug/pprof/heap": 200,
	} {
		if got := getStatus(t, url); got != want {
			t.Errorf("%s: %d, want %d", url, got, want)
		}
	}
}

func TestStart_servesNoProfilesOnThePublicAddress(t *testing.T) {
	t.Parallel()
	a, err := start(t, func(*config.Config) {})
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile"} {
		if got := getStatus(t, "http://"+a.Addr().String()+path); got != 404 {
			t.Errorf("%s: %d, want 404", path, got)
		}
	}
}

func TestStart_showsItselfInTheMetrics(t *testing.T) {
	t.Parallel()
	a, err := start(t, func(*config.Config) {})
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`servery_build_info{go="go`, "servery_content_revision 1", `servery_last_success_timestamp_seconds{task="catalogue"}`,
		`servery_last_success_timestamp_seconds{task="measurement"}`, `servery_last_success_timestamp_seconds{task="orders"}`,
		"servery_jobs_behind_seconds 0", "servery_ready 1", "servery_database_lost 0", `go_sql_open_connections{db_name="writer"}`,
		`servery_requests_at_work{route="GET /metrics"} 1`,
	}
	var missing []string
	for range 100 { // the first measurement takes a moment
		_, text := getText(t, "http://"+a.Addr().String()+"/metrics")
		missing = missingFrom(text, want)
		if len(missing) == 0 {
			return
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Errorf("the metrics lack %q", missing)
}

// missingFrom returns the parts that do not occur in the text.
func missingFrom(text string, parts []string) []string {
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return strings.Contains(text, part) })
}

func TestStart_refusesAShortOperatorTokenThatIsNew(t *testing.T) {
	t.Parallel()
	_, err := start(t, func(c *config.Config) { c.OperatorToken = "swordfish" })
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "SERVERY_OPERATOR_TOKEN: must have at least 24") || strings.Contains(err.Error(), "swordfish") {
		t.Errorf("it says %v", err)
	}
	if _, err := start(t, func(c *config.Config) { c.OperatorToken = "operator-token-of-the-kitchen" }); err != nil {
		t.Error(err)
	}
}

func TestStart_warnsOfATokenThatOpensEveryCall(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]bool{"operator-token-of-the-kitchen": true, "": false} {
		log := &journal{lines: make(chan string, 1000)}
		cfg := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), CallsPerSecond: 1, Drain: time.Second, OperatorToken: token}
		a, err := app.Start(t.Context(), cfg, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn})), clock.System{})
		if errors.Is(err, web.ErrNotBuilt) {
			t.Skip("without the page nothing starts")
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		if got := log.has("SERVERY_OPERATOR_TOKEN opens every call for every brand: keep it for yourself, systems get tokens by servery token add"); got != want || token != "" && log.has(token) {
			t.Errorf("with the token %q it warns: %v", token, got)
		}
	}
}
