// Package request holds what all parts of the server need of one HTTP request: who makes it,
// at which site, in which language, and the cookies and limits that follow from that. It stands
// below the rooms that answer.
package request

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"

	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// MaxBody is the most that a request may carry; a cart or an order is far below.
const MaxBody = 64 << 10

// Info is what the server knows of one request. Handlers reach it by [From]; areas never see it.
// It belongs to the request's goroutine.
type Info struct {
	ID string
	// ClientIP names the caller in limits, after trusted proxies: an IPv4 address, or the /64
	// network of an IPv6 one.
	ClientIP string
	// Sender is the address that the request came from, after trusted proxies; invalid when it
	// cannot be read.
	Sender netip.Addr
	// IsSecure is set when the browser came by https.
	IsSecure bool
	Site     *site.Site
	Lang     lang.Lang
	// Session is the visitor's, once it was looked up or begun; nil before.
	Session *customer.Session
	// Body is the body of a call as it was sent, nil where the contract has none.
	Body []byte
	// Request and Writer are those of the connection, for cookies.
	Request *http.Request
	Writer  http.ResponseWriter
	// StreamContext ends when the caller hangs up, not with the time of a call.
	StreamContext context.Context
}

type infoKey struct{}

// With returns a context in which [From] finds the info.
func With(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// From returns the info of the request that a context belongs to. Without a request it returns
// an empty info in English.
func From(ctx context.Context) *Info {
	if info, ok := ctx.Value(infoKey{}).(*Info); ok {
		return info
	}
	return &Info{Lang: lang.EN}
}

// ProblemWriter answers a request with an error as the contract describes it.
type ProblemWriter func(w http.ResponseWriter, r *http.Request, err error)

// BadBody returns the fault of a request whose body could not be read: TooLarge above
// [MaxBody], otherwise Invalid, with the field when it is known. It says what a sum may be where that is wrong.
func BadBody(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(fault.TooLarge, "common.too_large")
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) && wrongType.Field != "" {
		return fault.New(fault.Invalid, "common.invalid", fault.Field(wrongType.Field, "common.not_allowed"), fault.Because(err))
	}
	if errors.Is(err, money.ErrAmount) {
		return fault.New(fault.Invalid, "common.not_a_sum", fault.Because(err))
	}
	return fault.New(fault.Invalid, "common.bad_request", fault.Because(err))
}
