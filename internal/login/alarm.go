package login

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/phone"
)

// alarmedFor is how long an alarm holds without another query, so that an attack does not become
// one on the database.
const alarmedFor = 10 * time.Second

// alarms stores which sites have an alarm, and when each was last found to have it. The alarm of a
// country is stored under a key of its own, see reportCountry.
type alarms struct {
	mu    sync.Mutex
	sites map[string]time.Time
}

// isFresh reports whether the site had an alarm less than alarmedFor ago.
func (a *alarms) isFresh(site string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.sites[site]
	return ok && now.Sub(at) < alarmedFor && !now.Before(at) // a clock that is set back prolongs no alarm
}

// setAlarm stores whether a site has an alarm, and reports whether one begins now.
func (a *alarms) setAlarm(site string, isAlarmed bool, now time.Time) (began bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !isAlarmed {
		delete(a.sites, site)
		return false
	}
	if a.sites == nil {
		a.sites = map[string]time.Time{}
	}
	_, hadAlarm := a.sites[site]
	a.sites[site] = now
	return !hadAlarm
}

// updateAlarm reports whether codes are being guessed all over the site. It reads the traffic at most
// once in alarmedFor during an alarm, sets the alarm and its metric, and logs that an alarm begins.
func (s *Service) updateAlarm(ctx context.Context, site string, now time.Time) (bool, error) {
	if s.alarms.isFresh(site, now) {
		return true, nil
	}
	t, err := sumTraffic(ctx, s.db.Read(), site, siteScope, now)
	if err != nil {
		return false, err
	}
	isAttacked := t.isAttack(s.limits.Alarm)
	if s.alarms.setAlarm(site, isAttacked, now) {
		s.log.ErrorContext(ctx, "codes are being guessed: sign-in needs a captcha or stops, except for known devices",
			slog.String("site", site), slog.Int("checked", t.checked), slog.Int("wrong", t.wrong))
	}
	gauge := s.metrics.alarm.WithLabelValues(site)
	gauge.Set(0)
	if isAttacked {
		gauge.Set(1)
	}
	return isAttacked, nil
}

// checkAlarm returns a refusal while the site is under attack, except for a known device or a
// solved captcha.
func (s *Service) checkAlarm(ctx context.Context, c challenge, captcha Captcha) error {
	if c.deviceID != 0 || captcha == CaptchaSolved {
		return nil
	}
	isAttacked, err := s.updateAlarm(ctx, c.site, c.createdAt)
	if err != nil || !isAttacked {
		return err
	}
	return refusalOf(needCaptcha, captcha)
}

// reportCountry sets the alarm and the metric of a country by the verdict on the codes that are
// sent to it, and logs that an alarm begins.
func (s *Service) reportCountry(ctx context.Context, c challenge, v verdict) {
	country := phone.Country(c.phone)
	alarmKey := c.site + " " + country // apart from the site's own alarm
	if s.alarms.setAlarm(alarmKey, v != pass, c.createdAt) {
		s.log.ErrorContext(ctx, "too many codes to a country: unknown devices need a captcha or are stopped",
			slog.Bool("alert", true), slog.String("site", c.site), slog.String("country", country))
	}
	s.metrics.country.WithLabelValues(c.site, country).Set(float64(v))
}

// metrics count codes that are sent and verified; they name sites and channels, never people.
type metrics struct {
	sends, checks *prometheus.CounterVec
	alarm         *prometheus.GaugeVec
	country       *prometheus.GaugeVec
}

// newMetrics returns the metrics of signing in, which are not registered yet.
func newMetrics() *metrics {
	return &metrics{
		sends: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_login_codes_total", Help: "Codes that were sent, failed or had an unreachable number, by channel.",
		}, []string{"site", "channel", "state"}),
		checks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_login_checks_total", Help: "Codes that were checked: right, wrong, unknown or limited.",
		}, []string{"site", "outcome"}),
		alarm: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "servery_login_alarm", Help: "1 while codes are being guessed all over the site.",
		}, []string{"site"}),
		country: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "servery_login_country", Help: "What codes to a country need: 0 nothing, 1 a captcha, 2 too many are sent.",
		}, []string{"site", "country"}),
	}
}

// Collectors returns the metrics of signing in, for the metrics page.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.sends, s.metrics.checks, s.metrics.alarm, s.metrics.country}
}
