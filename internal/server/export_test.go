package server

import (
	"context"
	"runtime"
	"sync"
	"time"

	"servery/internal/render"
)

// TestServer is a server whose surroundings tests replace.
type TestServer struct {
	*Server

	mu           sync.Mutex
	render       func(ctx context.Context, data []byte) (string, error)
	documentWait func() <-chan time.Time
	beats        func() (<-chan time.Time, func())
	// working is how many workers make documents; idle is signalled when the last one ends.
	working int
	idle    *sync.Cond
}

// NewForTest returns a server that waits for each document to be made.
func NewForTest(areas Areas, o Options) (*TestServer, error) {
	s := &TestServer{
		render:       render.New(o.Page.Script).RenderPage,
		documentWait: func() <-chan time.Time { return nil },
		beats:        func() (<-chan time.Time, func()) { return nil, func() {} },
	}
	s.idle = sync.NewCond(&s.mu)
	var err error
	s.Server, err = newServer(areas, o, seams{
		render:       func(ctx context.Context, data []byte) (string, error) { return s.render(ctx, data) },
		documentWait: func() <-chan time.Time { return s.documentWait() },
		beats:        func() (<-chan time.Time, func()) { return s.beats() },
		background:   s.work,
	})
	return s, err
}

// work runs the work of making documents in a goroutine, and counts it as working until its end.
func (s *TestServer) work(work func()) {
	s.mu.Lock()
	s.working++
	s.mu.Unlock()
	go func() {
		work()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.working--; s.working == 0 {
			s.idle.Broadcast()
		}
	}()
}

// AwaitDocuments waits until all documents that were requested are made.
func (s *TestServer) AwaitDocuments() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.working > 0 {
		s.idle.Wait()
	}
}

// SetRender replaces what renders pages. It must be called before the first page is requested.
func (s *TestServer) SetRender(render func(ctx context.Context, data []byte) (string, error)) {
	s.render = render
}

// SetDocumentWait replaces what ends the wait for a document. It must be called before the first
// page is requested.
func (s *TestServer) SetDocumentWait(ended <-chan time.Time) {
	s.documentWait = func() <-chan time.Time { return ended }
}

// SetBeats replaces the beats of event streams. It must be called before the first stream.
func (s *TestServer) SetBeats(beats <-chan time.Time) {
	s.beats = func() (<-chan time.Time, func()) { return beats, func() {} }
}

// Patterns returns the pattern of every route.
func (s *Server) Patterns() []string { return s.patterns }

// SetCallTimeout replaces how long a call may take. It must be called before the first call.
func (s *Server) SetCallTimeout(d time.Duration) { s.callTimeout = d }

// TakeSeats takes seats for calls until only so many are free. release frees the taken seats.
func (s *Server) TakeSeats(free int) (release func()) {
	taken := 0
	for g := s.admission.seats; g.free > free; taken++ {
		g.takeSeat(context.Background(), ordering)
	}
	return func() {
		for range taken {
			s.admission.seats.freeSeat()
		}
	}
}

// AwaitWaiting returns when at least so many calls wait for a seat.
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

// WithDeadline returns the context of a request and the function that ends it.
func WithDeadline(parent context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	c := withDeadline(parent, timeout)
	return c, c.cancel
}
