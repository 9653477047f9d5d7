package catalog_test

import (
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/schedule"
)

// Each case says whether a window holds at an instant: its days and hours, hours past midnight,
// and the days on which the clocks change.
func TestWindow_holdsByTheClockOfTheCity(t *testing.T) {
	t.Parallel()
	const friday, saturday = 5, 6
	berlin := must(time.LoadLocation("Europe/Berlin"))
	lunch := catalog.Window{Days: []int{1, 2, 3, 4, friday}, Hours: []schedule.Span{{From: 12 * 60, To: 16 * 60}}}
	night := catalog.Window{Days: []int{friday}, Hours: []schedule.Span{{From: 22 * 60, To: 26 * 60}}}
	wholeDay := catalog.Window{Hours: []schedule.Span{{From: 6 * 60, To: 30 * 60}}}
	early := catalog.Window{Hours: []schedule.Span{{From: 60, To: 150}}} // 01:00-02:30
	twice := catalog.Window{Hours: []schedule.Span{{From: 9 * 60, To: 10 * 60}, {From: 20 * 60, To: 21 * 60}}}
	at := func(loc *time.Location, month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, loc)
	}
	for name, c := range map[string]struct {
		window catalog.Window
		loc    *time.Location
		now    time.Time
		want   bool
	}{
		"without bounds always":                    {catalog.Window{}, moscow, noon, true},
		"on a named day":                           {catalog.Window{Days: []int{friday}}, moscow, noon, true},
		"on another day":                           {catalog.Window{Days: []int{saturday}}, moscow, noon, false},
		"a day begins at the city's midnight":      {catalog.Window{Days: []int{saturday}}, moscow, at(time.UTC, 11, 20, 21, 0), true},
		"a day lasts until midnight":               {catalog.Window{Days: []int{friday}}, moscow, at(moscow, 11, 20, 23, 59), true},
		"from the first minute":                    {lunch, moscow, at(moscow, 11, 20, 12, 0), true},
		"not before it":                            {lunch, moscow, at(moscow, 11, 20, 12, 0).Add(-time.Millisecond), false},
		"until the end":                            {lunch, moscow, at(moscow, 11, 20, 16, 0).Add(-time.Millisecond), true},
		"not at the end":                           {lunch, moscow, at(moscow, 11, 20, 16, 0), false},
		"not within its hours of another day":      {lunch, moscow, at(moscow, 11, 21, 13, 0), false},
		"not by another city's clock":              {lunch, berlin, at(moscow, 11, 20, 12, 30), false}, // 10:30 in Berlin
		"the evening of the night's day":           {night, moscow, at(moscow, 11, 20, 22, 0), true},
		"past midnight it is still that day":       {night, moscow, at(moscow, 11, 21, 1, 59), true},
		"the night ends":                           {night, moscow, at(moscow, 11, 21, 2, 0), false},
		"the next evening is another day":          {night, moscow, at(moscow, 11, 21, 22, 0), false},
		"the night before is another day":          {night, moscow, at(moscow, 11, 20, 1, 0), false},
		"a whole day from morning on":              {wholeDay, moscow, at(moscow, 11, 20, 5, 59), true},
		"between two spans":                        {twice, moscow, at(moscow, 11, 20, 10, 0), false},
		"in the second span":                       {twice, moscow, at(moscow, 11, 20, 20, 30), true},
		"spring: 01:59 is before the gap":          {early, berlin, at(berlin, 3, 29, 1, 59), true},
		"spring: after the gap the hours are over": {early, berlin, at(berlin, 3, 29, 3, 0), false},
		"autumn: the first 02:15":                  {early, berlin, at(time.UTC, 10, 25, 0, 15), true},
		"autumn: the second 02:15 is 02:15 too":    {early, berlin, at(time.UTC, 10, 25, 1, 15), true},
		"autumn: the day after is as ever":         {early, berlin, at(berlin, 10, 26, 2, 29), true},
		"autumn: noon is noon by the wall clock":   {lunch, berlin, at(berlin, 10, 26, 12, 0), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.window.Holds(c.now, c.loc); got != c.want {
				t.Errorf("at %s holds is %t", c.now.In(c.loc), got)
			}
		})
	}
}
