// Package relaytest stands between a program and its PostgreSQL and breaks the line as networks
// and machines do: it goes silent, freezes, refuses or delays.
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
	r.work.Go(r.accept)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		r.Set(Refusing)
		r.work.Wait()
	})
	return r
}

// Addr returns where the relay listens.
func (r *Relay) Addr() string { return r.listener.Addr().String() }

// Set changes the state, for the connections that there are too.
func (r *Relay) Set(s State) {
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

func (r *Relay) accept() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return // the test is over
		}
		r.work.Go(func() { r.serve(c) })
	}
}

// add remembers the connection and reports whether it may live.
func (r *Relay) add(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == Refusing {
		return false
	}
	r.conns[c] = struct{}{}
	return true
}

func (r *Relay) remove(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
	_ = c.Close() // it may be closed already
}

// serve passes on one connection. The server is called once the line is not frozen, and never
// while it is silent.
func (r *Relay) serve(in net.Conn) {
	defer r.remove(in)
	if !r.add(in) {
		return
	}
	state, _ := r.thaw()
	if state == Silent {
		_, _ = io.Copy(io.Discard, in) // until either side closes
		return
	}
	out, err := new(net.Dialer).DialContext(r.ctx, "tcp", r.target)
	if err != nil {
		return // the caller sees a closed connection
	}
	defer r.remove(out)
	if !r.add(out) {
		return
	}
	back := make(chan struct{})
	go func() {
		defer close(back)
		r.pump(in, out)
	}()
	r.pump(out, in)
	<-back
}

// pump passes bytes on until one side closes, and then closes the other one, unless the line
// is silent: nothing is heard of a machine that has vanished.
func (r *Relay) pump(to, from net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		state, delay := r.thaw()
		if state == Silent {
			if err == nil {
				continue
			}
			r.wait(Silent)
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

// thaw waits while the line is frozen, and returns the state and the delay.
func (r *Relay) thaw() (State, time.Duration) {
	r.wait(Frozen)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.delay
}

// wait returns once the line is not in the state.
func (r *Relay) wait(s State) {
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
