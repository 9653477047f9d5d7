package schemaorg

import (
	"cmp"
	"maps"
	"slices"

	"servery/internal/clock"
	"servery/internal/schedule"
)

// openingHours is when a restaurant is open: on days of the week, or between two dates, which then
// stand in place of what those days of the week have. A span that closes at or before it opens ends on
// the next day. A closed day is written as one that opens and closes at midnight.
type openingHours struct {
	Type         string   `json:"@type"`
	DayOfWeek    []string `json:"dayOfWeek,omitempty"`
	Opens        string   `json:"opens"`
	Closes       string   `json:"closes"`
	ValidFrom    string   `json:"validFrom,omitempty"`
	ValidThrough string   `json:"validThrough,omitempty"`
}

var weekdays = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// listHours returns the opening hours by weekday and by date. Dates before yesterday are left out; the
// shift of yesterday may last into today.
func listHours(h schedule.Hours, today clock.Day) []openingHours {
	var list []openingHours
	byHours := map[openingSpan][]string{}
	for i, name := range weekdays {
		for _, span := range h.Default[i+1] {
			hours := newOpeningSpan(span)
			byHours[hours] = append(byHours[hours], name)
		}
	}
	for _, hours := range slices.SortedFunc(maps.Keys(byHours), compareSpans) {
		list = append(list, openingHours{Type: hoursType, DayOfWeek: byHours[hours], Opens: hours.opens, Closes: hours.closes})
	}
	for _, day := range slices.SortedFunc(maps.Keys(h.Custom), clock.Day.Compare) {
		if day.Before(today.Add(-1)) {
			continue
		}
		spans := []openingSpan{{opens: midnight, closes: midnight}} // closed
		if custom := h.Custom[day]; len(custom) > 0 {
			spans = spans[:0]
			for _, span := range custom {
				spans = append(spans, newOpeningSpan(span))
			}
		}
		for _, span := range spans {
			list = append(list, openingHours{
				Type: hoursType, Opens: span.opens, Closes: span.closes, ValidFrom: day.String(), ValidThrough: day.String(),
			})
		}
	}
	return list
}

const (
	hoursType = "OpeningHoursSpecification"
	midnight  = "00:00"
)

// openingSpan is a stretch of a day as a clock shows it.
type openingSpan struct{ opens, closes string }

// newOpeningSpan converts a span of content. A span of a whole day ends a minute earlier, because two
// equal times mean closed.
func newOpeningSpan(s schedule.Span) openingSpan {
	if s.To-s.From == clock.MinutesPerDay {
		s.To--
	}
	return openingSpan{schedule.FormatClock(s.From), schedule.FormatClock(s.To)}
}

// compareSpans orders spans by their opening, then by their closing.
func compareSpans(a, b openingSpan) int {
	return cmp.Or(cmp.Compare(a.opens, b.opens), cmp.Compare(a.closes, b.closes))
}
