// Package forward delivers to a brand's people what their visitors wrote: by mail, or to a webhook.
package forward

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
)

// Message is what a visitor wrote. It prints without its contents.
type Message struct {
	// Key is the same for every attempt to deliver the same message: receivers recognize repeats by it.
	Key string
	// Subject and Text are for people, in the brand's language.
	Subject, Text string
	// ReplyTo is the visitor's e-mail address; empty when there is none.
	ReplyTo string
	// Body is what the visitor wrote as JSON, for programs.
	Body json.RawMessage
	// At is when the visitor wrote it.
	At time.Time
}

// LogValue returns "message", so that no log contains the message.
func (Message) LogValue() slog.Value { return slog.StringValue("message") }

// String returns "message", so that no text contains the message.
func (Message) String() string { return "message" }

// GoString returns "message", so that %#v prints nothing of the message.
func (Message) GoString() string { return "message" }

// Sender delivers messages in one way. It is safe for concurrent use. After an error the message
// may have arrived nevertheless. Errors contain nothing of the message and no secret.
type Sender interface {
	// Name returns the name of the way, for logs: "smtp".
	Name() string
	Send(ctx context.Context, m Message) error
}

// Senders returns the sender of a site; false when the site has none.
type Senders interface {
	Forwarder(site string) (Sender, bool)
}
