package schedule

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"servery/internal/clock"
)

// notLarge as the last argument of [Plan.RangeFor] says that the order is not large.
const notLarge = false

// cookableIDs returns, by the model, the ids of the intervals that a large order for minute n may
// use: its own, then the earlier ones, the latest first, back to the cooking time after now or
// after the opening.
func (l *timeline) cookableIDs(p Plan, now time.Time, n int) []string {
	ids := []string{IDOf(l.at(n))}
	opening := l.minutes[n].opening
	since := l.at(opening)
	if now.After(since) {
		since = now
	}
	since = since.Add(time.Duration(p.Cooking) * time.Minute)
	for k := n - 1; k >= opening && !l.at(k).Before(since); k-- {
		if m := l.minutes[k]; m.clock%p.intervalLength() == 0 && !m.again && m.closing >= k+p.intervalLength() {
			ids = append(ids, IDOf(l.at(k)))
		}
	}
	return ids
}

// An interval has room for an order exactly when it has enough free minutes. For a large order the
// free minutes of earlier intervals count too, back to now plus cooking. Random hours, times and
// used minutes in zones of each kind are compared with a model.
func TestFreeWork_everyKindOfZoneKeepsTheRules(t *testing.T) {
	t.Parallel()
	for number, name := range zonesOfTheWorld {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loc := loadZone(t, name)
			dice := rand.New(rand.NewPCG(3, uint64(number)))
			from := parseDay(t, []string{"2026-03-27", "2026-10-23", "2027-04-02"}[number%3])
			for range 5 {
				h := randomHours(dice, from)
				l := newTimeline(h, loc, clock.At(from.Add(-4), 0, time.UTC), 24)
				p := Plan{Hours: h, Zone: loc, Length: 30, Cooking: 20, Road: dice.IntN(2) * 45, Days: 2}
				for range 4 {
					now := clock.At(from, 0, loc).Add(time.Duration(dice.IntN(4*24*3600)) * time.Second)
					checkFreeWork(t, p, l, now, dice)
				}
			}
		})
	}
}

// checkFreeWork draws needs and used minutes. It fails the test unless DisableFull, RangeFor and
// FirstThatTakes agree with the model l at now.
func checkFreeWork(t *testing.T, p Plan, l *timeline, now time.Time, dice *rand.Rand) {
	t.Helper()
	ceilings := Minutes{AllGroups: 60, 11: 40}
	rolls := dice.IntN(120)
	needs := Minutes{AllGroups: rolls + dice.IntN(200), 11: rolls}
	used := map[string]Minutes{}
	for n := l.index(now) / 15 * 15; n < l.index(now)+4*24*60; n += 15 {
		work := dice.IntN(41)
		used[IDOf(l.at(n))] = Minutes{AllGroups: work + dice.IntN(21), 11: work}
	}
	free, isLarge := p.FreeWork(now, used, needs, ceilings), needs.Exceeds(ceilings)
	var first *Interval
	for _, date := range p.Dates(now) {
		intervals := p.Intervals(date.Day, now)
		checked := free.DisableFull(intervals)
		from, to := p.RangeFor(intervals, now, isLarge)
		if within := p.FreeWork(now, usedInRange(used, from, to), needs, ceilings).DisableFull(intervals); !slices.Equal(within, checked) {
			t.Fatalf("%v of %s at %v: from %v to %v does not reach:\n%v, want\n%v", p.Hours, p.Zone, now.In(p.Zone), from, to, within, checked)
		}
		for _, i := range checked {
			if i.IsASAP() {
				continue
			}
			ids := l.cookableIDs(p, now, l.index(i.Start))
			if !isLarge {
				ids = ids[:1]
			}
			slots := make([]Minutes, len(ids))
			for n, id := range ids {
				slots[n] = used[id]
			}
			takes := maxPlaceable(slots, needs, ceilings) >= needs[AllGroups]
			if i.Disabled == takes {
				t.Fatalf("%v of %s, road %d, at %v: %v with %v of %v into %v", p.Hours, p.Zone, p.Road, now.In(p.Zone), i, needs, ceilings, slots)
			}
			if takes && first == nil {
				first = &i
			}
		}
	}
	got, ok := free.FirstThatTakes()
	if ok != (first != nil) || ok && got.ID != first.ID {
		t.Fatalf("%v of %s at %v: the first is %v, %v, want %v", p.Hours, p.Zone, now.In(p.Zone), got, ok, first)
	}
}

// The shop works from 10:00 to 06:00 of the next day, written as two spans. The intervals before
// midnight are full, so ASAP moves past it. With all full until 06:00 it is disabled.
func TestFreeWork_DisableFull_movesASAPPastMidnightWithinTheSpell(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{0, 360}, Span{600, 1440}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 20}
	now := moscowTime(t, "2026-11-20 22:50")
	full := Minutes{AllGroups: 60}
	used := map[string]Minutes{IDOf(moscowTime(t, "2026-11-20 23:30")): full, IDOf(moscowTime(t, "2026-11-21 00:00")): full}
	asap := p.Intervals(p.Today(now), now)[:1]
	from, to := p.RangeFor(asap, now, notLarge)
	if !from.Equal(moscowTime(t, "2026-11-20 23:30")) || !to.After(moscowTime(t, "2026-11-21 05:30")) || to.After(moscowTime(t, "2026-11-21 06:00")) {
		t.Errorf("the intervals that decide begin from %v to %v", from, to)
	}
	moved := p.FreeWork(now, used, Minutes{AllGroups: 10}, full).DisableFull(asap)[0]
	if moved.Disabled || !moved.Start.Equal(moscowTime(t, "2026-11-21 00:30")) || moved.Day != parseDay(t, "2026-11-21") {
		t.Errorf("got %+v", moved)
	}
	for start := moscowTime(t, "2026-11-21 00:30"); start.Before(moscowTime(t, "2026-11-21 06:00")); start = start.Add(30 * time.Minute) {
		used[IDOf(start)] = full
	}
	if got := p.FreeWork(now, used, Minutes{AllGroups: 10}, full).DisableFull(asap)[0]; !got.Disabled {
		t.Errorf("after the end of the spell: got %+v", got)
	}
}

// usedInRange returns the used minutes of the intervals that begin in the half-open range.
func usedInRange(used map[string]Minutes, from, to time.Time) map[string]Minutes {
	within := map[string]Minutes{}
	for id, minutes := range used {
		if start, err := time.Parse(time.RFC3339, id); err == nil && !start.Before(from) && start.Before(to) {
			within[id] = minutes
		}
	}
	return within
}

// Each case has now, an interval, the first of the earlier starts and how many there are.
func TestPlan_EarlierStarts_goBackToNowOrOpeningPlusCooking(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 840}, Span{960, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 20, Road: 40}
	for _, c := range []struct {
		name, now, interval, first string
		n                          int
	}{
		{"back to now", "2026-11-20 17:15", "2026-11-20 19:00", "2026-11-20 18:00", 2},
		{"not into the time before a break", "2026-11-20 12:00", "2026-11-20 18:00", "2026-11-20 16:30", 3},
		{"not into the day before", "2026-11-20 12:00", "2026-11-21 11:30", "2026-11-21 10:30", 2},
		{"the first of the day", "2026-11-20 12:00", "2026-11-21 11:00", "2026-11-21 10:30", 1},
	} {
		got := p.EarlierStarts(Interval{Start: moscowTime(t, c.interval)}, moscowTime(t, c.now))
		if len(got) != c.n || !got[0].Equal(moscowTime(t, c.first)) {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}
