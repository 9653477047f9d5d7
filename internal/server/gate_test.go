package server

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestGate_letsOrdersInBeforeOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		if !g.takeSeat(t.Context(), beginning) {
			t.Fatal("refused although a seat was free")
		}
		var mu sync.Mutex
		var entered []class
		var callers sync.WaitGroup
		for _, c := range []class{underway, ordering, underway, ordering} {
			callers.Go(func() {
				if !g.takeSeat(t.Context(), c) {
					t.Errorf("%v was refused", c)
					return
				}
				mu.Lock()
				entered = append(entered, c)
				mu.Unlock()
				g.freeSeat()
			})
			synctest.Wait()
		}
		g.freeSeat()
		callers.Wait()
		if !slices.Equal(entered, []class{ordering, ordering, underway, underway}) {
			t.Errorf("entered in the order %v", entered)
		}
	})
}

func TestGate_refusesBeginningCallsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		g.takeSeat(t.Context(), underway)
		for c, most := range map[class]time.Duration{beginning: 0, underway: 2 * time.Second, ordering: 5 * time.Second} {
			start := time.Now()
			if g.takeSeat(t.Context(), c) {
				t.Errorf("%v got a seat that was taken", c)
			}
			if took := time.Since(start); took > most {
				t.Errorf("%v was refused after %v", c, took)
			}
		}
	})
}

func TestGate_boundsHowManyWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		g.takeSeat(t.Context(), ordering)
		g.takeSeat(t.Context(), ordering)
		var callers sync.WaitGroup
		for range 2 * waitingPerSeat {
			callers.Go(func() { g.takeSeat(t.Context(), ordering) })
		}
		synctest.Wait()
		start := time.Now()
		if g.takeSeat(t.Context(), ordering) || time.Since(start) != 0 {
			t.Error("one more than may wait was not refused at once")
		}
		callers.Wait()
	})
}

// Seats are neither lost nor taken twice, also when a caller leaves at the moment of being let in.
func TestGate_keepsItsSeats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const seats = 3
		g := newGate(seats)
		var mu sync.Mutex
		var inside, most int
		var callers sync.WaitGroup
		for i := range 500 {
			callers.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%40)*time.Millisecond)
				defer cancel()
				time.Sleep(time.Duration(i%17) * time.Millisecond)
				if !g.takeSeat(ctx, class(i%int(classes))) {
					return
				}
				defer g.freeSeat()
				mu.Lock()
				inside++
				most = max(most, inside)
				mu.Unlock()
				time.Sleep(time.Millisecond)
				mu.Lock()
				inside--
				mu.Unlock()
			})
		}
		callers.Wait()
		if most != seats || g.free != seats {
			t.Errorf("%d were inside at once, %d of %d seats are free at the end", most, g.free, seats)
		}
	})
}
