package server

import (
	"testing"
	"time"
)

func TestDoor_sendsVisitorsAwayForLongerTheMoreAreRefused(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		letIn, refused    int
		earliest, longest time.Duration
	}{
		"the first":               {0, 0, 2 * time.Second, 4 * time.Second},
		"as many as are let in":   {100, 100, 2 * time.Second, 4 * time.Second},
		"five for each let in":    {100, 500, 10 * time.Second, 20 * time.Second},
		"a hundred for each":      {10, 1000, 20 * time.Second, 40 * time.Second},
		"none is let in any more": {0, 1000, 20 * time.Second, 40 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d door
			for range c.letIn {
				d.countLetIn(start)
			}
			for range c.refused {
				d.countRefused(start)
			}
			var shortest, longest time.Duration
			for range returnSteps {
				wait := d.countRefused(start.Add(time.Second))
				if shortest == 0 || wait < shortest {
					shortest = wait
				}
				longest = max(longest, wait)
			}
			if shortest != c.earliest || longest < c.longest*9/10 || longest > c.longest {
				t.Errorf("sent away for %v to %v, not for %v to %v", shortest, longest, c.earliest, c.longest)
			}
		})
	}
}

func TestDoor_forgetsACrowdThatIsGone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
	var d door
	for range 1000 {
		d.countRefused(now)
	}
	if wait := d.countRefused(now.Add(doorPeriod)); wait < latestReturn {
		t.Errorf("in the next period visitors are sent away for %v", wait)
	}
	if wait := d.countRefused(now.Add(3 * doorPeriod)); wait >= 2*soonestReturn {
		t.Errorf("after the crowd is gone visitors are sent away for %v", wait)
	}
}
