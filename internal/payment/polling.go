package payment

import "time"

const (
	// FirstPause is how soon after its answer an acquirer is polled.
	FirstPause = 3 * time.Second
	// staleAfter is how long an unanswered request with a card stays active. Then it is abandoned,
	// so that the customer may try again, and is polled further on.
	staleAfter = time.Minute
	// MinutelyPollingTime is how long after the deadline an abandoned attempt is polled each
	// minute. An attempt that the acquirer does not know may still reach the acquirer within that
	// time.
	MinutelyPollingTime = 15 * time.Minute
	// MaxPollingTime is how long after its start an attempt is polled.
	MaxPollingTime = 72 * time.Hour
)

// pauses are the times between the polls of an attempt that the customer may still finish.
var pauses = []time.Duration{
	FirstPause, 5 * time.Second, 5 * time.Second, 10 * time.Second, 10 * time.Second, 15 * time.Second, 15 * time.Second, 20 * time.Second,
}

// PollPause returns how long after a poll the next one follows. Active attempts are polled
// often; an abandoned one each minute at first, later after a third of the time since its
// deadline, but at least every six hours.
func (a Attempt) PollPause(now time.Time) time.Duration {
	if a.IsActive() {
		if a.Polls < len(pauses) {
			return pauses[a.Polls]
		}
		return 30 * time.Second
	}
	late := now.Sub(a.Deadline)
	if late < MinutelyPollingTime {
		return time.Minute
	}
	const longest = 6 * time.Hour
	return min(late/3, longest)
}

// isPolled reports whether the acquirer is still going to be polled.
func (a Attempt) isPolled() bool { return !a.PollAt.IsZero() }

// IsStale reports whether the call that takes the money was made so long ago that another
// attempt may follow. That call is the one with the card, if the card was sent later.
func (a Attempt) IsStale(now time.Time) bool {
	sent := a.StartedAt
	if a.Call.SentAt.After(sent) {
		sent = a.Call.SentAt
	}
	return !now.Before(sent.Add(staleAfter))
}
