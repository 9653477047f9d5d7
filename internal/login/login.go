// Package login signs a customer in by a code that is sent to their phone.
//
// A browser asks for a code ([Service.Ask]); a job sends it by the first of the site's senders that
// can; the same browser enters it ([Service.Check]) within five minutes and five attempts. The code
// is derived from the server's secret and never stored. How often codes are sent and entered is
// bounded by the rules in limits.go, with a budget for unknown devices and another for each browser
// that the phone has signed in on before.
package login

import (
	"log/slog"

	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/site"
)

// Ask is a browser's request for a code. It prints without the person.
type Ask struct {
	Site *site.Site
	City *site.City
	// SessionID is the only browser that can enter the code.
	SessionID int64
	// Phone is as it was typed.
	Phone string
	// Name is for a customer who has none yet; empty when none was entered.
	Name    string
	Channel notify.Channel
	// Address is the network address of the caller.
	Address string
	// Device is the secret of a browser that has signed in before, empty for none.
	Device string
	Lang   lang.Lang
	// Host is the site's name without a port, which is part of a message: browsers compare it with
	// that of the page. Empty where it is not certain; the Host of a request is not.
	Host string
	// Captcha is the state of the captcha.
	Captcha Captcha
}

// Captcha is the state of the captcha of a call.
type Captcha int

// The states of a captcha. Where the site has none, what would need it is refused.
// CaptchaUnanswered is a token whose provider could not be asked. It is enough, except under an alarm,
// for a range of numbers or a country with too many codes (see [PumpLimits]), and for an address with
// several codes.
const (
	NoCaptcha Captcha = iota
	CaptchaUnsolved
	CaptchaUnanswered
	CaptchaSolved
)

// String returns "ask", so that no text contains the person.
func (Ask) String() string { return "ask" }

// GoString returns "ask", so that %#v prints nothing of the person.
func (Ask) GoString() string { return "ask" }

// LogValue returns "ask", so that no log contains the person.
func (Ask) LogValue() slog.Value { return slog.StringValue("ask") }

// State is the state of sending a code.
type State string

// The states of sending.
const (
	Sending State = "sending"
	Sent    State = "sent"
	// Failed means that no sender could deliver it; another channel may.
	Failed State = "failed"
	// withheld is the state of a code that is not sent because its address or network has requested too often.
	// The browser is shown it as any other, see shownState.
	withheld State = "withheld"
)

// Verification is a code that a browser has requested, as it is shown.
type Verification struct {
	// Timer is how many seconds pass until another code can be requested.
	Timer int
	// ExpiresIn is how many seconds the code can still be entered.
	ExpiresIn  int
	CodeLength int
	TriesLeft  int
	Channel    notify.Channel
	// Channels are those by which another code can be requested.
	Channels []notify.Channel
	// Phone is digits with the country code.
	Phone string
	State State
}

// String returns "verification", so that no text contains the person.
func (Verification) String() string { return "verification" }

// GoString returns "verification", so that %#v prints nothing of the person.
func (Verification) GoString() string { return "verification" }

// LogValue returns "verification", so that no log contains the person.
func (Verification) LogValue() slog.Value { return slog.StringValue("verification") }
