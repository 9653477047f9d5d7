package schedule

import (
	"errors"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
)

// listTitles returns the titles of the intervals, and "asap" for 'as soon as possible'.
func listTitles(intervals []Interval) []string {
	var titles []string
	for _, i := range intervals {
		if i.IsASAP() {
			titles = append(titles, ASAP)
		} else {
			titles = append(titles, i.Title)
		}
	}
	return titles
}

// Each case has now, the hours, the minutes of cooking and the length, and the first and last
// interval offered today and how many there are.
func TestPlan_Intervals_beginAfterNowOrOpeningPlusLeadTime(t *testing.T) {
	t.Parallel()
	split := openEveryDay(Span{600, 840}, Span{960, 1320})
	for _, c := range []struct {
		name, now   string
		hours       Hours
		lead        int
		length      int
		first, last string
		n           int
	}{
		{"in the evening", "2026-11-20 20:05", openEveryDay(Span{600, 1320}), 40, 0, ASAP, "21:30–22:00", 3},
		{"exactly on the grid", "2026-11-20 20:20", openEveryDay(Span{600, 1320}), 40, 0, ASAP, "21:30–22:00", 3},
		{"before opening there is no asap", "2026-11-20 08:00", openEveryDay(Span{600, 720}), 40, 0, "11:00–11:30", "11:30–12:00", 2},
		{"the kitchen begins when it opens", "2026-11-20 09:45", openEveryDay(Span{600, 720}), 30, 0, "10:30–11:00", "11:30–12:00", 3},
		{"spells that touch are one", "2026-11-20 11:31", openEveryDay(Span{480, 730}, Span{730, 1200}), 20, 0, ASAP, "19:30–20:00", 17},
		{"no whole interval is left", "2026-11-20 22:20", openEveryDay(Span{600, 1380}), 31, 0, ASAP, ASAP, 1},
		{"ready when work ends", "2026-11-20 22:29", openEveryDay(Span{600, 1380}), 31, 0, ASAP, ASAP, 1},
		{"intervals of an hour, one is left", "2026-11-20 22:16", openEveryDay(Span{600, 1440}), 44, 60, ASAP, "23:00–00:00", 2},
		{"intervals of an hour, none is left", "2026-11-20 22:16", openEveryDay(Span{600, 1440}), 45, 60, ASAP, ASAP, 1},
		{"the last must end within the window", "2026-11-20 08:00", openEveryDay(Span{610, 725}), 0, 0, "10:30–11:00", "11:30–12:00", 3},
		{"night shift", "2026-11-21 00:10", openEveryDay(Span{600, 1560}), 20, 0, ASAP, "01:30–02:00", 4},
		{"asap stays before the break", "2026-11-20 13:20", split, 40, 0, ASAP, "21:30–22:00", 11},
		{"after a break the kitchen begins again", "2026-11-20 13:21", split, 40, 0, "17:00–17:30", "21:30–22:00", 10},
		{"hour-long intervals", "2026-11-20 10:10", openEveryDay(Span{600, 780}), 20, 60, ASAP, "12:00–13:00", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := Plan{Hours: c.hours, Zone: loadZone(t, "Europe/Moscow"), Cooking: c.lead, Length: c.length}
			now := moscowTime(t, c.now)
			got := listTitles(p.Intervals(p.Today(now), now))
			if len(got) != c.n || got[0] != c.first || got[len(got)-1] != c.last {
				t.Errorf("got %v", got)
			}
		})
	}
}

// At 20:05 ASAP may reserve the two intervals that are left, from 21:00 on, and is offered with
// the start of the first.
func TestPlan_Resolve_ofASAPIsTheFirstOrdinaryInterval(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 40}
	now := moscowTime(t, "2026-11-20 20:05")
	soon, err := p.Resolve(ASAP, now)
	if err != nil || len(soon) != 2 || soon[0].Title != "21:00–21:30" {
		t.Fatalf("got %v, %v", listTitles(soon), err)
	}
	offered := p.Intervals(p.Today(now), now)
	if !offered[0].Start.Equal(soon[0].Start) || offered[0].Title != "" {
		t.Errorf("got %+v", offered[0])
	}
}

// Ten minutes before midnight only ASAP is left of today. The intervals that it may reserve are
// those of the next day.
func TestPlan_Intervals_ofWorkAroundTheClockPassMidnight(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{0, 1440}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 30}
	now := moscowTime(t, "2026-11-20 23:50")
	today := p.Today(now)
	if got := listTitles(p.Intervals(today, now)); len(got) != 1 || got[0] != ASAP {
		t.Errorf("got %v", got)
	}
	if dates := p.Dates(now); !dates[0].IsToday || dates[0].Day != today {
		t.Errorf("got %+v", dates)
	}
	from, to := p.RangeFor(p.Intervals(today, now), now, notLarge)
	if !from.Equal(moscowTime(t, "2026-11-21 00:30")) || !to.After(moscowTime(t, "2026-11-21 23:30")) || to.After(moscowTime(t, "2026-11-22 00:00")) {
		t.Errorf("got %v to %v", from, to)
	}
}

// Seven days are offered, of which one is closed and left out. Late in the evening today is left
// out too.
func TestPlan_Dates_areSevenWithoutClosedOnes(t *testing.T) {
	t.Parallel()
	h := openEveryDay(Span{600, 1320})
	h.Custom = map[clock.Day][]Span{parseDay(t, "2026-11-22"): {}}
	p := Plan{Hours: h, Zone: loadZone(t, "Europe/Moscow"), Cooking: 40}
	dates := p.Dates(moscowTime(t, "2026-11-20 12:00"))
	if len(dates) != 6 || !dates[0].IsToday || !dates[1].IsTomorrow || dates[5].Day.String() != "2026-11-26" {
		t.Errorf("got %+v", dates)
	}
	late := p.Dates(moscowTime(t, "2026-11-20 21:30"))
	if late[0].IsToday || !late[0].IsTomorrow {
		t.Errorf("today has nothing left, got %+v", late[0])
	}
}

// With a shift until 02:00, today is the date before until that time.
func TestPlan_Today_isTheDayOnWhichTheShiftBegan(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1560}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 20}
	for now, want := range map[string]string{
		"2026-11-21 01:59": "2026-11-20",
		"2026-11-21 02:00": "2026-11-21",
		"2026-11-21 12:00": "2026-11-21",
	} {
		if got := p.Today(moscowTime(t, now)).String(); got != want {
			t.Errorf("at %s: got %s, want %s", now, got, want)
		}
	}
}

// The id of an offered interval is found. Each case has an id that is refused, with the fault
// expected.
func TestPlan_Resolve_findsAnIntervalOrReturnsTheReason(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 40}
	now := moscowTime(t, "2026-11-20 20:05")
	found, err := p.Resolve(IDOf(moscowTime(t, "2026-11-23 11:00")), now)
	if err != nil || len(found) != 1 || found[0].Title != "11:00–11:30" {
		t.Fatalf("got %v, %v", found, err)
	}
	closed := p
	closed.Hours = Hours{}
	for _, c := range []struct {
		name, id string
		plan     Plan
		now      time.Time
		want     *fault.Error
	}{
		{"nonsense", "soon", p, now, fault.New(fault.NotFound, "schedule.unknown_interval")},
		{"another zone's writing", "2026-11-23T10:30:00+03:00", p, now, fault.New(fault.NotFound, "schedule.unknown_interval")},
		{"off the grid", IDOf(moscowTime(t, "2026-11-23 10:40")), p, now, fault.New(fault.NotFound, "schedule.unknown_interval")},
		{"beyond the horizon", IDOf(moscowTime(t, "2026-11-27 12:00")), p, now, fault.New(fault.NotFound, "schedule.unknown_interval")},
		{"earlier than it can be ready", IDOf(moscowTime(t, "2026-11-20 20:30")), p, now, fault.New(fault.Conflict, "schedule.past")},
		{"outside the hours", IDOf(moscowTime(t, "2026-11-21 08:00")), p, now, fault.New(fault.Conflict, "schedule.closed")},
		{"sooner after opening than it can be ready", IDOf(moscowTime(t, "2026-11-21 10:30")), p, now, fault.New(fault.Conflict, "schedule.too_soon")},
		{"asap when closed", ASAP, closed, now, fault.New(fault.Conflict, "schedule.closed")},
		{"asap just before closing", ASAP, p, moscowTime(t, "2026-11-20 21:30"), fault.New(fault.Conflict, "schedule.not_ready_today")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := c.plan.Resolve(c.id, c.now); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// An hour that the clock skips has no intervals. An hour that comes twice has its intervals once.
func TestPlan_Intervals_ofAClockChangeAreNotRepeated(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{60, 240}), Zone: loadZone(t, "Europe/Berlin")}
	for date, want := range map[string][]string{
		"2027-03-28": {"01:00–01:30", "01:30–02:00", "03:00–03:30", "03:30–04:00"},
		"2027-10-31": {"01:00–01:30", "01:30–02:00", "02:00–02:30", "02:30–03:00", "03:00–03:30", "03:30–04:00"},
	} {
		now := parseTime(t, date+" 00:00", p.Zone)
		got := listTitles(p.Intervals(parseDay(t, date), now))
		if len(got) != len(want) {
			t.Errorf("%s: got %v, want %v", date, got, want)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: got %v, want %v", date, got, want)
			}
		}
	}
}

// In seven zones and each hour of two years, what is offered keeps the rules that checkPlan
// checks.
func TestPlan_Intervals_keepTheRulesInEachHourOfTwoYears(t *testing.T) {
	t.Parallel()
	hours := openEveryDay(Span{600, 840}, Span{960, 1620})
	hours.Default[3] = []Span{{0, 1440}}
	hours.Default[7] = nil
	for _, name := range []string{
		"Europe/Moscow", "Europe/Minsk", "Asia/Almaty", "Asia/Tashkent", "Europe/Istanbul", "Europe/Berlin", "Europe/Kyiv",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := Plan{Hours: hours, Zone: loadZone(t, name), Cooking: 45, Days: 2}
			start := time.Date(2026, 1, 1, 0, 17, 0, 0, time.UTC)
			for n := range 2 * 366 * 24 {
				checkPlan(t, p, start.Add(time.Duration(n)*time.Hour))
			}
		})
	}
}

// checkPlan fails the test unless all intervals offered at the instant are in the future, within
// the hours and in order, and have the title of their time. ASAP must be handed over no earlier
// than it can be ready.
func checkPlan(t *testing.T, p Plan, now time.Time) {
	t.Helper()
	earliest := now.Add(time.Duration(p.Cooking+p.Road) * time.Minute)
	var last time.Time
	for _, date := range p.Dates(now) {
		for _, i := range p.Intervals(date.Day, now) {
			if i.IsASAP() {
				if from, to := p.Handover(i, now); from.Before(earliest) || to.Before(from) {
					t.Fatalf("%s at %v: %v is promised from %v to %v", p.Zone, now, i, from, to)
				}
				continue
			}
			w, inside := p.Hours.windowAt(i.Start, p.Zone)
			switch {
			case i.Start.Before(earliest):
				t.Fatalf("%s at %v: %v begins before it can be ready", p.Zone, now, i)
			case !inside || i.End.After(w.End):
				t.Fatalf("%s at %v: %v is outside the hours", p.Zone, now, i)
			case !i.Start.After(last):
				t.Fatalf("%s at %v: %v does not come after %v", p.Zone, now, i, last)
			case i.Title[:5] != i.Start.In(p.Zone).Format("15:04"):
				t.Fatalf("%s at %v: %v is called %s", p.Zone, now, i.Start.In(p.Zone), i.Title)
			}
			last = i.Start
		}
	}
	for w := range p.Hours.WindowsOn(p.Today(now), p.Zone) {
		if !w.Start.Before(w.End) {
			t.Fatalf("%s: empty window %+v", p.Zone, w)
		}
	}
}

// An ASAP order is handed over from 45 minutes after now, or in the interval it has reserved
// where that is much later. An ordinary interval is its own handover.
func TestPlan_Handover_isWhenTheOrderIsReady(t *testing.T) {
	t.Parallel()
	plan := Plan{Zone: time.UTC, Length: 30, Cooking: 45}
	now := time.Date(2026, 11, 20, 11, 44, 20, 0, time.UTC)
	slot := func(hour, minute int) time.Time { return time.Date(2026, 11, 20, hour, minute, 0, 0, time.UTC) }
	for _, c := range []struct {
		name     string
		id       string
		start    time.Time
		from, to time.Time
	}{
		{"the kitchen is free", ASAP, slot(12, 30), now.Add(45 * time.Minute), slot(12, 40)},
		{"the next intervals are full", ASAP, slot(13, 30), slot(13, 30), slot(14, 0)},
		{"an ordinary interval", "2026-11-20T13:00:00Z", slot(13, 0), slot(13, 0), slot(13, 30)},
	} {
		from, to := plan.Handover(Interval{ID: c.id, Start: c.start}, now)
		if !from.Equal(c.from) || !to.Equal(c.to) {
			t.Errorf("%s: from %s to %s", c.name, from, to)
		}
	}
}

// Work ends at 23:00. Each case has now, the interval reserved for ASAP, and when the order is
// handed over.
func TestPlan_Handover_endsNoLaterThanWork(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1380}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 20, Road: 11}
	for _, c := range []struct{ name, now, slot, from, to string }{
		{"a whole interval is left", "2026-11-20 21:40", "22:30", "22:11", "22:25"},
		{"the promise would reach beyond the end", "2026-11-20 22:20", "22:30", "22:51", "23:00"},
		{"ready as work ends", "2026-11-20 22:29", "22:30", "23:00", "23:00"},
		{"held while checking out, and ready after the end", "2026-11-20 22:33", "22:30", "23:04", "23:15"},
	} {
		now := moscowTime(t, c.now)
		held := Interval{ID: ASAP, Start: parseTime(t, "2026-11-20 "+c.slot, p.Zone)}
		if soon, err := p.Resolve(ASAP, now); err == nil && !soon[0].Start.Equal(held.Start) {
			t.Errorf("%s: takes the work of %v", c.name, soon[0])
		}
		from, to := p.Handover(held, now)
		if from.In(p.Zone).Format("15:04") != c.from || to.In(p.Zone).Format("15:04") != c.to {
			t.Errorf("%s: from %v to %v", c.name, from.In(p.Zone), to.In(p.Zone))
		}
	}
}

// A shop works around the clock. An order of 22:57 is promised by 23:55 of that evening, although it reserves the work
// of the first interval after midnight.
func TestPlan_OnHandoverDay_isTheEveningOfAnOrderThatIsReadyBeforeMidnight(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{0, 1440}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 25, Road: 20}
	for _, c := range []struct{ name, now, day, date string }{
		{"ready and promised before midnight", "2026-11-20 22:57", "2026-11-20", "2026-11-20"},
		{"promised by midnight", "2026-11-20 23:05", "2026-11-20", "2026-11-20"},
		{"promised after midnight", "2026-11-20 23:11", "2026-11-21", "2026-11-21"},
		{"reserves the work of its evening", "2026-11-20 20:05", "2026-11-20", "2026-11-20"},
	} {
		now := moscowTime(t, c.now)
		soon := p.Intervals(p.Today(now), now)[0]
		shown := p.OnHandoverDay(soon, now)
		if day, date := shown.Day.String(), p.DateOf(shown).String(); day != c.day || date != c.date {
			t.Errorf("%s: is of the day %s, on %s", c.name, day, date)
		}
		from, to := p.Handover(soon, now)
		if f, u := p.Handover(shown, now); !f.Equal(from) || !u.Equal(to) {
			t.Errorf("%s: is handed over from %v to %v, not from %v to %v", c.name, f, u, from, to)
		}
	}
	later := p.At(moscowTime(t, "2026-11-21 00:00"))
	if now := moscowTime(t, "2026-11-20 22:57"); p.OnHandoverDay(later, now) != later {
		t.Error("an ordinary interval keeps its day")
	}
}

// With a length of 50 minutes, the intervals after midnight begin at other minutes of the clock
// than those of the next day. Each is found by its id.
func TestPlan_Resolve_findsNightIntervalsOfAnyLength(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1600}), Zone: loadZone(t, "Europe/Moscow"), Length: 50}
	now := moscowTime(t, "2026-11-20 20:05")
	for _, i := range p.Intervals(p.Today(now), now)[1:] {
		if found, err := p.Resolve(i.ID, now); err != nil || found[0] != i {
			t.Errorf("%v is found as %v, %v", i, found, err)
		}
	}
}
