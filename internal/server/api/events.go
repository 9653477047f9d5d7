package api

import (
	"context"
	"net/http"
	"strconv"

	"servery/internal/fault"
	"servery/internal/order/follow"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/request"
	"servery/internal/server/stream"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// StreamOrder is GET /order/{id}/events: it sends the states of an order and its courier's positions as
// server-sent events, until the order is final. Polling GET /order/{id}/status works too.
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
	s.sendEvents(ctx, stream.Begin(w), v, events) //nolint:contextcheck // as above
}

// sendEvents sends events until the order is final, the reader goes or falls far behind, the server drains,
// or the session that opened the stream has ended or belongs to another customer.
func (s *Server) sendEvents(ctx context.Context, to stream.Writer, v visit.Context, events <-chan follow.Event) {
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
// same customer. It returns true for a stream that was opened without a session, and when the database
// does not answer.
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

// courierEvent is where the courier is and the way that is left. Pages of the release before read the
// coordinates alone.
type courierEvent struct {
	wire.Coordinates
	wire.CourierWay
}

// sendEvent sends a change of an order, or where its courier is.
func sendEvent(to stream.Writer, v visit.Context, e follow.Event) error {
	if e.Courier != nil {
		return to.Send("courier", courierEvent{convert.Coordinates(e.Courier.Point), courierWay(*e.Courier)})
	}
	return to.Send("status", orderwire.ForOrder(v, *e.Order).Status(*e.Order))
}
