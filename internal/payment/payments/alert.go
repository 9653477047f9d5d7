package payments

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
)

// alertKind is a kind of event that a person has to act on. The set is closed; the values are
// labels of the metric.
type alertKind string

// The kinds of alerts.
const (
	alertRefundFailed   alertKind = "refund_failed"
	alertRefundUnknown  alertKind = "refund_unknown"
	alertForeignRefund  alertKind = "foreign_refund"
	alertOtherSum       alertKind = "other_sum"
	alertPaymentUnknown alertKind = "payment_unknown"
	alertClosingFailed  alertKind = "closing_receipt_failed"
	alertClosingUnknown alertKind = "closing_receipt_unknown"
	alertAccountGone    alertKind = "account_gone"
)

// alertKinds returns all kinds of alerts.
func alertKinds() []alertKind {
	return []alertKind{
		alertRefundFailed, alertRefundUnknown, alertForeignRefund, alertOtherSum, alertPaymentUnknown, alertClosingFailed,
		alertClosingUnknown, alertAccountGone,
	}
}

// metrics count outcomes of payments and receipts. Their labels name accounts, never orders.
type metrics struct {
	alerts, closings *prometheus.CounterVec
}

// newMetrics returns the counters. Each kind of alert starts at 0.
func newMetrics() *metrics {
	m := &metrics{
		alerts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_order_alerts_total", Help: "What a person has to look at, by kind. Each is a line of the log with alert=true.",
		}, []string{"kind"}),
		closings: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_closing_receipts_total", Help: "What became of closing receipts, by the acquirer's account.",
		}, []string{"account", "state"}),
	}
	for _, kind := range alertKinds() { // an alert that never came counts as 0
		m.alerts.WithLabelValues(string(kind))
	}
	return m
}

// Collectors returns the metrics of payments.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.alerts, s.metrics.closings}
}

// alertPerson logs an error with alert=true, for a person to act on, and counts it by kind.
func (s *Service) alertPerson(ctx context.Context, kind alertKind, message string, attrs ...slog.Attr) {
	s.metrics.alerts.WithLabelValues(string(kind)).Inc()
	s.log.LogAttrs(ctx, slog.LevelError, message, append([]slog.Attr{slog.Bool("alert", true), slog.String("kind", string(kind))}, attrs...)...)
}
