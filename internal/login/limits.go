package login

import "time"

// Limits are the figures that bound signing in.
type Limits struct {
	// Life is how long a code is valid, Tries how many attempts it has.
	Life  time.Duration
	Tries int

	// Wrong bounds wrong codes of a phone, Sends the codes that are sent to it. Unknown devices
	// share one budget, each known device has its own.
	Wrong WrongLimits
	Sends SendLimits

	// PerAddress and PerNetwork are how many codes an address, or the /64 of IPv6, and its /24 or /48 get sent
	// in an hour.
	PerAddress, PerNetwork int
	// Unanswered is how many codes an address gets sent in an hour while the captcha's provider
	// does not answer.
	Unanswered int

	// Prefix bounds what is sent to a range of numbers, Country to a country.
	Prefix, Country PumpLimits
	// Alarm is when a site is under attack.
	Alarm AlarmLimits
}

// WrongLimits bound how many wrong codes are entered for one phone.
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

// PumpLimits bound what is sent to a range of numbers: the owner of the numbers may be paid for
// each message.
type PumpLimits struct {
	// LeastHour is taken for the usual hour where the usual is less.
	LeastHour int
	// CaptchaFactor and StopFactor are how many usual hours in one lead to either.
	CaptchaFactor, StopFactor int
	// From CaptchaFrom and StopFrom in a day on, less than LeastPercent that sign in leads
	// to either.
	CaptchaFrom, StopFrom, LeastPercent int
}

// AlarmLimits say how many wrong codes count as guessing.
type AlarmLimits struct {
	// Least is how many wrong codes are needed for an alarm.
	Least int
	// Factor is how many times the usual share of wrong ones is too much. What is usual
	// counts as LeastPercent at least, and what is too much as MostPercent at most.
	Factor, LeastPercent, MostPercent int
}

// DefaultLimits returns the limits of production.
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

// budget counts the wrong codes that were entered for a phone, by unknown devices or by one known
// device.
type budget struct {
	// inRow are wrong since the last right one, wrong since the last quiet time, today in
	// the day that began at dayBegan.
	inRow, wrong, today int
	dayBegan            time.Time
	// nextAt is from when on another code may be entered.
	nextAt time.Time
	// wrongAt is when the last wrong one was entered.
	wrongAt time.Time
}

// settledAt returns the budget as it is at that time: what is long ago does not count.
func (b budget) settledAt(now time.Time, l WrongLimits) budget {
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

// waitTime returns how long no code can be entered, 0 for not at all.
func (b budget) waitTime(now time.Time, l WrongLimits) time.Duration {
	b = b.settledAt(now, l)
	if b.inRow >= l.Stop {
		return b.wrongAt.Add(l.ForgottenAfter).Sub(now)
	}
	return max(0, b.nextAt.Sub(now))
}

// isStopped reports whether phones of the budget get no codes for long.
func (b budget) isStopped(now time.Time, l WrongLimits) bool {
	return b.settledAt(now, l).inRow >= l.Stop
}

// countWrong counts a code as wrong before it is verified, so that concurrent attempts all count.
func (b budget) countWrong(now time.Time, l WrongLimits) budget {
	b = b.settledAt(now, l)
	b.inRow, b.wrong, b.today, b.wrongAt = b.inRow+1, b.wrong+1, b.today+1, now
	if over := b.today - l.FreeADay; over >= 0 {
		b.nextAt = now.Add(min(l.FirstWait<<min(over, 16), l.LastWait))
	}
	return b
}

// uncountWrong removes one that was counted as wrong.
func (b budget) uncountWrong(now time.Time) budget {
	b.inRow, b.wrong, b.today = max(0, b.inRow-1), max(0, b.wrong-1), max(0, b.today-1)
	b.nextAt = now
	return b
}

// countRight removes one that was counted as wrong and ends the row. Those wrong before it stay
// counted, so that a customer's sign-in does not make the codes short again for an attacker.
func (b budget) countRight(now time.Time) budget {
	b = b.uncountWrong(now)
	b.inRow = 0
	return b
}

// codeLength returns how many digits a code must have now; own is the site's figure.
func (b budget) codeLength(now time.Time, own int, l WrongLimits) int {
	if b.settledAt(now, l).wrong >= l.LongCodeAfter {
		return max(own, l.LongCode)
	}
	return own
}

// sendWait returns how long no other code can be sent to a phone, 0 for not at all. sent is when
// those of a day were sent, the newest first; timer is the site's own.
func sendWait(sent []time.Time, now time.Time, timer time.Duration, l SendLimits) time.Duration {
	var wait time.Duration
	// nth returns how long until the nth newest is older than the time.
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

// verdict is what a limit says about the request of a code.
type verdict int

// The verdicts, from the mildest on.
const (
	pass verdict = iota
	needCaptcha
	stop
)

// traffic is what was sent, verified and wrong of late.
type traffic struct {
	// hourSent is of the present hour, checked and wrong of it and the one before.
	hourSent, checked, wrong int
	// daySent and dayPassed are of the last day.
	daySent, dayPassed int
	// The before fields are of the hours before, of which there were hours.
	beforeSent, beforeChecked, beforeWrong, hours int
}

// pumpVerdict returns whether messages are sent to a range of numbers for the sake of the fees.
func (t traffic) pumpVerdict(l PumpLimits) verdict {
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

// isAttack reports whether codes are being guessed all over the site.
func (t traffic) isAttack(l AlarmLimits) bool {
	usual := l.LeastPercent
	if t.beforeChecked > 0 {
		usual = max(usual, t.beforeWrong*100/t.beforeChecked)
	}
	return t.wrong >= l.Least && t.wrong*100 > t.checked*min(usual*l.Factor, l.MostPercent)
}
