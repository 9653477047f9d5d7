package schedule

import (
	"errors"
	"slices"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/site"
)

// pausedPlan returns the plan of a shop that works from 10:00 to 22:00 and cooks for half an hour. Its
// kitchen is paused until 19:45 on 2026-11-20, the day of the tests.
func pausedPlan(t *testing.T) Plan {
	t.Helper()
	return Plan{
		Hours: openEveryDay(Span{600, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 30,
		Kitchen: Kitchen{PausedUntil: moscowTime(t, "2026-11-20 19:45")},
	}
}

// While the kitchen is paused there is no 'as soon as possible'. The times that the pause takes away are
// listed and cannot be chosen; the first that can is half an hour of cooking after the pause. The notice
// says until when. At the end of the pause all is as before.
func TestPlan_Intervals_ofAPausedKitchenBeginAfterThePause(t *testing.T) {
	t.Parallel()
	p := pausedPlan(t)
	now := moscowTime(t, "2026-11-20 18:05")
	var paused, free []string
	for _, i := range p.Intervals(p.Today(now), now) {
		if i.IsPaused != i.Disabled {
			t.Errorf("%s: paused %v, disabled %v", i.Title, i.IsPaused, i.Disabled)
		}
		if i.IsPaused {
			paused = append(paused, i.Title)
		} else {
			free = append(free, i.Title)
		}
	}
	if !slices.Equal(paused, []string{"19:00–19:30", "19:30–20:00", "20:00–20:30"}) || !slices.Equal(free, []string{"20:30–21:00", "21:00–21:30", "21:30–22:00"}) {
		t.Errorf("paused %v, free %v", paused, free)
	}
	list := p.FreeWork(now, nil, Minutes{AllGroups: 1}, Minutes{AllGroups: 5}).DisableFull(p.Intervals(p.Today(now), now))
	if !list[0].IsPaused || !list[0].Disabled {
		t.Errorf("with capacity the paused one is %+v", list[0])
	}
	message, isNone := p.Notice(true, now, list, site.Delivery)
	if isNone || message.Key != "schedule.pause_notice_until" || message.Args["time"] != "19:45" {
		t.Errorf("the notice is %v, none to choose %v", message, isNone)
	}
	now = p.Kitchen.PausedUntil
	if list := p.Intervals(p.Today(now), now); !list[0].IsASAP() || list[1].IsPaused || list[1].Title != "20:30–21:00" {
		t.Errorf("after the pause: %+v", list)
	}
	if message, isNone := p.Notice(true, now, p.Intervals(p.Today(now), now), site.Delivery); isNone || message.Key != "" {
		t.Errorf("after the pause the notice is %v", message)
	}
}

// The notice of a pause until the end of work says when the shop opens again. There is nothing to choose
// today; the times of tomorrow are not affected.
func TestPlan_Notice_ofAPauseUntilTheEndOfWorkNamesTheNextOpening(t *testing.T) {
	t.Parallel()
	p := pausedPlan(t)
	p.Kitchen.PausedUntil = moscowTime(t, "2026-11-20 22:00")
	now := moscowTime(t, "2026-11-20 18:05")
	message, isNone := p.Notice(true, now, p.Intervals(p.Today(now), now), site.Takeaway)
	if !isNone || message.Key != "schedule.pause_notice_until_date" || message.Args["time"] != "10:00" || message.Args["date"] != (clock.Day{Year: 2026, Month: 11, Day: 21}) {
		t.Errorf("got %v, none to choose %v", message, isNone)
	}
	tomorrow := p.Today(now).Add(1)
	list := p.Intervals(tomorrow, now)
	if list[0].Title != "10:30–11:00" || list[0].Disabled {
		t.Errorf("tomorrow begins with %+v", list[0])
	}
	if message, isNone := p.Notice(false, now, list, site.Takeaway); isNone || message.Key != "" {
		t.Errorf("the notice of tomorrow is %v", message)
	}
}

// An interval that falls in the pause is refused with the end of the pause. One that can be cooked after
// the pause can be ordered.
func TestPlan_Resolve_refusesWhatFallsInAPause(t *testing.T) {
	t.Parallel()
	p := pausedPlan(t)
	now := moscowTime(t, "2026-11-20 18:05")
	for id, want := range map[string]string{
		ASAP:                                    "schedule.pause_notice_until",
		IDOf(moscowTime(t, "2026-11-20 19:30")): "schedule.pause_notice_until",
		IDOf(moscowTime(t, "2026-11-20 20:00")): "schedule.pause_notice_until", // it could not be cooked
		IDOf(moscowTime(t, "2026-11-20 18:30")): "schedule.past",
		IDOf(moscowTime(t, "2026-11-20 20:30")): "",
		IDOf(moscowTime(t, "2026-11-21 10:30")): "",
	} {
		_, err := p.Resolve(id, now)
		if f, _ := fault.Of(err); want == "" && err != nil || want != "" && (f == nil || f.Message.Key != want || f.Code != fault.Conflict) {
			t.Errorf("%s: got %v, want %q", id, err, want)
		}
	}
}

// CheckPause refuses an interval that begins in the pause, and 'as soon as possible'. It allows one that
// begins too soon after the pause to be cooked.
func TestPlan_CheckPause_refusesWhatBeginsInThePause(t *testing.T) {
	t.Parallel()
	p := pausedPlan(t)
	now := moscowTime(t, "2026-11-20 18:05")
	refusal := fault.New(fault.Conflict, "schedule.pause_notice_until")
	soon := p.At(moscowTime(t, "2026-11-20 20:00"))
	if err := p.CheckPause(soon, now); err != nil {
		t.Errorf("at 20:00: %v", err)
	}
	soon.ID = ASAP
	for _, i := range []Interval{soon, p.At(moscowTime(t, "2026-11-20 19:30"))} {
		if err := p.CheckPause(i, now); !errors.Is(err, refusal) {
			t.Errorf("%+v: %v", i, err)
		}
		if err := p.CheckPause(i, p.Kitchen.PausedUntil); err != nil {
			t.Errorf("%+v after the pause: %v", i, err)
		}
	}
}

// While the kitchen is busy by twenty minutes, 'as soon as possible' and the first time are twenty minutes
// later. Of two busy times the longer one counts, and each ends by itself.
func TestPlan_Intervals_moveWhileTheKitchenIsBusy(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 30}
	p.Kitchen.Busy = []Busy{{Minutes: 20, Until: moscowTime(t, "2026-11-20 20:00")}, {Minutes: 60, Until: moscowTime(t, "2026-11-20 18:00")}}
	for _, c := range []struct{ now, ready, first string }{
		{"2026-11-20 17:50", "2026-11-20 19:20", "19:30–20:00"},
		{"2026-11-20 18:00", "2026-11-20 18:50", "19:00–19:30"},
		{"2026-11-20 19:59", "2026-11-20 20:49", "21:00–21:30"},
		{"2026-11-20 20:00", "2026-11-20 20:30", "20:30–21:00"},
	} {
		now := moscowTime(t, c.now)
		list := p.Intervals(p.Today(now), now)
		from, _ := p.Handover(list[0], now)
		if !list[0].IsASAP() || !from.Equal(moscowTime(t, c.ready)) || list[1].Title != c.first {
			t.Errorf("at %s: ready at %v, first %s", c.now, from.In(p.Zone), list[1].Title)
		}
		if _, err := p.Resolve(list[1].ID, now); err != nil {
			t.Errorf("at %s: %v", c.now, err)
		}
	}
	now := moscowTime(t, "2026-11-20 21:15")
	if until := p.LastHourUntil(now); !until.Equal(moscowTime(t, "2026-11-20 21:30")) {
		t.Errorf("the last hour ends at %v", until)
	}
}

// A shop whose kitchen is paused is closed for that reason until the end of the pause, or until it closes
// by its hours. The message names the end, with the date of another day.
func TestKitchen_StateAt_isPausedWhileTheShopWouldBeOpen(t *testing.T) {
	t.Parallel()
	hours, loc := openEveryDay(Span{600, 1320}), loadZone(t, "Europe/Moscow")
	for name, c := range map[string]struct {
		until, now, key, time, validUntil string
	}{
		"in the pause":             {"2026-11-20 19:45", "2026-11-20 18:05", "schedule.paused_until", "19:45", "2026-11-20 19:45"},
		"until closing":            {"2026-11-20 22:00", "2026-11-20 18:05", "schedule.paused_until_date", "10:00", "2026-11-20 22:00"},
		"until noon of tomorrow":   {"2026-11-21 12:00", "2026-11-20 18:05", "schedule.paused_until_date", "12:00", "2026-11-20 22:00"},
		"at its end":               {"2026-11-20 19:45", "2026-11-20 19:45", "schedule.open_until", "22:00", "2026-11-20 21:01"},
		"before the shop opens":    {"2026-11-20 19:45", "2026-11-20 08:00", "schedule.shop_not_yet", "", "2026-11-20 10:00"},
		"of a kitchen without one": {"2026-11-20 00:00", "2026-11-20 18:05", "schedule.open_until", "22:00", "2026-11-20 21:01"},
	} {
		now := moscowTime(t, c.now)
		state := Kitchen{PausedUntil: moscowTime(t, c.until)}.StateAt(hours, now, loc)
		message := state.Message(site.Takeaway, loc)
		if got, _ := message.Args["time"].(string); message.Key != c.key || got != c.time {
			t.Errorf("%s: got %v", name, message)
		}
		if until := state.ValidUntil(now, loc); !until.Equal(moscowTime(t, c.validUntil)) {
			t.Errorf("%s: valid until %v", name, until.In(loc))
		}
	}
}

// The overview has every time of the day, from the first hour to the last, with the reason why it takes
// no order.
func TestPlan_Overview_saysWhyEachTimeIsClosed(t *testing.T) {
	t.Parallel()
	day := clock.Day{Year: 2026, Month: 11, Day: 20}
	p := pausedPlan(t)
	p.Length = 60
	p.Hours.Custom = map[clock.Day][]Span{day: {{From: 660, To: 840}, {From: 960, To: 1380}}}
	p.Kitchen.Busy = []Busy{{Minutes: 60, Until: moscowTime(t, "2026-11-20 19:50")}}
	now := moscowTime(t, "2026-11-20 16:20")
	full := map[string]Minutes{IDOf(moscowTime(t, "2026-11-20 22:00")): {AllGroups: 5}}
	var got []string
	for _, i := range p.Overview(day, now, full, Minutes{AllGroups: 5}) {
		got = append(got, i.Title[:5]+" "+string(i.Closed))
	}
	want := []string{
		"10:00 holiday", "11:00 past", "12:00 past", "13:00 past", "14:00 holiday", "15:00 holiday", "16:00 past",
		"17:00 busy", "18:00 pause", "19:00 pause", "20:00 pause", "21:00 pause", "22:00 capacity",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	morning := moscowTime(t, "2026-11-20 08:00")
	p.Kitchen = Kitchen{}
	first := p.Overview(day, morning, nil, nil)[1]
	if first.Title != "11:00–12:00" || first.Closed != ClosedByHours {
		t.Errorf("before the kitchen has cooked: %+v", first)
	}
	off := Plan{Hours: Hours{Custom: map[clock.Day][]Span{day: {}}}, Zone: p.Zone}
	if list := off.Overview(day, now, nil, nil); len(list) != 0 {
		t.Errorf("a day without any hours has %v", list)
	}
}

// The delay of a busy kitchen is that of the longest busy time. It changes when the first busy time ends.
func TestKitchen_DelayUntil_isTheFirstEnd(t *testing.T) {
	t.Parallel()
	noon := moscowTime(t, "2026-11-20 12:00")
	k := Kitchen{Busy: []Busy{{Minutes: 30, Until: noon.Add(time.Hour)}, {Minutes: 10, Until: noon.Add(time.Minute)}, {Minutes: 90, Until: noon}}}
	if until := k.DelayUntil(noon); !until.Equal(noon.Add(time.Minute)) || k.Delay(noon) != 30*time.Minute {
		t.Errorf("delayed by %v until %v", k.Delay(noon), until)
	}
	if until := (Kitchen{}).DelayUntil(noon); !until.IsZero() {
		t.Errorf("got %v", until)
	}
}
