package precompressed

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// WrapListener returns the listener that the server must serve in place of l, so that the head of a ready answer
// and its body are sent in one system call. net/http sends them in two: its buffer for the head is small, and a
// body that is larger goes past it. l must be a listener of TCP without TLS. It sets the server's ConnContext.
func WrapListener(s *http.Server, l net.Listener) net.Listener {
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	return listener{l}
}

// listener accepts connections of the type conn.
type listener struct{ net.Listener }

// Accept returns the next connection.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok && err == nil {
		return &conn{TCPConn: tcp}, nil
	}
	return c, err
}

// connKey is the key of the connection in the context of a request.
type connKey struct{}

// conn is a connection that holds the first bytes of an answer back until more of it comes. One goroutine
// writes at a time.
type conn struct {
	*net.TCPConn

	// expected is how many bytes will be written at least, 0 when that is not known.
	expected int
	head     *[]byte // what is held back, nil for nothing
}

// heads are buffers for what is held back: a connection has one only while it sends.
var heads = sync.Pool{New: func() any { return new([]byte) }}

// expectBody announces to the connection of a request a body of at least size bytes, which is written next with the
// head before it. For a HEAD it does nothing, because the body is not sent.
func expectBody(r *http.Request, size int) {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok && r.Method != http.MethodHead {
		c.expected = size
	}
}

// Write sends b, after what is held back. It holds b back when it is the beginning of an answer that is longer.
func (c *conn) Write(b []byte) (int, error) {
	mustFollow := len(b) < c.expected // the head is sent too, so that the answer is longer than its body
	c.expected = 0
	switch {
	case c.head != nil:
		head := c.head
		c.head = nil
		both := net.Buffers{*head, b}
		_, err := both.WriteTo(c.TCPConn)
		heads.Put(head)
		if err != nil {
			return 0, err
		}
		return len(b), nil
	case mustFollow:
		c.head = heads.Get().(*[]byte)
		*c.head = append((*c.head)[:0], b...)
		return len(b), nil
	}
	return c.TCPConn.Write(b)
}
