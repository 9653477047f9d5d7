package asset

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"servery/internal/clock"
)

// However many strangers ask for names that no release has.
func TestLister_readsNamesAtMostFourTimesASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := 0
		l := lister{clock: clock.System{}, names: func(context.Context) ([]string, error) {
			read++
			return []string{"a.js"}, nil
		}}
		var callers sync.WaitGroup
		for i := range 1000 {
			callers.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				names, err := l.readNames(t.Context())
				if err != nil || !names["a.js"] || names["b.js"] {
					t.Errorf("names %v, %v", names, err)
				}
			})
		}
		callers.Wait()
		if read > 5 {
			t.Errorf("read %d times in a second and a quarter", read)
		}
	})
}

// A page of a new release may ask in the very moment in which that was published.
func TestLister_answersWithWhatWasReadAfterTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var names []string
		begun, goOn := make(chan struct{}, 2), make(chan struct{})
		l := lister{clock: clock.System{}, names: func(context.Context) ([]string, error) {
			now := names
			begun <- struct{}{}
			<-goOn
			return now, nil
		}}
		var callers sync.WaitGroup
		callers.Go(func() { _, _ = l.readNames(t.Context()) }) // what it finds is not looked at
		<-begun
		names = []string{"b.js"}
		callers.Go(func() {
			if got, err := l.readNames(t.Context()); err != nil || !got["b.js"] {
				t.Errorf("names %v, %v", got, err)
			}
		})
		synctest.Wait()
		close(goOn)
		callers.Wait()
	})
}
