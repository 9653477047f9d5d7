// Package mail delivers messages by e-mail, over a brand's own SMTP server.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"slices"
	"time"

	gomail "github.com/wneessen/go-mail"

	"servery/internal/forward"
)

// Name is the name of this way in settings and logs.
const Name = "smtp"

// Timeout is how long one step of a delivery may take.
const Timeout = 15 * time.Second

// Security is how the connection is encrypted. The set is closed.
type Security string

// The kinds of security.
const (
	// StartTLS begins in the clear and refuses a server that does not encrypt then.
	StartTLS Security = "starttls"
	// TLS is encrypted from the first byte.
	TLS Security = "tls"
	// Plain encrypts nothing: for a server on this machine.
	Plain Security = "none"
)

// usualPort returns the port that servers of this security listen on.
func (s Security) usualPort() int {
	switch s {
	case TLS:
		return 465
	case Plain:
		return 25
	case StartTLS:
	}
	return 587
}

// Settings are those of one SMTP server.
type Settings struct {
	Host string
	// Port is 0 for the usual one.
	Port     int
	Security Security
	// User and Password sign in; without a user nobody does.
	User, Password string
	// From is the sender, and To the brand's own mailbox.
	From, To string
	// Timeout is 0 for [Timeout].
	Timeout time.Duration
}

// Mailer delivers messages by e-mail. Make it with [New]. It is safe for concurrent use.
type Mailer struct {
	settings Settings
	options  []gomail.Option
}

// New returns a mailer. It returns an error when From or To is no e-mail address, or when host and port
// name no server. It connects to none.
func New(s Settings) (*Mailer, error) {
	for _, address := range []string{s.From, s.To} {
		if _, err := mail.ParseAddress(address); err != nil {
			return nil, errors.New("from and to must be e-mail addresses")
		}
	}
	if s.Port == 0 {
		s.Port = s.Security.usualPort()
	}
	if s.Timeout == 0 {
		s.Timeout = Timeout
	}
	m := &Mailer{settings: s, options: []gomail.Option{gomail.WithPort(s.Port), gomail.WithTimeout(s.Timeout)}}
	auth := gomail.SMTPAuthAutoDiscover
	switch s.Security {
	case TLS:
		m.options = append(m.options, gomail.WithSSL())
	case Plain:
		m.options = append(m.options, gomail.WithTLSPolicy(gomail.NoTLS))
		auth = gomail.SMTPAuthPlainNoEnc
	case StartTLS:
		m.options = append(m.options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.User != "" {
		m.options = append(m.options, gomail.WithSMTPAuth(auth), gomail.WithUsername(s.User), gomail.WithPassword(s.Password))
	}
	if _, err := gomail.NewClient(s.Host, m.options...); err != nil {
		return nil, errors.New("host and port name no mail server")
	}
	return m, nil
}

// Name implements [forward.Sender].
func (*Mailer) Name() string { return Name }

// Send implements [forward.Sender]. A mail that arrives twice has the same Message-ID.
func (m *Mailer) Send(ctx context.Context, message forward.Message) error {
	mailed, err := m.compose(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*m.settings.Timeout) // for all steps together
	defer cancel()
	client, err := gomail.NewClient(m.settings.Host, append(slices.Clone(m.options), gomail.WithDialContextFunc(m.dialUntil(ctx)))...)
	if err != nil {
		return errors.New("smtp: host and port name no mail server")
	}
	if err := client.DialAndSendWithContext(ctx, mailed); err != nil {
		return cleanError(ctx, err)
	}
	return nil
}

// dialUntil returns a function that connects to the server. The connection is closed when until
// ends, because go-mail observes a context only until it is connected.
func (m *Mailer) dialUntil(until context.Context) gomail.DialContextFunc {
	dial := new(net.Dialer).DialContext
	if m.settings.Security == TLS {
		dial = (&tls.Dialer{Config: &tls.Config{ServerName: m.settings.Host, MinVersion: tls.VersionTLS12}}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err == nil {
			context.AfterFunc(until, func() { _ = conn.Close() }) // ends whatever waits for the server
		}
		return conn, err
	}
}

// compose returns the mail for a message.
func (m *Mailer) compose(message forward.Message) (*gomail.Msg, error) {
	mailed := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := errors.Join(mailed.From(m.settings.From), mailed.To(m.settings.To)); err != nil {
		return nil, errors.New("smtp: from or to is no address")
	}
	if message.ReplyTo != "" {
		_ = mailed.ReplyTo(message.ReplyTo) // an address that cannot be used stands in the text
	}
	mailed.SetMessageIDWithValue(message.Key + "@" + m.settings.Host)
	mailed.SetDateWithValue(message.At)
	mailed.Subject(message.Subject)
	mailed.SetBodyString(gomail.TypeTextPlain, message.Text)
	return mailed, nil
}

// cleanError returns an error without the text of the server, which may repeat addresses.
func cleanError(ctx context.Context, err error) error {
	var refused *gomail.SendError
	var network *net.OpError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("smtp: no answer in time: %w", ctx.Err())
	case errors.As(err, &refused) && refused.ErrorCode() > 0:
		return fmt.Errorf("smtp: the server refused the mail with code %d", refused.ErrorCode())
	case errors.As(err, &network):
		return fmt.Errorf("smtp: cannot %s", network.Op)
	}
	return errors.New("smtp: the server did not take the mail; see its log for the sign-in and the encryption")
}
