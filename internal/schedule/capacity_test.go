package schedule

import (
	"testing"

	"servery/internal/site"
)

// Each case says whether an order has room beside what is used, also with nothing needed and
// with more than the ceiling used.
func TestFits_withinTheCeilingOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		used, need, ceiling int
		want                bool
	}{
		{0, 60, 60, true},
		{30, 30, 60, true},
		{31, 30, 60, false},
		{0, 61, 60, false},
		{0, 90, 60, false},
		{90, 1, 60, false},
		{90, 0, 60, true},
	} {
		if got := Fits(c.used, c.need, c.ceiling); got != c.want {
			t.Errorf("Fits(%d, %d, %d) = %v", c.used, c.need, c.ceiling, got)
		}
	}
}

// An order of a group that is full has no room, although the interval as a whole is not full. An
// order of a group without a ceiling has room.
func TestFitsAll_checksEachProductGroup(t *testing.T) {
	t.Parallel()
	used, ceilings := Minutes{AllGroups: 20, 11: 20}, Minutes{AllGroups: 60, 11: 25}
	if FitsAll(used, Minutes{AllGroups: 10, 11: 10}, ceilings) {
		t.Error("group 11 is full")
	}
	if !FitsAll(used, Minutes{AllGroups: 10, 12: 10}, ceilings) {
		t.Error("group 12 has no ceiling")
	}
}

// Of two intervals left today the first is full: it is disabled and ASAP moves to the second.
// With both full all are disabled and the notice says so. The intervals given stay unchanged.
func TestFreeWork_DisableFull_movesASAPToAFreeInterval(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 40}
	now := moscowTime(t, "2026-11-20 20:05")
	today := p.Today(now)
	offered := p.Intervals(today, now)
	full, need := Minutes{AllGroups: 60}, Minutes{AllGroups: 10}

	list := p.FreeWork(now, map[string]Minutes{offered[1].ID: full}, need, full).DisableFull(offered)
	if list[0].Disabled || !list[0].Start.Equal(offered[2].Start) || !list[1].Disabled || list[2].Disabled {
		t.Errorf("got %+v", list)
	}
	if offered[1].Disabled {
		t.Error("the given intervals were changed")
	}
	if _, none := p.Notice(true, now, list, "delivery"); none {
		t.Error("there is something to choose")
	}

	all := map[string]Minutes{offered[1].ID: full, offered[2].ID: full}
	list = p.FreeWork(now, all, need, full).DisableFull(offered)
	if !list[0].Disabled || !list[1].Disabled || !list[2].Disabled {
		t.Errorf("got %+v", list)
	}
	if m, none := p.Notice(true, now, list, "delivery"); !none || m.Key != "schedule.all_taken_delivery" {
		t.Errorf("got %v", m)
	}
}

// Late in the evening the notice says that nothing will be ready today, after closing that the
// shop does not work, and for another day that it is closed.
func TestPlan_Notice_saysWhyADayIsEmpty(t *testing.T) {
	t.Parallel()
	p := Plan{Hours: openEveryDay(Span{600, 1320}), Zone: loadZone(t, "Europe/Moscow"), Cooking: 40}
	for _, c := range []struct {
		now       string
		orderType site.OrderType
		want      string
	}{
		{"2026-11-20 21:30", "delivery", "schedule.not_ready_today"},
		{"2026-11-20 22:30", "delivery", "schedule.delivery_no_longer"},
		{"2026-11-20 22:30", "takeaway", "schedule.shop_no_longer"},
	} {
		now := moscowTime(t, c.now)
		if m, none := p.Notice(true, now, p.Intervals(p.Today(now), now), c.orderType); !none || m.Key != c.want {
			t.Errorf("%s: got %v", c.now, m)
		}
	}
	if m, _ := p.Notice(false, moscowTime(t, "2026-11-20 12:00"), nil, "delivery"); m.Key != "schedule.closed" {
		t.Errorf("got %v", m)
	}
}
