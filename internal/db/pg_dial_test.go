package db_test

import (
	"context"
	"net"
	"testing"
	"time"

	"servery/internal/db"
)

// lateContext is a context that has not ended yet although its deadline has passed, as for a moment each does.
type lateContext struct{ context.Context }

func (lateContext) Deadline() (time.Time, bool) { return time.Unix(0, 0), true }

// Otherwise the caller would take the end of its own time for a fault of the database.
func TestDialer_doesNotGiveUpBeforeTheContextHasEnded(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := db.NewDialer().DialContext(lateContext{t.Context()}, "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	ended, end := context.WithCancel(t.Context())
	end()
	if conn, err := db.NewDialer().DialContext(ended, "tcp", listener.Addr().String()); err == nil {
		_ = conn.Close()
		t.Error("it connects for a context that has ended")
	}
}
