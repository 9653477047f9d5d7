package server

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const readyTimeout = 2 * time.Second

// metrics are of this server alone, so that several may live in one process.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	streams  prometheus.Gauge
	pages    prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "servery_request_seconds", Help: "Time to answer, by route and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5},
		}, []string{"route", "status"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "servery_order_streams", Help: "Customers that follow an order by push."}),
		pages: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "servery_page_render_seconds", Help: "Time to render a document that was not in memory.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 5},
		}),
	}
	m.registry.MustRegister(m.requests, m.streams, m.pages, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// healthz tells that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz tells whether to send customers here: the database answers and the
// program is not stopping.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if s.draining.Load() {
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "draining"})
		return
	}
	if err := s.ping(ctx); err != nil {
		s.log.ErrorContext(ctx, "database does not answer", "error", err)
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "database does not answer"})
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
