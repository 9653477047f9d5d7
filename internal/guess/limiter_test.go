package guess_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/guess"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// countGuesses makes up to 1000 wrong guesses at noon, the i-th being of(i). It returns how many
// Attempt allowed and the bound that refused the next one.
func countGuesses(l *guess.Limiter, of func(i int) guess.Guess) (n int, by guess.Bound) {
	for ; n < 1000; n++ {
		if _, by = l.Attempt(of(n), noon); by != guess.Unbound {
			break
		}
		l.Fail(of(n), noon)
	}
	return n, by
}

// With limits of 10 a session, 30 an address and 100 a site, each case says how many wrong
// guesses pass and which bound refuses the next.
func TestLimiter_countsBySessionThenAddressThenSite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   func(i int) guess.Guess
		want int
		by   guess.Bound
	}{
		"one session": {func(int) guess.Guess { return guess.Guess{SessionID: 1, Site: "sushi", Address: "a"} }, 10, guess.Own},
		"one session from many addresses": {func(i int) guess.Guess {
			return guess.Guess{SessionID: 1, Site: "sushi", Address: fmt.Sprint(i)}
		}, 10, guess.Own},
		"one address": {func(i int) guess.Guess { return guess.Guess{SessionID: int64(i + 1), Site: "sushi", Address: "a"} }, 30, guess.Shared},
		"many addresses": {func(i int) guess.Guess {
			return guess.Guess{SessionID: int64(i + 1), Site: "sushi", Address: fmt.Sprint(i)}
		}, 100, guess.Shared},
		"a customer in many sessions": {func(i int) guess.Guess {
			return guess.Guess{CustomerID: 7, SessionID: int64(i + 1), Site: "sushi", Address: fmt.Sprint(i)}
		}, 10, guess.Own},
		"a customer who may pass what is shared": {func(int) guess.Guess { return guess.Guess{CustomerID: 7, PassesShared: true} }, 10, guess.Own},
	} {
		l := guess.NewLimiter(guess.Limits{PerSession: 10, PerAddress: 30, PerSite: 100})
		if got, by := countGuesses(l, c.of); got != c.want || by != c.by {
			t.Errorf("%s: %d are looked at, bound by %d", name, got, by)
		}
	}
}

// The limit of a site is reached. A stranger has to wait for the rest of ten minutes. A visitor
// with a captcha, a customer and a visitor of another site pass.
func TestLimiter_leavesOthersOfASharedBoundThatMayPassIt(t *testing.T) {
	t.Parallel()
	l := guess.NewLimiter(guess.Limits{PerSession: 10, PerAddress: 30, PerSite: 100})
	countGuesses(l, func(i int) guess.Guess {
		return guess.Guess{SessionID: int64(i + 1), Site: "sushi", Address: fmt.Sprint(i)}
	})
	if wait, by := l.Attempt(guess.Guess{SessionID: 999, Site: "sushi", Address: "b"}, noon.Add(time.Minute)); wait != 9*time.Minute || by != guess.Shared {
		t.Errorf("a stranger waits %v, bound by %d", wait, by)
	}
	for name, g := range map[string]guess.Guess{
		"with a captcha":  {SessionID: 998, Site: "sushi", Address: "b", PassesShared: true},
		"a customer":      {CustomerID: 1, SessionID: 997, Site: "sushi", Address: "b"},
		"of another site": {SessionID: 996, Site: "pizza", Address: "c"},
	} {
		if _, by := l.Attempt(g, noon); by != guess.Unbound {
			t.Errorf("%s: bound by %d", name, by)
		}
	}
	if _, by := l.Attempt(guess.Guess{SessionID: 995, Site: "sushi"}, noon.Add(10*time.Minute)); by != guess.Unbound {
		t.Errorf("ten minutes later: bound by %d", by)
	}
}

// 500 sessions guess at once and rightly. None is refused, though the site allows 100 wrong
// guesses: on the evening of a campaign hundreds apply a code in the same second.
func TestLimiter_letsManyGuessRightlyAtOnceAtASite(t *testing.T) {
	t.Parallel()
	l := guess.NewLimiter(guess.Limits{PerSession: 10, PerAddress: 30, PerSite: 100})
	of := func(i int) guess.Guess {
		return guess.Guess{SessionID: int64(i + 1), Site: "sushi", Address: fmt.Sprint(i)}
	}
	for i := range 500 {
		if _, by := l.Attempt(of(i), noon); by != guess.Unbound {
			t.Fatalf("guess %d beside others that are looked at: bound by %d", i, by)
		}
	}
	for i := range 500 {
		l.Succeed(of(i))
	}
}

// One session guesses rightly a hundred times and is never refused.
func TestLimiter_Succeed_removesTheCounts(t *testing.T) {
	t.Parallel()
	l, g := guess.NewLimiter(guess.Default()), guess.Guess{SessionID: 1, Address: "a"}
	for range 100 {
		if _, by := l.Attempt(g, noon); by != guess.Unbound {
			t.Fatalf("bound by %d", by)
		}
		l.Succeed(g)
	}
}

// A secret that two sessions have entered many times is not public; with a third session it is.
func TestEntered_IsPublic_fromThreeSessionsOn(t *testing.T) {
	t.Parallel()
	var k guess.Entered
	for range 5 {
		k.Add("TEN", 1)
		k.Add("TEN", 2)
	}
	if k.IsPublic("TEN") {
		t.Error("known by two")
	}
	k.Add("TEN", 3)
	if !k.IsPublic("TEN") || k.IsPublic("ONE") {
		t.Error("not known by three")
	}
}
