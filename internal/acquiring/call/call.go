// Package call makes one request to an acquirer by the client of package remote, and says what is
// known of the request afterwards: it never left, was refused as a whole, or may have been carried
// out.
package call

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"servery/internal/acquiring"
	"servery/internal/remote"
)

// Client asks one acquirer. It is safe for concurrent use; make it with [New].
type Client struct {
	acquirer string
	remote   *remote.Client
}

// New returns a client of the named acquirer. base is the beginning of its addresses; timeout
// bounds each call. New returns an error of kind [acquiring.Invalid] when the timeout is not above
// zero, or when base is no plain address, has a user or a query, or would send the account
// unencrypted over a network.
func New(acquirer, base string, timeout time.Duration) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || !isSafe(u) {
		return nil, &acquiring.Error{Acquirer: acquirer, Op: "address", Kind: acquiring.Invalid, Code: "base"}
	}
	if timeout <= 0 {
		return nil, &acquiring.Error{Acquirer: acquirer, Op: "address", Kind: acquiring.Invalid, Code: "timeout"}
	}
	return &Client{acquirer: acquirer, remote: remote.New(acquirer, base, timeout)}, nil
}

// isSafe reports whether requests to the address are encrypted or stay on this machine.
func isSafe(u *url.URL) bool {
	if u.Scheme == "https" {
		return true
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && address.IsLoopback())
}

// Request is a request to an acquirer. Its Op names the call in errors.
type Request = remote.Request

// Account is our account at an acquirer, for basic authentication.
type Account = remote.Account

// Answer is an answer that was read to its end. Its status is 2xx, or a 4xx by which the acquirer
// says something of the request itself.
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

// LostError returns the error of kind [acquiring.Lost] for an answer that lacks something
// required. code names what is wrong with the answer.
func (a Answer) LostError(code string) error {
	return &acquiring.Error{Acquirer: a.acquirer, Op: a.op, Kind: acquiring.Lost, Status: a.Status, Code: code}
}

// DoOnce makes one request and returns the answer of a status 2xx or 4xx; it never repeats the
// request. The kind of an error says what is known: [acquiring.Invalid] and [acquiring.Unsent]
// were not sent, [acquiring.Busy] (429) and [acquiring.Denied] (401, 403) were not carried out,
// [acquiring.Lost] (408, 3xx, 5xx, no whole answer) may have been.
func (c *Client) DoOnce(ctx context.Context, q Request) (Answer, error) {
	response, err := c.remote.Do(ctx, q)
	status := response.Status
	fault := &acquiring.Error{Acquirer: c.acquirer, Op: q.Op, Status: status}
	switch {
	case status == http.StatusTooManyRequests:
		fault.Kind = acquiring.Busy
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		fault.Kind = acquiring.Denied
	case err != nil:
		fault.Kind, fault.Code = explainFailure(err)
	case status < http.StatusOK, status >= http.StatusInternalServerError, status == http.StatusRequestTimeout,
		status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		fault.Kind = acquiring.Lost // the acquirer says nothing of the request itself
	default:
		return Answer{Status: status, Body: response.Body, acquirer: c.acquirer, op: q.Op}, nil
	}
	// The cause lets callers see by errors.Is whether the context ended.
	if cause := ctx.Err(); cause != nil {
		return Answer{}, fault.Because(cause)
	}
	return Answer{}, fault.Because(errors.Unwrap(err))
}

// explainFailure returns what is known of a request without a whole answer, and a code for logs:
// it was not sent, or it may have been carried out.
func explainFailure(err error) (acquiring.ErrorKind, string) {
	var failure *remote.Error
	switch {
	case !errors.As(err, &failure):
		return acquiring.Lost, ""
	case failure.IsInvalid:
		return acquiring.Invalid, "request"
	case failure.Status != 0:
		return acquiring.Lost, "cut off"
	case failure.MayHaveArrived:
		return acquiring.Lost, ""
	}
	return acquiring.Unsent, ""
}

// IsUnclear reports whether the request may have been carried out in spite of err. That is so for
// an error of kind [acquiring.Lost] and for any error that is no [acquiring.Error].
func IsUnclear(err error) bool {
	var e *acquiring.Error
	return err != nil && (!errors.As(err, &e) || e.Kind == acquiring.Lost)
}
