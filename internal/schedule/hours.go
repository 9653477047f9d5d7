// Package schedule computes when a shop works, which intervals it offers and how much work each of
// them still takes.
//
// The rules are pure: hours, a zone and an instant go in, windows, states and
// intervals come out. A window belongs to the day it began on, however late it ends.
// Reserve, Release, Confirm and ReleaseExpired take the caller's transaction, so that
// an interval is taken together with the order that it is for, or not at all.
package schedule

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"servery/internal/clock"
)

// nightEnds is the minute until which the night belongs to the previous day's shift.
const nightEnds = 4 * 60

// Span is a stretch of a day in minutes from its midnight, half open. To is above
// 1440 when the shift ends on the next day.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// ParseSpan returns the span of a text such as "10:00-22:00". An end at or before 04:00 that is
// not after the start is of the next day: "10:00-02:00" equals "10:00-26:00". It returns an
// error, worded for content authors, for any other text and for a span that cannot be a shift.
func ParseSpan(text string) (Span, error) {
	var h1, m1, h2, m2 int
	// The line end makes Sscanf refuse anything behind the span.
	if n, err := fmt.Sscanf(text+"\n", "%d:%d-%d:%d\n", &h1, &m1, &h2, &m2); err != nil || n != 4 {
		return Span{}, fmt.Errorf("%q is not a time span like 10:00-22:00", text)
	}
	if min(h1, m1, h2, m2) < 0 || max(m1, m2) > 59 {
		return Span{}, fmt.Errorf("%q has a time that no clock shows", text)
	}
	s := Span{From: h1*60 + m1, To: h2*60 + m2}
	if s.To <= s.From && s.To <= nightEnds {
		s.To += clock.MinutesPerDay
	}
	if err := s.checkSpan(); err != nil {
		return s, fmt.Errorf("%q: %w", text, err)
	}
	return s, nil
}

// String returns the span as a wall clock shows it: "10:00–02:00".
func (s Span) String() string { return FormatClock(s.From) + "–" + FormatClock(s.To) }

// FormatClock returns minutes from midnight as a wall clock shows them: 1500, which is of the next
// day, is "01:00".
func FormatClock(minutes int) string {
	hour, minute := minutes/60%24, minutes%60
	digit := func(n int) byte { return byte('0' + n) }
	return string([]byte{digit(hour / 10), digit(hour % 10), ':', digit(minute / 10), digit(minute % 10)})
}

// checkSpan returns an error that says why the span cannot be a shift; nil when it can.
func (s Span) checkSpan() error {
	switch {
	case s.From < 0 || s.From >= clock.MinutesPerDay:
		return fmt.Errorf("a shift begins between 00:00 and 23:59, not at %s", formatShiftTime(s.From))
	case s.To <= s.From:
		return fmt.Errorf("a shift that begins at %s ends after that, not at %s", formatShiftTime(s.From), formatShiftTime(s.To))
	case s.To > s.From+clock.MinutesPerDay:
		return fmt.Errorf("a shift lasts at most 24 hours: one that begins at %s ends by %s, not at %s",
			formatShiftTime(s.From), formatShiftTime(s.From+clock.MinutesPerDay), formatShiftTime(s.To))
	}
	return nil
}

// formatShiftTime returns minutes from midnight as content writes them: 1500 is "25:00".
func formatShiftTime(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// Hours are the working hours of a shop. The zero Hours are always closed. They are
// never changed once they are in use, so they may be shared.
type Hours struct {
	// Default has the spans of each weekday, 1 is Monday and 7 is Sunday. A weekday
	// that is absent is a day off.
	Default map[int][]Span `json:"default"`
	// Custom replaces the weekday's spans on single dates. An empty list is a closed
	// day.
	Custom map[clock.Day][]Span `json:"custom,omitempty"`
}

// Check returns an error about a mistake in the hours, worded for content authors; nil when
// there is none. Weekdays must be 1 to 7, and the spans of a day must be valid, in order and
// must not overlap.
func (h Hours) Check() error {
	for weekday, spans := range h.Default {
		if weekday < 1 || weekday > 7 {
			return fmt.Errorf("weekday %d: weekdays are 1 (Monday) to 7 (Sunday)", weekday)
		}
		if err := checkDay(spans); err != nil {
			return fmt.Errorf("weekday %d: %w", weekday, err)
		}
	}
	for day, spans := range h.Custom {
		if err := checkDay(spans); err != nil {
			return fmt.Errorf("%s: %w", day, err)
		}
	}
	return nil
}

// checkDay returns an error about the first mistake in the spans of a day; nil when there is
// none. Each must be valid, and they must be in order and not overlap.
func checkDay(spans []Span) error {
	for i, s := range spans {
		if err := s.checkSpan(); err != nil {
			return err
		}
		if i > 0 && s.From < spans[i-1].To {
			return fmt.Errorf("%s begins before %s ends", s, spans[i-1])
		}
	}
	return nil
}

// SpansOn returns the spans of the day as content has written them: those of the date where it
// has its own, else those of the weekday. There are none on a closed day.
func (h Hours) SpansOn(day clock.Day) []Span {
	if spans, ok := h.Custom[day]; ok {
		return spans
	}
	return h.Default[day.Weekday()]
}

// Together returns the hours in which at least one of several shops works. On a date that only some
// shops have own hours for, the others work as on its weekday. The hours given must be valid.
func Together(all []Hours) Hours {
	union := Hours{Default: map[int][]Span{}, Custom: map[clock.Day][]Span{}}
	for _, h := range all {
		for weekday := range h.Default {
			union.Default[weekday] = nil
		}
		for day := range h.Custom {
			union.Custom[day] = nil
		}
	}
	for weekday := range union.Default {
		union.Default[weekday] = mergeSpans(all, func(h Hours) []Span { return h.Default[weekday] })
	}
	for day := range union.Custom {
		union.Custom[day] = mergeSpans(all, func(h Hours) []Span { return h.SpansOn(day) })
	}
	return union
}

// mergeSpans returns the spans that spansOf finds in all hours, in order. Those that touch or
// overlap become one.
func mergeSpans(all []Hours, spansOf func(Hours) []Span) []Span {
	var spans []Span
	for _, h := range all {
		spans = append(spans, spansOf(h)...)
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	merged := []Span{}
	for _, s := range spans {
		if last := len(merged) - 1; last >= 0 && s.From <= merged[last].To {
			merged[last].To = max(merged[last].To, s.To)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// Window is a working stretch as instants, half open: at End the shop is closed. Windows that follow
// each other without a break are a spell.
type Window struct {
	Day        clock.Day // the day it began on
	Span       Span
	Start, End time.Time
}

// Contains reports whether the instant falls within the window.
func (w Window) Contains(t time.Time) bool { return !t.Before(w.Start) && t.Before(w.End) }

// WindowsOn yields the windows that begin on the day, in order. Spans that touch are one window.
// Where the shift of the day before has not ended, the first window begins at the end of that
// shift, so that no two windows overlap.
func (h Hours) WindowsOn(day clock.Day, loc *time.Location) iter.Seq[Window] {
	return func(yield func(Window) bool) {
		previousEnd := h.lastShiftEnd(day.Add(-1)) - clock.MinutesPerDay
		var pending Window // zero before the first
		for _, s := range h.SpansOn(day) {
			s.From = max(s.From, previousEnd)
			w := Window{Day: day, Span: s, Start: clock.At(day, s.From, loc), End: clock.At(day, s.To, loc)}
			// A span may lie wholly inside the previous shift or the gap of a clock change.
			if s.From >= s.To || !w.Start.Before(w.End) {
				continue
			}
			switch {
			case pending.End.IsZero():
				pending = w
			case pending.End.Equal(w.Start):
				pending.Span.To, pending.End = s.To, w.End
			case !yield(pending): // the caller has stopped
				return
			default:
				pending = w
			}
		}
		if !pending.End.IsZero() {
			yield(pending)
		}
	}
}

// lastWindowOn returns the last window that begins on the day; false when none does.
func (h Hours) lastWindowOn(day clock.Day, loc *time.Location) (Window, bool) {
	var last Window
	for w := range h.WindowsOn(day, loc) {
		last = w
	}
	return last, !last.End.IsZero()
}

// lastShiftEnd returns the minute at which the last shift of the day ends, counted from the midnight of
// that day; 0 on a day off.
func (h Hours) lastShiftEnd(day clock.Day) int {
	end := 0
	for _, s := range h.SpansOn(day) {
		end = max(end, s.To)
	}
	return end
}

// windowAt returns the window that contains the instant; false while the shop is closed.
func (h Hours) windowAt(t time.Time, loc *time.Location) (Window, bool) {
	w, ok := h.windowFrom(t, loc)
	return w, ok && w.Contains(t)
}

// windowFrom returns the window that contains the instant, or else the next one that begins on
// the date of the instant. It reports false when there is none.
func (h Hours) windowFrom(t time.Time, loc *time.Location) (Window, bool) {
	day := clock.DayOf(t, loc)
	for _, d := range [...]clock.Day{day.Add(-1), day} {
		for w := range h.WindowsOn(d, loc) {
			if w.End.After(t) {
				return w, true
			}
		}
	}
	return Window{}, false
}
