// Package smsc delivers codes by SMSC.ru and its sister hosts: as text messages, and by
// calls whose number ends in a code that the provider chooses.
package smsc

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"servery/internal/notify"
	"servery/internal/remote"
)

// BaseURL is the provider's in Russia; smsc.kz and smsc.ua are its sisters.
const BaseURL = "https://smsc.ru"

const (
	name    = "smsc"
	timeout = 10 * time.Second
)

// Settings are those of an account: login and password, or a key.
type Settings struct {
	// BaseURL is [BaseURL], a sister's or a double's address.
	BaseURL         string
	Login, Password string
	APIKey          string
	// From is the sender that the text messages show; empty leaves it to the provider.
	From string
}

type client struct {
	remote *remote.Client
	Settings
}

// newClient returns the client of an account.
func newClient(s Settings) client { return client{remote.New(name, s.BaseURL, timeout), s} }

// Name implements [notify.Sender].
func (client) Name() string { return name }

// answer is every answer: refused when it has an error code, else with the message's id.
type answer struct {
	ID        remote.Text `json:"id"`
	Count     remote.Text `json:"cnt"`
	ErrorCode remote.Text `json:"error_code"`
	Error     string      `json:"error"`
	// Code is of calls only.
	Code remote.Text `json:"code"`
}

// answerInJSON is the format of answers that this package reads.
const answerInJSON = "3"

// callAPI sends a form with the account's credentials and returns the answer. A refusal is a
// [notify.Refusal].
func (c client) callAPI(ctx context.Context, form url.Values) (answer, error) {
	if c.APIKey != "" {
		form.Set("apikey", c.APIKey)
	} else {
		form.Set("login", c.Login)
		form.Set("psw", c.Password)
	}
	form.Set("fmt", answerInJSON)
	form.Set("charset", "utf-8")
	var a answer
	status, err := c.remote.PostForm(ctx, "/sys/send.php", form, remote.Account{}, &a)
	switch {
	case err != nil:
		return answer{}, err
	case a.ErrorCode != "" || a.Error != "" || status != http.StatusOK:
		return answer{}, newRefusal(a.ErrorCode)
	case a.ID == "" || a.Count == "0":
		return answer{}, &remote.Error{Provider: name, Status: status, Reason: "the answer has no result of the message"}
	}
	return a, nil
}

// SMS sends text messages.
type SMS struct{ client }

// NewSMS returns a sender of text messages.
func NewSMS(s Settings) *SMS { return &SMS{newClient(s)} }

// Send implements [notify.Sender].
func (s *SMS) Send(ctx context.Context, m notify.Message) (notify.Sent, error) {
	form := url.Values{"phones": {m.Phone}, "mes": {m.Text}}
	if s.From != "" {
		form.Set("sender", s.From)
	}
	_, err := s.callAPI(ctx, form)
	return notify.Sent{}, err
}

// Call makes calls whose number ends in the code.
type Call struct{ client }

// NewCall returns a sender of calls.
func NewCall(s Settings) *Call { return &Call{newClient(s)} }

// Send implements [notify.Sender]. The provider returns the last digits of the calling number.
// The code is the last of them, as many as a code of the brand has.
func (c *Call) Send(ctx context.Context, m notify.Message) (notify.Sent, error) {
	// The word "code" in the message makes the provider choose a number that ends in a code.
	a, err := c.callAPI(ctx, url.Values{"phones": {m.Phone}, "mes": {"code"}, "call": {"1"}})
	if err != nil {
		return notify.Sent{}, err
	}
	code := string(a.Code)
	if len(code) < len(m.Code) || strings.Trim(code, "0123456789") != "" {
		return notify.Sent{}, &remote.Error{Provider: name, Reason: "the answer has no code"}
	}
	return notify.Sent{Code: code[len(code)-len(m.Code):]}, nil
}

// badNumber is the provider's code for a number that does not exist.
const badNumber = "7"

var reasons = map[string]string{
	"1": "the parameters are wrong", "2": "login or password is wrong", "3": "no money on the account",
	"4": "our address is blocked for a while", "5": "the date is wrong", "6": "text or sender is not allowed",
	badNumber: "the number is wrong", "8": "it cannot deliver to this number", "9": "the same message too often",
}

// newRefusal returns the refusal for an error code of the provider.
func newRefusal(code remote.Text) *notify.Refusal {
	r := &notify.Refusal{Provider: name, Code: remote.SafeCode(string(code)), Undeliverable: code == badNumber}
	if r.Reason = reasons[r.Code]; r.Reason == "" {
		r.Reason = "no reason in the answer"
	}
	return r
}
