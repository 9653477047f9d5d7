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
	// WithheldPerAddress and WithheldPerNetwork are how many more they may request in an hour, which are
	// answered alike and stored but not sent. Above them nothing is stored.
	WithheldPerAddress, WithheldPerNetwork int
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
	// FreeADay wrong codes can be entered in a day without a wait. After the last of them FirstWait passes
	// before the next; each one more doubles the wait, up to LastWait.
	FreeADay            int
	FirstWait, LastWait time.Duration
	// After LongCodeAfter wrong codes, codes have LongCode digits until none was wrong for QuietFor.
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
	// PerShort and PerDay are how many codes may be sent within Short and within Day.
	PerShort, PerDay int
	// Waits pass after the first one, the second and so on within the hour; the last holds
	// for all that follow. The site's own timer, where it has one, takes the place of the first
	// wait, and of a later one that is shorter.
	Waits []time.Duration
}

// PumpLimits bound what is sent to a range of numbers: the owner of the numbers may be paid for
// each message.
type PumpLimits struct {
	// LeastHour is taken for the usual hour where the usual is less.
	LeastHour int
	// An hour with CaptchaFactor times as many as usual needs a captcha, one with StopFactor times as
	// many is stopped.
	CaptchaFactor, StopFactor int
	// A day in which less than LeastPercent of the codes sign anyone in needs a captcha from CaptchaFrom
	// codes on, and is stopped from StopFrom codes on.
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
		PerAddress: 10, PerNetwork: 50, WithheldPerAddress: 100, WithheldPerNetwork: 500, Unanswered: 2,
		Prefix:  PumpLimits{LeastHour: 5, CaptchaFactor: 5, StopFactor: 10, CaptchaFrom: 50, StopFrom: 60, LeastPercent: 20},
		Country: PumpLimits{LeastHour: 200, CaptchaFactor: 5, StopFactor: 10, CaptchaFrom: 1000, StopFrom: 2000, LeastPercent: 20},
		Alarm:   AlarmLimits{Least: 50, Factor: 3, LeastPercent: 10, MostPercent: 60},
	}
}

// budget counts the wrong codes that were entered for a phone, by all unknown devices or by one
// known device.
type budget struct {
	// inRow counts the wrong codes since the last right one, wrong those since the last quiet time,
	// and today those in the 24 hours from dayBegan on.
	inRow, wrong, today int
	dayBegan            time.Time
	// nextAt is the instant from which another code may be entered.
	nextAt time.Time
	// wrongAt is when the last wrong one was entered.
	wrongAt time.Time
}

// settledAt returns the budget of wrong codes as it stands at an instant: a new one when the last wrong
// code was entered ForgottenAfter ago; else without wrong after QuietFor, and without today 24 hours
// after dayBegan.
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

// waitTime returns how long no code can be entered; 0 when one can be entered now. After Stop wrong codes
// in a row that is until ForgottenAfter has passed since the last one.
func (b budget) waitTime(now time.Time, l WrongLimits) time.Duration {
	b = b.settledAt(now, l)
	if b.inRow >= l.Stop {
		return b.wrongAt.Add(l.ForgottenAfter).Sub(now)
	}
	return max(0, b.nextAt.Sub(now))
}

// isStopped reports whether so many codes were wrong in a row that no code is sent for a long time.
func (b budget) isStopped(now time.Time, l WrongLimits) bool {
	return b.settledAt(now, l).inRow >= l.Stop
}

// countWrong returns the budget with one more wrong code. It is called before a code is verified,
// so that concurrent attempts all count.
func (b budget) countWrong(now time.Time, l WrongLimits) budget {
	b = b.settledAt(now, l)
	b.inRow, b.wrong, b.today, b.wrongAt = b.inRow+1, b.wrong+1, b.today+1, now
	if doublings := b.today - l.FreeADay; doublings >= 0 {
		b.nextAt = now.Add(min(l.FirstWait<<min(doublings, 16), l.LastWait)) // 16 keeps it from overflow
	}
	return b
}

// uncountWrong returns the budget with one wrong code less, and without a wait. It takes back what countWrong
// has counted for a code that was right, or that could not be checked.
func (b budget) uncountWrong(now time.Time) budget {
	b.inRow, b.wrong, b.today = max(0, b.inRow-1), max(0, b.wrong-1), max(0, b.today-1)
	b.nextAt = now
	return b
}

// countRight returns the budget after a right code. countWrong has counted it before it was verified,
// so it is taken off again; no code is wrong in a row then, and the wait ends. The other wrong codes
// stay counted: they make the next codes longer, and a sign-in of the customer must not undo that for
// an attacker.
func (b budget) countRight(now time.Time) budget {
	b = b.uncountWrong(now)
	b.inRow = 0
	return b
}

// needsLongCode reports whether the phone needs long codes now, because of its wrong codes.
func (b budget) needsLongCode(now time.Time, l WrongLimits) bool {
	return b.settledAt(now, l).wrong >= l.LongCodeAfter
}

// codeLength returns how many digits a code must have now; own is the number in the site's
// settings.
func (b budget) codeLength(now time.Time, own int, l WrongLimits) int {
	if b.needsLongCode(now, l) {
		return max(own, l.LongCode)
	}
	return own
}

// sendWait returns how long no other code can be sent to a phone; 0 when one can be sent now. times
// are when the codes of the last day were sent, newest first; timer is the pause in the settings of
// the site.
func sendWait(times []time.Time, now time.Time, timer time.Duration, l SendLimits) time.Duration {
	// untilFewer returns how long until fewer than count codes were sent within the last period.
	untilFewer := func(count int, period time.Duration) time.Duration {
		if len(times) < count {
			return 0
		}
		return times[count-1].Add(period).Sub(now)
	}
	wait := max(0, untilFewer(l.PerShort, l.Short), untilFewer(l.PerDay, l.Day))
	sentInHour := 0
	for _, sentAt := range times {
		if now.Sub(sentAt) < time.Hour {
			sentInHour++
		}
	}
	if sentInHour > 0 {
		pause := max(l.Waits[min(sentInHour, len(l.Waits))-1], timer)
		if sentInHour == 1 && timer > 0 {
			pause = timer // after the first code the site's own timer decides, also a shorter one
		}
		wait = max(wait, times[0].Add(pause).Sub(now))
	}
	return wait
}

// verdict says what a limit requires of a request for a code.
type verdict int

// The verdicts, from the mildest on.
const (
	pass verdict = iota
	needCaptcha
	stop
)

// traffic counts the codes of a scope that were sent, verified, wrong, and passed: those that have
// signed a customer in.
type traffic struct {
	// hourSent is of this hour; checked and wrong are of this hour and the one before.
	hourSent, checked, wrong int
	// daySent and dayPassed are of the last day.
	daySent, dayPassed int
	// The before fields are of the week before, in which hours were counted, for comparison.
	beforeSent, beforeChecked, beforeWrong, hours int
}

// pumpVerdict returns the verdict on messages to a range of numbers or a country. Someone may
// request them only for the fees that the owner of the numbers is paid: then many more
// codes are sent in an hour than usual, or few of a day's codes sign anyone in. Either is enough.
func (t traffic) pumpVerdict(l PumpLimits) verdict {
	usualHour := l.LeastHour
	if t.hours > 0 {
		usualHour = max(usualHour, t.beforeSent/t.hours)
	}
	doFewPass := t.dayPassed*100 < t.daySent*l.LeastPercent
	switch {
	case t.hourSent >= usualHour*l.StopFactor, doFewPass && t.daySent >= l.StopFrom:
		return stop
	case t.hourSent >= usualHour*l.CaptchaFactor, doFewPass && t.daySent >= l.CaptchaFrom:
		return needCaptcha
	}
	return pass
}

// isAttack reports whether codes are being guessed all over the site: many are wrong, and a much
// larger share of all than usual.
func (t traffic) isAttack(l AlarmLimits) bool {
	usualPercent := l.LeastPercent
	if t.beforeChecked > 0 {
		usualPercent = max(usualPercent, t.beforeWrong*100/t.beforeChecked)
	}
	return t.wrong >= l.Least && t.wrong*100 > t.checked*min(usualPercent*l.Factor, l.MostPercent)
}
