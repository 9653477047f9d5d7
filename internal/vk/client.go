// Package vk signs customers in with VK ID: OAuth 2.1 with PKCE, where the verifier and the
// tokens never leave the server.
package vk

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/lang"
	"servery/internal/phone"
	"servery/internal/remote"
)

// BaseURL is VK ID's.
const BaseURL = "https://id.vk.com"

const (
	name = "vk"
	// A visitor waits for two calls of at most this time each.
	timeout = 5 * time.Second
	// scope requests the phone and nothing else: the name is part of every account.
	scope = "phone"
)

// Settings are those of a brand's application at VK ID.
type Settings struct {
	// BaseURL is [BaseURL], or a double's address.
	BaseURL string
	// ClientID is the application's, and public.
	ClientID string
	// ConfirmPhone requires a code at the first sign-in of an account even when VK sends its phone.
	ConfirmPhone bool
}

// Client is the application of one brand. It is safe for concurrent use.
type Client struct {
	Settings

	remote *remote.Client
}

// New returns the client of an application.
func New(s Settings) *Client {
	return &Client{Settings: s, remote: remote.New(name, s.BaseURL, timeout)}
}

// User is a VK account that has signed in. It prints as nothing of the person.
type User struct {
	// ID is VK's.
	ID int64
	// Phone is digits with the country code as VK sends them, empty when it does not.
	Phone string
	// Name is the first name, which may be empty.
	Name string
}

// String returns "VK account", so that no text contains the person.
func (User) String() string { return "VK account" }

// GoString returns "VK account", so that %#v prints nothing of the person.
func (User) GoString() string { return "VK account" }

// LogValue returns "VK account", so that no log contains the person.
func (User) LogValue() slog.Value { return slog.StringValue("VK account") }

// Return is what VK's redirect carried back.
type Return struct{ Code, State, DeviceID string }

// Refused says that VK did not accept what the browser sent: the code is spent, too old or of
// another device. Only a new sign-in helps.
type Refused struct {
	// Reason is VK's code, such as invalid_grant.
	Reason string
}

// Error returns a message that ends with VK's code.
func (r *Refused) Error() string { return "vk refused the sign-in: " + r.Reason }

// languages are VK's numbers; a language without one is English there.
var languages = map[lang.Lang]string{lang.RU: "0", lang.UK: "1", lang.EN: "3", lang.DE: "6", lang.TR: "82"}

// AuthorizeURL returns the page of VK where the visitor agrees. VK sends the visitor back to
// redirect.
func (c *Client) AuthorizeURL(state, verifier, redirect string, l lang.Lang) string {
	query := url.Values{
		"response_type": {"code"}, "client_id": {c.ClientID}, "redirect_uri": {redirect}, "state": {state},
		"code_challenge": {challengeOf(verifier)}, "code_challenge_method": {"S256"}, "scope": {scope},
	}
	if id, ok := languages[l]; ok {
		query.Set("lang_id", id)
	}
	return c.remote.BaseURL() + "/authorize?" + query.Encode()
}

// refusal is VK's refusal, with whatever status.
type refusal struct {
	Error string `json:"error"`
}

// FetchUser returns the user who has come back from VK. verifier and redirect must be those that the
// sign-in has begun with. It returns a [Refused] when VK does not accept what the browser sent.
func (c *Client) FetchUser(ctx context.Context, back Return, verifier, redirect string) (User, error) {
	token, err := c.exchangeCode(ctx, back, verifier, redirect)
	if err != nil {
		return User{}, err
	}
	var answer struct {
		refusal

		User struct {
			ID        remote.Text `json:"user_id"`
			Phone     remote.Text `json:"phone"`
			FirstName remote.Text `json:"first_name"`
		} `json:"user"`
	}
	status, err := c.remote.PostForm(ctx, "/oauth2/user_info", url.Values{"client_id": {c.ClientID}, "access_token": {token}}, remote.Account{}, &answer)
	if err != nil {
		return User{}, err
	}
	if err := checkRefused(status, answer.refusal); err != nil {
		return User{}, err
	}
	id, err := strconv.ParseInt(string(answer.User.ID), 10, 64)
	if err != nil || id <= 0 {
		return User{}, &remote.Error{Provider: name, Status: status, Reason: "the answer has no user"}
	}
	return User{ID: id, Phone: phone.Digits(string(answer.User.Phone)), Name: strings.TrimSpace(string(answer.User.FirstName))}, nil
}

// exchangeCode returns the access token for the code that the browser brought back. It returns a
// [Refused] when VK does not accept it, or answers for another sign-in.
func (c *Client) exchangeCode(ctx context.Context, back Return, verifier, redirect string) (string, error) {
	var answer struct {
		refusal

		AccessToken string `json:"access_token"`
		State       string `json:"state"`
	}
	status, err := c.remote.PostForm(ctx, "/oauth2/auth", url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Code}, "code_verifier": {verifier}, "client_id": {c.ClientID},
		"device_id": {back.DeviceID}, "redirect_uri": {redirect}, "state": {back.State},
	}, remote.Account{}, &answer)
	if err != nil {
		return "", err
	}
	if err := checkRefused(status, answer.refusal); err != nil {
		return "", err
	}
	switch {
	case answer.State != "" && answer.State != back.State:
		return "", &Refused{Reason: "another state came back"}
	case answer.AccessToken == "":
		return "", &remote.Error{Provider: name, Status: status, Reason: "there is no token in the answer"}
	}
	return answer.AccessToken, nil
}

// checkRefused returns an error for an answer that is a refusal, which may have status 200.
func checkRefused(status int, r refusal) error {
	switch {
	case r.Error != "":
		return &Refused{Reason: remote.SafeCode(r.Error)}
	case status != http.StatusOK:
		return &Refused{Reason: fmt.Sprintf("status %d", status)}
	}
	return nil
}
