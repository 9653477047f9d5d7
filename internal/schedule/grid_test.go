package schedule

import (
	"slices"
	"testing"
)

// A pause and a full kitchen disable intervals for those who look then: what all visitors share stays as it is.
func TestPlan_Intervals_areNotChangedByWhatAnotherVisitorSees(t *testing.T) {
	t.Parallel()
	paused := pausedPlan(t)
	now := moscowTime(t, "2026-11-20 18:05")
	plan := paused.withoutPause()
	before := plan.Intervals(plan.Today(now), now)
	if list := paused.Intervals(plan.Today(now), now); !list[0].Disabled {
		t.Fatalf("in a pause %+v can be chosen", list[0])
	}
	full := plan.FreeWork(now, nil, Minutes{AllGroups: 10}, Minutes{AllGroups: 0}).DisableFull(plan.Intervals(plan.Today(now), now))
	if !full[len(full)-1].Disabled {
		t.Fatalf("without any work %+v can be chosen", full[len(full)-1])
	}
	if after := plan.Intervals(plan.Today(now), now); !slices.Equal(before, after) {
		t.Errorf("another visitor gets\n%+v\nnot\n%+v", after, before)
	}
}
