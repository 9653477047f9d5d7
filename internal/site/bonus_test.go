package site_test

import (
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/site"
)

// Bonuses are accrued and spent up to the last second of the last day by the clock of
// Vladivostok, and not a second later.
func TestBonusProgramme_endsWithItsLastDayInTheCity(t *testing.T) {
	t.Parallel()
	vladivostok := time.FixedZone("", 10*3600)
	last := clock.Day{Year: 2026, Month: time.October, Day: 31}
	evening := time.Date(2026, 10, 31, 23, 59, 59, 0, vladivostok)
	midnight := evening.Add(time.Second)
	paused := &site.BonusProgramme{BasisPoints: 500, AccrualUntil: &last}
	ended := &site.BonusProgramme{BasisPoints: 500, AccrualUntil: &last, SpendUntil: &last}
	for name, c := range map[string]struct {
		programme           *site.BonusProgramme
		now                 time.Time
		accruing, spendable bool
	}{
		"none":                     {nil, evening, false, false},
		"for ever":                 {&site.BonusProgramme{BasisPoints: 500}, midnight, true, true},
		"on the last day":          {paused, evening, true, true},
		"paused the day after":     {paused, midnight, false, true},
		"on the last day of both":  {ended, evening, true, true},
		"ended the day after both": {ended, midnight, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.programme.IsAccruing(c.now, vladivostok); got != c.accruing {
				t.Errorf("accruing is %t", got)
			}
			if got := c.programme.IsSpendable(c.now, vladivostok); got != c.spendable {
				t.Errorf("spendable is %t", got)
			}
		})
	}
}
