package order

import (
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/lang"
)

// In each language a time of tomorrow has its date, and one of today has none.
func TestFormatTime_hasTheDateOfAnotherDay(t *testing.T) {
	t.Parallel()
	moscow := time.FixedZone("MSK", 3*60*60)
	at := time.Date(2026, 11, 22, 7, 0, 0, 0, time.UTC).In(moscow)
	for l, want := range map[lang.Lang]string{
		lang.RU: "22 ноября, 10:00", lang.EN: "November 22, 10:00", lang.DE: "22. November, 10:00 Uhr",
		lang.TR: "22 Kasım saat 10:00", lang.UZ: "22-noyabr, soat 10:00", lang.UK: "22 листопада, 10:00",
	} {
		if got := formatTime(at, clock.Day{Year: 2026, Month: 11, Day: 21}, l); got != want {
			t.Errorf("%s: %q, want %q", l, got, want)
		}
		if got := formatTime(at, clock.Day{Year: 2026, Month: 11, Day: 22}, l); got != "10:00" {
			t.Errorf("%s: today it is %q, want the time alone", l, got)
		}
	}
}
