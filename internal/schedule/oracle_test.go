package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"servery/internal/clock"
)

// zonesOfTheWorld have whole, half and quarter hours from UTC, with and without changes of the
// clock, north and south.
var zonesOfTheWorld = []string{
	"Europe/Kaliningrad", "Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Vladivostok",
	"Asia/Kamchatka", "Europe/Minsk", "Asia/Almaty", "Asia/Tashkent", "Europe/Istanbul", "Europe/Berlin", "Europe/Kyiv",
	"Europe/London", "Atlantic/Azores", "Africa/Casablanca", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Tehran", "Asia/Kabul",
	"Australia/Adelaide", "Australia/Lord_Howe", "Pacific/Chatham", "America/St_Johns", "America/New_York", "Pacific/Kiritimati",
}

// timeline is an independent model of a shop's hours: each minute for itself, straight from
// docs/schedule.md. It has no windows.
type timeline struct {
	first   time.Time
	minutes []minute
}

// minute is one minute of a timeline: what the wall clock shows, and what the shop does.
type minute struct {
	day   clock.Day
	clock int  // minutes since midnight
	again bool // the clock shows this time for the second time
	open  bool
	// owner is the day whose shift works, the earlier one of two shifts.
	owner clock.Day
	// opening is the index of the first minute of the unbroken work, closing that of the first
	// minute after it.
	opening, closing int
}

// newTimeline returns a model of the hours in a zone for a number of days from the instant first
// on.
func newTimeline(h Hours, loc *time.Location, first time.Time, days int) *timeline {
	l := &timeline{first: first, minutes: make([]minute, days*24*60)}
	for n := range l.minutes {
		t := l.at(n).In(loc)
		m := minute{day: clock.DayOf(t, loc), clock: t.Hour()*60 + t.Minute(), opening: n}
		for _, back := range [...]int{30, 60} {
			if n >= back && l.minutes[n-back].day == m.day && l.minutes[n-back].clock == m.clock {
				m.again = true
			}
		}
		m.owner, m.open = ownerOf(h, m)
		if n > 0 && m.open && l.minutes[n-1].open {
			m.opening = l.minutes[n-1].opening
		}
		l.minutes[n] = m
	}
	closing := len(l.minutes)
	for n := len(l.minutes) - 1; n >= 0; n-- {
		if !l.minutes[n].open {
			closing = n
		}
		l.minutes[n].closing = closing
	}
	return l
}

// ownerOf returns the day whose shift works at the minute, the earlier one of two shifts. It reports
// false while the shop is closed.
func ownerOf(h Hours, m minute) (clock.Day, bool) {
	for _, back := range [...]int{1, 0} {
		day := m.day.Add(-back)
		for _, s := range h.SpansOn(day) {
			if at := m.clock + back*24*60; s.From <= at && at < s.To {
				return day, true
			}
		}
	}
	return clock.Day{}, false
}

// at returns the instant of the minute with the index n.
func (l *timeline) at(n int) time.Time { return l.first.Add(time.Duration(n) * time.Minute) }

// index returns the index of the minute that contains the instant.
func (l *timeline) index(t time.Time) int { return int(t.Sub(l.first) / time.Minute) }

// minute returns the minute that contains the instant.
func (l *timeline) minute(t time.Time) minute { return l.minutes[l.index(t)] }

// closing returns when the work that is going on in the minute ends. It reports false when the
// timeline ends before the work does.
func (l *timeline) closing(m minute) (time.Time, bool) {
	return l.at(m.closing), m.closing < len(l.minutes)
}

// today returns the date of the instant, or the date before while a shift that began then has
// not ended.
func (l *timeline) today(now time.Time) clock.Day {
	n := l.index(now)
	today := l.minutes[n].day
	for ; l.minutes[n].day == today; n++ {
		if m := l.minutes[n]; m.open && m.owner.Before(today) {
			return m.owner
		}
	}
	return today
}

// isOffered reports whether, by the model, an order made now may choose an interval that begins
// at minute n.
func (l *timeline) isOffered(p Plan, now time.Time, n int) bool {
	m := l.minutes[n]
	if m.clock%p.intervalLength() != 0 || m.again || !m.open || m.closing < n+p.intervalLength() {
		return false
	}
	begin := now // when the kitchen begins to work on the order
	for _, other := range []time.Time{l.at(m.opening), p.Kitchen.PausedUntil} {
		if other.After(begin) {
			begin = other
		}
	}
	return !l.at(n).Before(begin.Add(leadBy(p, begin)))
}

// leadBy returns, by the model, how long an order takes until it is handed over when the kitchen
// begins it at the instant.
func leadBy(p Plan, begin time.Time) time.Duration {
	longer := 0
	for _, busy := range p.Kitchen.Busy {
		if begin.Before(busy.Until) && busy.Minutes > longer {
			longer = busy.Minutes
		}
	}
	return time.Duration(p.Cooking+p.Road+longer) * time.Minute
}

// randomKitchen draws a kitchen with a pause, busy times, both or neither. Some of them are over at now.
func randomKitchen(dice *rand.Rand, now time.Time) Kitchen {
	until := func() time.Time { return now.Add(time.Duration(dice.IntN(400)-30) * 5 * time.Minute) }
	var k Kitchen
	if dice.IntN(3) == 0 {
		k.PausedUntil = until()
	}
	for range max(dice.IntN(5)-2, 0) {
		k.Busy = append(k.Busy, Busy{Minutes: 5 * dice.IntN(20), Until: until()})
	}
	return k
}

// randomHours draws hours with days off, breaks, spans that touch, night shifts and work around
// the clock, and other hours on three dates after from. What begins or ends at night does so on
// the hour, because clock changes have a test of their own.
func randomHours(dice *rand.Rand, from clock.Day) Hours {
	minute := func(from, to int) int { return from + dice.IntN(to-from) }
	hour := func(from, to int) int { return (from + dice.IntN(to-from+1)) * 60 }
	spans := func() []Span {
		morning, noon := minute(300, 700), minute(700, 900)
		switch dice.IntN(9) {
		case 0:
			return nil
		case 1:
			return []Span{{0, 1440}}
		case 2:
			return []Span{{morning, noon}, {minute(900, 1000), minute(1000, 1440)}}
		case 3:
			return []Span{{morning, noon}, {noon, minute(1000, 1440)}}
		case 4:
			return []Span{{morning, noon}, {minute(900, 1000), hour(25, 30)}}
		case 5:
			return []Span{{noon, hour(25, 28)}}
		case 6:
			return []Span{{hour(0, 3), 300}, {morning, noon}}
		case 7:
			return []Span{{morning, morning + minute(1, 120)}}
		default:
			return []Span{{morning, 1440}}
		}
	}
	h := Hours{Default: map[int][]Span{}, Custom: map[clock.Day][]Span{}}
	for weekday := 1; weekday <= 7; weekday++ {
		h.Default[weekday] = spans()
	}
	if dice.IntN(5) == 0 {
		h = openEveryDay(Span{0, 1440})
		h.Custom = map[clock.Day][]Span{}
	}
	for range 3 {
		h.Custom[from.Add(dice.IntN(20))] = spans()
	}
	return h
}

// In zones of each kind, with random hours, plans, pauses and busy times, the intervals offered are
// exactly those of a model. The times include clock changes and the last order time of a shift.
func TestPlan_Intervals_everyKindOfZoneKeepsTheRules(t *testing.T) {
	t.Parallel()
	seasons := []string{"2026-03-25", "2026-10-21", "2028-02-25", "2027-04-01", "2026-09-24"}
	const before, ahead = 4, 13
	for number, name := range zonesOfTheWorld {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loc := loadZone(t, name)
			dice := rand.New(rand.NewPCG(13, uint64(number)))
			for range 4 {
				from := parseDay(t, seasons[dice.IntN(len(seasons))])
				h := randomHours(dice, from)
				l := newTimeline(h, loc, clock.At(from.Add(-before), 0, time.UTC), before+ahead+20)
				p := Plan{
					Hours: h, Zone: loc, Length: []int{15, 20, 30, 60}[dice.IntN(4)],
					Cooking: dice.IntN(4) * 11, Road: dice.IntN(3) * 20, Days: 1 + dice.IntN(4),
				}
				for range 8 {
					now := clock.At(from, 0, loc).Add(time.Duration(dice.IntN(6*24*3600)) * time.Second)
					p.Kitchen = randomKitchen(dice, now)
					checkAgainstTimeline(t, p, l, now)
					closing, ends := l.closing(l.minute(now))
					if !ends {
						continue
					}
					lastOrder := closing.Add(-time.Duration(p.Cooking+p.Road) * time.Minute)
					for _, edge := range []time.Duration{-time.Hour - time.Second, -time.Hour, 0, time.Second} {
						checkAgainstTimeline(t, p, l, lastOrder.Add(edge))
					}
				}
			}
		})
	}
}

// checkAgainstTimeline fails the test unless today, the intervals offered, ASAP, the ids that
// can be chosen and the last hour at now are those of the model l.
func checkAgainstTimeline(t *testing.T, p Plan, l *timeline, now time.Time) {
	t.Helper()
	where := fmt.Sprintf("%v of %s, length %d, cooking %d, road %d, kitchen %v, at %v", p.Hours, p.Zone, p.Length, p.Cooking, p.Road, p.Kitchen, now.In(p.Zone))
	today := l.today(now)
	if got := p.Today(now); got != today {
		t.Fatalf("%s: today is %v, want %v", where, got, today)
	}
	horizon := today.Add(p.Days) // what a night shift offers after it is left out on both sides
	var want, got []string
	for n := l.index(now); l.minutes[n].day.Before(horizon); n++ {
		if l.isOffered(p, now, n) {
			want = append(want, IDOf(l.at(n)))
		}
	}
	var asap *Interval
	for _, date := range p.Dates(now) {
		for _, i := range p.Intervals(date.Day, now) {
			switch {
			case i.IsPaused: // shown, but not offered
			case i.IsASAP():
				asap = &i
			case clock.DayOf(i.Start, p.Zone).Before(horizon):
				got = append(got, i.ID)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: offered are\n%v, want\n%v", where, got, want)
	}
	checkSoon(t, p, l, now, asap, where)
	checkResolve(t, p, l, now, want, where)
	if got, want := p.LastHourUntil(now), l.lastHourUntil(p, now); !got.Equal(want) {
		t.Fatalf("%s: last hour until %v, want %v", where, got, want)
	}
}

// checkSoon fails the test unless asap is offered exactly while the shop works, its kitchen is not
// paused and an order made now is ready before it closes. asap is nil when it is not offered. Its
// handover must be between the times at which the order is ready and the shop closes. where
// describes the case in messages.
func checkSoon(t *testing.T, p Plan, l *timeline, now time.Time, asap *Interval, where string) {
	t.Helper()
	ready := now.Add(leadBy(p, now))
	m := l.minute(now)
	closing, ends := l.closing(m)
	wanted := m.open && !now.Before(p.Kitchen.PausedUntil) && (!ends || !ready.After(closing))
	if (asap != nil) != wanted {
		t.Fatalf("%s: as soon as possible is %v, want %v; work ends %v", where, asap, wanted, closing)
	}
	if asap == nil {
		return
	}
	from, to := p.Handover(*asap, now)
	length := time.Duration(p.intervalLength()) * time.Minute
	switch {
	case from.Before(ready) || to.Before(from) || ends && to.After(closing):
		t.Fatalf("%s: promised from %v to %v, ready %v, work ends %v", where, from, to, ready, closing)
	case !asap.Start.After(ready.Add(length-1)) && !from.Equal(ready):
		t.Fatalf("%s: ready at %v, promised from %v", where, ready, from)
	case from.Equal(ready) && to.Sub(from) > 15*time.Minute:
		t.Fatalf("%s: promised from %v to %v", where, from, to)
	}
}

// checkResolve fails the test unless Resolve finds exactly the offered ids among all multiples
// of five minutes in two days. where describes the case in messages.
func checkResolve(t *testing.T, p Plan, l *timeline, now time.Time, offered []string, where string) {
	t.Helper()
	horizon := l.today(now).Add(p.Days)
	for n := l.index(now); n < l.index(now)+2*24*60 && l.minutes[n].day.Before(horizon); n += 5 {
		id := IDOf(l.at(n))
		found, err := p.Resolve(id, now)
		if want := slices.Contains(offered, id); (err == nil) != want {
			t.Fatalf("%s: %s is resolved as %v, %v", where, id, found, err)
		} else if want && found[0].ID != id {
			t.Fatalf("%s: %s is resolved as %v", where, id, found)
		}
	}
}

// lastHourUntil returns the last order time of the shift by the model where it is at most an hour
// ahead, else the zero time.
func (l *timeline) lastHourUntil(p Plan, now time.Time) time.Time {
	m := l.minute(now)
	closing, ends := l.closing(m)
	if !m.open || !ends {
		return time.Time{}
	}
	owner := l.minutes[m.closing-1].owner
	if m.owner.DaysUntil(owner) >= neverCloses { // that is around the clock
		return time.Time{}
	}
	for _, later := range l.minutes[m.closing : m.closing+2*24*60] { // a break ends no shift
		if later.open && later.owner == owner {
			return time.Time{}
		}
	}
	lastOrder := closing.Add(-time.Duration(p.Cooking+p.Road) * time.Minute)
	if now.After(lastOrder) || now.Before(lastOrder.Add(-time.Hour)) {
		return time.Time{}
	}
	return lastOrder
}
