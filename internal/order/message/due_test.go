package message

import (
	"testing"
	"time"

	"servery/internal/order"
)

// Each case has now, the promised time and when the message may be sent. At night only a message about an
// order of this night is sent at once.
func TestDueAt_waitsForTheMorningUnlessTheOrderIsOfThisNight(t *testing.T) {
	t.Parallel()
	moscow := time.FixedZone("Moscow", 3*60*60)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 5, day, hour, minute, 0, 0, moscow) }
	for name, c := range map[string]struct{ now, from, to, want time.Time }{
		"by day":                                    {at(1, 15, 0), at(2, 12, 0), at(2, 12, 30), at(1, 15, 0)},
		"in the evening, for the same evening":      {at(1, 22, 30), at(1, 23, 0), at(1, 23, 30), at(1, 22, 30)},
		"after midnight, for the same night":        {at(2, 0, 30), at(2, 1, 0), at(2, 1, 30), at(2, 0, 30)},
		"after midnight, for the hour before":       {at(2, 0, 30), at(1, 23, 0), at(1, 23, 30), at(2, 0, 30)},
		"in the evening, for noon of the next day":  {at(1, 22, 30), at(2, 12, 0), at(2, 12, 30), at(2, 10, 0)},
		"after midnight, for noon of the same day":  {at(2, 1, 0), at(2, 12, 0), at(2, 12, 30), at(2, 10, 0)},
		"after midnight, for the evening before it": {at(2, 3, 0), at(1, 20, 0), at(1, 20, 30), at(2, 10, 0)},
	} {
		if got := dueAt(order.Order{PromisedFrom: c.from, PromisedTo: c.to}, moscow, c.now); !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
