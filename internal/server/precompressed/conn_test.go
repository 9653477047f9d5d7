package precompressed_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"servery/internal/server/precompressed"
)

// startServer serves the handler as the program does, and returns its address.
func startServer(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: handler}
	done := make(chan error, 1)
	go func() { done <- s.Serve(precompressed.WrapListener(s, l)) }()
	t.Cleanup(func() {
		if err := s.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		if err := <-done; err != http.ErrServerClosed { //nolint:errorlint // the very value
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// dial returns a connection to the address, which is closed at the end of the test.
func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // what was sent has been read
	return c
}

// A ready answer arrives whole, whatever its length, also around that of the buffers of net/http; and so does
// what follows on the same connection: an answer without a body, and one that was not ready.
func TestWrapListener_sendsAnswersOfEachLength(t *testing.T) {
	t.Parallel()
	var length atomic.Int64
	body := func() *precompressed.Body {
		return &precompressed.Body{ETag: `"x"`, Identity: bytes.Repeat([]byte("x"), int(length.Load()))}
	}
	addr := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			_, _ = io.WriteString(w, "other")
			return
		}
		answer := precompressed.Answer{Body: body(), Request: r, ContentType: "text/plain", Status: http.StatusOK}
		if err := answer.Send(w); err != nil {
			t.Error(err)
		}
	})
	c := dial(t, addr)
	from := bufio.NewReader(c)
	ask := func(method, path, knownTag string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", knownTag)
		if err := r.Write(c); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(from, r)
		if err != nil {
			t.Fatalf("%s %s of %d bytes: %v", method, path, length.Load(), err)
		}
		return answer
	}
	lengths := []int64{1, 100, 100_000, 1 << 20}
	for n := int64(3500); n <= 4200; n += 7 { // with the head some of them fill the buffer, and some go past it
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		length.Store(n)
		for _, path := range []string{"/", "/other"} {
			answer := ask(http.MethodGet, path, "")
			got, err := io.ReadAll(answer.Body)
			want := n
			if path == "/other" {
				want = int64(len("other"))
			}
			if err != nil || int64(len(got)) != want {
				t.Fatalf("%s: %d bytes, want %d: %v", path, len(got), want, err)
			}
		}
		if answer := ask(http.MethodHead, "/", ""); answer.Header.Get("Content-Length") != strconv.FormatInt(n, 10) {
			t.Errorf("HEAD: %v", answer.Header)
		}
		if answer := ask(http.MethodGet, "/", "*"); answer.StatusCode != http.StatusNotModified {
			t.Errorf("nothing has changed: %s", answer.Status)
		}
	}
}

// The head and the beginning of the body come in one piece.
func TestWrapListener_sendsHeadAndBodyAtOnce(t *testing.T) {
	t.Parallel()
	const size = 20_000 // less than a network sends at once
	addr := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		answer := precompressed.Answer{
			Body: &precompressed.Body{Identity: bytes.Repeat([]byte("x"), size)}, Request: r, ContentType: "text/plain", Status: http.StatusOK,
		}
		if err := answer.Send(w); err != nil {
			t.Error(err)
		}
	})
	c := dial(t, addr)
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	piece := make([]byte, 2*size)
	n, err := c.Read(piece)
	if err != nil || n < size || !strings.HasPrefix(string(piece[:n]), "HTTP/1.1 200 OK\r\n") {
		t.Errorf("the first piece has %d bytes: %v", n, err)
	}
}
