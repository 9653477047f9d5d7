package db

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	// headStart is how long a server is tried before the next one is tried too.
	headStart = 500 * time.Millisecond
	// pingTimeout is how long an idle connection may take to show that it lives.
	pingTimeout = time.Second
	// answerTimeout is how long a server may take for a statement that it limits to less time
	// itself: one that takes longer is lost.
	answerTimeout = 10 * time.Second
	// stalledAfter is how long a server may be silent before the others are tried.
	stalledAfter = 2 * time.Second
)

// errNoCancel is returned in place of a connection that would cancel a commit.
var errNoCancel = errors.New("a commit is not canceled")

// servers connects to the one of a list of servers that takes writes. It is safe for concurrent
// use.
type servers struct {
	each []*pgx.ConnConfig
	// current is the index, in the list each, of the server that was reached last.
	current atomic.Int32
	// prepare is called for each connection.
	prepare func(ctx context.Context, conn *pgx.Conn) error
	// isBounded says that no statement takes longer than answerTimeout.
	isBounded bool
	isProbing atomic.Bool

	mu    sync.Mutex
	lines map[*line]struct{} // that are open
}

// newServers returns a connector to the servers that a database address names. isBounded says that
// no statement takes longer than answerTimeout; prepare is called for each connection. Of several
// servers only the server that takes writes is used, unless the address itself says which server is
// meant (target_session_attrs).
func newServers(c *pgx.ConnConfig, isBounded bool, prepare func(ctx context.Context, conn *pgx.Conn) error) *servers {
	s := &servers{each: splitServers(c), prepare: prepare, isBounded: isBounded, lines: map[*line]struct{}{}}
	if len(s.each) > 1 {
		for _, server := range s.each {
			if server.ValidateConnect == nil {
				server.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
			}
		}
	}
	return s
}

// splitServers returns one configuration for each server of the address. pgx has the first server
// in the configuration itself and the others in Fallbacks. A server whose mode of TLS allows several
// ways to connect is listed once for each way; these stay fallbacks of that server.
func splitServers(c *pgx.ConnConfig) []*pgx.ConnConfig {
	var each []*pgx.ConnConfig
	ways := append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	for _, way := range ways {
		if n := len(each); n > 0 && each[n-1].Host == way.Host && each[n-1].Port == way.Port {
			each[n-1].Fallbacks = append(each[n-1].Fallbacks, way)
			continue
		}
		server := c.Copy()
		server.Host, server.Port, server.TLSConfig, server.Fallbacks = way.Host, way.Port, way.TLSConfig, nil
		each = append(each, server)
	}
	return each
}

// Driver returns the driver of the connections, which is pgx.
func (s *servers) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

// attempt is the outcome of connecting to one server.
type attempt struct {
	conn livingConn
	err  error
}

// Connect opens a connection to the server that was reached last. While that one does not answer,
// the others are tried concurrently, and the first that answers is used: it becomes the current
// server, and the connections to all others are closed.
func (s *servers) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the attempts that are not needed any more
	done := make(chan attempt, len(s.each))
	last := int(s.current.Load())
	begun := 0
	begin := func() {
		which := (last + begun) % len(s.each)
		begun++
		go func() {
			conn, err := s.connectTo(ctx, which)
			done <- attempt{conn, err}
		}()
	}
	begin()
	timer := time.NewTicker(headStart)
	defer timer.Stop()
	var failures []error
	for {
		select {
		case <-timer.C:
			if begun < len(s.each) {
				begin()
			}
		case a := <-done:
			if a.err == nil {
				stillTrying := begun - len(failures) - 1
				go closeAll(done, stillTrying)
				s.markReached(a.conn.line)
				return a.conn, nil
			}
			failures = append(failures, a.err)
			switch {
			case begun < len(s.each):
				begin()
			case len(failures) == len(s.each):
				return nil, errors.Join(failures...)
			}
		}
	}
}

// closeAll receives count attempts that came too late, and closes their connections.
func closeAll(done <-chan attempt, count int) {
	for range count {
		if a := <-done; a.err == nil {
			_ = a.conn.Close() // nothing was done on it
		}
	}
}

// probeServers runs when a server was silent. It opens a new connection only to drop it: when another
// server answers, Connect makes it the current one and closes the connections to the silent one, whose
// callers then get an error. Only one call runs at a time.
func (s *servers) probeServers() {
	if !s.isProbing.CompareAndSwap(false, true) {
		return
	}
	defer s.isProbing.Store(false)
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout) //nolint:forbidigo // it belongs to no call
	defer cancel()
	if conn, err := s.Connect(ctx); err == nil {
		_ = conn.Close() // nothing was done on it
	}
}

// markReached stores the server that has answered, and closes the connections to all others: a call
// that waits there would wait in vain, or be answered by a former primary.
func (s *servers) markReached(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[l] = struct{}{}
	if s.current.Swap(l.which) == l.which {
		return
	}
	for other := range s.lines {
		if other.which != l.which {
			delete(s.lines, other)
			_ = other.Conn.Close() // its user gets the error
		}
	}
}

// removeLine removes a closed line from those that markReached closes.
func (s *servers) removeLine(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, l)
}

// connectTo opens a connection to one of the servers.
func (s *servers) connectTo(ctx context.Context, which int) (livingConn, error) {
	l := &line{servers: s, which: int32(which)}
	if s.isBounded {
		l.timeout = answerTimeout
	}
	if len(s.each) > 1 {
		l.stalled = time.AfterFunc(stalledAfter, s.probeServers)
		l.stalled.Stop() // it runs only while an answer is awaited
	}
	c := s.each[which].Copy()
	dial := newDialer()
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		// After the connection is open, the driver dials again only to cancel a statement whose time has
		// run out. A commit must not be canceled.
		if l.isCommitting.Load() {
			return nil, errNoCancel
		}
		return dial.DialContext(ctx, network, address)
	}
	c.AfterNetConnect = func(_ context.Context, _ *pgconn.Config, conn net.Conn) (net.Conn, error) {
		l.Conn = conn
		return l, nil
	}
	conn, err := stdlib.GetConnector(*c, stdlib.OptionAfterConnect(s.prepare)).Connect(ctx)
	if err != nil {
		return livingConn{}, err
	}
	full, ok := conn.(*stdlib.Conn)
	if !ok {
		return livingConn{}, fmt.Errorf("the PostgreSQL driver has changed: %T", conn)
	}
	return livingConn{Conn: full, line: l}, nil
}

// livingConn is a connection that the pool drops when it is of no use any more.
type livingConn struct {
	*stdlib.Conn

	line *line
}

// IsValid is called when the connection returns to the pool. A call whose time is over closes its
// connection; without this check another call would get it and fail. It reports false too when another server
// has been reached since.
func (c livingConn) IsValid() bool {
	return !c.Conn.Conn().IsClosed() && c.line.servers.current.Load() == c.line.which
}

// ResetSession is called before an idle connection is used again. It returns [driver.ErrBadConn],
// and the pool takes another one, when another server has been reached since, or when this one does
// not answer at once.
func (c livingConn) ResetSession(ctx context.Context) error {
	if !c.IsValid() {
		return driver.ErrBadConn
	}
	c.boundBy(context.WithoutCancel(ctx)) // the deadline of the call before is no longer of use
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return c.Conn.ResetSession(ctx)
}

// line is the network connection to a server. It fails when the server is silent for too long, or
// when another one was reached since.
type line struct {
	net.Conn

	servers *servers
	which   int32 // its index in the list each of servers
	// timeout is how long the server may take; 0 bounds nothing.
	timeout time.Duration
	// stalled runs out when the server is silent; nil where there is no other one.
	stalled *time.Timer
	// isCommitting is set while the last message was a commit. It must not be canceled: one
	// that waits for a synchronous standby would be done on one machine only, and then shown.
	isCommitting atomic.Bool
	held         heldMessages
	// mayWait says that what the driver sends may be held until it sends something else. The driver may be ending
	// the connection at the same time.
	mayWait atomic.Bool
	// until is the deadline of the call that uses the connection; zero when it has none.
	until time.Time
	// isInTx says that a transaction is open that livingConn.begin has begun.
	isInTx bool
}

// Write sends a message and starts the timers of the answer.
func (l *line) Write(b []byte) (int, error) {
	l.isCommitting.Store(bytes.Equal(b, commit))
	sent := l.held.onWrite(b, l.mayWait.Load())
	if sent == nil {
		return len(b), nil
	}
	if l.timeout > 0 {
		// Set before the bytes are sent: if it replaces the deadline by which the driver has just ended
		// a canceled call, that deadline still makes the sending fail.
		late := time.Now().Add(l.timeout) //nolint:forbidigo // the system's deadlines are of its own clock
		if !l.until.IsZero() && l.until.Before(late) {
			late = l.until
		}
		if err := l.SetReadDeadline(late); err != nil {
			return 0, err
		}
	}
	if l.stalled != nil {
		l.stalled.Reset(stalledAfter)
	}
	if _, err := l.Conn.Write(sent); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Read receives what the server answers, and stops the timer of its silence.
func (l *line) Read(b []byte) (int, error) {
	for {
		if n := l.held.answer(b); n > 0 {
			return n, nil
		}
		n, err := l.Conn.Read(b)
		if l.stalled != nil {
			l.stalled.Stop()
		}
		if n == 0 || err != nil {
			l.held.endRead()
			return n, err
		}
		if n, err = l.held.onRead(b[:n]); n > 0 || err != nil {
			return n, err
		}
	}
}

// Close ends the line.
func (l *line) Close() error {
	if l.stalled != nil {
		l.stalled.Stop()
	}
	l.servers.removeLine(l)
	return l.Conn.Close()
}
