package clock_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"servery/internal/clock"
)

// loadZone returns the time zone with the IANA name.
func loadZone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// The clock cuts its start to milliseconds, Advance returns the new instant, and Set turns any
// zone into UTC.
func TestFake_movesOnlyBySetAndAdvance(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 5, 4, 12, 0, 0, 123456789, time.UTC)
	fake := clock.NewFake(start)
	if got, want := fake.Now(), start.Truncate(time.Millisecond); !got.Equal(want) {
		t.Errorf("Now = %v, want %v", got, want)
	}
	if got, want := fake.Advance(time.Minute), start.Truncate(time.Millisecond).Add(time.Minute); !got.Equal(want) {
		t.Errorf("Advance = %v, want %v", got, want)
	}
	fake.Set(start.In(loadZone(t, "Asia/Almaty")))
	if got := fake.Now(); got.Location() != time.UTC {
		t.Errorf("Now is in %v, want UTC", got.Location())
	}
}

// Each case has a day, minutes from its midnight and the instant expected, also on days on
// which an hour is skipped or comes twice.
func TestAt_countsMinutesByTheWallClock(t *testing.T) {
	t.Parallel()
	spring, autumn := clock.Day{2026, 3, 29}, clock.Day{2026, 10, 25}
	for _, c := range []struct {
		name, zone, want string
		day              clock.Day
		minutes          int
	}{
		{"plain noon", "Europe/Moscow", "2026-05-04T09:00:00Z", clock.Day{2026, 5, 4}, 720},
		{"night shift runs into the next day", "Europe/Moscow", "2026-05-04T22:00:00Z", clock.Day{2026, 5, 4}, 1500},
		{"noon of a spring change is noon", "Europe/Berlin", "2026-03-29T10:00:00Z", spring, 720},
		{"before the gap", "Europe/Berlin", "2026-03-29T00:59:00Z", spring, 119},
		{"in the gap moves forward", "Europe/Berlin", "2026-03-29T01:30:00Z", spring, 150},
		{"after the gap", "Europe/Berlin", "2026-03-29T01:00:00Z", spring, 180},
		{"night shift over the gap", "Europe/Berlin", "2026-03-29T01:00:00Z", spring.Add(-1), 1620},
		{"repeated hour means the first", "Europe/Berlin", "2026-10-25T00:30:00Z", autumn, 150},
		{"after the repeated hour", "Europe/Berlin", "2026-10-25T02:00:00Z", autumn, 180},
		{"skipped midnight moves forward", "America/Santiago", "2026-09-06T04:00:00Z", clock.Day{2026, 9, 6}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := clock.At(c.day, c.minutes, loadZone(t, c.zone)).Format(time.RFC3339); got != c.want {
				t.Errorf("At(%v, %d) = %s, want %s", c.day, c.minutes, got, c.want)
			}
		})
	}
}

// For random minutes of the years 2020 to 2029, At of their day and minute returns the same
// instant, or the one an hour earlier where the wall clock shows the time twice.
func TestAt_invertsDayOfAndMinuteOf(t *testing.T) {
	t.Parallel()
	zones := []*time.Location{
		loadZone(t, "Europe/Berlin"), loadZone(t, "Europe/Kyiv"), loadZone(t, "Europe/Istanbul"),
		loadZone(t, "Asia/Almaty"), loadZone(t, "America/New_York"), loadZone(t, "Pacific/Apia"),
	}
	rapid.Check(t, func(t *rapid.T) {
		loc := rapid.SampledFrom(zones).Draw(t, "zone")
		const year2020, year2030 = 1577836800, 1893456000 // their first seconds
		instant := time.Unix(rapid.Int64Range(year2020, year2030).Draw(t, "unix")/60*60, 0)
		back := clock.At(clock.DayOf(instant, loc), clock.MinuteOf(instant, loc), loc)
		// A repeated wall-clock time is read back as the first of the two.
		if d := instant.Sub(back); d != 0 && d != time.Hour {
			t.Fatalf("%v comes back as %v in %v", instant, back, loc)
		}
	})
}

// Days are parsed, moved over the end of a month, compared and counted, and have their weekday;
// 30 February is refused. The date of an instant depends on the zone.
func TestDay_countsAndCompares(t *testing.T) {
	t.Parallel()
	monday, err := clock.ParseDay("2026-03-30")
	if err != nil {
		t.Fatal(err)
	}
	if got := monday.Weekday(); got != 1 {
		t.Errorf("Weekday = %d, want 1", got)
	}
	if got := monday.Add(-1).Weekday(); got != 7 {
		t.Errorf("Sunday = %d, want 7", got)
	}
	if got := monday.Add(2).String(); got != "2026-04-01" {
		t.Errorf("Add over a month = %s", got)
	}
	if !monday.Before(monday.Add(1)) || monday.Before(monday) || monday.Compare(monday.Add(-1)) != 1 {
		t.Error("days are compared wrongly")
	}
	if got := monday.DaysUntil(monday.Add(-40)); got != -40 {
		t.Errorf("DaysUntil = %d, want -40", got)
	}
	if _, err := clock.ParseDay("2026-02-30"); err == nil {
		t.Error("30 February is accepted")
	}
	evening := time.Date(2026, 3, 30, 21, 30, 0, 0, time.UTC)
	if got := clock.DayOf(evening, loadZone(t, "Europe/Istanbul")).String(); got != "2026-03-31" {
		t.Errorf("DayOf in Istanbul = %s", got)
	}
}
