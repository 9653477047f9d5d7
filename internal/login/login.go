// Package login signs a customer in by a code that is sent to his telephone.
//
// A browser asks for a code ([Service.Ask]); a job sends it by the first of the site's
// senders that can; the same browser tells it ([Service.Check]) within five minutes and
// five tries. The code is derived from the server's secret and never stored. How often
// codes are sent and told is bounded by the rules in limits.go, with a budget for
// strangers and another for each browser that the phone has signed in on before.
package login

import (
	"log/slog"

	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/site"
)

// Ask is a browser's wish for a code. It prints without the person.
type Ask struct {
	Site *site.Site
	City *site.City
	// SessionID is the browser that can tell the code; nobody else can.
	SessionID int64
	// Phone is as it was typed.
	Phone string
	// Name is for a customer who has told none yet; empty when nothing was said.
	Name    string
	Channel notify.Channel
	// Address is the network address of the caller.
	Address string
	// Device is the secret of a browser that has signed in before, empty for none.
	Device string
	Lang   lang.Lang
	// Host is the site's name without a port, which stands in a message: browsers compare it
	// with that of the page. Empty where it is not known for sure; what a request calls the
	// site is not.
	Host string
	// Captcha is what is known of the captcha.
	Captcha Captcha
}

// Captcha is what is known of the captcha of a call.
type Captcha int

// The states of a captcha. Where the site has none, what would need it is refused.
// CaptchaUnanswered is a token whose provider could not be asked: it is enough in peace, and not
// under an alarm, for a range of numbers that is pumped, or for an address with several codes.
const (
	NoCaptcha Captcha = iota
	CaptchaUnsolved
	CaptchaUnanswered
	CaptchaSolved
)

// String gives nothing of the person.
func (Ask) String() string { return "ask" }

// GoString gives nothing of the person.
func (Ask) GoString() string { return "ask" }

// LogValue gives nothing of the person.
func (Ask) LogValue() slog.Value { return slog.StringValue("ask") }

// State is what became of a code.
type State string

// The states of sending.
const (
	Sending State = "sending"
	Sent    State = "sent"
	// Failed means that no sender could deliver it; another channel may.
	Failed State = "failed"
	// withheld is kept of a code that is not sent because its address has asked too often.
	// It is told as the others are.
	withheld State = "withheld"
)

// Verification is a code that a browser has asked for, as it is shown.
type Verification struct {
	// Timer is how many seconds pass until another code can be asked for.
	Timer int
	// ExpiresIn is how many seconds the code can still be told.
	ExpiresIn  int
	CodeLength int
	TriesLeft  int
	Channel    notify.Channel
	// Channels are those by which another code can be asked for.
	Channels []notify.Channel
	// Phone is digits with the country code.
	Phone string
	State State
}

// String gives nothing of the person.
func (Verification) String() string { return "verification" }

// GoString gives nothing of the person.
func (Verification) GoString() string { return "verification" }

// LogValue gives nothing of the person.
func (Verification) LogValue() slog.Value { return slog.StringValue("verification") }
