package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestCache_forgetsWhatHasLivedItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		newCache := func(life Life) *Cache[string, int] {
			c := OfSize[string, int](10, life)
			t.Cleanup(func() { c.entries.(otterEntries).cache.StopAllGoroutines() })
			c.Set("a", 1)
			return c
		}
		set, used := newCache(Life{AfterSet: time.Minute}), newCache(Life{AfterUse: time.Minute})
		time.Sleep(40 * time.Second)
		for _, c := range []*Cache[string, int]{set, used} {
			if got, ok := c.Get("a"); !ok || got != 1 {
				t.Errorf("after 40 s: %d, %t", got, ok)
			}
		}
		time.Sleep(40 * time.Second)
		if _, ok := set.Get("a"); ok {
			t.Error("a value is kept for longer than a minute since it was set")
		}
		if _, ok := used.Get("a"); !ok {
			t.Error("a value that was used is not kept")
		}
	})
}

func TestCache_holdsNoMoreThanItsBound(t *testing.T) {
	t.Parallel()
	const bound, stored = 50, 1000
	for name, c := range map[string]*Cache[int, []byte]{
		"of values": OfSize[int, []byte](bound, Life{}),
		"of weight": OfWeight[int](10*bound, func(b []byte) uint32 { return uint32(len(b)) }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := range stored {
				c.Set(n, make([]byte, 10))
			}
			c.entries.(otterEntries).cache.CleanUp() // what is too much goes in the background
			held := 0
			for n := range stored {
				if _, ok := c.Get(n); ok {
					held++
				}
			}
			if held == 0 || held > bound {
				t.Errorf("%d values are held", held)
			}
		})
	}
}
