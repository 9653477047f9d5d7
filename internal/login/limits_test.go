package login

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestLimits_doubleTheWaitAfterTenWrongADayToThirtyTwoMinutes(t *testing.T) {
	t.Parallel()
	l, now := DefaultLimits().Wrong, noon
	var b budget
	var waits []time.Duration
	for range 18 {
		if wait := b.waitTime(now, l); wait > 0 {
			waits = append(waits, wait/time.Minute)
			if b.waitTime(now.Add(wait-time.Millisecond), l) == 0 {
				t.Errorf("the wait of %v ends early", wait)
			}
			now = now.Add(wait)
		}
		b = b.countWrong(now, l)
	}
	want := []time.Duration{1, 2, 4, 8, 16, 32, 32, 32}
	if len(waits) != len(want) {
		t.Fatalf("waits of minutes %d", waits)
	}
	for i := range want {
		if waits[i] != want[i] {
			t.Fatalf("waits of minutes %d, want %d", waits, want)
		}
	}
	if b.waitTime(noon.Add(24*time.Hour), l) != 0 || b.settledAt(noon.Add(24*time.Hour), l).today != 0 {
		t.Error("the next day is not free")
	}
}

func TestLimits_wantLongCodesAfterTwentyWrongUntilAQuietMonth(t *testing.T) {
	t.Parallel()
	l := DefaultLimits().Wrong
	var b budget
	for n := range 20 {
		if got := b.codeLength(noon, 4, l); got != 4 {
			t.Errorf("after %d wrong: %d digits", n, got)
		}
		b = b.countWrong(noon, l)
	}
	quiet := noon.Add(30 * 24 * time.Hour)
	for name, got := range map[string]int{
		"at once": b.codeLength(noon, 4, l), "after a right one": b.countWrong(noon, l).countRight(noon).codeLength(noon, 4, l),
		"before a month is over": b.codeLength(quiet.Add(-time.Millisecond), 4, l),
	} {
		if got != 6 {
			t.Errorf("%s: %d digits", name, got)
		}
	}
	if got := b.codeLength(quiet, 4, l); got != 4 {
		t.Errorf("after a quiet month: %d digits", got)
	}
}

func TestLimits_blockAPhoneAfterAHundredWrongForNinetyDays(t *testing.T) {
	t.Parallel()
	l := DefaultLimits().Wrong
	var b budget
	for range 100 {
		if b.isStopped(noon, l) {
			t.Fatal("stopped too early")
		}
		b = b.countWrong(noon, l)
	}
	const day = 24 * time.Hour
	if !b.isStopped(noon.Add(90*day-1), l) || b.waitTime(noon.Add(day), l) != 89*day || b.isStopped(noon.Add(90*day), l) {
		t.Errorf("stopped %v, wait %v", b.isStopped(noon, l), b.waitTime(noon.Add(day), l))
	}
	if b = b.countWrong(noon, l).countRight(noon); b.isStopped(noon, l) || b.inRow != 0 || b.wrong != 100 {
		t.Errorf("a right one leaves %+v", b)
	}
}

func TestLimits_restoreTheBudgetWhenATryIsReleased(t *testing.T) {
	t.Parallel()
	l := DefaultLimits().Wrong
	b := budget{inRow: 3, wrong: 7, today: 9, dayBegan: noon, wrongAt: noon}
	if got := b.countWrong(noon, l).uncountWrong(noon); got.inRow != 3 || got.wrong != 7 || got.today != 9 || got.waitTime(noon, l) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLimits_waitBetweenCodes(t *testing.T) {
	t.Parallel()
	l := DefaultLimits().Sends
	ago := func(minutes ...int) (sent []time.Time) {
		for _, m := range minutes {
			sent = append(sent, noon.Add(-time.Duration(m)*time.Minute))
		}
		return sent
	}
	for name, c := range map[string]struct {
		sent  []time.Time
		timer time.Duration
		want  time.Duration
	}{
		"none":                         {nil, 0, 0},
		"one just now":                 {ago(0), 0, time.Minute},
		"one, with the site's timer":   {ago(0), 90 * time.Second, 90 * time.Second},
		"a short timer":                {ago(0), 30 * time.Second, 30 * time.Second},
		"two":                          {ago(0, 1), 30 * time.Second, 2 * time.Minute},
		"two, with a long timer":       {ago(0, 1), 4 * time.Minute, 4 * time.Minute},
		"three in ten minutes":         {ago(0, 2, 4), 0, 6 * time.Minute},
		"three in an hour":             {ago(0, 20, 40), 0, 5 * time.Minute},
		"a minute later":               {ago(1), 0, 0},
		"one of an hour ago":           {ago(0, 60), 0, time.Minute},
		"eight in a day":               {ago(10, 100, 200, 300, 400, 500, 600, 700), 0, 1440*time.Minute - 700*time.Minute},
		"eight, one of the day before": {ago(10, 100, 200, 300, 400, 500, 600, 1440), 0, 0},
	} {
		if got := sendWait(c.sent, noon, c.timer, l); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestRange_isPumpedWhenTooMuchIsSentOrTooFewSignIn(t *testing.T) {
	t.Parallel()
	l := DefaultLimits().Prefix
	for name, c := range map[string]struct {
		traffic traffic
		want    verdict
	}{
		"nothing yet":                    {traffic{}, pass},
		"a busy hour":                    {traffic{hourSent: 24, daySent: 24}, pass},
		"five times the least hour":      {traffic{hourSent: 25, daySent: 25, dayPassed: 25}, needCaptcha},
		"ten times":                      {traffic{hourSent: 50, daySent: 50, dayPassed: 50}, stop},
		"five times where it is usual":   {traffic{hourSent: 99, daySent: 99, dayPassed: 99, beforeSent: 2000, hours: 100}, pass},
		"more than five times the usual": {traffic{hourSent: 100, daySent: 100, dayPassed: 99, beforeSent: 2000, hours: 100}, needCaptcha},
		"few of fifty sign in":           {traffic{daySent: 50, dayPassed: 9}, needCaptcha},
		"enough of fifty sign in":        {traffic{daySent: 50, dayPassed: 10}, pass},
		"few of sixty sign in":           {traffic{daySent: 60, dayPassed: 11}, stop},
	} {
		if got := c.traffic.pumpVerdict(l); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestSite_isUnderAttackWhenThriceTheUsualShareIsWrong(t *testing.T) {
	t.Parallel()
	l := DefaultLimits().Alarm
	for name, c := range map[string]struct {
		traffic traffic
		want    bool
	}{
		"a few wrong":                   {traffic{checked: 49, wrong: 49}, false},
		"fifty wrong":                   {traffic{checked: 50, wrong: 50}, true},
		"a usual share":                 {traffic{checked: 200, wrong: 60}, false},
		"more than thrice ten per cent": {traffic{checked: 200, wrong: 61}, true},
		"where a fifth is usual":        {traffic{checked: 200, wrong: 119, beforeChecked: 1000, beforeWrong: 200}, false},
		"where all was wrong before":    {traffic{checked: 100, wrong: 61, beforeChecked: 1000, beforeWrong: 1000}, true},
	} {
		if got := c.traffic.isAttack(l); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCodes_areSpreadEvenlyAndDifferBySaltSiteAndPhone(t *testing.T) {
	t.Parallel()
	secret, salt := []byte("a secret"), []byte("salt")
	base := codeOf(secret, salt, "sushi", "79160000001", 40)
	if again := codeOf(secret, salt, "sushi", "79160000001", 40); again != base {
		t.Error("the code is another one each time")
	}
	for name, other := range map[string]string{
		"secret": codeOf([]byte("another"), salt, "sushi", "79160000001", 40), "salt": codeOf(secret, []byte("pepper"), "sushi", "79160000001", 40),
		"site": codeOf(secret, salt, "pizza", "79160000001", 40), "phone": codeOf(secret, salt, "sushi", "79160000002", 40),
	} {
		if other == base {
			t.Errorf("another %s has the same code", name)
		}
	}
	var digits [10]int
	for range 1000 {
		for _, d := range codeOf(secret, newSalt(), "sushi", "79160000001", 10) {
			digits[d-'0']++
		}
	}
	for d, n := range digits { // 1000 of each are expected, 30 is the deviation
		if n < 800 || n > 1200 {
			t.Errorf("%d comes %d times of 10000", d, n)
		}
	}
}
