package server

import (
	"context"
	"runtime"
	"time"

	"servery/internal/server/request"
)

// Patterns returns the pattern of every route.
func (s *Server) Patterns() []string { return s.patterns }

// SetRender replaces what renders pages. It must be called before the first page is asked for.
func (s *Server) SetRender(render func(ctx context.Context, data []byte) (string, error)) {
	s.render = render
}

// SetDocumentWait replaces what ends the wait for a document; nil waits for each to be made.
func (s *Server) SetDocumentWait(ended <-chan time.Time) {
	s.documentWait = func() <-chan time.Time { return ended }
}

// SetPublicURL sets how customers reach the default site.
func (s *Server) SetPublicURL(address string) {
	var err error
	if s.siteAddresses, err = request.NewSiteAddresses(address); err != nil {
		panic(err)
	}
}

// SetCallTimeout replaces how long a call may take. It must be called before the first call.
func (s *Server) SetCallTimeout(d time.Duration) { s.callTimeout = d }

// SetBeats replaces the beats of event streams.
func (s *Server) SetBeats(beats <-chan time.Time) {
	s.beats = func() (<-chan time.Time, func()) { return beats, func() {} }
}

// AwaitDocuments waits until all documents that were requested are made.
func (s *Server) AwaitDocuments() {
	for {
		s.pages.mu.Lock()
		var done chan struct{}
		for _, job := range s.pages.jobs {
			done = job.done
		}
		s.pages.mu.Unlock()
		if done == nil {
			return
		}
		<-done
	}
}

// WaitingDocuments returns how many documents wait to be made.
func (s *Server) WaitingDocuments() int {
	s.pages.mu.Lock()
	defer s.pages.mu.Unlock()
	return len(s.pages.waiting)
}

// MaxDocumentsWaiting bounds WaitingDocuments.
const MaxDocumentsWaiting = maxDocumentsWaiting

// TakeSeats takes all seats for calls but some, and returns what frees them.
func (s *Server) TakeSeats(free int) (giveBack func()) {
	taken := 0
	for g := s.admission.seats; g.free > free; taken++ {
		g.enter(context.Background(), ordering)
	}
	return func() {
		for range taken {
			s.admission.seats.leave()
		}
	}
}

// AwaitWaiting returns when so many calls wait for a seat.
func (s *Server) AwaitWaiting(count int) {
	for g := s.admission.seats; ; runtime.Gosched() {
		g.mu.Lock()
		waiting := 0
		for _, l := range g.waiting {
			waiting += l.Len()
		}
		g.mu.Unlock()
		if waiting >= count {
			return
		}
	}
}

// BoundSessions lets each address begin so many sessions an hour.
func (s *Server) BoundSessions(perHour int) { s.newSessions = request.NewHourlyRateLimiter(perHour) }
