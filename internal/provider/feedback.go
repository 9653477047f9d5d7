package provider

import (
	"time"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/forward"
	"servery/internal/forward/mail"
	"servery/internal/forward/webhook"
)

// leastSecret is how many characters the secret of a webhook must have.
const leastSecret = 16

// readFeedback returns the sender that delivers forms to a brand; nil when the entry is wrong.
func (f *file) readFeedback(n ast.Node) forward.Sender {
	entry := f.readFields(n)
	if entry == nil {
		return nil
	}
	defer entry.checkFields()
	switch entry.chooseProvider(mail.Name, webhook.Name) {
	case mail.Name:
		return entry.openMailer()
	case webhook.Name:
		return entry.openWebhook()
	}
	return nil
}

// readChanges returns the webhook to which the changes of a brand's orders are posted; nil when the entry
// is wrong.
func (f *file) readChanges(n ast.Node) forward.Sender {
	entry := f.readFields(n)
	if entry == nil {
		return nil
	}
	defer entry.checkFields()
	if entry.chooseProvider(webhook.Name) == "" {
		return nil
	}
	return entry.openWebhook()
}

// openMailer returns the mailer of an entry, nil when a field of it is wrong.
func (f *fields) openMailer() forward.Sender {
	faults := len(f.file.faults)
	s := mail.Settings{ // the port is read like a duration in units of 1
		Host: f.requiredText("host"), Port: int(f.readDuration("port", 1, 65535)), Security: mail.StartTLS,
		User: f.readText("user"), From: f.requiredText("from"), To: f.requiredText("to"), Timeout: f.readTimeout(),
	}
	if text := mail.Security(f.readText("security")); text != "" {
		s.Security = text
	}
	isLocal := s.Host == "127.0.0.1" || s.Host == "localhost" || s.Host == "::1"
	switch s.Security {
	case mail.StartTLS, mail.TLS:
	case mail.Plain:
		if !isLocal {
			f.file.addFault(f.lines["security"], "security none is for this machine only")
		}
	default:
		f.file.addFault(f.lines["security"], "security must be starttls, tls or none")
	}
	if s.User != "" {
		s.Password = f.requiredText("password")
	}
	if len(f.file.faults) > faults {
		return nil
	}
	mailer, err := mail.New(s)
	if err != nil {
		f.file.addFault(f.line, "%v", err)
		return nil
	}
	return mailer
}

// openWebhook returns the webhook of an entry, nil when a field of it is wrong.
func (f *fields) openWebhook() forward.Sender {
	faults := len(f.file.faults)
	address := f.readAddress("url", "")
	if address == "" && len(f.file.faults) == faults {
		f.file.addFault(f.line, "url is missing")
	}
	secret := f.requiredText("secret")
	if secret != "" && len(secret) < leastSecret {
		f.file.addFault(f.lines["secret"], "secret must have at least %d characters", leastSecret)
	}
	timeout := f.readDuration("timeout_seconds", time.Second, 60)
	if len(f.file.faults) > faults {
		return nil
	}
	return webhook.New(webhook.Settings{URL: address, Secret: secret, Clock: f.file.clock, Timeout: timeout})
}
