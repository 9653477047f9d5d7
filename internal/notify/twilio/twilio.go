// Package twilio delivers codes by Twilio Verify, which makes and checks them itself.
package twilio

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/remote"
)

// BaseURL is the provider's.
const BaseURL = "https://verify.twilio.com"

const (
	name    = "twilio"
	timeout = 10 * time.Second
)

// What Twilio calls its refusals.
const (
	tooManyChecks = "60202"
	tooManySends  = "60203"
	notFound      = "20404"
	badNumber     = "21211"
)

// Settings are those of a Verify service, whose code length must be the brand's.
type Settings struct {
	// BaseURL is [BaseURL], or a double's address.
	BaseURL string
	// Service is the Verify service, VA….
	Service string
	// Account is the account or an API key, AC… or SK…, and Secret belongs to it.
	Account, Secret string
}

// Verify sends and checks codes by one channel.
type Verify struct {
	remote  *remote.Client
	channel notify.Channel
	account remote.Account
	path    string
}

// New returns a sender of a channel.
func New(s Settings, c notify.Channel) *Verify {
	return &Verify{
		remote: remote.New(name, s.BaseURL, timeout), channel: c,
		account: remote.Account{User: s.Account, Password: s.Secret}, path: "/v2/Services/" + url.PathEscape(s.Service),
	}
}

// Name implements [notify.Sender].
func (*Verify) Name() string { return name }

// verification is every answer: Code is set on a refusal only.
type verification struct {
	SID    string      `json:"sid"`
	Status string      `json:"status"`
	Valid  bool        `json:"valid"`
	Code   remote.Text `json:"code"`
}

// Send implements [notify.Sender]. A second send within ten minutes delivers the same code again.
func (v *Verify) Send(ctx context.Context, m notify.Message) (notify.Sent, error) {
	form := url.Values{"To": {"+" + m.Phone}, "Channel": {string(v.channel)}}
	if m.Lang != "" && m.Lang != lang.UZ { // Twilio speaks no Uzbek and takes the number's language then
		form.Set("Locale", string(m.Lang))
	}
	var answer verification
	status, err := v.remote.PostForm(ctx, v.path+"/Verifications", form, v.account, &answer)
	switch {
	case answer.Code != "": // a refusal with status 429 comes with an error too
		return notify.Sent{}, newRefusal(answer.Code)
	case err != nil:
		return notify.Sent{}, err
	case status >= http.StatusBadRequest:
		return notify.Sent{}, newRefusal(answer.Code)
	case answer.SID == "" || answer.Status != "pending":
		return notify.Sent{}, &remote.Error{Provider: name, Status: status, Reason: "it did not begin a verification"}
	}
	return notify.Sent{Ref: answer.SID}, nil
}

// Check implements [notify.Checker]. Twilio finds the verification by the number, so an answer
// about another verification than ref is a wrong code.
func (v *Verify) Check(ctx context.Context, ref, phone, code string) (bool, error) {
	var answer verification
	status, err := v.remote.PostForm(ctx, v.path+"/VerificationCheck", url.Values{"To": {"+" + phone}, "Code": {code}}, v.account, &answer)
	switch {
	case answer.Code == notFound || answer.Code == tooManyChecks:
		return false, nil // used up, too old or too many attempts
	case answer.Code != "":
		return false, newRefusal(answer.Code)
	case err != nil:
		return false, err
	case status >= http.StatusBadRequest || answer.Status == "":
		return false, &remote.Error{Provider: name, Status: status, Reason: "it did not check the code"}
	}
	return answer.Status == "approved" && answer.Valid && answer.SID == ref, nil
}

var reasons = map[string]string{
	"20003": "account or secret is wrong", "20429": "asked too often", badNumber: "the number is wrong",
	"60200": "a parameter is wrong", "60205": "the number takes no text messages", "60410": "the prefix is blocked",
	tooManyChecks: "too many checks", tooManySends: "too many codes for this number", notFound: "there is no such service",
}

// newRefusal returns the refusal for an error code of the provider.
func newRefusal(code remote.Text) *notify.Refusal {
	r := &notify.Refusal{Provider: name, Code: remote.SafeCode(string(code)), Undeliverable: code == badNumber}
	if r.Reason = reasons[r.Code]; r.Reason == "" {
		r.Reason = "no reason in the answer"
	}
	return r
}
