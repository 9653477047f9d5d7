package server_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"servery/internal/server"
)

// A request's context ends at its deadline, whether somebody waits for it or only asks whether it has ended,
// and with the context of the connection.
func TestDeadline_endsTheContextOfARequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const timeout = time.Second
		asked, _ := server.WithDeadline(t.Context(), timeout)
		waited, _ := server.WithDeadline(t.Context(), timeout)
		derived, cancel := context.WithCancel(waited)
		defer cancel()
		time.Sleep(timeout - time.Nanosecond)
		if asked.Err() != nil || waited.Err() != nil || derived.Err() != nil {
			t.Errorf("before the deadline: %v, %v, %v", asked.Err(), waited.Err(), derived.Err())
		}
		time.Sleep(time.Nanosecond)
		<-derived.Done()
		for name, ctx := range map[string]context.Context{"asked": asked, "waited for": waited, "derived": derived} {
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, ctx.Err())
			}
			if at, ok := ctx.Deadline(); !ok || !at.Equal(time.Now()) {
				t.Errorf("%s: its deadline is %v", name, at)
			}
		}
	})
}

// A request that is over ends its context, before somebody waits for it and afterwards; so does a caller that
// hangs up.
func TestDeadline_endsWithTheRequest(t *testing.T) {
	t.Parallel()
	type key struct{}
	parent, hangUp := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
	early, cancelEarly := server.WithDeadline(parent, time.Hour)
	cancelEarly()
	late, cancelLate := server.WithDeadline(parent, time.Hour)
	if late.Value(key{}) != "value" {
		t.Error("the value of the parent is lost")
	}
	done := late.Done()
	if late.Value(key{}) != "value" {
		t.Error("the value of the parent is lost once somebody waits")
	}
	cancelLate()
	<-done
	<-early.Done()
	if !errors.Is(early.Err(), context.Canceled) || !errors.Is(late.Err(), context.Canceled) {
		t.Errorf("after the request: %v, %v", early.Err(), late.Err())
	}
	other, cancelOther := server.WithDeadline(parent, time.Hour)
	defer cancelOther()
	hangUp()
	if !errors.Is(other.Err(), context.Canceled) {
		t.Errorf("the caller has hung up: %v", other.Err())
	}
	<-other.Done()
}
