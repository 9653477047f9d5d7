package login

import (
	"context"
	"math"
	"time"

	"servery/internal/site"
)

const (
	// sendingFor is how long a code may be on its way to the provider: longer than all
	// tries of the job take. What takes longer was lost.
	sendingFor = time.Minute
	// feignedFor is how long a code that is withheld is told to be on its way.
	feignedFor = time.Second
)

// told gives the state of a code as it is told.
func told(state State, age time.Duration) State {
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

// Open gives the code that the session asked for last, as it stands; false when there is
// none that can still be told.
func (s *Service) Open(ctx context.Context, st *site.Site, sessionID int64) (Verification, bool, error) {
	now := s.clock.Now()
	c, ok, err := lastChallenge(ctx, s.db.Read(), st.Alias, sessionID)
	if err != nil || !ok || c.used || !c.expiresAt.After(now) || c.tries >= s.limits.Tries {
		return Verification{}, false, err
	}
	v, err := s.show(ctx, s.db.Read(), st, c, now)
	return v, err == nil, err
}

func (s *Service) show(ctx context.Context, q *queries, st *site.Site, c challenge, now time.Time) (Verification, error) {
	wait, err := s.sendWait(ctx, q, st, c, now)
	return Verification{
		Timer: seconds(wait), ExpiresIn: seconds(c.expiresAt.Sub(now)), CodeLength: c.codeLength, TriesLeft: s.limits.Tries - c.tries,
		Channel: c.channel, Channels: s.Channels(st), Phone: c.phone, State: told(c.state, now.Sub(c.createdAt)),
	}, err
}

func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// sendWait gives how long the phone gets no other code. What could not be delivered counts
// for nothing, so that another channel can be tried at once; only not without end.
func (s *Service) sendWait(ctx context.Context, q *queries, st *site.Site, c challenge, now time.Time) (time.Duration, error) {
	list, err := listAsked(ctx, q, c, now.Add(-s.limits.Sends.Day))
	if err != nil {
		return 0, err
	}
	var sent []time.Time
	for _, a := range list {
		if told(a.state, now.Sub(a.at)) != Failed {
			sent = append(sent, a.at)
		}
	}
	wait := sendWait(sent, now, time.Duration(st.Settings.ResendTimer)*time.Second, s.limits.Sends)
	if len(list) >= mostAsked {
		wait = max(wait, list[len(list)-1].at.Add(s.limits.Sends.Day).Sub(now))
	}
	return wait, nil
}
