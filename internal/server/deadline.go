package server

import (
	"context"
	"sync"
	"time"
)

// deadlineContext is a context with a deadline, whose timer starts when somebody waits for it. Most requests
// are answered from memory, and a timer costs more than they do. cancel must be called.
type deadlineContext struct {
	context.Context

	deadline time.Time

	mu sync.Mutex
	// waited is the context that somebody waits for, nil before.
	waited context.Context
	stop   context.CancelFunc
	// isOver says that cancel was called.
	isOver bool
}

// withDeadline returns a context that ends with its parent, and timeout from now.
func withDeadline(parent context.Context, timeout time.Duration) *deadlineContext {
	return &deadlineContext{Context: parent, deadline: time.Now().Add(timeout)} //nolint:forbidigo // timers are of the machine's clock
}

// Deadline returns when the context ends.
func (c *deadlineContext) Deadline() (time.Time, bool) {
	if earlier, ok := c.Context.Deadline(); ok && earlier.Before(c.deadline) {
		return earlier, true
	}
	return c.deadline, true
}

// Done returns a channel that is closed when the context ends.
func (c *deadlineContext) Done() <-chan struct{} {
	return c.wait().Done()
}

// Value returns the value of the key in the parent. What is derived from the context while somebody waits for
// it finds there what the context package looks for, and needs no goroutine of its own.
func (c *deadlineContext) Value(key any) any {
	c.mu.Lock()
	waited := c.waited
	c.mu.Unlock()
	if waited != nil {
		return waited.Value(key)
	}
	return c.Context.Value(key)
}

// wait starts the timer, once, and returns the context that it ends.
func (c *deadlineContext) wait() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waited == nil {
		c.waited, c.stop = context.WithDeadline(c.Context, c.deadline)
		if c.isOver {
			c.stop()
		}
	}
	return c.waited
}

// Err returns why the context has ended, nil before.
func (c *deadlineContext) Err() error {
	c.mu.Lock()
	waited, isOver := c.waited, c.isOver
	c.mu.Unlock()
	switch {
	case waited != nil:
		return waited.Err()
	case isOver:
		return context.Canceled
	case c.Context.Err() != nil:
		return c.Context.Err()
	case !time.Now().Before(c.deadline): //nolint:forbidigo // timers are of the machine's clock
		return context.DeadlineExceeded
	}
	return nil
}

// cancel ends the context.
func (c *deadlineContext) cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isOver = true
	if c.stop != nil {
		c.stop()
	}
}
