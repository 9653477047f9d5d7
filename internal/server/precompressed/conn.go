package precompressed

import (
	"bytes"
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

	// expected is how many bytes of an announced body will be written at least, 0 when none is announced.
	expected int
	// lines are header lines for the head of the announced body, each with its line break.
	lines []byte
	head  *[]byte // what is held back, nil for nothing
}

// heads are buffers for what is held back: a connection has one only while it sends.
var heads = sync.Pool{New: func() any { return new([]byte) }}

// announce announces to the connection of a request a body of at least size bytes, which is written next with the
// head before it. It returns nil, and announces nothing, where the connection is of another type, and for a HEAD,
// because its body is not sent.
func announce(r *http.Request, size int) *conn {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok || r.Method == http.MethodHead || size == 0 {
		return nil
	}
	c.expected, c.lines = size, c.lines[:0]
	return c
}

// addLine adds a line to the head of the announced body. Name and value must have no line break.
func (c *conn) addLine(name, value string) {
	c.lines = append(c.lines, name...)
	c.lines = append(c.lines, ": "...)
	c.lines = append(c.lines, value...)
	c.lines = append(c.lines, lineBreak...)
}

// AddLines adds header lines, each with its line break, to the head of a ready answer, between whose announcement
// and writing it must be called. It reports false, and adds nothing, for any other answer.
func AddLines(r *http.Request, lines ...string) bool {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok || c.expected == 0 {
		return false
	}
	for _, line := range lines {
		c.lines = append(c.lines, line...)
	}
	return true
}

const lineBreak = "\r\n"

// Write sends b, after what is held back. The first part of an announced answer begins with its status line, and
// gets the added lines behind that. It is held back when more of the answer must follow.
func (c *conn) Write(b []byte) (int, error) {
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
	case c.expected == 0:
		return c.TCPConn.Write(b)
	}
	mustFollow := len(b) < c.expected // the head is sent too, so that the answer is longer than its body
	c.expected = 0
	statusEnd := bytes.Index(b, []byte(lineBreak)) + len(lineBreak)
	head := heads.Get().(*[]byte)
	*head = append(append(append((*head)[:0], b[:statusEnd]...), c.lines...), b[statusEnd:]...)
	if mustFollow {
		c.head = head
		return len(b), nil
	}
	defer heads.Put(head)
	if _, err := c.TCPConn.Write(*head); err != nil {
		return 0, err
	}
	return len(b), nil
}
