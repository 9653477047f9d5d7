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
	// rounds is how often all senders of a channel are tried. A customer waits: what does
	// not work within seconds is told to him, and he may choose another channel.
	rounds     = 2
	tryTime    = 10 * time.Second
	retryPause = 500 * time.Millisecond
	// sendTime bounds all tries together, below what a job may take.
	sendTime = 45 * time.Second
)

// sendJob sends a code. It holds nothing of the person.
type sendJob struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (sendJob) Kind() string { return "login.send" }

// send delivers a code once: whoever claims it first sends it, and what fails then is not
// tried again later, when nobody waits for it any more.
func (s *Service) send(ctx context.Context, job sendJob) error {
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
	s.deliver(ctx, &c)
	s.metrics.sends.WithLabelValues(c.site, string(c.channel), string(c.state)).Inc()
	ctx = context.WithoutCancel(ctx) // it is sent: a stop of the program must not forget that
	return s.db.InTx(ctx, func(tx *db.Tx) error { return finishSend(ctx, tx.Q, c) })
}

// deliver asks the senders one after another until one has taken the code, and notes in
// the challenge what came of it.
func (s *Service) deliver(ctx context.Context, c *challenge) {
	c.state = Failed
	st, ok := s.site(c.site)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	m := s.message(st, *c)
	// A phone under siege has longer codes than the site's own.
	isLong := c.codeLength > st.Settings.CodeLength
	for round := range rounds {
		if round > 0 && !pause(ctx, s.retryPause) {
			return
		}
		for _, sender := range s.senders.Senders(c.site, c.channel) {
			if _, checks := sender.(notify.Checker); checks && isLong {
				continue // it makes codes of its own length
			}
			sent, err := s.try(ctx, sender, m)
			if err == nil {
				s.note(c, sender.Name(), sent, isLong)
				return
			}
			s.log.WarnContext(ctx, "a code was not delivered", slog.String("site", c.site), slog.String("sender", sender.Name()), slog.Any("error", err))
			if errors.Is(err, notify.ErrUndeliverable) {
				return
			}
		}
	}
}

func (s *Service) try(ctx context.Context, sender notify.Sender, m notify.Message) (notify.Sent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.tryTime)
	defer cancel()
	return sender.Send(ctx, m)
}

// note keeps what must be told now. A code of the provider's own that is shorter than the
// phone needs is as good as none.
func (s *Service) note(c *challenge, sender string, sent notify.Sent, isLong bool) {
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

// message says a code. Its last line lets a browser fill the code in by itself on the
// site's own page, and nowhere else.
func (s *Service) message(st *site.Site, c challenge) notify.Message {
	code := codeOf(s.secret, c.salt, c.site, c.phone, c.codeLength)
	text := lang.T(c.lang, "login.text", fault.Args{"brand": st.Text(st.Name, c.lang), "code": code})
	if c.host != "" {
		text += "\n\n@" + c.host + " #" + code
	}
	key := keyed(s.secret, "message", string(c.salt))
	return notify.Message{
		Phone: c.phone, Code: code, Text: text, Lang: c.lang, Address: c.address, Key: hex.EncodeToString(key[:16]),
	}
}

// pause waits, and reports false when there is no time for it.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
