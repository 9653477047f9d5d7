// Package remote calls the servers of other companies: within a time limit, with a bounded answer,
// without following redirects, which would pass secrets on, and with errors that contain nothing of
// what was sent.
package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// maxAnswer is how much of an answer is read, in bytes; those of providers are far below.
const maxAnswer = 64 << 10

// Client calls one provider. It is safe for concurrent use; make it with [New].
type Client struct {
	provider string
	base     string
	timeout  time.Duration
	http     *http.Client
}

// New returns a client of the named provider; base is the beginning of its addresses. No call
// takes longer than the timeout, whatever the caller allows.
func New(provider, base string, timeout time.Duration) *Client {
	return &Client{
		provider: provider, base: strings.TrimSuffix(base, "/"), timeout: timeout,
		http: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// BaseURL returns the beginning of the provider's addresses, without a slash at its end.
func (c *Client) BaseURL() string { return c.base }

// Error says that a provider could not be reached, or did not answer as specified; it may succeed
// later. It contains neither address nor body of the request.
type Error struct {
	Provider string
	// Status is that of HTTP, 0 when there was no answer.
	Status int
	Reason string
	cause  error
}

// Error returns provider, status and reason.
func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s answered %d: %s", e.Provider, e.Status, e.Reason)
	}
	return e.Provider + ": " + e.Reason
}

// Unwrap returns the error of the context when the time was over or the caller was canceled.
func (e *Error) Unwrap() error { return e.cause }

// Account is our account at a provider, sent in a header; the zero value sends none.
type Account struct{ User, Password string }

// PostForm sends a form to a path below the base and decodes the JSON of the answer, whatever
// its status, since providers explain their refusals. Status 5xx, 429 and 3xx and an answer
// that is not JSON are an [Error]; with 429 the answer is decoded if possible.
func (c *Client) PostForm(ctx context.Context, path string, form url.Values, account Account, answer any) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, &Error{Provider: c.provider, Reason: "its address cannot be read"}
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	if account != (Account{}) {
		r.SetBasicAuth(account.User, account.Password)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return 0, c.noAnswer(ctx, err)
	}
	defer func() { _ = response.Body.Close() }() // all that matters was read
	return response.StatusCode, c.readAnswer(ctx, response, answer)
}

// PostJSON sends JSON to a path below the base, with the headers. Any status but 2xx is an [Error]; the
// body of the answer is not read.
func (c *Client) PostJSON(ctx context.Context, path string, body []byte, header http.Header) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return &Error{Provider: c.provider, Reason: "its address cannot be read"}
	}
	maps.Copy(r.Header, header)
	r.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		return c.noAnswer(ctx, err)
	}
	_ = response.Body.Close() // nothing of it matters
	if response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusMultipleChoices {
		return &Error{Provider: c.provider, Status: response.StatusCode, Reason: "not taken"}
	}
	return nil
}

// readAnswer decodes the JSON of a response into answer, within the bounds.
func (c *Client) readAnswer(ctx context.Context, response *http.Response, answer any) error {
	status := response.StatusCode
	if status >= http.StatusInternalServerError || status < http.StatusOK ||
		status >= http.StatusMultipleChoices && status < http.StatusBadRequest {
		return &Error{Provider: c.provider, Status: status, Reason: "no usable answer"}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return c.noAnswer(ctx, err)
	case err != nil:
		return &Error{Provider: c.provider, Status: status, Reason: "the answer was cut off"}
	case len(body) > maxAnswer:
		return &Error{Provider: c.provider, Status: status, Reason: "the answer is too large"}
	}
	err = json.Unmarshal(body, answer)
	switch {
	case status == http.StatusTooManyRequests:
		return &Error{Provider: c.provider, Status: status, Reason: "too many requests"}
	case err != nil:
		return &Error{Provider: c.provider, Status: status, Reason: "the answer is not the JSON that it should be"}
	}
	return nil
}

// noAnswer returns the error for a call without an answer. It leaves out the message of
// net/http, which contains the whole address.
func (c *Client) noAnswer(ctx context.Context, err error) *Error {
	if cause := ctx.Err(); cause != nil {
		return &Error{Provider: c.provider, Reason: "no answer in time", cause: cause}
	}
	reason := "cannot be reached"
	if inner := (*url.Error)(nil); errors.As(err, &inner) && inner.Err != nil {
		reason += ": " + inner.Err.Error()
	}
	return &Error{Provider: c.provider, Reason: reason}
}

// IPAddress returns a network address in the form that providers accept. It returns false for
// any other text, such as the network that stands for an IPv6 caller.
func IPAddress(text string) (string, bool) {
	address, err := netip.ParseAddr(text)
	return text, err == nil && !address.IsLoopback()
}
