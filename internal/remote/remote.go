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
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// maxAnswer is how much of an answer is read, in bytes; those of providers are far below.
const maxAnswer = 512 << 10

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
	// IsInvalid says that no request could be made of what was given.
	IsInvalid bool
	// MayHaveArrived says that the provider may have carried the request out.
	MayHaveArrived bool
	Reason         string
	cause          error
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

// PostForm sends a form to a path below the base and decodes the JSON of the answer, whatever its
// status, since providers explain their refusals. It returns an [Error] for status 5xx, 429 and 3xx
// and for an answer that is not JSON; with 429 the answer is decoded if possible.
func (c *Client) PostForm(ctx context.Context, path string, form url.Values, account Account, answer any) (status int, err error) {
	response, err := c.Do(ctx, Request{Path: path, Form: form, Account: account})
	if err != nil {
		return response.Status, err
	}
	status = response.Status
	if status >= http.StatusInternalServerError || status < http.StatusOK ||
		status >= http.StatusMultipleChoices && status < http.StatusBadRequest {
		return status, &Error{Provider: c.provider, Status: status, Reason: "no usable answer"}
	}
	err = json.Unmarshal(response.Body, answer)
	switch {
	case status == http.StatusTooManyRequests:
		return status, &Error{Provider: c.provider, Status: status, Reason: "too many requests"}
	case err != nil:
		return status, &Error{Provider: c.provider, Status: status, Reason: "the answer is not the JSON that it should be"}
	}
	return status, nil
}

// Request is one request to a provider. Of JSON and Form at most one is set.
type Request struct {
	// Op names the call for errors of the caller's own; it is not sent.
	Op string
	// Method is POST when empty.
	Method string
	// Path is below the base and begins with a slash.
	Path  string
	Query url.Values
	JSON  any
	Form  url.Values
	// Header is added to; nothing in it is ever shown.
	Header  map[string]string
	Account Account
}

// Response is an answer of any status that was read to its end.
type Response struct {
	Status int
	Body   []byte
}

// Do makes one request, which it never repeats, and returns the answer. An [Error] says whether the
// request may have reached the provider. The response has the status when the answer was cut off or too
// large.
func (c *Client) Do(ctx context.Context, q Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	isConnected := &atomic.Bool{} // from then on the request may arrive
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { isConnected.Store(true) },
		WroteHeaders: func() { isConnected.Store(true) },
	})
	r, err := c.newRequest(traced, q)
	if err != nil {
		return Response{}, &Error{Provider: c.provider, IsInvalid: true, Reason: "the request cannot be made"}
	}
	response, err := c.http.Do(r)
	if err != nil {
		return Response{}, c.noAnswer(ctx, err, isConnected.Load())
	}
	defer func() { _ = response.Body.Close() }() // all that matters was read
	status := response.StatusCode
	fault := &Error{Provider: c.provider, Status: status, MayHaveArrived: true}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		fault.Reason, fault.cause = "the answer was cut off", ctx.Err()
		return Response{Status: status}, fault
	case len(body) > maxAnswer:
		fault.Reason = "the answer is too large"
		return Response{Status: status}, fault
	}
	return Response{Status: status, Body: body}, nil
}

// newRequest returns the HTTP request that q describes.
func (c *Client) newRequest(ctx context.Context, q Request) (*http.Request, error) {
	address := c.base + q.Path
	if len(q.Query) > 0 {
		address += "?" + q.Query.Encode()
	}
	var body io.Reader = http.NoBody
	contentType := ""
	switch {
	case q.JSON != nil:
		text, err := json.Marshal(q.JSON)
		if err != nil {
			return nil, err
		}
		body, contentType = bytes.NewReader(text), "application/json"
	case q.Form != nil:
		body, contentType = strings.NewReader(q.Form.Encode()), "application/x-www-form-urlencoded"
	}
	method := q.Method
	if method == "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	r.Header.Set("Accept", "application/json")
	for name, value := range q.Header {
		r.Header.Set(name, value)
	}
	if q.Account != (Account{}) {
		r.SetBasicAuth(q.Account.User, q.Account.Password)
	}
	return r, nil
}

// noAnswer returns the error for a call that failed with err before an answer came. It leaves out the
// message of net/http, which contains the whole address.
func (c *Client) noAnswer(ctx context.Context, err error, mayHaveArrived bool) *Error {
	if cause := ctx.Err(); cause != nil {
		return &Error{Provider: c.provider, MayHaveArrived: mayHaveArrived, Reason: "no answer in time", cause: cause}
	}
	reason := "cannot be reached"
	var inner *url.Error
	if errors.As(err, &inner) && inner.Err != nil {
		reason += ": " + inner.Err.Error()
	}
	return &Error{Provider: c.provider, MayHaveArrived: mayHaveArrived, Reason: reason}
}

// IPAddress returns the text, and whether providers accept it as a network address. They accept no other
// text, such as the network that stands for an IPv6 caller, and no address of this machine.
func IPAddress(text string) (string, bool) {
	address, err := netip.ParseAddr(text)
	return text, err == nil && !address.IsLoopback()
}
