// Package relaytest is a relay between a program and its PostgreSQL that injects the faults of
// networks and machines: it goes silent, freezes, refuses or delays.
package relaytest

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// State is how a relay treats the bytes of both directions.
type State int

const (
	// Open passes all bytes on.
	Open State = iota
	// Silent accepts connections and swallows all bytes, as a machine does that has vanished
	// behind a load balancer. What passed before the silence is lost for good: its connections
	// are closed at its end.
	Silent
	// Frozen passes nothing until it is opened, and then all of it.
	Frozen
	// Refusing closes all connections, also new ones.
	Refusing
)

// Relay passes TCP connections on to a server. It is safe for concurrent use.
type Relay struct {
	listener net.Listener
	target   string
	ctx      context.Context

	mu      sync.Mutex
	state   State
	delay   time.Duration
	changed chan struct{} // closed with each change of the state
	conns   map[net.Conn]struct{}
	work    sync.WaitGroup
}

// New returns a relay to the target that lives until the end of the test.
func New(t testing.TB, target string) *Relay {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{listener: l, target: target, ctx: t.Context(), changed: make(chan struct{}), conns: map[net.Conn]struct{}{}}
	r.work.Go(r.acceptAll)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		r.SetState(Refusing)
		r.work.Wait()
	})
	return r
}

// Addr returns where the relay listens.
func (r *Relay) Addr() string { return r.listener.Addr().String() }

// SetState changes the state of all connections, open and new ones. At the end of a silence it
// closes the open ones, because the bytes that were swallowed are lost.
func (r *Relay) SetState(s State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s == Refusing || r.state == Silent {
		for c := range r.conns {
			_ = c.Close() // its user sees that
		}
		clear(r.conns)
	}
	r.state = s
	close(r.changed)
	r.changed = make(chan struct{})
}

// Delay makes each packet wait before it is passed on.
func (r *Relay) Delay(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delay = d
}

// acceptAll serves each connection until the listener is closed.
func (r *Relay) acceptAll() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return // the test is over
		}
		r.work.Go(func() { r.serveConn(c) })
	}
}

// addConn stores the connection and reports whether it may live.
func (r *Relay) addConn(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == Refusing {
		return false
	}
	r.conns[c] = struct{}{}
	return true
}

// removeConn closes the connection and removes it from the stored ones.
func (r *Relay) removeConn(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
	_ = c.Close() // it may be closed already
}

// serveConn passes on one connection. It connects to the server once the relay is not frozen, and never
// for a connection that comes while the relay is silent.
func (r *Relay) serveConn(in net.Conn) {
	defer r.removeConn(in)
	if !r.addConn(in) {
		return
	}
	state, _ := r.waitThawed()
	if state == Silent {
		_, _ = io.Copy(io.Discard, in) // until either side closes
		return
	}
	out, err := new(net.Dialer).DialContext(r.ctx, "tcp", r.target)
	if err != nil {
		return // the caller sees a closed connection
	}
	defer r.removeConn(out)
	if !r.addConn(out) {
		return
	}
	back := make(chan struct{})
	go func() {
		defer close(back)
		r.copyBytes(in, out)
	}()
	r.copyBytes(out, in)
	<-back
}

// copyBytes passes bytes on until one side closes, and then closes the other one. While the relay is
// silent it does not close it yet: nothing arrives from a machine that has vanished.
func (r *Relay) copyBytes(to, from net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		state, delay := r.waitThawed()
		if state == Silent {
			if err == nil {
				continue
			}
			r.waitUntilNot(Silent)
		}
		if n > 0 && state == Open {
			time.Sleep(delay)
			_, failed := to.Write(buffer[:n])
			if err == nil {
				err = failed
			}
		}
		if err != nil || state == Refusing {
			_ = to.Close() // it may be closed already
			return
		}
	}
}

// waitThawed waits while the relay is frozen, and returns the state and the delay.
func (r *Relay) waitThawed() (State, time.Duration) {
	r.waitUntilNot(Frozen)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.delay
}

// waitUntilNot returns once the relay is not in the state.
func (r *Relay) waitUntilNot(s State) {
	for {
		r.mu.Lock()
		state, changed := r.state, r.changed
		r.mu.Unlock()
		if state != s {
			return
		}
		<-changed
	}
}
