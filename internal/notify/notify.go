// Package notify delivers codes to phones: by a text message, or by a call whose number
// ends in the code. Each provider is a [Sender]; a brand names several of them for a
// channel, and the next is used when one fails.
package notify

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"servery/internal/clock"
	"servery/internal/lang"
)

// Channel is how a code reaches a phone. The set is closed.
type Channel string

// The channels.
const (
	SMS  Channel = "sms"
	Call Channel = "call"
)

// Message is a code to deliver. It prints without the phone and the code.
type Message struct {
	// Phone is digits with the country code.
	Phone string
	// Code is the code to deliver; a provider that makes codes of its own does not use it.
	Code string
	// Text is the whole text message, in the customer's language, with the code in it.
	Text string
	Lang lang.Lang
	// Address is the network address of the caller, empty when it is unknown.
	Address string
	// Key is the same for every attempt to deliver the same code.
	Key string
}

// LogValue returns "message", so that no log contains the message.
func (Message) LogValue() slog.Value { return slog.StringValue("message") }

// String returns "message", so that no text contains the message.
func (Message) String() string { return "message" }

// GoString returns "message", so that %#v prints nothing of the message.
func (Message) GoString() string { return "message" }

// Sent is what a provider has done with a message.
type Sent struct {
	// Code is the code that the provider chose itself, such as the last digits of the number that
	// calls; empty when it delivered the given one.
	Code string
	// Ref identifies the provider's own verification where the provider checks the code; the sender
	// is a [Checker] then. Empty where this program checks.
	Ref string
}

// Sender delivers codes by one channel of one provider. It is safe for concurrent use. Its errors
// contain neither phone nor code nor secret. [ErrUndeliverable] in the chain says that no other
// attempt with this number can succeed; anything else may succeed later or elsewhere.
type Sender interface {
	// Name returns the provider's name, for logs and the record of the delivery: "smsru".
	Name() string
	Send(ctx context.Context, m Message) (Sent, error)
}

// Checker is a [Sender] whose provider checks the codes itself.
type Checker interface {
	Sender
	// Check reports whether the code is the one that was delivered under ref. A false answer is
	// final for this code; an error leaves it unknown.
	Check(ctx context.Context, ref, phone, code string) (bool, error)
}

// ErrUndeliverable says that the number cannot be reached at all: it does not exist.
var ErrUndeliverable = errors.New("the number cannot be reached")

// ErrOptedOut says that the owner of the number wants no messages from the provider. After it, another
// sender may be tried only for what the customer has asked for, such as a code.
var ErrOptedOut = errors.New("the number has asked for no messages")

// IsFinal reports whether an error of a sender ends all attempts to send a message that the customer has
// not asked for: the number cannot be reached, or has opted out.
func IsFinal(err error) bool {
	return errors.Is(err, ErrUndeliverable) || errors.Is(err, ErrOptedOut)
}

// Senders returns the senders of a site's channel, the first to use first; none where the site does
// not have the channel.
type Senders interface {
	Senders(site string, c Channel) []Sender
}

// TextSenders returns the senders of a site that deliver the text that they are passed. Senders that
// check codes themselves write their own text and are left out.
func TextSenders(configured Senders, siteAlias string) []Sender {
	var senders []Sender
	for _, sender := range configured.Senders(siteAlias, SMS) {
		if _, checks := sender.(Checker); !checks {
			senders = append(senders, sender)
		}
	}
	return senders
}

// Messages that can wait are sent in these minutes of a city's day: from ten to eight in the evening.
const (
	firstMinute = 10 * 60
	lastMinute  = 20 * 60
)

// InDaytime returns now when it is between firstMinute and lastMinute of the day in the time zone, else
// the next instant at which it is firstMinute there.
func InDaytime(now time.Time, loc *time.Location) time.Time {
	day := clock.DayOf(now, loc)
	switch minute := clock.MinuteOf(now, loc); {
	case minute < firstMinute:
		return clock.At(day, firstMinute, loc)
	case minute >= lastMinute:
		return clock.At(day.Add(1), firstMinute, loc)
	}
	return now
}
