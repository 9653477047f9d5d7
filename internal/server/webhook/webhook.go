// Package webhook answers acquirers that report on payments, and browsers that a bank sends back
// from 3-D Secure. They come without a session and from other sites, so they stand beside the
// checks of the other calls: what they report is trusted for its signature or single use alone.
package webhook

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"servery/internal/acquiring"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/payment/payments"
	"servery/internal/server/request"
)

const (
	// callsPerSecond bounds the calls of one address; an acquirer has few addresses.
	callsPerSecond = 50
	// timeout bounds what a call asks of an acquirer. It goes on when the caller hangs up: what
	// was sent is used once.
	timeout = time.Minute
)

// Options are what a [Server] needs.
type Options struct {
	Log      *slog.Logger
	Clock    clock.Clock
	Payments *payments.Service
}

// Server answers the calls of acquirers and banks. Make it with [New].
type Server struct {
	log      *slog.Logger
	clock    clock.Clock
	payments *payments.Service
	limiter  *request.RateLimiter
}

// New returns a server of webhooks.
func New(o Options) *Server {
	return &Server{log: o.Log, clock: o.Clock, payments: o.Payments, limiter: request.NewRateLimiter(callsPerSecond)}
}

// Limit returns the handler of a webhook behind the checks of all webhooks: method, rate by
// address and size of the body. The call has its own deadline and continues when the client
// closes the connection. No cache may store an answer.
func (s *Server) Limit(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet && r.Method != http.MethodPost { // a pattern of GET takes HEAD too
			w.Header().Set("Allow", "GET, POST")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if wait := s.limiter.CountCall(request.From(r.Context()).ClientIP, s.clock.Now()); wait > 0 {
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, request.MaxBody)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), timeout)
		defer cancel()
		next(w, r.WithContext(ctx))
	}
}

// refuse answers with a status alone, since no bank's program reads our messages.
func refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

// refuseBody answers to a body that cannot be read.
func refuseBody(w http.ResponseWriter, err error) {
	if f, ok := fault.Of(request.BadBody(err)); ok && f.Code == fault.TooLarge {
		refuse(w, http.StatusRequestEntityTooLarge)
		return
	}
	refuse(w, http.StatusBadRequest)
}

// Callback answers POST and GET /callback/{acquirer}, a webhook of an acquirer.
func (s *Server) Callback(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		refuseBody(w, err)
		return
	}
	in := request.From(r.Context())
	c := acquiring.Callback{Method: r.Method, Query: r.URL.RawQuery, Header: r.Header, Body: body, Sender: in.Sender}
	reply := s.payments.HandleWebhook(r.Context(), in.Site, r.PathValue("acquirer"), c)
	if reply.ContentType != "" {
		w.Header().Set("Content-Type", reply.ContentType)
	}
	w.WriteHeader(reply.Status)
	_, _ = io.WriteString(w, reply.Body) // it fails only when the client has closed the connection
}
