package schedule

import (
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/lang"
	"servery/internal/site"
)

// Each case has a time, hours and when the shift ends. Work that goes on for days is of a shift a day.
func TestHours_ShiftEnd_isNoMoreThanADayAhead(t *testing.T) {
	t.Parallel()
	weekend := Hours{Default: map[int][]Span{5: {{600, 1440}}, 6: {{0, 1440}}, 7: {{0, 1380}}}}
	for _, c := range []struct {
		name, now string
		hours     Hours
		want      string
	}{
		{"at closing time", "2026-11-20 12:00", openEveryDay(Span{600, 1320}), "2026-11-20 22:00"},
		{"at night", "2026-11-20 23:00", openEveryDay(Span{600, 1560}), "2026-11-21 02:00"},
		{"at night, written as two days", "2026-11-20 23:00", openEveryDay(Span{0, 120}, Span{600, 1440}), "2026-11-21 02:00"},
		{"after a whole day", "2026-11-20 12:00", Hours{Default: map[int][]Span{5: {{600, 2040}}}}, "2026-11-21 10:00"},
		{"around the clock", "2026-11-20 12:00", openEveryDay(Span{0, 1440}), "2026-11-21 00:00"},
		{"on the first day of a weekend around the clock", "2026-11-20 18:00", weekend, "2026-11-21 00:00"},
		{"late on its second day", "2026-11-21 23:30", weekend, "2026-11-22 00:00"},
		{"on its last day", "2026-11-22 12:00", weekend, "2026-11-22 23:00"},
		{"never while closed", "2026-11-20 23:00", openEveryDay(Span{600, 1320}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			end, isWorking := c.hours.ShiftEnd(moscowTime(t, c.now), loadZone(t, "Europe/Moscow"))
			if isWorking != (c.want != "") || isWorking && !end.Equal(moscowTime(t, c.want)) {
				t.Errorf("%v %v, want %q", end, isWorking, c.want)
			}
		})
	}
}

// Each case has a time and hours, and whether the shop is open, the minutes until it closes,
// the reason, and when it closes or opens.
func TestHours_StateAt_hasTheReasonAndTheNextChange(t *testing.T) {
	t.Parallel()
	night := openEveryDay(Span{600, 1560})
	night.Custom = map[clock.Day][]Span{parseDay(t, "2026-11-25"): {}}
	split := openEveryDay(Span{600, 840}, Span{960, 1320})
	for _, c := range []struct {
		name, now     string
		hours         Hours
		open          bool
		closesIn      int
		reason        Reason
		closes, opens string
	}{
		{"open by day", "2026-11-20 12:00", night, true, 0, Works, "2026-11-21 02:00", ""},
		{"open past midnight", "2026-11-21 00:30", night, true, 0, Works, "2026-11-21 02:00", ""},
		{"an hour left", "2026-11-21 01:00", night, true, 0, Works, "2026-11-21 02:00", ""},
		{"59 minutes left", "2026-11-21 01:01", night, true, 59, Works, "2026-11-21 02:00", ""},
		{"one minute left", "2026-11-21 01:59", night, true, 1, Works, "2026-11-21 02:00", ""},
		{"the end is closed", "2026-11-21 02:00", night, false, 0, NoLonger, "", "2026-11-21 10:00"},
		{"before 04:00 the shift is over", "2026-11-21 03:59", night, false, 0, NoLonger, "", "2026-11-21 10:00"},
		{"from 04:00 the next one is to come", "2026-11-21 04:00", night, false, 0, NotYet, "", "2026-11-21 10:00"},
		{"closed date", "2026-11-25 12:00", night, false, 0, ClosedToday, "", "2026-11-26 10:00"},
		{"the shift before a closed date", "2026-11-25 01:30", night, true, 30, Works, "2026-11-25 02:00", ""},
		{"night after a closed date", "2026-11-26 02:00", night, false, 0, ClosedToday, "", "2026-11-26 10:00"},
		{"midday break", "2026-11-20 15:00", split, false, 0, NotYet, "", "2026-11-20 16:00"},
		{"before the break", "2026-11-20 13:30", split, true, 30, Works, "2026-11-20 14:00", ""},
		{"after the day", "2026-11-20 22:00", split, false, 0, NoLonger, "", "2026-11-21 10:00"},
		{"around the clock", "2026-11-20 23:59", openEveryDay(Span{0, 1440}), true, 0, Works, "", ""},
		{"no hours at all", "2026-11-20 12:00", Hours{}, false, 0, ClosedToday, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := c.hours.StateAt(moscowTime(t, c.now), loadZone(t, "Europe/Moscow"))
			if s.Open != c.open || s.ClosesIn != c.closesIn || s.Reason != c.reason {
				t.Errorf("got %+v", s)
			}
			for _, pair := range []struct {
				got  time.Time
				want string
			}{{s.ClosesAt, c.closes}, {s.OpensAt, c.opens}} {
				if pair.want == "" && !pair.got.IsZero() || pair.want != "" && !pair.got.Equal(moscowTime(t, pair.want)) {
					t.Errorf("got %v, want %q", pair.got, pair.want)
				}
			}
		})
	}
}

// ClosesIn counts a begun minute as a whole one, up to 59; with more it is 0.
func TestHours_StateAt_roundsClosesInUp(t *testing.T) {
	t.Parallel()
	h, loc := openEveryDay(Span{600, 1320}), loadZone(t, "Europe/Moscow")
	end := moscowTime(t, "2026-11-20 22:00")
	for left, want := range map[time.Duration]int{
		time.Second: 1, 90 * time.Second: 2, 59 * time.Minute: 59, 59*time.Minute + time.Second: 0,
	} {
		if got := h.StateAt(end.Add(-left), loc).ClosesIn; got != want {
			t.Errorf("%v before the end: got %d, want %d", left, got, want)
		}
	}
}

// Each case has a time, hours and the minutes of cooking, and the end of the last hour, empty where
// it is not the last hour. Before a break and around the clock it never is.
func TestPlan_LastHourUntil_isTheLastOrderTimeOfTheShift(t *testing.T) {
	t.Parallel()
	night, split := openEveryDay(Span{600, 1560}), openEveryDay(Span{600, 840}, Span{960, 1320})
	for _, c := range []struct {
		name, now string
		hours     Hours
		lead      int
		want      string
	}{
		{"a minute too early", "2026-11-21 00:59", night, 0, ""},
		{"night shift", "2026-11-21 01:00", night, 0, "2026-11-21 02:00"},
		{"last minute", "2026-11-21 01:59", night, 0, "2026-11-21 02:00"},
		{"over", "2026-11-21 02:00", night, 0, ""},
		{"an hour before the last order", "2026-11-21 00:40", night, 20, "2026-11-21 01:40"},
		{"a minute earlier", "2026-11-21 00:39", night, 20, ""},
		{"at the last order", "2026-11-21 01:40", night, 20, "2026-11-21 01:40"},
		{"after the last order", "2026-11-21 01:41", night, 20, ""},
		{"before a break", "2026-11-20 13:30", split, 0, ""},
		{"end of a split day", "2026-11-20 21:00", split, 0, "2026-11-20 22:00"},
		{"around the clock", "2026-11-20 23:30", openEveryDay(Span{0, 1440}), 0, ""},
		{"short shift", "2026-11-20 10:00", openEveryDay(Span{600, 630}), 0, "2026-11-20 10:30"},
		{"closed", "2026-11-20 12:00", Hours{}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan := Plan{Hours: c.hours, Zone: loadZone(t, "Europe/Moscow"), Cooking: c.lead}
			want := time.Time{}
			if c.want != "" {
				want = moscowTime(t, c.want)
			}
			if got := plan.LastHourUntil(moscowTime(t, c.now)); !got.Equal(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// Six states and both order types have nine different messages, and all of them have a text.
func TestState_Message_existsForEachStateAndOrderType(t *testing.T) {
	t.Parallel()
	end := moscowTime(t, "2026-11-20 22:00")
	seen := map[string]bool{}
	for _, s := range []State{
		{Open: true},
		{Open: true, ClosesAt: end},
		{Open: true, ClosesAt: end, ClosesIn: 5},
		{Reason: NotYet},
		{Reason: NoLonger},
		{Reason: ClosedToday},
	} {
		for _, orderType := range site.OrderTypes() {
			m := s.Message(orderType, loadZone(t, "Europe/Moscow"))
			seen[m.Key] = true
			if lang.T(lang.DE, m.Key, m.Args) == m.Key {
				t.Errorf("no words for %s", m.Key)
			}
		}
	}
	if len(seen) != 9 {
		t.Errorf("got %d different messages, want 9: %v", len(seen), seen)
	}
}

// In the night the next opening may be on the same date: an order for tomorrow would come a day late.
func TestState_Message_asksForTomorrowOnlyWhereTheShopOpensThen(t *testing.T) {
	t.Parallel()
	loc := loadZone(t, "Europe/Moscow")
	daily := openEveryDay(Span{600, 1320})
	closedOnFriday := openEveryDay(Span{600, 1320})
	closedOnFriday.Default[5] = nil
	for _, c := range []struct {
		now              string
		hours            Hours
		delivery, pickUp string
	}{
		{"2026-11-20 22:30", daily, "schedule.delivery_no_longer", "schedule.shop_no_longer"},
		{"2026-11-21 00:30", daily, "schedule.delivery_not_yet", "schedule.shop_not_yet"},
		{"2026-11-20 12:00", closedOnFriday, "schedule.delivery_closed_today", "schedule.shop_closed_today"},
		{"2026-11-21 00:30", closedOnFriday, "schedule.delivery_not_yet", "schedule.shop_not_yet"},
	} {
		state := c.hours.StateAt(moscowTime(t, c.now), loc)
		if delivery, pickUp := state.Message(site.Delivery, loc).Key, state.Message(site.Takeaway, loc).Key; delivery != c.delivery || pickUp != c.pickUp {
			t.Errorf("%s: %s and %s", c.now, delivery, pickUp)
		}
	}
}

// The shop is open from Friday morning to Sunday at 23:00. While that is more than a day away, the hour at which it
// closes is not that of today.
func TestState_Message_namesTheClosingTimeOfTheNextDayOnly(t *testing.T) {
	t.Parallel()
	weekend := Hours{Default: map[int][]Span{5: {{600, 1440}}, 6: {{0, 1440}}, 7: {{0, 1380}}}}
	loc := loadZone(t, "Europe/Moscow")
	for now, want := range map[string]struct{ key, validUntil string }{
		"2026-11-20 18:00": {"schedule.open_always", "2026-11-21 23:00"},
		"2026-11-21 22:59": {"schedule.open_always", "2026-11-21 23:00"},
		"2026-11-21 23:00": {"schedule.open_until", "2026-11-22 22:01"},
	} {
		state := weekend.StateAt(moscowTime(t, now), loc)
		if m := state.Message(site.Takeaway, loc); m.Key != want.key {
			t.Errorf("at %s it is %s, want %s", now, m.Key, want.key)
		}
		if until := state.ValidUntil(moscowTime(t, now), loc); !until.Equal(moscowTime(t, want.validUntil)) {
			t.Errorf("at %s it is valid until %v, want %s", now, until, want.validUntil)
		}
	}
}

// The shop works on Tuesdays from 10:00 to 22:00. Each case has a time and until when its
// state stays the same. Around the clock that is zero.
func TestState_ValidUntil(t *testing.T) {
	t.Parallel()
	loc := time.FixedZone("city", 3*60*60)
	hours := Hours{Default: map[int][]Span{2: {{From: 10 * 60, To: 22 * 60}}}} // Tuesdays
	at := func(day, hour, minute, second int) time.Time {
		return time.Date(2026, time.November, day, hour, minute, second, 0, loc)
	}
	for name, c := range map[string]struct{ now, want time.Time }{
		"before opening":          {at(24, 8, 0, 0), at(24, 10, 0, 0)},
		"open":                    {at(24, 12, 0, 0), at(24, 21, 1, 0)},
		"in the last hour":        {at(24, 21, 30, 20), at(24, 21, 31, 0)},
		"in the last minute":      {at(24, 21, 59, 30), at(24, 22, 0, 0)},
		"closed":                  {at(24, 22, 0, 0), at(25, 0, 0, 0)},
		"closed, before the dawn": {at(25, 3, 0, 0), at(25, 4, 0, 0)},
	} {
		if got := hours.StateAt(c.now, loc).ValidUntil(c.now, loc); !got.Equal(c.want) {
			t.Errorf("%s: until %v, want %v", name, got, c.want)
		}
	}
	always := Hours{Default: map[int][]Span{}}
	for day := 1; day <= 7; day++ {
		always.Default[day] = []Span{{From: 0, To: 24 * 60}}
	}
	if got := always.StateAt(at(24, 12, 0, 0), loc).ValidUntil(at(24, 12, 0, 0), loc); !got.IsZero() {
		t.Errorf("around the clock: until %v", got)
	}
}
