package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/order/orders"
	"servery/internal/server/request"
	"servery/internal/server/wire"
)

// statusClientGone is logged for a client that has closed the connection.
const statusClientGone = 499

var statusOf = map[fault.Code]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Invalid:         http.StatusUnprocessableEntity,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.WrongMethod:     http.StatusMethodNotAllowed,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.TooMany:         http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// writeProblem is the only place that turns an error into an answer. A fault has the status of
// its code, and messages in the language of the request. A database that does not answer, or not
// within the time of the call, is 503 and marks the database as lost. Any other error is logged and
// becomes a 500 with a reference. The answer also has the cart or the paid order that the error brings.
// A client that has closed the connection gets no answer.
func (s *Server) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()
	late := errors.Is(ctx.Err(), context.DeadlineExceeded)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil && !late {
		w.WriteHeader(statusClientGone)
		return
	}
	f, known := fault.Of(err)
	if !known && (late || db.IsUnavailable(err)) {
		s.outage.fail(ctx, err)
		f, known = fault.New(fault.Unavailable, "common.database_away", fault.RetryAfter(probeEvery), fault.Because(err)), true
	}
	if !known {
		f = fault.New(fault.Internal, "common.internal", fault.Because(err))
	}
	in := request.From(ctx)
	body := wire.Problem{}
	if f.Code == fault.Internal {
		body.Reference = &in.ID
		f = fault.New(fault.Internal, "common.internal", fault.With(fault.Args{"reference": in.ID}), fault.Because(err))
		s.log.LogAttrs(ctx, slog.LevelError, "unexpected fault",
			slog.String("request_id", in.ID), slog.String("path", r.Pattern), slog.String("error", err.Error()))
	}
	body.Message = lang.T(in.Lang, f.Message.Key, f.Message.Args)
	if len(f.Fields) > 0 {
		fields := make(map[string][]string, len(f.Fields))
		for name, messages := range f.Fields {
			for _, m := range messages {
				fields[name] = append(fields[name], lang.T(in.Lang, m.Key, m.Args))
			}
		}
		body.Errors = &fields
	}
	body.Cart = s.calls.ProblemCart(ctx, err)
	var paid *orders.AlreadyPaid
	if errors.As(err, &paid) {
		body.OrderID = &paid.OrderID
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
	}
	writeJSON(w, statusOf[f.Code], body)
}

// writeJSON answers with a status and a body in JSON that is not cached.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The status is sent: a failing write means that the client has closed the connection.
	_ = json.NewEncoder(w).Encode(body)
}
