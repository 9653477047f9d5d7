package parallel_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"servery/internal/parallel"
)

// With 20 items and a limit of 4, four calls run at once and never more. Each call waits until
// four are running.
func TestEach_runsAtMostTheLimitAtATime(t *testing.T) {
	t.Parallel()
	var running, most, calls atomic.Int32
	full := make(chan struct{})
	err := parallel.Each(make([]int, 20), 4, func(int) error {
		calls.Add(1)
		now := running.Add(1)
		defer running.Add(-1)
		for {
			before := most.Load()
			if now <= before || most.CompareAndSwap(before, now) {
				break
			}
		}
		if now == 4 {
			select {
			case <-full:
			default:
				close(full)
			}
		}
		<-full // all four have to run at once for one to return
		return nil
	})
	if err != nil || calls.Load() != 20 || most.Load() != 4 {
		t.Errorf("%d calls, at most %d at a time, error %v", calls.Load(), most.Load(), err)
	}
}

// Two of four calls fail. All four are made, and the error has both.
func TestEach_joinsErrorsAndStopsForNone(t *testing.T) {
	t.Parallel()
	first, second := errors.New("first"), errors.New("second")
	var calls atomic.Int32
	err := parallel.Each([]error{first, nil, second, nil}, 1, func(e error) error {
		calls.Add(1)
		return e
	})
	if !errors.Is(err, first) || !errors.Is(err, second) || calls.Load() != 4 {
		t.Errorf("error %v after %d calls", err, calls.Load())
	}
}
