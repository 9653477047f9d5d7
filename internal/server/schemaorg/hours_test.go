package schemaorg

import (
	"slices"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/schedule"
)

// opening is a stretch of time in minutes from the midnight of the first day.
type opening struct{ from, to int }

// readHours returns when the specifications say that a restaurant is open on the days from the first on,
// as a search engine reads them: dates stand in place of weekdays, and hours that close before they open
// close on the next day.
func readHours(t *testing.T, list []openingHours, first clock.Day, days int) []opening {
	t.Helper()
	var open []opening
	for i := range days {
		day := first.Add(i)
		dated := slices.ContainsFunc(list, func(o openingHours) bool {
			return o.ValidFrom != "" && o.ValidFrom <= day.String() && day.String() <= o.ValidThrough
		})
		for _, o := range list {
			switch {
			case dated && (o.ValidFrom == "" || day.String() < o.ValidFrom || o.ValidThrough < day.String()):
				continue
			case !dated && (o.ValidFrom != "" || !slices.Contains(o.DayOfWeek, weekdays[day.Weekday()-1])):
				continue
			}
			from, to := readClock(t, o.Opens), readClock(t, o.Closes)
			switch {
			case from == to:
				continue // closed
			case to < from:
				to += clock.MinutesPerDay
			}
			if to-from == clock.MinutesPerDay-1 {
				to++ // a whole day
			}
			open = append(open, opening{i*clock.MinutesPerDay + from, i*clock.MinutesPerDay + to})
		}
	}
	return merge(open)
}

// readClock returns the minute of the day that a text like "09:30" names.
func readClock(t *testing.T, text string) int {
	t.Helper()
	at, err := time.Parse("15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Hour()*60 + at.Minute()
}

// engineHours returns when the schedule has the shop open on the same days.
func engineHours(h schedule.Hours, first clock.Day, days int) []opening {
	var open []opening
	for i := range days {
		for w := range h.WindowsOn(first.Add(i), time.UTC) {
			open = append(open, opening{i*clock.MinutesPerDay + w.Span.From, i*clock.MinutesPerDay + w.Span.To})
		}
	}
	return merge(open)
}

// merge returns the stretches in order. It joins stretches that touch or overlap. It sorts its argument.
func merge(all []opening) []opening {
	slices.SortFunc(all, func(a, b opening) int { return a.from - b.from })
	var joined []opening
	for _, o := range all {
		if last := len(joined) - 1; last >= 0 && o.from <= joined[last].to {
			joined[last].to = max(joined[last].to, o.to)
			continue
		}
		joined = append(joined, o)
	}
	return joined
}

// cutBefore returns the parts of the stretches from a minute on.
func cutBefore(all []opening, minute int) []opening {
	var kept []opening
	for _, o := range all {
		if o.to > minute {
			kept = append(kept, opening{max(o.from, minute), o.to})
		}
	}
	return kept
}

func TestListHours_areThoseOfTheScheduleForSixtyDays(t *testing.T) {
	t.Parallel()
	today := clock.Day{Year: 2026, Month: time.December, Day: 20}
	span := func(from, to int) schedule.Span { return schedule.Span{From: from * 60, To: to * 60} }
	everyDay := func(spans ...schedule.Span) map[int][]schedule.Span {
		days := map[int][]schedule.Span{}
		for day := 1; day <= 7; day++ {
			days[day] = spans
		}
		return days
	}
	for name, h := range map[string]schedule.Hours{
		"every day alike":                  {Default: everyDay(span(10, 22))},
		"until midnight":                   {Default: everyDay(span(10, 24))},
		"a night shift":                    {Default: everyDay(span(10, 28))},
		"around the clock":                 {Default: everyDay(span(0, 24))},
		"24 hours from six to six":         {Default: map[int][]schedule.Span{6: {span(6, 30)}, 7: {span(6, 30)}}},
		"a break":                          {Default: everyDay(span(9, 13), span(15, 23))},
		"a break and a night":              {Default: everyDay(span(9, 13), span(18, 26))},
		"days off":                         {Default: map[int][]schedule.Span{2: {span(10, 22)}, 5: {span(10, 26)}, 6: {span(11, 27)}}},
		"a shift into the next":            {Default: map[int][]schedule.Span{5: {span(10, 28)}, 6: {span(2, 20)}}},
		"never":                            {},
		"closed today":                     {Default: everyDay(span(10, 26)), Custom: map[clock.Day][]schedule.Span{today: {}}},
		"closed tomorrow":                  {Default: everyDay(span(10, 26)), Custom: map[clock.Day][]schedule.Span{today.Add(1): {}}},
		"special days":                     {Default: everyDay(span(10, 22)), Custom: map[clock.Day][]schedule.Span{today.Add(11): {span(10, 18)}, today.Add(12): {span(14, 27)}, today.Add(13): {}}},
		"a special day with a break":       {Default: everyDay(span(10, 22)), Custom: map[clock.Day][]schedule.Span{today.Add(3): {span(8, 12), span(13, 25)}}},
		"a special day around the clock":   {Default: everyDay(span(10, 22)), Custom: map[clock.Day][]schedule.Span{today.Add(3): {span(0, 24)}}},
		"a night shift before a day off":   {Default: map[int][]schedule.Span{7: {span(18, 28)}}, Custom: map[clock.Day][]schedule.Span{today.Add(1): {}}},
		"a night shift of yesterday alone": {Custom: map[clock.Day][]schedule.Span{today.Add(-1): {span(20, 28)}}},
		"open on a day off":                {Default: map[int][]schedule.Span{1: {span(10, 22)}}, Custom: map[clock.Day][]schedule.Span{today.Add(5): {span(10, 22)}}},
	} {
		if err := h.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list := listHours(h, today)
		first := today.Add(-2) // shifts of the days before last into those that are compared
		if got, want := cutBefore(readHours(t, list, first, 62), clock.MinutesPerDay), cutBefore(engineHours(h, first, 62), clock.MinutesPerDay); !slices.Equal(got, want) {
			t.Errorf("%s: search engines read %v, the schedule has %v, from %+v", name, got, want, list)
		}
	}
}

func TestListHours_leaveOutDatesBeforeYesterday(t *testing.T) {
	t.Parallel()
	today := clock.Day{Year: 2026, Month: time.December, Day: 20}
	h := schedule.Hours{Custom: map[clock.Day][]schedule.Span{today.Add(-2): {}, today.Add(-1): {}, today: {}}}
	if list := listHours(h, today); len(list) != 2 || list[0].ValidFrom != "2026-12-19" {
		t.Errorf("%+v", list)
	}
}
