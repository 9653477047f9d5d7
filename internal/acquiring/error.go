package acquiring

import (
	"errors"
	"fmt"
	"strings"
)

// ErrorKind is what an [Error] is about. The set is closed.
type ErrorKind uint8

// The closed set of kinds. The zero kind is Lost, the most careful.
const (
	Lost     ErrorKind = iota // asked, but no answer that can be read: try again
	Unsent                    // the acquirer could not be reached: nothing left this machine
	Busy                      // too many requests: nothing was done, try again later
	Denied                    // the account or its rights are refused: a setting is wrong
	Invalid                   // the intent or the answer to it cannot be sent to this acquirer
	Late                      // the deadline is over
	Forged                    // a callback that is not the acquirer's
	Foreign                   // it is of another payment
	Mismatch                  // another sum or currency than asked for
	Rejected                  // the acquirer understood and said no
)

var errorNames = [...]string{
	"no answer that can be read", "cannot be reached", "too many requests", "the account is refused", "cannot be paid so",
	"the deadline is over", "a callback that is not genuine", "of another payment", "another sum or currency", "refused",
}

// String returns the kind in words; an unknown kind reads as Lost.
func (k ErrorKind) String() string {
	if int(k) < len(errorNames) {
		return errorNames[k]
	}
	return errorNames[Lost]
}

// Error is what went wrong between us and an acquirer. It holds no address, no body and
// nothing that a customer entered.
type Error struct {
	Acquirer string
	// Op is what was asked for, such as "refund".
	Op   string
	Kind ErrorKind
	// Status is that of HTTP, 0 without an answer.
	Status int
	// Code is the acquirer's own word, cleaned by [CleanCode], or what is at fault.
	Code string

	cause error
}

// Because returns a copy of the error with a cause that callers can find by errors.Is, such as
// the end of a context. The cause is never shown.
func (e *Error) Because(cause error) *Error {
	with := *e
	with.cause = cause
	return &with
}

// Error returns acquirer, operation, kind, status and code.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", e.Acquirer, e.Op, e.Kind)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (%d)", e.Status)
	}
	if e.Code != "" {
		b.WriteString(": " + e.Code)
	}
	return b.String()
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// KindOf returns the kind of the first Error in the chain of err, and Lost for any other.
func KindOf(err error) ErrorKind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Lost
}

// CleanCode returns an acquirer's code if it is fit for logs: words of ASCII, at most 60
// letters. Any other text becomes "other", because a sentence may repeat what a customer
// entered, and a long row of digits may be a card.
func CleanCode(code string) string {
	if code == "" {
		return ""
	}
	digits := 0
	for i := range len(code) {
		if code[i] >= '0' && code[i] <= '9' {
			digits++
		}
	}
	if digits > 8 || !isPlain(code, 60, "-_.") {
		return "other"
	}
	return code
}
