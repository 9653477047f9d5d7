package site_test

import (
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/site"
)

func TestLook_FestiveOn_isForItsDaysAlone(t *testing.T) {
	t.Parallel()
	day := func(m time.Month, d int) clock.Day { return clock.Day{Year: 2026, Month: m, Day: d} }
	look := &site.Look{Festive: []site.Festive{{"first", day(12, 20), day(12, 31)}, {"second", day(12, 31), day(12, 31)}, {"one-day", day(3, 8), day(3, 8)}}}
	for date, want := range map[clock.Day]string{
		day(12, 19): "", day(12, 20): "first", day(12, 31): "first", day(3, 7): "", day(3, 8): "one-day", day(3, 9): "",
	} {
		if got := look.FestiveOn(date); got != want {
			t.Errorf("%v has %q, want %q", date, got, want)
		}
	}
	if got := (*site.Look)(nil).FestiveOn(day(12, 20)); got != "" {
		t.Errorf("the usual look has %q", got)
	}
}
