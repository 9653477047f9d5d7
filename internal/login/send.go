package login

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/site"
)

const (
	// rounds is how often all senders of a channel are tried. A customer is waiting: a failure is
	// shown within seconds, and another channel can be chosen.
	rounds      = 2
	sendTimeout = 10 * time.Second
	retryPause  = 500 * time.Millisecond
	// sendTime bounds all attempts together, below what a job may take.
	sendTime = 45 * time.Second
)

// sendJob sends a code. It contains nothing of the person.
type sendJob struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (sendJob) Kind() string { return "login.send" }

// sendCode delivers a code once: only the first job to claim it sends it, and a failure is not
// repeated later, when the customer waits no longer.
func (s *Service) sendCode(ctx context.Context, job sendJob) error {
	var c challenge
	var claimed bool
	now := s.clock.Now()
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		c, claimed, err = claimSend(ctx, tx.Q, job.ID, now, now.Add(-sendingFor))
		return err
	})
	if err != nil || !claimed {
		return err
	}
	s.deliverCode(ctx, &c)
	s.metrics.sends.WithLabelValues(c.site, string(c.channel), string(c.state)).Inc()
	ctx = context.WithoutCancel(ctx) // it is sent: this must be stored even when the program stops
	return s.db.InTx(ctx, func(tx *db.Tx) error { return finishSend(ctx, tx.Q, c) })
}

// deliverCode tries the senders one after another until one has accepted the code, and stores the
// outcome in the challenge.
func (s *Service) deliverCode(ctx context.Context, c *challenge) {
	c.state = Failed
	st, ok := s.site(c.site)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	m := s.newMessage(st, *c)
	// A phone under attack has longer codes than the site's own.
	isLong := c.codeLength > st.Settings.CodeLength
	for round := range rounds {
		if round > 0 && !waitFor(ctx, s.retryPause) {
			return
		}
		for _, sender := range s.senders.Senders(c.site, c.channel) {
			if _, checks := sender.(notify.Checker); checks && isLong {
				continue // it makes codes of its own length
			}
			sent, err := s.trySender(ctx, sender, m)
			if err == nil {
				s.recordSent(c, sender.Name(), sent, isLong)
				return
			}
			s.log.WarnContext(ctx, "login code not delivered", slog.String("site", c.site), slog.String("sender", sender.Name()), slog.Any("err", err))
			if errors.Is(err, notify.ErrUndeliverable) {
				return
			}
		}
	}
}

func (s *Service) trySender(ctx context.Context, sender notify.Sender, m notify.Message) (notify.Sent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.sendTimeout)
	defer cancel()
	return sender.Send(ctx, m)
}

// recordSent stores what must be entered now. A code of the provider's own that is shorter than the
// phone needs counts as failed.
func (s *Service) recordSent(c *challenge, sender string, sent notify.Sent, isLong bool) {
	c.sender = sender
	switch {
	case sent.Ref != "":
		c.ref = sent.Ref
	case sent.Code != "":
		if isLong && len(sent.Code) < c.codeLength {
			return
		}
		h := codeHash(s.secret, c.salt, sent.Code)
		c.codeHash, c.codeLength = h[:], len(sent.Code)
	}
	c.state = Sent
}

// newMessage returns the message with the code. Its last line lets a browser fill the code in by
// itself on the site's own page, and nowhere else.
func (s *Service) newMessage(st *site.Site, c challenge) notify.Message {
	code := codeOf(s.secret, c.salt, c.site, c.phone, c.codeLength)
	text := lang.T(c.lang, "login.text", fault.Args{"brand": st.Text(st.Name, c.lang), "code": code})
	if c.host != "" {
		text += "\n\n@" + c.host + " #" + code
	}
	key := keyedHash(s.secret, "message", string(c.salt))
	return notify.Message{
		Phone: c.phone, Code: code, Text: text, Lang: c.lang, Address: c.address, Key: hex.EncodeToString(key[:16]),
	}
}

// waitFor waits, and reports false when ctx ends first.
func waitFor(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
