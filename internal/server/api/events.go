package api

import (
	"context"
	"net/http"
	"strconv"

	"servery/internal/fault"
	"servery/internal/order/follow"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/stream"
	"servery/internal/visit"
)

// StreamOrder is GET /order/{id}/events: it sends the states of an order and its courier's positions as
// server-sent events, until the order is final. The specification has only polling, which works too.
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
	s.follow(ctx, stream.Begin(w), v, events) //nolint:contextcheck // as above
}

// follow sends events until the order is final, the reader goes or the server drains.
func (s *Server) follow(ctx context.Context, to stream.Writer, v visit.Context, events <-chan follow.Event) {
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
			err = to.Beat()
		case e, open := <-events:
			if !open {
				return
			}
			v.Now = s.clock.Now()
			err = sendEvent(to, v, e)
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

// sendEvent sends a change of an order, or where its courier is.
func sendEvent(to stream.Writer, v visit.Context, e follow.Event) error {
	if e.Courier != nil {
		return to.Send("courier", convert.Coordinates(e.Courier.Point))
	}
	return to.Send("status", orderLocalizerOf(v, *e.Order).status(*e.Order))
}
