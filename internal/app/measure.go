package app

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"servery/internal/config"
	"servery/internal/payment/payments"
	"servery/internal/queue"
)

const (
	// measureEvery is longer than the result of a database probe is reused, so each measurement probes.
	// With the time limit of a probe it is shorter than content may be old: a lost database is noticed
	// before its content counts as old.
	measureEvery   = 6 * time.Second
	measureTimeout = 5 * time.Second
)

// measurements measures the installation in the database and collects the results as metrics. A scrape
// reads the last measurement and no database.
type measurements struct {
	app *App
	// last is the last measurement; nil before the first one.
	last atomic.Pointer[measured]
	// sweptAt is when the last sweep came to its end, and before the first one when the sweeps began, in
	// nanoseconds since 1970; 0 in a process that does not sweep.
	sweptAt atomic.Int64
}

// measured is the result of one measurement.
type measured struct {
	at        time.Time
	load      queue.Load
	unsettled []payments.Unsettled
}

var (
	jobsMetric    = prometheus.NewDesc("servery_jobs", "Jobs of the database by state; discarded are those that were given up.", []string{"state"}, nil)
	behindMetric  = prometheus.NewDesc("servery_jobs_behind_seconds", "For how long the oldest job that is due has waited.", nil, nil)
	paymentMetric = prometheus.NewDesc("servery_payments_open", "Attempts to pay whose acquirer is yet to say how they ended.", []string{"site", "account"}, nil)
	unknownMetric = prometheus.NewDesc("servery_payments_unknown", "Attempts to pay that are over their time and whose end is unknown.", []string{"site", "account"}, nil)
	refundMetric  = prometheus.NewDesc("servery_refunds_open", "Refunds that are yet to be made or confirmed.", []string{"site", "account"}, nil)
	lateMetric    = prometheus.NewDesc("servery_refunds_late", "Those of them that were decided more than an hour ago.", []string{"site", "account"}, nil)
	successMetric = prometheus.NewDesc("servery_last_success_timestamp_seconds", "When a task of the process last came to its end; before the first sweep, when the process started.", []string{"task"}, nil)
	contentMetric = prometheus.NewDesc("servery_content_revision", "The revision of the content in use.", nil, nil)
	siteMetric    = prometheus.NewDesc("servery_site", "The brands that the process serves; its value is 1. Joined by instance it names the brand of metrics that have none.", []string{"site"}, nil)
	buildMetric   = prometheus.NewDesc("servery_build_info", "The release in use; its value is 1.", []string{"version", "go"}, nil)
)

// Describe implements [prometheus.Collector].
func (m *measurements) Describe(metrics chan<- *prometheus.Desc) {
	for _, metric := range []*prometheus.Desc{jobsMetric, behindMetric, paymentMetric, unknownMetric, refundMetric, lateMetric, successMetric, contentMetric, siteMetric, buildMetric} {
		metrics <- metric
	}
}

// Collect implements [prometheus.Collector].
func (m *measurements) Collect(metrics chan<- prometheus.Metric) {
	gauge := func(metric *prometheus.Desc, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(metric, prometheus.GaugeValue, value, labels...)
	}
	gauge(buildMetric, 1, config.Version, runtime.Version())
	gauge(contentMetric, float64(m.app.areas.Catalog.Current().Revision))
	for _, alias := range m.app.siteAliases() {
		gauge(siteMetric, 1, alias)
	}
	for task, at := range m.lastSuccesses() {
		if !at.IsZero() {
			gauge(successMetric, float64(at.UnixMilli())/1000, task)
		}
	}
	last := m.last.Load()
	if last == nil {
		return
	}
	for state, count := range last.load.Jobs {
		gauge(jobsMetric, float64(count), state)
	}
	gauge(behindMetric, last.load.Behind.Seconds())
	collectUnsettled(last.unsettled, gauge)
}

// collectUnsettled calls gauge with the counts of open payments and refunds, by brand and account.
func collectUnsettled(unsettled []payments.Unsettled, gauge func(metric *prometheus.Desc, value float64, labels ...string)) {
	type series struct {
		metric        *prometheus.Desc
		site, account string
	}
	counts := map[series]int64{}
	for _, u := range unsettled { // an account may have several currencies
		open, late := paymentMetric, unknownMetric
		if u.IsRefund {
			open, late = refundMetric, lateMetric
		}
		counts[series{open, u.Site, u.Account}] += u.Count
		counts[series{late, u.Site, u.Account}] += u.Late
	}
	for s, count := range counts {
		gauge(s.metric, float64(count), s.site, s.account)
	}
}

// lastSuccesses returns when each task of the process last succeeded. A task that has not succeeded yet
// has the zero time or is absent; a sweep has the time of the start, so that its age is known from then on.
func (m *measurements) lastSuccesses() map[string]time.Time {
	successes := map[string]time.Time{"catalogue": m.app.areas.Catalog.LastRefresh(), "orders": m.app.areas.Follow.LastPoll()}
	if last := m.last.Load(); last != nil {
		successes["measurement"] = last.at
	}
	if at := m.sweptAt.Load(); at != 0 {
		successes["sweep"] = time.Unix(0, at)
	}
	return successes
}

// measure probes the database, measures jobs and payments, and stores the result.
func (m *measurements) measure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, measureTimeout)
	defer cancel()
	// This notices a lost database while no customer calls.
	if err := m.app.edge.CheckDatabase(ctx); err != nil {
		return err
	}
	now := m.app.clock.Now()
	load, err := queue.Measure(ctx, m.app.db, now)
	if err != nil {
		return err
	}
	unsettled, err := payments.ListUnsettled(ctx, m.app.db, now)
	if err != nil {
		return err
	}
	m.last.Store(&measured{at: now, load: load, unsettled: unsettled})
	return nil
}

// run measures each six seconds, until ctx ends. A failure is logged once while it stays the same.
func (m *measurements) run(ctx context.Context) {
	ticker := time.NewTicker(measureEvery)
	defer ticker.Stop()
	reported := ""
	for {
		err := m.measure(ctx)
		switch {
		case err == nil:
			reported = ""
		case ctx.Err() != nil:
			return
		case err.Error() != reported:
			reported = err.Error()
			m.app.log.WarnContext(ctx, "the installation could not be measured", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// collectors returns the metrics of the program besides those of the areas.
func (a *App) collectors() []prometheus.Collector {
	all := []prometheus.Collector{a.measurements, collectors.NewDBStatsCollector(a.db.Reader(), "reader")}
	if a.db.Writer() != a.db.Reader() {
		all = append(all, collectors.NewDBStatsCollector(a.db.Writer(), "writer"))
	}
	return all
}
