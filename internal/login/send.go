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

// sendCode delivers the code of a job and stores the outcome. Only the first job to claim a code
// sends it. A failure is not repeated later, because the customer waits no longer.
func (s *Service) sendCode(ctx context.Context, job sendJob) error {
	var c challenge
	var isClaimed bool
	now := s.clock.Now()
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		c, isClaimed, err = claimSend(ctx, tx.Q, job.ID, now, now.Add(-sendingFor))
		return err
	})
	if err != nil || !isClaimed {
		return err
	}
	outcome := s.deliverCode(ctx, &c)
	s.metrics.sends.WithLabelValues(c.site, string(c.channel), outcome).Inc()
	ctx = context.WithoutCancel(ctx) // it is sent: this must be stored even when the program stops
	return s.db.InTx(ctx, func(tx *db.Tx) error { return finishSend(ctx, tx.Q, c) })
}

// unreachable is the outcome, in the metric, of a code whose number does not exist. To the customer it
// is Failed; no sender has failed, and no alert is needed.
const unreachable = "unreachable"

// deliverCode tries the senders one after another until one has accepted the code, and sets its state
// in the challenge. It returns the outcome for the metric: that state, or unreachable. It tries all of them a second time, except when the code cannot be
// delivered to this phone at all. It skips senders that make codes of their own when the phone needs
// a longer code.
func (s *Service) deliverCode(ctx context.Context, c *challenge) (outcome string) {
	c.state = Failed
	brand, exists := s.site(c.site)
	if !exists {
		return string(c.state)
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	m := s.newMessage(brand, *c)
	// A phone under attack has longer codes than the site's own.
	isLong := c.codeLength > brand.Settings.CodeLength
	for round := range rounds {
		if round > 0 && !waitFor(ctx, s.retryPause) {
			return string(c.state)
		}
		for _, sender := range s.senders.Senders(c.site, c.channel) {
			if _, checks := sender.(notify.Checker); checks && isLong {
				continue // it makes codes of its own length
			}
			sent, err := s.trySender(ctx, sender, m)
			if err == nil {
				s.recordSent(c, sender.Name(), sent, isLong)
				return string(c.state)
			}
			s.log.WarnContext(ctx, "login code not delivered", slog.String("site", c.site), slog.String("sender", sender.Name()), slog.Any("error", err))
			if errors.Is(err, notify.ErrUndeliverable) {
				return unreachable
			}
		}
	}
	return string(c.state)
}

// trySender calls a sender, for at most s.sendTimeout.
func (s *Service) trySender(ctx context.Context, sender notify.Sender, m notify.Message) (notify.Sent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.sendTimeout)
	defer cancel()
	return sender.Send(ctx, m)
}

// recordSent marks the challenge as Sent by the sender. It stores the ref when the provider verifies
// the code, or the hash of the code when the provider has chosen it; when ours was sent, nothing else
// changes. A provider's code that is shorter than the phone needs leaves the state as the caller has
// set it, Failed.
func (s *Service) recordSent(c *challenge, sender string, sent notify.Sent, isLong bool) {
	c.sender = sender
	switch {
	case sent.Ref != "":
		c.ref = sent.Ref
	case sent.Code != "":
		if isLong && len(sent.Code) < c.codeLength {
			return
		}
		sentHash := codeHash(s.secret, c.salt, sent.Code)
		c.codeHash, c.codeLength = sentHash[:], len(sent.Code)
	}
	c.state = Sent
}

// messageKeyBytes is how much of a hash makes the key of a message unique.
const messageKeyBytes = 16

// newMessage returns the message with the code. Its last line has the form by which a browser fills
// the code in by itself, only on a page of the site.
func (s *Service) newMessage(st *site.Site, c challenge) notify.Message {
	code := codeOf(s.secret, c.salt, c.site, c.phone, c.codeLength)
	text := lang.T(c.lang, "login.text", fault.Args{"brand": st.Text(st.Name, c.lang), "code": code})
	if c.host != "" {
		text += "\n\n@" + c.host + " #" + code
	}
	key := keyedHash(s.secret, "message", string(c.salt))
	return notify.Message{
		Phone: c.phone, Code: code, Text: text, Lang: c.lang, Address: c.address, Key: hex.EncodeToString(key[:messageKeyBytes]),
	}
}

// waitFor waits for d. It reports false when ctx ends first.
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
