package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/clock"
	"servery/internal/remote/faultinject"
	"servery/internal/report"
	"servery/internal/report/double"
)

// house is a reporter, the server that it reports to, and its own log.
type house struct {
	*report.Reporter

	server *double.Server
	clock  *clock.Fake
	log    bytes.Buffer
}

// newHouse returns a reporter that sends to a server of its own.
func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{server: double.New(), clock: clock.NewFake(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))}
	t.Cleanup(h.server.Close)
	var err error
	h.Reporter, err = report.New(report.Options{
		DSN: h.server.DSN(), Release: "1.2.3", Environment: "release", Clock: h.clock, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// logger returns a logger that reports errors and writes nothing.
func (h *house) logger() *slog.Logger { return slog.New(h.Handler(slog.DiscardHandler)) }

// flush sends what waits and returns the events.
func (h *house) flush(t *testing.T) []map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	h.Close(ctx)
	return h.server.Events()
}

// count returns how many reports had the outcome, -1 when that is not counted.
func (h *house) count(outcome string) int {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(h.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		return -1
	}
	for _, m := range families[0].GetMetric() {
		if m.GetLabel()[0].GetValue() == outcome {
			return int(m.GetCounter().GetValue())
		}
	}
	return -1
}

// secrets are what may never be in a report.
var secrets = map[string]string{
	"name": "Anna Schmidt", "Russian name": "Мария Петрова", "phone": "+7 916 123-45-67", "email": "anna@example.com",
	"card": "4111 1111 1111 1111", "token": "3f9a7c52b1e84d06a5c33f9a7c52b1e8", "address": "Torstrasse 5, Berlin", "network": "203.0.113.7",
}

// expectClean fails for each part of a secret that left the program. The ids and times of the protocol
// may have any digits.
func (h *house) expectClean(t *testing.T, events []map[string]any) {
	t.Helper()
	for _, event := range events {
		for _, ours := range []string{"event_id", "timestamp"} {
			delete(event, ours)
		}
		text, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		for name, secret := range secrets {
			for part := range strings.FieldsFuncSeq(secret, func(r rune) bool { return r == ' ' || r == ',' }) {
				if len(part) > 2 && strings.Contains(string(text), part) {
					t.Errorf("%s: %q is in the report %s", name, part, text)
				}
			}
		}
	}
}

func TestHandler_reportsErrorsAloneWithTheirPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	log := h.logger().With("site", "sushi").WithGroup("job")
	log.InfoContext(t.Context(), "started")
	log.WarnContext(t.Context(), "slow")
	log.ErrorContext(t.Context(), "payment poll failed", "payment_id", 41, "err", errors.New("bank answered 500"))
	slog.New(h.Handler(slog.DiscardHandler)).ErrorContext(t.Context(), "panic", "request_id", "00ff00ff00ff00ff", "stack", "goroutine 1")
	events := h.flush(t)
	if len(events) != 2 {
		t.Fatalf("%d events: %s", len(events), h.server.Raw())
	}
	for _, want := range []string{
		`"type":"payment poll failed","value":"bank answered 500"`, `"site":"sushi"`, `"job.payment_id":41`, `"request_id":"00ff00ff00ff00ff"`,
		`"release":"servery@1.2.3"`, `"environment":"release"`, `"function":"TestHandler_reportsErrorsAloneWithTheirPlace"`, `"server_name":"servery"`,
	} {
		if !strings.Contains(h.server.Raw(), want) {
			t.Errorf("%s is missing in\n%s", want, h.server.Raw())
		}
	}
	if strings.Contains(h.server.Raw(), "goroutine 1") {
		t.Error("the stack is sent twice")
	}
}

func TestReports_haveNothingOfPersonsInAnyField(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, secret := range secrets {
		h.clock.Advance(time.Hour)
		h.logger().With("with", secret).ErrorContext(t.Context(), "failed for "+secret, "err", errors.New(secret), "order", secret, "request_id", secret, "any", []string{secret})
		h.ReportPage(report.PageError{
			Site: secret, Kind: secret, Name: secret, Message: "no " + secret, Route: "/moscow/" + secret, UserAgent: secret,
			Stack: "Error: " + secret + "\n    at " + secret + " (https://example.com/assets/a.js?" + secret + ":1:2)\n    at f (https://example.com/" + secret + "/b.js:1:2)",
		})
	}
	events := h.flush(t)
	if len(events) != 2*len(secrets) {
		t.Fatalf("%d events", len(events))
	}
	h.expectClean(t, events)
}

func TestReportPage_hasFramesOfEveryEngineAndTheBrowser(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ userAgent, browser, stack string }{
		"Chromium": {
			"Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36", "Chrome 131",
			"TypeError: e.map is not a function\n    at https://example.com/assets/entry-1.js:1:10\n    at async Cart.load (https://example.com:8080/assets/cart-2.js:3:40)\n    at x (chrome-extension://abc/a.js:1:1)\n    at Array.map (<anonymous>)",
		},
		"Firefox": {
			"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox 128",
			"@https://example.com/assets/entry-1.js:1:10\nCart.load@https://example.com/assets/cart-2.js:3:40\n",
		},
		"Safari": {
			"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1", "Safari 17",
			"@https://example.com/assets/entry-1.js:1:10\nCart.load@https://example.com/assets/cart-2.js:3:40\nmap@[native code]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.ReportPage(report.PageError{
				Site: "sushi", Kind: "render", Name: "TypeError", Message: "e.map is not a function", Route: "/:city/order/:orderId/tracking", UserAgent: c.userAgent, Stack: c.stack,
			})
			if events := h.flush(t); len(events) != 1 {
				t.Fatalf("%d events", len(events))
			}
			frames := `"frames":[{"function":"Cart.load","filename":"app:///assets/cart-2.js","lineno":3,"colno":40,"in_app":true},{"filename":"app:///assets/entry-1.js","lineno":1,"colno":10,"in_app":true}]`
			for _, want := range []string{frames, `"browser.name":"` + c.browser + `"`, `"transaction":"/:city/order/:orderId/tracking"`, `"platform":"javascript"`, `"site":"sushi"`, `"type":"TypeError"`} {
				if !strings.Contains(h.server.Raw(), want) {
					t.Errorf("%s is missing in\n%s", want, h.server.Raw())
				}
			}
		})
	}
}

func TestReporter_sendsFewOfAFloodAndGoesOnAfterAMinute(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	log := h.logger()
	for range 1000 {
		log.ErrorContext(t.Context(), "database is away")
	}
	for n := range 100 {
		log.ErrorContext(t.Context(), fmt.Sprintf("failed %d", n))
	}
	h.clock.Advance(time.Minute)
	log.ErrorContext(t.Context(), "database is away")
	if events := h.flush(t); len(events) != 31 {
		t.Errorf("%d events", len(events))
	}
	if sent, left := h.count("sent"), h.count("left_out"); sent != 31 || left != 1101-31 {
		t.Errorf("%d sent, %d left out", sent, left)
	}
}

func TestReporter_withAServerThatIsAway(t *testing.T) {
	t.Parallel()
	t.Run("is silent", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t)
		h.server.Inject(faultinject.Silent)
		h.logger().ErrorContext(t.Context(), "failed") // returns at once
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		h.Close(ctx) // ends with its time
	})
	for name, c := range map[string]struct {
		fault   faultinject.Fault
		outcome string
		next    int // of the reports after the fault, how many arrive
	}{
		"is down":             {faultinject.Fault{Status: http.StatusBadGateway}, "refused", 1},
		"sends elsewhere":     {faultinject.Elsewhere, "refused", 1},
		"asks to come slower": {faultinject.Busy, "refused", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.server.Inject(c.fault)
			h.logger().ErrorContext(t.Context(), "first")
			h.logger().ErrorContext(t.Context(), "second")
			if events := h.flush(t); len(events) != c.next || h.count(c.outcome) != 1 {
				t.Errorf("%d events, %d %s", len(events), h.count(c.outcome), c.outcome)
			}
			if text := h.log.String(); strings.Count(text, "error reports are not accepted") != 1 || strings.Contains(text, h.server.DSN()) {
				t.Errorf("the log has %s", text)
			}
		})
	}
	t.Run("is not there", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t)
		h.server.Close()
		for n := range 3 {
			h.logger().ErrorContext(t.Context(), fmt.Sprint("failed ", n))
		}
		h.flush(t)
		if h.count("failed") != 3 || strings.Count(h.log.String(), "not accepted") != 1 || strings.Contains(h.log.String(), "0123456789abcdef") {
			t.Errorf("%d failed: %s", h.count("failed"), h.log.String())
		}
	})
}

func TestReporter_isOffWithoutAnAddress(t *testing.T) {
	t.Parallel()
	r, err := report.New(report.Options{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil || r.IsOn() {
		t.Fatalf("%v, on: %v", err, r.IsOn())
	}
	if next := slog.DiscardHandler; r.Handler(next) != next {
		t.Error("the log goes through the reporter")
	}
	r.ReportPage(report.PageError{Message: "failed"})
	r.Close(t.Context())
}

func TestCheckDSN_refusesWithoutRepeatingIt(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{"hunter2", "https://errors.example.com/1", "https://hunter2@errors.example.com", "ftp://hunter2@errors.example.com/1"} {
		if err := report.CheckDSN(dsn); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", dsn, err)
		}
		if _, err := report.New(report.Options{DSN: dsn, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}); err == nil {
			t.Errorf("%s makes a reporter", dsn)
		}
	}
}
