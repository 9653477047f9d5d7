// Package fault holds the one error type of Servery.
//
// A rule that refuses a request returns a *[Error]: a Code that says what kind of refusal it is,
// the Key of a message for the customer, and, when single fields of the request are wrong, one or
// more messages for each of them. The package depends neither on HTTP nor on languages: the server
// maps codes to statuses and package lang turns keys into words. Tests record the keys of refusals;
// nothing else but the standard library is imported.
//
// An error that is not a fault is a bug or a broken machine: [CodeOf] calls it
// Internal.
package fault

import (
	"errors"
	"maps"
	"strings"
	"time"

	"servery/internal/coverage"
)

// Code is the kind of a refusal. The set is closed.
type Code uint8

// The closed set of codes. The zero Code is Internal, so that a missing code never blames the
// customer's request.
const (
	Internal        Code = iota // a bug or a broken machine
	Invalid                     // the request breaks a rule; Fields say where
	Unauthenticated             // the visitor is not signed in
	Forbidden                   // the visitor may not do this
	NotFound                    // it does not exist, or not for this visitor
	WrongMethod                 // it is called by another method
	Conflict                    // it has changed since it was read
	TooLarge                    // the request is bigger than allowed
	TooMany                     // too many requests; RetryAfter says how long to wait
	Unavailable                 // works again later; RetryAfter says when, if known
)

// String returns the code as a word for logs and metrics; it never changes.
func (c Code) String() string {
	switch c {
	case Invalid:
		return "invalid"
	case Unauthenticated:
		return "unauthenticated"
	case Forbidden:
		return "forbidden"
	case NotFound:
		return "not_found"
	case WrongMethod:
		return "wrong_method"
	case Conflict:
		return "conflict"
	case TooLarge:
		return "too_large"
	case TooMany:
		return "too_many"
	case Unavailable:
		return "unavailable"
	case Internal:
		return "internal"
	}
	return "internal"
}

// Args are the values for the {placeholders} of a message.
type Args map[string]any

// Message is the key of a text in package lang with the values it needs.
type Message struct {
	Key  string
	Args Args
}

// Fields are the messages for single fields of a request, by the field's name on
// the wire.
type Fields map[string][]Message

// Error is a refusal with a code and a message for the customer. It is never
// changed after New returned it, so it may be shared.
type Error struct {
	Code    Code
	Message Message
	// Fields is empty unless single fields are at fault.
	Fields Fields
	// RetryAfter is how long to wait before trying again; zero means unknown.
	RetryAfter time.Duration

	cause error
}

// Option completes an Error.
type Option func(*Error)

// New returns a fault with a code and the key of its message, such as "cart.too_many". The texts
// of keys are in package lang.
func New(code Code, key string, opts ...Option) *Error {
	coverage.Record("message", key)
	e := &Error{Code: code, Message: Message{Key: key}}
	for _, opt := range opts {
		opt(e)
	}
	return e
}

// With returns an option of [New] that sets the values of the message's placeholders.
func With(args Args) Option {
	return func(e *Error) { e.Message.Args = args }
}

// Field returns an option of [New] that adds a message about one field of the request, after
// those that the field has. The args are merged into one.
func Field(field, key string, args ...Args) Option {
	coverage.Record("message", key)
	return func(e *Error) {
		if e.Fields == nil {
			e.Fields = Fields{}
		}
		m := Message{Key: key}
		for _, a := range args {
			if m.Args == nil {
				m.Args = Args{}
			}
			maps.Copy(m.Args, a)
		}
		e.Fields[field] = append(e.Fields[field], m)
	}
}

// Because returns an option of [New] that sets the error which led to the fault. It is logged,
// never shown.
func Because(cause error) Option {
	return func(e *Error) { e.cause = cause }
}

// RetryAfter returns an option of [New] that sets how long to wait before the next attempt.
func RetryAfter(d time.Duration) Option {
	return func(e *Error) { e.RetryAfter = d }
}

// Error returns the code, the message key and the cause, for logs. The values of the message are
// left out, because they may be a customer's own words.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Code.String())
	b.WriteString(": ")
	b.WriteString(e.Message.Key)
	if e.cause != nil {
		b.WriteString(": ")
		b.WriteString(e.cause.Error())
	}
	return b.String()
}

// Unwrap returns the cause of the fault, nil when there is none.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is a fault of the same code and key; causes and fields are not
// compared. It is for errors.Is(err, fault.New(fault.Conflict, "cart.changed")).
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error) // one link; errors.Is walks the chain
	return ok && t.Code == e.Code && t.Message.Key == e.Message.Key
}

// Of returns the first fault in the chain of err, false when there is none.
func Of(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// CodeOf returns the code of the first fault in the chain of err, and Internal for any other error.
// err must not be nil.
func CodeOf(err error) Code {
	if e, ok := Of(err); ok {
		return e.Code
	}
	return Internal
}

// KeyOf returns the message key of the first fault in the chain of err, an empty text when there
// is none. err may be nil.
func KeyOf(err error) string {
	if e, ok := Of(err); ok {
		return e.Message.Key
	}
	return ""
}
