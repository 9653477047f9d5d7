package main

import (
	"context"
	"slices"
)

// line carries the calls of a visitor to the program.
type line interface {
	// send sends a request. It returns the answer and the visitor's cookie after it, which is cookie
	// unless the answer sets another.
	send(ctx context.Context, request []byte, cookie string) (answer, string, error)
	// leave closes the connection that the visitor alone holds; the next call opens one again.
	leave()
}

// guest is the browser of one visitor.
type guest struct {
	line   line
	cookie string
}

// send makes a call with the visitor's cookie and stores the cookie that the answer sets.
func (g *guest) send(ctx context.Context, method, path string, body []byte) (answer, error) {
	var header []string
	if g.cookie != "" {
		header = []string{"Cookie", g.cookie}
	}
	a, cookie, err := g.line.send(ctx, request(method, path, body, header...), g.cookie)
	g.cookie = cookie
	return a, err
}

// newLine returns the line of a visitor: a connection of its own when the load is direct, otherwise the shared
// connections of a proxy.
func (b bench) newLine() line {
	if b.direct {
		return &ownConnection{addr: b.program.addr}
	}
	return b.proxy
}

// ownConnection is a line that a visitor has alone.
type ownConnection struct {
	addr string
	c    *connection
}

// send sends the request over the visitor's own connection, which it opens when it is not open.
func (l *ownConnection) send(ctx context.Context, request []byte, cookie string) (answer, string, error) {
	if l.c == nil {
		c, err := dial(ctx, l.addr)
		if err != nil {
			return answer{}, cookie, err
		}
		l.c = c
	}
	l.c.cookie = cookie
	a, err := l.c.send(request)
	return a, l.c.cookie, err
}

// leave closes the connection.
func (l *ownConnection) leave() {
	if l.c != nil {
		l.c.Close() //nolint:errcheck // only read
		l.c = nil
	}
}

// keptConnections are open connections that visitors share, as those of a proxy to the program. Each call has a
// connection to itself; the next call of any visitor uses it again. It is safe for concurrent use.
type keptConnections struct {
	addr string
	idle chan *connection
}

// maxIdle is how many connections are kept while no call uses them.
const maxIdle = 4096

// newKeptConnections returns an empty pool of connections to an address.
func newKeptConnections(addr string) *keptConnections {
	return &keptConnections{addr: addr, idle: make(chan *connection, maxIdle)}
}

// send sends a request with the cookie, and returns the answer and the cookie that the visitor has after
// it. It uses the connection that has been idle longest, or opens one. A connection that failed is closed.
func (k *keptConnections) send(ctx context.Context, request []byte, cookie string) (answer, string, error) {
	var c *connection
	select {
	case c = <-k.idle:
	default:
		var err error
		if c, err = dial(ctx, k.addr); err != nil {
			return answer{}, cookie, err
		}
	}
	c.cookie = cookie
	a, err := c.send(request)
	a.body = slices.Clone(a.body) // the next call on the connection overwrites it
	after := c.cookie
	if err != nil {
		c.Close() //nolint:errcheck // it failed already
		return a, after, err
	}
	select {
	case k.idle <- c:
	default:
		c.Close() //nolint:errcheck // only read
	}
	return a, after, nil
}

// leave does nothing: the connections are not the visitor's.
func (k *keptConnections) leave() {}

// close closes the idle connections.
func (k *keptConnections) close() {
	for {
		select {
		case c := <-k.idle:
			c.Close() //nolint:errcheck // only read
		default:
			return
		}
	}
}
