//go:build !release

package mailbox

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"servery/internal/clock"
	"servery/internal/notify"
)

// most is how many letters are kept.
const most = 200

// Letter is what a customer would have got.
type Letter struct {
	At      time.Time      `json:"at"`
	Channel notify.Channel `json:"channel"`
	Phone   string         `json:"phone"`
	Code    string         `json:"code"`
	// Text is the whole message; empty for a call.
	Text string `json:"text,omitempty"`
}

// Mailbox keeps the latest letters of one process. It is safe for concurrent use.
type Mailbox struct {
	clock clock.Clock
	log   *slog.Logger

	mu      sync.Mutex
	letters []Letter // the oldest first
}

// New makes an empty mailbox, which tells its letters in the log too.
func New(c clock.Clock, log *slog.Logger) *Mailbox { return &Mailbox{clock: c, log: log} }

// Sender gives the sender of a channel.
func (m *Mailbox) Sender(c notify.Channel) notify.Sender { return sender{m, c} }

// Letters gives the letters to a phone, to all phones when it is empty, the newest first.
func (m *Mailbox) Letters(phone string) []Letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := []Letter{}
	for _, l := range slices.Backward(m.letters) {
		if phone == "" || l.Phone == phone {
			found = append(found, l)
		}
	}
	return found
}

func (m *Mailbox) keep(l Letter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.letters = append(m.letters, l)
	if len(m.letters) > most {
		m.letters = slices.Delete(m.letters, 0, len(m.letters)-most)
	}
}

type sender struct {
	mailbox *Mailbox
	channel notify.Channel
}

// Name implements [notify.Sender].
func (sender) Name() string { return "mailbox" }

// Send implements [notify.Sender].
func (s sender) Send(ctx context.Context, msg notify.Message) (notify.Sent, error) {
	l := Letter{At: s.mailbox.clock.Now(), Channel: s.channel, Phone: msg.Phone, Code: msg.Code}
	if s.channel == notify.SMS {
		l.Text = msg.Text
	}
	s.mailbox.keep(l)
	// The one place that may log a code: no release has it.
	s.mailbox.log.InfoContext(ctx, "mailbox", "channel", string(l.Channel), "phone", l.Phone, "code", l.Code)
	return notify.Sent{}, nil
}
