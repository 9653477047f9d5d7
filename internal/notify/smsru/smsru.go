// Package smsru delivers codes by SMS.RU: as text messages, and by calls whose number ends
// in a code that the provider chooses.
package smsru

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"servery/internal/notify"
	"servery/internal/remote"
)

// BaseURL is the provider's.
const BaseURL = "https://sms.ru"

const (
	name    = "smsru"
	timeout = 10 * time.Second
	// callDigits is how many digits of the calling number are the code.
	callDigits = 4
)

// Settings are those of an account.
type Settings struct {
	// BaseURL is [BaseURL], or a double's address.
	BaseURL string
	APIID   string
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

// SMS sends text messages.
type SMS struct{ client }

// NewSMS returns a sender of text messages.
func NewSMS(s Settings) *SMS { return &SMS{newClient(s)} }

// result is part of every answer, at the top and for each number.
type result struct {
	Status string      `json:"status"`
	Code   remote.Text `json:"status_code"`
}

// Send implements [notify.Sender]. A successful call does not mean that the number was accepted:
// each number has its own result.
func (s *SMS) Send(ctx context.Context, m notify.Message) (notify.Sent, error) {
	form := url.Values{"api_id": {s.APIID}, "to": {m.Phone}, "msg": {m.Text}, "json": {"1"}}
	if s.From != "" {
		form.Set("from", s.From)
	}
	if ip, ok := remote.IPAddress(m.Address); ok {
		form.Set("ip", ip)
	}
	var answer struct {
		result

		SMS map[string]result `json:"sms"`
	}
	status, err := s.remote.PostForm(ctx, "/sms/send", form, remote.Account{}, &answer)
	if err != nil {
		return notify.Sent{}, err
	}
	if status != http.StatusOK || answer.Status != "OK" {
		return notify.Sent{}, newRefusal(answer.Code)
	}
	if len(answer.SMS) != 1 {
		return notify.Sent{}, &remote.Error{Provider: name, Status: status, Reason: "the answer has no result of the message"}
	}
	for _, number := range answer.SMS {
		if number.Status != "OK" {
			return notify.Sent{}, newRefusal(number.Code)
		}
	}
	return notify.Sent{}, nil
}

// Call makes calls whose number ends in the code.
type Call struct{ client }

// NewCall returns a sender of calls.
func NewCall(s Settings) *Call { return &Call{newClient(s)} }

// Send implements [notify.Sender]. The provider chooses the code, of four digits. It refuses a
// brand whose codes have another length, because the customer could not enter this one.
func (c *Call) Send(ctx context.Context, m notify.Message) (notify.Sent, error) {
	if len(m.Code) != callDigits {
		return notify.Sent{}, &notify.Refusal{Provider: name, Reason: "a call has codes of 4 digits"}
	}
	const unknownIP = "-1"
	form := url.Values{"api_id": {c.APIID}, "phone": {m.Phone}, "ip": {unknownIP}, "json": {"1"}}
	if ip, ok := remote.IPAddress(m.Address); ok {
		form.Set("ip", ip)
	}
	var answer struct {
		result

		ChosenCode remote.Text `json:"code"`
	}
	status, err := c.remote.PostForm(ctx, "/code/call", form, remote.Account{}, &answer)
	if err != nil {
		return notify.Sent{}, err
	}
	if status != http.StatusOK || answer.Status != "OK" {
		return notify.Sent{}, newRefusal(answer.Code)
	}
	code := string(answer.ChosenCode)
	if code == "" || len(code) > callDigits || strings.Trim(code, "0123456789") != "" {
		return notify.Sent{}, &remote.Error{Provider: name, Status: status, Reason: "the answer has no code"}
	}
	// The provider sends the code as a number, without the zeros at its beginning.
	return notify.Sent{Code: strings.Repeat("0", callDigits-len(code)) + code}, nil
}

// badNumber is the provider's code for a number that does not exist, stopList for one that gets no messages.
const (
	badNumber = "202"
	stopList  = "209"
)

var reasons = map[string]string{
	"200": "the api_id is wrong", "201": "no money on the account", badNumber: "the number is wrong",
	"203": "there is no text", "204": "the sender is not connected at this operator", "205": "the text is too long",
	"206": "the limit of the day", "207": "no way to this number", stopList: "the number is on the stop list",
	"214": "the number is abroad", "216": "a word that is not allowed", "220": "later, please",
	"230": "the limit of the day for this number", "231": "the same text within a minute", "232": "the same text within a day",
	"233": "too many codes for this number", "300": "the token is wrong", "301": "the account is wrong", "302": "the account is not confirmed",
}

// newRefusal returns the refusal for a status code of the provider.
func newRefusal(code remote.Text) *notify.Refusal {
	r := &notify.Refusal{Provider: name, Code: remote.SafeCode(string(code)), Undeliverable: code == badNumber, OptedOut: code == stopList}
	if r.Reason = reasons[r.Code]; r.Reason == "" {
		r.Reason = "no reason in the answer"
	}
	return r
}
