package login

import "time"

// Limits are the figures that bound signing in (demands §2).
type Limits struct {
	// Life is how long a code can be told, Tries how often.
	Life  time.Duration
	Tries int

	// Wrong bounds wrong codes of a phone, Sends the codes that are sent to it. Strangers
	// share one budget, each known device has its own.
	Wrong WrongLimits
	Sends SendLimits

	// PerAddress and PerNetwork are how many codes an address, or the /64 of IPv6, and its /24 or /48 get sent
	// in an hour.
	PerAddress, PerNetwork int
	// Unanswered is how many codes an address gets sent in an hour while the captcha's provider
	// cannot be asked.
	Unanswered int

	// Prefix bounds what is sent to a range of numbers, Country to a country.
	Prefix, Country PumpLimits
	// Alarm is when a site is under attack.
	Alarm AlarmLimits
}

// WrongLimits bound how often a wrong code is told for one phone.
type WrongLimits struct {
	// FreeADay are without a wait; each one more doubles the wait from FirstWait to LastWait.
	FreeADay            int
	FirstWait, LastWait time.Duration
	// LongCodeAfter so many, codes have LongCode digits until none was wrong for QuietFor.
	LongCodeAfter, LongCode int
	QuietFor                time.Duration
	// Stop is how many may be wrong in a row; then there are no codes for ForgottenAfter,
	// unless the phone signs in from a known device, by a link or by another service.
	Stop           int
	ForgottenAfter time.Duration
}

// SendLimits bound how often a code is sent to one phone.
type SendLimits struct {
	Short, Day time.Duration
	// PerShort and PerDay are how many there may be in the times.
	PerShort, PerDay int
	// Waits pass after the first one, the second and so on within the hour; the last holds
	// for all that follow. The site's own timer takes the place of a shorter one.
	Waits []time.Duration
}

// PumpLimits bound what is sent to a range of numbers that somebody may be paid for.
type PumpLimits struct {
	// LeastHour is taken for the usual hour where less is usual.
	LeastHour int
	// CaptchaFactor and StopFactor are how many usual hours in one lead to either.
	CaptchaFactor, StopFactor int
	// From CaptchaFrom and StopFrom in a day on, less than LeastPercent that sign in leads
	// to either.
	CaptchaFrom, StopFrom, LeastPercent int
}

// AlarmLimits say when so many codes are wrong that somebody guesses.
type AlarmLimits struct {
	// Least are needed to judge.
	Least int
	// Factor is how many times the usual share of wrong ones is too much. What is usual
	// counts as LeastPercent at least, and what is too much as MostPercent at most.
	Factor, LeastPercent, MostPercent int
}

// DefaultLimits are the figures of demands §2; where it names none they are our own.
func DefaultLimits() Limits {
	const day = 24 * time.Hour
	return Limits{
		Life: 5 * time.Minute, Tries: 5,
		Wrong: WrongLimits{
			FreeADay: 10, FirstWait: time.Minute, LastWait: 32 * time.Minute,
			LongCodeAfter: 20, LongCode: 6, QuietFor: 30 * day, Stop: 100, ForgottenAfter: 90 * day,
		},
		Sends: SendLimits{
			Short: 10 * time.Minute, PerShort: 3, Day: day, PerDay: 8,
			Waits: []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute},
		},
		PerAddress: 10, PerNetwork: 50, Unanswered: 2,
		Prefix:  PumpLimits{LeastHour: 5, CaptchaFactor: 5, StopFactor: 10, CaptchaFrom: 50, StopFrom: 60, LeastPercent: 20},
		Country: PumpLimits{LeastHour: 200, CaptchaFactor: 5, StopFactor: 10, CaptchaFrom: 1000, StopFrom: 2000, LeastPercent: 20},
		Alarm:   AlarmLimits{Least: 50, Factor: 3, LeastPercent: 10, MostPercent: 60},
	}
}

// A budget is how often a wrong code was told for a phone, by strangers or from one device.
type budget struct {
	// inRow are wrong since the last right one, wrong since the last quiet time, today in
	// the day that began at dayBegan.
	inRow, wrong, today int
	dayBegan            time.Time
	// nextAt is from when on another may be told.
	nextAt time.Time
	// wrongAt is when the last wrong one was told.
	wrongAt time.Time
}

// settled gives the budget as it is at that time: what is long ago does not count.
func (b budget) settled(now time.Time, l WrongLimits) budget {
	if now.Sub(b.wrongAt) >= l.ForgottenAfter {
		return budget{dayBegan: now, nextAt: now, wrongAt: now}
	}
	if now.Sub(b.wrongAt) >= l.QuietFor {
		b.wrong = 0
	}
	if now.Sub(b.dayBegan) >= 24*time.Hour {
		b.today, b.dayBegan = 0, now
	}
	return b
}

// wait tells how long no code can be told, 0 for not at all.
func (b budget) wait(now time.Time, l WrongLimits) time.Duration {
	b = b.settled(now, l)
	if b.inRow >= l.Stop {
		return b.wrongAt.Add(l.ForgottenAfter).Sub(now)
	}
	return max(0, b.nextAt.Sub(now))
}

// isStopped reports whether no code is of any use for long.
func (b budget) isStopped(now time.Time, l WrongLimits) bool {
	return b.settled(now, l).inRow >= l.Stop
}

// take counts a code as wrong before it is looked at, so that those told at once all count.
func (b budget) take(now time.Time, l WrongLimits) budget {
	b = b.settled(now, l)
	b.inRow, b.wrong, b.today, b.wrongAt = b.inRow+1, b.wrong+1, b.today+1, now
	if over := b.today - l.FreeADay; over >= 0 {
		b.nextAt = now.Add(min(l.FirstWait<<min(over, 16), l.LastWait))
	}
	return b
}

// giveBack takes back one that was counted as wrong.
func (b budget) giveBack(now time.Time) budget {
	b.inRow, b.wrong, b.today = max(0, b.inRow-1), max(0, b.wrong-1), max(0, b.today-1)
	b.nextAt = now
	return b
}

// right takes one back and ends the row. What was wrong before it stays counted: a
// customer who signs in must not give a guesser his short codes back.
func (b budget) right(now time.Time) budget {
	b = b.giveBack(now)
	b.inRow = 0
	return b
}

// codeLength gives how many digits a code must have now; own is the site's figure.
func (b budget) codeLength(now time.Time, own int, l WrongLimits) int {
	if b.settled(now, l).wrong >= l.LongCodeAfter {
		return max(own, l.LongCode)
	}
	return own
}

// sendWait tells how long no other code can be sent to a phone, 0 for not at all. sent is
// when those of a day were sent, the newest first; timer is the site's own.
func sendWait(sent []time.Time, now time.Time, timer time.Duration, l SendLimits) time.Duration {
	var wait time.Duration
	// nth gives how long until the nth newest is older than the time.
	nth := func(n int, within time.Duration) time.Duration {
		if len(sent) < n {
			return 0
		}
		return sent[n-1].Add(within).Sub(now)
	}
	wait = max(wait, nth(l.PerShort, l.Short), nth(l.PerDay, l.Day))
	const row = time.Hour
	lately := 0
	for _, at := range sent {
		if now.Sub(at) < row {
			lately++
		}
	}
	if lately > 0 {
		pause := max(l.Waits[min(lately, len(l.Waits))-1], timer)
		if lately == 1 && timer > 0 {
			pause = timer
		}
		wait = max(wait, sent[0].Add(pause).Sub(now))
	}
	return wait
}

// A verdict is what a limit says of a wish for a code.
type verdict int

// The verdicts, from the mildest on.
const (
	pass verdict = iota
	needCaptcha
	stop
)

// traffic is what was sent, told and wrong of late.
type traffic struct {
	// hourSent is of the present hour, checked and wrong of it and the one before.
	hourSent, checked, wrong int
	// daySent and dayPassed are of the last day.
	daySent, dayPassed int
	// Those before are of the hours before, which were so many.
	beforeSent, beforeChecked, beforeWrong, hours int
}

// pumped judges whether messages are sent to a range of numbers for the money's sake.
func (t traffic) pumped(l PumpLimits) verdict {
	usual := l.LeastHour
	if t.hours > 0 {
		usual = max(usual, t.beforeSent/t.hours)
	}
	fewPass := t.dayPassed*100 < t.daySent*l.LeastPercent
	switch {
	case t.hourSent >= usual*l.StopFactor, fewPass && t.daySent >= l.StopFrom:
		return stop
	case t.hourSent >= usual*l.CaptchaFactor, fewPass && t.daySent >= l.CaptchaFrom:
		return needCaptcha
	}
	return pass
}

// alarmed reports whether somebody guesses codes all over the site.
func (t traffic) alarmed(l AlarmLimits) bool {
	usual := l.LeastPercent
	if t.beforeChecked > 0 {
		usual = max(usual, t.beforeWrong*100/t.beforeChecked)
	}
	return t.wrong >= l.Least && t.wrong*100 > t.checked*min(usual*l.Factor, l.MostPercent)
}
