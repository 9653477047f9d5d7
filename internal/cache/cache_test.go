package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"servery/internal/cache"
)

// key is a key that is no pointer.
type key struct {
	site string
	id   int64
}

func TestCache_keepsAValueUntilItIsRemoved(t *testing.T) {
	t.Parallel()
	c := cache.OfSize[key, string](10, cache.Life{})
	if got, ok := c.Get(key{"sushi", 1}); ok || got != "" {
		t.Errorf("an empty cache has %q", got)
	}
	c.Set(key{"sushi", 1}, "first")
	c.Set(key{"sushi", 1}, "second")
	if got, ok := c.Get(key{"sushi", 1}); !ok || got != "second" {
		t.Errorf("got %q, %t", got, ok)
	}
	if _, ok := c.Get(key{"pizza", 1}); ok {
		t.Error("another key has the value")
	}
	c.Remove(key{"sushi", 1})
	if _, ok := c.Get(key{"sushi", 1}); ok {
		t.Error("a removed value is returned")
	}
}

func TestCache_makesAValueOnceForAllWhoWait(t *testing.T) {
	t.Parallel()
	c := cache.OfSize[int, *int](10, cache.Life{})
	made := 0
	begun, release := make(chan struct{}), make(chan struct{})
	load := func(context.Context) (*int, error) {
		made++
		close(begun)
		<-release
		return &made, nil
	}
	var wg sync.WaitGroup
	ask := func() {
		if got, err := c.Load(t.Context(), 1, load); err != nil || got != &made {
			t.Errorf("got %v, %v", got, err)
		}
	}
	wg.Go(ask)
	<-begun
	for range 8 {
		wg.Go(ask)
	}
	close(release)
	wg.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

func TestCache_storesNoFailure(t *testing.T) {
	t.Parallel()
	c := cache.OfSize[int, []byte](10, cache.Life{})
	failure := errors.New("the database is away")
	if got, err := c.Load(t.Context(), 1, func(context.Context) ([]byte, error) { return nil, failure }); !errors.Is(err, failure) || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := c.Load(t.Context(), 1, func(context.Context) ([]byte, error) { return []byte("there"), nil }); err != nil || string(got) != "there" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestCache_hasABound(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(){
		"size 0":   func() { cache.OfSize[int, int](0, cache.Life{}) },
		"size -1":  func() { cache.OfSize[int, int](-1, cache.Life{}) },
		"weight 0": func() { cache.OfWeight[int](0, func(int) uint32 { return 1 }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a cache without a bound was made", name)
				}
			}()
			make()
		}()
	}
}
