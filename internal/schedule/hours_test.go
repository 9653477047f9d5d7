package schedule

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"servery/internal/clock"
)

// openEveryDay returns hours with the same spans on all weekdays.
func openEveryDay(spans ...Span) Hours {
	h := Hours{Default: map[int][]Span{}}
	for weekday := 1; weekday <= 7; weekday++ {
		h.Default[weekday] = spans
	}
	return h
}

// loadZone returns the time zone with the IANA name.
func loadZone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// moscowTime returns the instant of a wall-clock time such as "2026-11-20 19:05" in Moscow.
func moscowTime(t testing.TB, text string) time.Time {
	t.Helper()
	return parseTime(t, text, loadZone(t, "Europe/Moscow"))
}

// parseTime returns the instant of a wall-clock time such as "2026-11-20 19:05" in a zone.
func parseTime(t testing.TB, text string, loc *time.Location) time.Time {
	t.Helper()
	instant, err := time.ParseInLocation("2006-01-02 15:04", text, loc)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

// parseDay returns the date of a text such as "2026-11-20".
func parseDay(t testing.TB, text string) clock.Day {
	t.Helper()
	d, err := clock.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Spans that end on the next day can be written with 26:00 or 02:00. Texts that are no span,
// that end before they begin or last longer than a day are errors.
func TestParseSpan_readsSpansAsAuthorsWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Span{
		"10:00-22:00": {600, 1320},
		"10:00-26:00": {600, 1560},
		"10:00-02:00": {600, 1560},
		"00:00-24:00": {0, 1440},
		"22:00-04:00": {1320, 1680},
	} {
		if got, err := ParseSpan(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "10", "10:00", "10:00-09:00", "10:00-10:00", "10:60-12:00", "24:00-25:00", "-1:00-5:00", "10:00-12:00x", "10:00-36:00"} {
		if got, err := ParseSpan(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

// Six kinds of mistake are refused; two spans that touch are not.
func TestHours_Check_refusesOverlapsAndUnknownWeekdays(t *testing.T) {
	t.Parallel()
	d := parseDay(t, "2026-12-31")
	for name, h := range map[string]Hours{
		"weekday 0": {Default: map[int][]Span{0: {{600, 700}}}},
		"weekday 8": {Default: map[int][]Span{8: {{600, 700}}}},
		"overlap":   openEveryDay(Span{600, 900}, Span{800, 1000}),
		"backwards": openEveryDay(Span{900, 600}),
		"custom":    {Custom: map[clock.Day][]Span{d: {{-1, 600}}}},
		"too long":  openEveryDay(Span{600, 2100}),
	} {
		if h.Check() == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if err := openEveryDay(Span{600, 840}, Span{840, 1560}).Check(); err != nil {
		t.Error(err)
	}
}

// Of four days one date has its own span and one is closed; the others have the weekday's span.
func TestHours_SpansOn_hasCustomDatesInsteadOfTheWeekday(t *testing.T) {
	t.Parallel()
	h := openEveryDay(Span{600, 1320})
	h.Custom = map[clock.Day][]Span{
		parseDay(t, "2026-12-31"): {{600, 1080}},
		parseDay(t, "2027-01-01"): {},
	}
	for date, want := range map[string][]Span{
		"2026-12-30": {{600, 1320}},
		"2026-12-31": {{600, 1080}},
		"2027-01-01": {},
		"2027-01-02": {{600, 1320}},
	} {
		if got := h.SpansOn(parseDay(t, date)); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", date, got, want)
		}
	}
}

// At 01:30 the window found is the one that began on the day before and ends at 02:00.
func TestHours_windowAt_ofANightShiftIsOfTheDayBefore(t *testing.T) {
	t.Parallel()
	h, loc := openEveryDay(Span{600, 1560}), loadZone(t, "Europe/Moscow")
	w, ok := h.windowAt(moscowTime(t, "2026-11-21 01:30"), loc)
	if !ok || w.Day.String() != "2026-11-20" || !w.End.Equal(moscowTime(t, "2026-11-21 02:00")) {
		t.Errorf("got %+v, %v", w, ok)
	}
}

// A shift that ends at 03:00 of the next day makes that day's window begin at 03:00 instead of
// 01:00.
func TestHours_WindowsOn_beginWhereThePreviousShiftEnds(t *testing.T) {
	t.Parallel()
	h, loc := openEveryDay(Span{60, 1500}), loadZone(t, "Europe/Moscow") // 01:00 to 01:00
	h.Custom = map[clock.Day][]Span{parseDay(t, "2026-11-20"): {{600, 1620}}}
	next := slices.Collect(h.WindowsOn(parseDay(t, "2026-11-21"), loc))
	if len(next) != 1 || !next[0].Start.Equal(moscowTime(t, "2026-11-21 03:00")) {
		t.Errorf("got %+v", next)
	}
}

// A shop that works around the clock in Berlin has windows of 24 hours, of 23 in spring and of
// 25 in autumn.
func TestHours_WindowsOn_ofAClockChangeHave23Or25Hours(t *testing.T) {
	t.Parallel()
	h, loc := openEveryDay(Span{0, 1440}), loadZone(t, "Europe/Berlin")
	for date, hours := range map[string]float64{"2027-03-27": 24, "2027-03-28": 23, "2027-10-31": 25} {
		w := slices.Collect(h.WindowsOn(parseDay(t, date), loc))
		if len(w) != 1 || w[0].End.Sub(w[0].Start).Hours() != hours {
			t.Errorf("%s: got %+v, want %v hours", date, w, hours)
		}
	}
}

// Hours with a closed date are written to JSON and read back unchanged.
func TestHours_areReadAsWrittenToJSON(t *testing.T) {
	t.Parallel()
	h := openEveryDay(Span{600, 1560})
	h.Custom = map[clock.Day][]Span{parseDay(t, "2027-01-01"): {}}
	body, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var back Hours
	if err := json.Unmarshal(body, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, h) {
		t.Errorf("got %+v, want %+v", back, h)
	}
}

// For any valid hours, at any time and in three zones, the intervals offered keep the rules that
// checkPlan checks.
func FuzzHours(f *testing.F) {
	f.Add(600, 1560, 0, 300, int64(0))
	f.Add(0, 1440, 60, 1500, int64(1_800_000_000))
	f.Add(1439, 2879, 0, 1, int64(1_835_000_000))
	zones := []*time.Location{loadZone(f, "Europe/Berlin"), loadZone(f, "Asia/Almaty"), loadZone(f, "America/Santiago")}
	f.Fuzz(func(t *testing.T, from1, to1, from2, to2 int, unix int64) {
		h := Hours{Default: map[int][]Span{}}
		for weekday := 1; weekday <= 7; weekday++ {
			h.Default[weekday] = []Span{{from1, to1}}
			if weekday%2 == 0 {
				h.Default[weekday] = []Span{{from2, to2}}
			}
		}
		if h.Check() != nil {
			t.Skip("not an input that the rule is about")
		}
		now := time.Unix(unix%4_000_000_000, 0)
		for _, loc := range zones {
			checkPlan(t, Plan{Hours: h, Zone: loc, Cooking: int(unix & 63)}, now)
		}
	})
}
