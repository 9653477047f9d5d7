package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/report"
	"servery/internal/report/double"
	"servery/internal/server"
)

// pageError returns the body of a call that reports an error with the message.
func pageError(message string) object {
	return object{
		"kind": "render", "name": "TypeError", "message": message, "route": "/:city/cart",
		"stack": "TypeError\n    at f (https://example.com/assets/cart-1.js:1:20)",
	}
}

func TestReportError_goesToTheServerOfReportsWithoutTheVisitor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		reports := double.New()
		t.Cleanup(reports.Close)
		e := newEdgeWith(t, d, nil, func(o *server.Options) {
			var err error
			o.Reports, err = report.New(report.Options{DSN: reports.DSN(), Clock: o.Clock, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { o.Reports.Close(context.WithoutCancel(t.Context())) })
		})
		b := e.browser(t)
		if a := b.call("POST", "/api/errors", pageError("no zone for Anna at +7 916 123-45-67")); a.status != http.StatusNoContent {
			t.Fatalf("answered %d", a.status)
		}
		if len(cookiesIn(b)) != 0 {
			t.Error("a report begins a session")
		}
		select {
		case <-reports.Got():
		case <-time.After(10 * time.Second):
			t.Fatal("nothing arrived")
		}
		raw := reports.Raw()
		for _, want := range []string{`"type":"TypeError"`, `"no zone for [word] at [number]"`, `"transaction":"/:city/cart"`, `"filename":"app:///assets/cart-1.js"`, `"site":"sushi"`} {
			if !strings.Contains(raw, want) {
				t.Errorf("%s is missing in %s", want, raw)
			}
		}
		if !strings.Contains(b.call("GET", "/moscow", nil).text, `"reports_errors":true`) {
			t.Error("pages do not report")
		}
	})
}

func TestReportError_isBounded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.refused(http.StatusUnprocessableEntity, "message", "POST", "/api/errors", pageError(strings.Repeat("x", 501)))
		long := pageError("x")
		long["stack"] = strings.Repeat("x", 8001)
		b.refused(http.StatusUnprocessableEntity, "stack", "POST", "/api/errors", long)
		for n := range 60 {
			if a := b.call("POST", "/api/errors", pageError("x")); a.status != http.StatusNoContent {
				t.Fatalf("report %d is answered %d", n, a.status)
			}
		}
		b.refused(http.StatusTooManyRequests, "", "POST", "/api/errors", pageError("x"))
		if !strings.Contains(b.call("GET", "/moscow", nil).text, `"reports_errors":false`) {
			t.Error("pages report although nothing is sent anywhere")
		}
	})
}
