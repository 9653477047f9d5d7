package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"servery/internal/fault"
	"servery/internal/order/follow"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/visit"
)

const (
	// beat is how often something is sent on a quiet stream, so that proxies do not close it and the
	// server notices readers that have gone.
	beat = 25 * time.Second
	// writeTimeout is how long one event may take to a slow phone.
	writeTimeout = 10 * time.Second
)

// StreamOrder is GET /order/{id}/events: server-sent events beside the polling that
// the specification asks for.
func (s *Server) StreamOrder(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		s.problem(w, r, fault.New(fault.NotFound, "order.not_found"))
		return
	}
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		s.problem(w, r, err)
		return
	}
	ctx = request.From(ctx).StreamContext
	events, err := s.Follow.Watch(ctx, v, id) //nolint:contextcheck // a stream outlives the deadline of its request
	if err != nil {
		s.problem(w, r, err)
		return
	}
	s.streams.Inc()
	defer s.streams.Dec()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	s.follow(ctx, stream{w, http.NewResponseController(w)}, v, events) //nolint:contextcheck // as above
}

// follow sends events until the order is final, the reader goes or the server drains.
func (s *Server) follow(ctx context.Context, to stream, v visit.Context, events <-chan follow.Event) {
	beats, stop := s.beats()
	defer stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-s.drained:
			return // the page reconnects, to a server that stays
		case <-beats:
			if !s.isStillSignedIn(ctx, v) {
				return // signed out, or another customer: the page reconnects with its present session
			}
			err = to.comment("beat")
		case e, open := <-events:
			if !open {
				return
			}
			v.Now = s.clock.Now()
			err = to.event(v, e)
		}
		if err != nil {
			return // the reader is gone; the page asks again
		}
	}
}

// isStillSignedIn reports whether the session that opened a stream still exists and belongs to the
// same customer. A stream that was opened without a session has none that can end.
func (s *Server) isStillSignedIn(ctx context.Context, v visit.Context) bool {
	if v.SessionID == 0 {
		return true
	}
	in := request.From(ctx)
	found, err := s.Sessions.Find(ctx, in.Site.Alias, in.Cookie(request.SessionCookie))
	if err != nil {
		return true // a database that does not answer ends no session
	}
	return found.ID == v.SessionID && found.CustomerID == v.CustomerID
}

// everyBeat returns a channel of beats, and what ends them.
func everyBeat() (beats <-chan time.Time, stop func()) {
	ticker := time.NewTicker(beat)
	return ticker.C, ticker.Stop
}

type stream struct {
	w    http.ResponseWriter
	ctrl *http.ResponseController
}

func (to stream) event(v visit.Context, e follow.Event) error {
	if e.Courier != nil {
		return to.send("courier", convert.Coordinates(e.Courier.Point))
	}
	return to.send("status", orderLocalizerOf(v, *e.Order).status(*e.Order))
}

func (to stream) send(name string, data any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	return to.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, body))
}

func (to stream) comment(text string) error { return to.write(": " + text + "\n\n") }

func (to stream) write(text string) error {
	if err := to.ctrl.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil { //nolint:forbidigo // a socket's deadline is by its own clock
		return err
	}
	if _, err := to.w.Write([]byte(text)); err != nil {
		return err
	}
	return to.ctrl.Flush()
}
