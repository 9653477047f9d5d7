// Package report sends errors of the program and of its pages to a server that speaks Sentry's
// protocol. What may name a person is removed before it leaves.
package report

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/getsentry/sentry-go"
	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/clock"
)

const (
	// answerTimeout is how long the server of the reports may take to accept one.
	answerTimeout = 5 * time.Second
	// maxWaiting bounds the reports that wait to be sent; those beyond are left out.
	maxWaiting = 100
)

// Options are the settings of a [Reporter].
type Options struct {
	// DSN is the address of the project that gets the reports; empty reports nothing.
	DSN string
	// Release is the version of the program, Environment the kind of its build.
	Release, Environment string
	Clock                clock.Clock
	// Log gets a line when reports are not accepted any more and when they are again. It must not be
	// one that reports.
	Log *slog.Logger
}

// Reporter sends errors in the background. One that is off does nothing. Make it with [New]; it is
// safe for concurrent use.
type Reporter struct {
	client  *sentry.Client // nil where nothing is reported
	quota   *quota
	outcome *outcomes
}

// CheckDSN returns an error when dsn is not the address of a project. The error does not contain the
// DSN, which is a secret.
func CheckDSN(dsn string) error {
	if _, err := sentry.NewDsn(dsn); err != nil {
		return errors.New("must look like https://key@errors.example.com/1")
	}
	return nil
}

// New returns a reporter; without a DSN one that is off. It fails when the DSN is not the address of a
// project.
func New(o Options) (*Reporter, error) {
	r := &Reporter{quota: &quota{clock: o.Clock}, outcome: newOutcomes(o.Log)}
	if o.DSN == "" {
		return r, nil
	}
	if err := CheckDSN(o.DSN); err != nil {
		return nil, err
	}
	sender := sentry.NewHTTPTransport()
	sender.BufferSize = maxWaiting
	client, err := sentry.NewClient(sentry.ClientOptions{
		Dsn: o.DSN, Release: "servery@" + o.Release, Environment: o.Environment, Transport: sender,
		HTTPClient: &http.Client{
			Timeout: answerTimeout, Transport: r.outcome.watch(http.DefaultTransport),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		DisableTelemetryBuffer: true, DisableClientReports: true,
		ServerName:   "servery", // else the name of the machine is sent
		Integrations: func([]sentry.Integration) []sentry.Integration { return nil },
		BeforeSend:   func(event *sentry.Event, _ *sentry.EventHint) *sentry.Event { return scrubEvent(event) },
	})
	if err != nil {
		return nil, errors.New("error reports cannot be sent to this address")
	}
	r.client = client
	return r, nil
}

// IsOn reports whether errors are sent anywhere.
func (r *Reporter) IsOn() bool { return r.client != nil }

// Collectors returns the metrics of the reports.
func (r *Reporter) Collectors() []prometheus.Collector {
	return []prometheus.Collector{r.outcome.counts}
}

// Close sends what waits, and returns when that is sent or ctx ends.
func (r *Reporter) Close(ctx context.Context) {
	if !r.IsOn() {
		return
	}
	r.client.FlushWithContext(ctx)
	r.client.Close()
}

// send hands the event to the client, which sends it in the background. It leaves the event out when
// too many of its kind, or too many at all, came within a minute.
func (r *Reporter) send(event *sentry.Event, kind string) {
	if !r.IsOn() {
		return
	}
	if !r.quota.reserve(kind) {
		r.outcome.counts.WithLabelValues(leftOut).Inc()
		return
	}
	r.client.CaptureEvent(event, nil, nil)
}

// newEvent returns an event of an error, without a place in the code.
func newEvent(kind, text string) *sentry.Event {
	event := sentry.NewEvent()
	event.Level = sentry.LevelError
	event.Exception = []sentry.Exception{{Type: kind, Value: text}}
	return event
}
