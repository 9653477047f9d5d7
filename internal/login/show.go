package login

import (
	"context"
	"math"
	"time"

	"servery/internal/site"
)

const (
	// sendingFor is how long a code may be on its way to the provider: longer than all attempts of
	// the job take. What takes longer was lost.
	sendingFor = time.Minute
	// feignedFor is how long a code that is withheld is shown as on its way.
	feignedFor = time.Second
)

// shownState returns the state of a code that the browser is shown. A withheld code looks like any other:
// it is being sent for feignedFor, and then sent. A code that is being sent for sendingFor has failed.
func shownState(state State, age time.Duration) State {
	switch {
	case state == withheld && age < feignedFor:
		return Sending
	case state == withheld:
		return Sent
	case state == Sending && age >= sendingFor:
		return Failed
	}
	return state
}

// FindOpen returns the code that the session has requested last; false when there is none that can
// still be entered.
func (s *Service) FindOpen(ctx context.Context, st *site.Site, sessionID int64) (Verification, bool, error) {
	now := s.clock.Now()
	c, exists, err := lastChallenge(ctx, s.db.Read(), st.Alias, sessionID)
	if err != nil || !exists || c.used || !c.expiresAt.After(now) || c.attempts >= s.limits.Tries {
		return Verification{}, false, err
	}
	v, err := s.verificationOf(ctx, s.db.Read(), st, c, now)
	return v, err == nil, err
}

// verificationOf returns what the browser is shown of a challenge.
func (s *Service) verificationOf(ctx context.Context, q *queries, st *site.Site, c challenge, now time.Time) (Verification, error) {
	wait, err := s.sendWait(ctx, q, st, c, now)
	return Verification{
		Timer: ceilSeconds(wait), ExpiresIn: ceilSeconds(c.expiresAt.Sub(now)), CodeLength: c.codeLength, TriesLeft: s.limits.Tries - c.attempts,
		Channel: c.channel, Channels: s.Channels(st), Phone: c.phone, State: shownState(c.state, now.Sub(c.createdAt)),
	}, err
}

// ceilSeconds returns a duration in seconds, rounded up.
func ceilSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// sendWait returns how long no other code is sent to the phone. Codes that could not be delivered
// count only towards maxRequested, so that another channel can be tried at once.
func (s *Service) sendWait(ctx context.Context, q *queries, st *site.Site, c challenge, now time.Time) (time.Duration, error) {
	requested, err := listRequested(ctx, q, c, now.Add(-s.limits.Sends.Day))
	if err != nil {
		return 0, err
	}
	var sent []time.Time
	for _, a := range requested {
		if shownState(a.state, now.Sub(a.at)) != Failed {
			sent = append(sent, a.at)
		}
	}
	wait := sendWait(sent, now, time.Duration(st.Settings.ResendTimer)*time.Second, s.limits.Sends)
	if len(requested) >= maxRequested {
		wait = max(wait, requested[len(requested)-1].at.Add(s.limits.Sends.Day).Sub(now))
	}
	return wait, nil
}
