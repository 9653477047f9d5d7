package report

import (
	"log/slog"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// What becomes of reports.
const (
	sent    = "sent"
	refused = "refused" // the server answered that it does not take it
	failed  = "failed"  // there was no answer
	leftOut = "left_out"
)

// outcomes counts what becomes of reports, and logs when they begin to fail and when they are
// accepted again.
type outcomes struct {
	counts *prometheus.CounterVec
	log    *slog.Logger

	mu        sync.Mutex
	isFailing bool
}

// newOutcomes returns the outcomes, each counted as 0.
func newOutcomes(log *slog.Logger) *outcomes {
	o := &outcomes{log: log, counts: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "servery_error_reports_total", Help: "Error reports by what became of them.",
	}, []string{"outcome"})}
	for _, name := range []string{sent, refused, failed, leftOut} {
		o.counts.WithLabelValues(name)
	}
	return o
}

// watch returns a transport that counts the answers of next.
func (o *outcomes) watch(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(r)
		switch {
		case err != nil:
			o.count(r, failed, 0)
		case response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusMultipleChoices:
			o.count(r, refused, response.StatusCode)
		default:
			o.count(r, sent, response.StatusCode)
		}
		return response, err
	})
}

// count counts the outcome of one report. It logs only when reports begin to fail, and when they are
// accepted again. The log has only the status, because an error of net/http contains the address.
func (o *outcomes) count(r *http.Request, outcome string, status int) {
	o.counts.WithLabelValues(outcome).Inc()
	isFailing := outcome != sent
	o.mu.Lock()
	hasChanged := isFailing != o.isFailing
	o.isFailing = isFailing
	o.mu.Unlock()
	switch {
	case !hasChanged:
	case isFailing:
		o.log.WarnContext(r.Context(), "error reports are not accepted", slog.String("outcome", outcome), slog.Int("status", status))
	default:
		o.log.InfoContext(r.Context(), "error reports are accepted again")
	}
}

// roundTripper is a function that is a transport.
type roundTripper func(r *http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
