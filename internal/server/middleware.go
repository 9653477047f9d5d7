package server

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"servery/internal/coverage"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/server/page"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/site"
)

// callTimeout is how long a call may take, apart from event streams. What it has asked of an
// acquirer goes on beyond it.
const callTimeout = 15 * time.Second

// statusRecorder remembers the status for the log, adds the headers that all answers have, and lets a stream
// flush.
type statusRecorder struct {
	http.ResponseWriter

	request  *http.Request
	id       string // of the request
	security *page.SecurityHeaders
	status   int // 0 until the answer begins
}

// begin remembers the status and adds the headers that the handler has not set itself. It is called at least once,
// before the answer begins; only the first call counts.
func (w *statusRecorder) begin(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	h := w.Header()
	if lines, ok := w.security.Lines(h); ok && precompressed.AddLines(w.request, "X-Request-Id: ", w.id, "\r\n", lines) {
		return
	}
	h["X-Request-Id"] = []string{w.id} // its canonical key
	w.security.Set(h)
}

// WriteHeader begins the answer.
func (w *statusRecorder) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

// Write begins the answer unless it has begun, and writes a part of its body.
func (w *statusRecorder) Write(b []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.ResponseWriter.Write(b)
}

// FlushError begins the answer unless it has begun, and sends what is written.
func (w *statusRecorder) FlushError() error {
	w.begin(http.StatusOK)
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// withRequestInfo returns the first handler of all routes. It adds the request's info and
// deadline to the context, sets headers, and logs and counts the request unless the handler aborts it. When
// a handler panics, it answers.
func (s *Server) withRequestInfo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.clock.Now()
		from := s.proxies.identify(r)
		in := &request.Info{ID: newRequestID(), ClientIP: from.limitKey, Sender: from.addr, IsSecure: from.isSecure, Request: r, Writer: w}
		in.Site = s.Catalog.Current().Sites.ByHost(r.Host)
		in.Lang = requestLanguage(r, in.Site)
		rec := &statusRecorder{ResponseWriter: w, request: r, id: in.ID, security: s.pages.FindSecurityHeaders(in.Site)}
		in.StreamContext = request.With(r.Context(), in)     // without the deadline: a stream of events lasts as long as its connection
		ctx := withDeadline(in.StreamContext, s.callTimeout) //nolint:contextcheck // made of the request's own
		defer ctx.cancel()
		r = r.WithContext(ctx) //nolint:contextcheck // it is the request's own, with values and a deadline
		if in.IsSecure {
			rec.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer s.finishRequest(rec, r, start) // logs, counts, and answers when a handler has panicked
		if s.draining.Load() {
			rec.Header().Set("Connection", "close")
		}
		next.ServeHTTP(rec, r)
	})
}

// finishRequest must be deferred by the first middleware. It counts and logs the request. When the handler
// has panicked, it also logs the stack and answers 500 unless an answer has begun. A request that the handler
// has aborted with [http.ErrAbortHandler] is not counted or logged: finishRequest panics with it again.
func (s *Server) finishRequest(rec *statusRecorder, r *http.Request, start time.Time) {
	if p := recover(); p != nil {
		if p == http.ErrAbortHandler { //nolint:errorlint // the very value, as net/http compares it
			panic(p)
		}
		s.log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", request.From(r.Context()).ID),
			slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
		if rec.status == 0 {
			s.writeProblem(rec, r, fault.New(fault.Internal, "common.internal"))
		}
	}
	status := rec.status
	rec.begin(http.StatusOK) // the answer of a handler that has written nothing
	s.recordRequest(r, status, s.clock.Now().Sub(start))
}

// recordRequest counts and logs one answered request. It logs only the pattern of the route:
// path and query may name a person's order.
func (s *Server) recordRequest(r *http.Request, status int, took time.Duration) {
	pattern := r.Pattern
	if pattern == "" {
		pattern = "none"
	}
	seen := s.metrics.observers.of(s.metrics.requests, outcome{pattern, status})
	coverage.Record("call", pattern)
	coverage.Record("answer", seen.code)
	seen.seconds.Observe(took.Seconds())
	level := slog.LevelDebug
	if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable { // a 503 is counted, and its cause is logged once
		level = slog.LevelWarn
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	in := request.From(r.Context())
	s.log.LogAttrs(r.Context(), level, "request",
		slog.String("request_id", in.ID), slog.String("route", pattern), slog.Int("status", status),
		slog.Duration("took", took), slog.String("site", in.Site.Alias), slog.String("lang", string(in.Lang)))
}

// notStored is a header that all calls share: nothing may change it.
var notStored = []string{"no-store"}

// protectCalls returns a handler that refuses calls from pages of other origins, too many calls
// of one address, and large bodies. An answer has no-store for caches unless the next handler replaces it.
func (s *Server) protectCalls(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Cache-Control"] = notStored
		if err := s.origin.Check(r); err != nil {
			s.writeProblem(w, r, fault.New(fault.Forbidden, "common.bad_origin", fault.Because(err)))
			return
		}
		if wait := s.callLimiter.CountCall(request.From(r.Context()).ClientIP, s.clock.Now()); wait > 0 {
			s.writeProblem(w, r, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait)))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, request.MaxBody)
		next.ServeHTTP(w, r)
	})
}

// protectDevelopment returns the handler of everything below /dev/. Only our own pages may
// change something there, apart from the open patterns: a foreign site that a developer visits
// must not control the test bank.
func (s *Server) protectDevelopment(next http.Handler, open []string) http.Handler {
	origin := http.NewCrossOriginProtection()
	for _, pattern := range open {
		origin.AddInsecureBypassPattern(pattern)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := origin.Check(r); err != nil {
			s.writeProblem(w, r, fault.New(fault.Forbidden, "common.bad_origin", fault.Because(err)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// requestLanguage returns the language of a request: the site's default where the site offers no choice.
// Otherwise it is the first that the site has of these: the language in the address of a page, in the
// visitor's cookie, in the headers of the browser, and the default.
func requestLanguage(r *http.Request, st *site.Site) lang.Lang {
	if !st.Settings.ShowLangButton {
		return st.DefaultLanguage
	}
	if strings.Contains(r.URL.RawQuery, request.LanguageParam) && !strings.HasPrefix(r.URL.Path, apiRoot+"/") {
		if l, ok := lang.Parse(r.URL.Query().Get(request.LanguageParam)); ok && slices.Contains(st.Languages, l) {
			return l
		}
	}
	chosen := ""
	if c, err := r.Cookie(request.LanguageCookie); err == nil {
		chosen = c.Value
	}
	return lang.Negotiate(chosen, r.Header.Get("Accept-Language"), st.Languages, st.DefaultLanguage)
}

// newRequestID returns a random id by which a request is found in the log. The id protects nothing, so a
// quick generator is enough.
func newRequestID() string {
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], rand.Uint64())                   //nolint:gosec // see above
	return string(hex.AppendEncode(make([]byte, 0, 2*len(id)), id[:])) // two digits a byte; the text alone is allocated
}
