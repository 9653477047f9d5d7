package feedback

import "github.com/prometheus/client_golang/prometheus"

// metrics count deliveries; they name sites, never people.
type metrics struct {
	forwards, notices *prometheus.CounterVec
}

// newMetrics returns the metrics, which are not registered yet.
func newMetrics() *metrics {
	return &metrics{
		forwards: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_feedback_forms_total", Help: "Forms that were delivered to a brand, or whose attempts are over.",
		}, []string{"site", "state"}),
		notices: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_delivery_notices_total", Help: "Notices to phones that their place is delivered to, sent or failed.",
		}, []string{"site", "state"}),
	}
}

// Collectors returns the metrics, for the metrics page.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.forwards, s.metrics.notices}
}
