// Package call makes one request to an acquirer and says what is known of it afterwards:
// whether it never left, was refused as a whole, or may have been carried out.
package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"servery/internal/acquiring"
)

// maxAnswer is how much of an answer is read, in bytes.
const maxAnswer = 512 << 10

// Client asks one acquirer. It is safe for concurrent use; make it with [New].
type Client struct {
	acquirer string
	base     string
	timeout  time.Duration
	http     *http.Client
}

// New returns a client of the named acquirer; base is the beginning of its addresses. No call
// takes longer than the timeout, whatever the caller allows. It refuses a base that would send
// the account unencrypted over a network.
func New(acquirer, base string, timeout time.Duration) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || !isSafe(u) {
		return nil, &acquiring.Error{Acquirer: acquirer, Op: "address", Kind: acquiring.Invalid, Code: "base"}
	}
	if timeout <= 0 {
		return nil, &acquiring.Error{Acquirer: acquirer, Op: "address", Kind: acquiring.Invalid, Code: "timeout"}
	}
	return &Client{
		acquirer: acquirer, base: strings.TrimSuffix(base, "/"), timeout: timeout,
		http: &http.Client{
			// A redirect would carry the account to wherever it points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// isSafe reports whether requests to the address are encrypted or stay on this machine.
func isSafe(u *url.URL) bool {
	if u.Scheme == "https" {
		return true
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && address.IsLoopback())
}

// Request is what to ask. Of JSON and Form at most one is set.
type Request struct {
	// Op is for errors.
	Op string
	// Method is POST when empty.
	Method string
	// Path is below the base and begins with a slash.
	Path  string
	Query url.Values
	JSON  any
	Form  url.Values
	// Header is added to; nothing in it is ever shown.
	Header map[string]string
	// User and Password are for basic authentication.
	User, Password string
}

// Answer is an answer that was read to its end, with a status of 2xx, or of 4xx that the
// acquirer itself has for what it understood.
type Answer struct {
	Status int
	Body   []byte

	acquirer, op string
}

// OK reports whether the status is 2xx.
func (a Answer) OK() bool { return a.Status < http.StatusMultipleChoices }

// ReadJSON decodes the answer. An answer that cannot be read is an error of kind
// [acquiring.Lost], because the request may have been carried out.
func (a Answer) ReadJSON(into any) error {
	if err := json.Unmarshal(a.Body, into); err != nil {
		return a.LostError("not the expected JSON")
	}
	return nil
}

// LostError returns the error for an answer that does not say what it has to.
func (a Answer) LostError(code string) error {
	return &acquiring.Error{Acquirer: a.acquirer, Op: a.op, Kind: acquiring.Lost, Status: a.Status, Code: code}
}

// DoOnce makes one request; it never repeats it. The kind of an error says what is known:
// [acquiring.Invalid] and [acquiring.Unsent] were not sent, [acquiring.Busy] (429) and
// [acquiring.Denied] (401, 403) were not carried out, [acquiring.Lost] may have been.
func (c *Client) DoOnce(ctx context.Context, q Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	fail := func(kind acquiring.ErrorKind, status int, code string) error {
		e := &acquiring.Error{Acquirer: c.acquirer, Op: q.Op, Kind: kind, Status: status, Code: code}
		if cause := ctx.Err(); cause != nil {
			return e.Because(cause)
		}
		return e
	}
	connected := &atomic.Bool{} // once there is a connection, the request may have left
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteHeaders: func() { connected.Store(true) },
	})
	r, err := c.newRequest(traced, q)
	if err != nil {
		return Answer{}, fail(acquiring.Invalid, 0, "request")
	}
	response, err := c.http.Do(r)
	if err != nil {
		kind := acquiring.Unsent
		if connected.Load() {
			kind = acquiring.Lost
		}
		return Answer{}, fail(kind, 0, "")
	}
	defer func() { _ = response.Body.Close() }() // all that matters was read
	status := response.StatusCode
	switch {
	case status == http.StatusTooManyRequests:
		return Answer{}, fail(acquiring.Busy, status, "")
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Answer{}, fail(acquiring.Denied, status, "")
	case status < http.StatusOK, status >= http.StatusInternalServerError, status == http.StatusRequestTimeout,
		status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		return Answer{}, fail(acquiring.Lost, status, "") // the acquirer says nothing of the request itself
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return Answer{}, fail(acquiring.Lost, status, "cut off")
	case len(body) > maxAnswer:
		return Answer{}, fail(acquiring.Lost, status, "too large")
	}
	return Answer{Status: status, Body: body, acquirer: c.acquirer, op: q.Op}, nil
}

// newRequest returns the HTTP request.
func (c *Client) newRequest(ctx context.Context, q Request) (*http.Request, error) {
	address := c.base + q.Path
	if len(q.Query) > 0 {
		address += "?" + q.Query.Encode()
	}
	var body io.Reader = http.NoBody
	kind := ""
	switch {
	case q.JSON != nil:
		text, err := json.Marshal(q.JSON)
		if err != nil {
			return nil, err
		}
		body, kind = bytes.NewReader(text), "application/json"
	case q.Form != nil:
		body, kind = strings.NewReader(q.Form.Encode()), "application/x-www-form-urlencoded"
	}
	method := q.Method
	if method == "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Accept", "application/json")
	for name, value := range q.Header {
		r.Header.Set(name, value)
	}
	if q.User != "" {
		r.SetBasicAuth(q.User, q.Password)
	}
	return r, nil
}

// IsUnclear reports whether the request may have been carried out in spite of the error.
func IsUnclear(err error) bool {
	var e *acquiring.Error
	return err != nil && (!errors.As(err, &e) || e.Kind == acquiring.Lost)
}
