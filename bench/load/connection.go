package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// connection is one kept-alive HTTP/1.1 connection. It does as little as it can, so
// that on a small machine the load takes little from what is measured.
type connection struct {
	net.Conn

	in   *bufio.Reader
	body []byte
	// cookie is the cookie that the server set last; callAPI sends it back.
	cookie string
	// session is the cookie of the session that the server set last.
	session string
	// recorded are the answers by the path of their call; nil while none are recorded.
	recorded map[string]bareAnswer
}

// answer is the answer to one call. Its body is valid until the next call on the connection.
type answer struct {
	status   int
	encoding string
	// isOutdated reports that the answer must not be stored, because a newer document is being made.
	isOutdated bool
	// retryAfter is how long to wait before a refused call is made again.
	retryAfter time.Duration
	body       []byte
}

const callTimeout = 30 * time.Second

// dial opens a connection.
func dial(ctx context.Context, addr string) (*connection, error) {
	dialer := net.Dialer{Timeout: callTimeout}
	c, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c, in: bufio.NewReaderSize(c, 64<<10)}, nil
}

// request returns the bytes of a request. The header arguments are pairs of name and value.
func request(method, path string, body []byte, header ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: localhost\r\nAccept-Language: ru\r\n", method, path)
	for i := 0; i+1 < len(header); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", header[i], header[i+1])
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// send sends a request and returns the answer.
func (c *connection) send(request []byte) (answer, error) {
	if err := c.SetDeadline(time.Now().Add(callTimeout)); err != nil {
		return answer{}, err
	}
	if _, err := c.Write(request); err != nil {
		return answer{}, err
	}
	return c.receive()
}

// receive reads one answer, with a length or in chunks. It stores the cookies that the server sets.
func (c *connection) receive() (a answer, err error) {
	line, err := c.readLine()
	if err != nil {
		return a, err
	}
	const from, to = len("HTTP/1.1 "), len("HTTP/1.1 200") // the status stands between them
	if len(line) < to {
		return a, fmt.Errorf("not an answer: %q", line)
	}
	if a.status, err = strconv.Atoi(string(line[from:to])); err != nil {
		return a, err
	}
	length, chunked := 0, false
	for {
		if line, err = c.readLine(); err != nil {
			return a, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch string(name) {
		case "Retry-After":
			seconds, err := strconv.Atoi(string(value))
			if err != nil {
				return a, err
			}
			a.retryAfter = time.Duration(seconds) * time.Second
		case "Content-Length":
			if length, err = strconv.Atoi(string(value)); err != nil {
				return a, err
			}
		case "Transfer-Encoding":
			chunked = true
		case "Cache-Control":
			a.isOutdated = bytes.Contains(value, []byte("no-store"))
		case "Content-Encoding":
			a.encoding = string(value)
		case "Set-Cookie":
			pair, _, _ := bytes.Cut(value, []byte(";"))
			c.cookie = string(pair)
			if bytes.HasPrefix(pair, []byte("session=")) {
				c.session = c.cookie
			}
		}
	}
	c.body = c.body[:0]
	if !chunked {
		err = c.readBytes(length)
	}
	for chunked {
		if line, err = c.readLine(); err != nil {
			return a, err
		}
		size, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return a, err
		}
		if err := c.readBytes(int(size)); err != nil {
			return a, err
		}
		if _, err := c.readLine(); err != nil {
			return a, err
		}
		chunked = size > 0
	}
	a.body = c.body
	return a, err
}

// readLine returns the next line without its line break. The line is valid until the next read.
func (c *connection) readLine() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}

// readBytes appends n bytes to the body.
func (c *connection) readBytes(n int) error {
	from := len(c.body)
	c.body = append(c.body, make([]byte, n)...)
	_, err := io.ReadFull(c.in, c.body[from:])
	return err
}

// expect sends a request and returns the answer. It returns an error unless the status is 200.
func (c *connection) expect(request []byte) (answer, error) {
	a, err := c.send(request)
	if err == nil && a.status != 200 {
		head, _, _ := bytes.Cut(request, []byte("\r\n"))
		err = fmt.Errorf("%s: %d %.300s", head, a.status, a.body)
	}
	if err == nil && c.recorded != nil {
		c.record(request, a)
	}
	return a, err
}

// record stores the answer of a request, with the cookie that the connection has by then.
func (c *connection) record(request []byte, a answer) {
	header := map[string]string{"Content-Type": "application/json", "Set-Cookie": c.cookie}
	if a.encoding != "" {
		header["Content-Encoding"] = a.encoding
	}
	path := bytes.Fields(request)[1]
	c.recorded[string(path)] = bareAnswer{Header: header, Body: bytes.Clone(a.body)}
}

// callAPI makes a call of the API with the connection's cookie, and decodes the JSON of the answer into
// target unless target is nil. header has pairs of name and value.
func (c *connection) callAPI(method, path string, body, target any, header ...string) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = nil
	}
	if c.cookie != "" {
		header = append(header, "Cookie", c.cookie)
	}
	a, err := c.expect(request(method, path, text, header...))
	if err != nil || target == nil {
		return err
	}
	return json.Unmarshal(a.body, target)
}

// errDone is returned by a step that must not be repeated.
var errDone = errors.New("done")

// openConnections opens n connections.
func openConnections(ctx context.Context, addr string, n int) ([]*connection, error) {
	connections := make([]*connection, n)
	for i := range connections {
		var err error
		if connections[i], err = dial(ctx, addr); err != nil {
			return nil, err
		}
	}
	return connections, nil
}

// repeatRequest opens n connections and returns a step for each. The step sends the request.
func repeatRequest(ctx context.Context, addr string, n int, request []byte) ([]step, error) {
	connections, err := openConnections(ctx, addr, n)
	if err != nil {
		return nil, err
	}
	steps := make([]step, n)
	for i, c := range connections {
		steps[i] = func() error {
			_, err := c.expect(request)
			return err
		}
	}
	return steps, nil
}
