package server

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"servery/internal/fault"
	"servery/internal/payment"
)

const (
	readyTimeout = 3 * time.Second
	// staleAfter is how old the last successful check of content and stops may be. With an older one
	// a process might sell what is stopped, and is not ready.
	staleAfter = 10 * time.Second
)

// metrics are of this server alone, so that several may live in one process.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	// observers are those of requests.
	observers observers
	atWork    *prometheus.GaugeVec
	streams   prometheus.Gauge
	pages     prometheus.Histogram
	payments  *prometheus.CounterVec
	// databaseFailures counts what the database did not answer.
	databaseFailures prometheus.Counter
}

// collectState returns metrics that say whether the server can take orders.
func (s *Server) collectState() []prometheus.Collector {
	state := func(name, help string, holds func() bool) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			if holds() {
				return 1
			}
			return 0
		})
	}
	return []prometheus.Collector{
		state("servery_ready", "1 while orders can be placed here, by what is known without another probe.", func() bool {
			return s.whyNotReady() == "" && !s.outage.isLost()
		}),
		state("servery_database_lost", "1 while the database takes no writes.", s.outage.isLost),
	}
}

// newMetrics returns the metrics in a registry of their own.
func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "servery_request_seconds", Help: "Time to answer, by route and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5},
		}, []string{"route", "status"}),
		atWork: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "servery_requests_at_work", Help: "Requests that are being answered, by route.",
		}, []string{"route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "servery_order_streams", Help: "Customers that follow an order by push."}),
		pages: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "servery_page_render_seconds", Help: "Time to render a document that was not in memory.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 5},
		}),
		payments: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_payment_answers_total", Help: "What customers were answered who paid, by the acquirer's account, or that they were refused.",
		}, []string{"account", "answer"}),
	}
	m.databaseFailures = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "servery_database_failures_total", Help: "Calls and probes that the database did not answer.",
	})
	m.registry.MustRegister(m.databaseFailures, m.requests, m.atWork, m.streams, m.pages, m.payments, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// countPayAnswer counts an answer to a customer who pays, by account and status. It counts a refusal by
// the key of its message. The labels name no order.
func (m *metrics) countPayAnswer(p payment.View, err error) {
	if err != nil {
		m.payments.WithLabelValues("", fault.KeyOf(err)).Inc()
		return
	}
	account := ""
	if p.Last != nil {
		account = p.Last.Account
	}
	m.payments.WithLabelValues(account, string(p.Status)).Inc()
}

// handler returns the handler that serves the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// sendAlive answers that the process is alive. To a request with a [ProbeHeader] it describes its passage.
func (s *Server) sendAlive(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(ProbeHeader) != "" {
		writeJSON(w, http.StatusOK, DescribePassage(r))
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// sendReady answers 200 when orders can be placed here: the database accepts a write and is not held,
// content and stops are current, and the program is not stopping. Otherwise it answers 503 with the reason.
func (s *Server) sendReady(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	why := s.whyNotReady()
	if why == "" && s.outage.check(ctx) != nil {
		why = "database takes no writes"
	}
	if why != "" {
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": why})
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

// whyNotReady returns why no orders can be placed here, empty when they can. It does not check whether the
// database can be written.
func (s *Server) whyNotReady() string {
	switch {
	case s.leaving.Load(), s.draining.Load():
		return "draining"
	case s.isHeld:
		return "held: the database was restored from a copy, see servery restore"
	case s.clock.Now().Sub(s.Catalog.LastRefresh()) > staleAfter:
		return "content and stops are not current"
	}
	return ""
}

// sendPagesReady answers 200 unless the program is stopping: pages and menus can be served here. They are
// in memory, so the database does not matter.
func (s *Server) sendPagesReady(w http.ResponseWriter, _ *http.Request) {
	if s.leaving.Load() || s.draining.Load() {
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "draining"})
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
