package precompressed_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/server/precompressed"
)

var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// newCache returns an empty cache.
func newCache(t *testing.T) *precompressed.Cache[string] {
	t.Helper()
	cache := precompressed.NewCache[string](1<<20, precompressed.Compress)
	return cache
}

func TestCache_makesABodyOnceForConcurrentCallers(t *testing.T) {
	t.Parallel()
	cache := newCache(t)
	var made atomic.Int32
	build := func(context.Context) ([]byte, time.Time, error) {
		made.Add(1)
		return []byte(`{"product_groups":[]}`), noon.Add(time.Hour), nil
	}
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			b, err := cache.Get(t.Context(), "menu", noon, build)
			if err != nil || len(b.Gzip) == 0 || len(b.Brotli) == 0 || b.ETag == "" {
				t.Errorf("got %+v, %v", b, err)
			}
		})
	}
	callers.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	if _, err := cache.Get(t.Context(), "menu", noon.Add(time.Hour), build); err != nil || made.Load() != 2 {
		t.Errorf("after its end made %d times, %v", made.Load(), err)
	}
}

func TestCache_storesNoError(t *testing.T) {
	t.Parallel()
	cache := newCache(t)
	broken := errors.New("broken")
	_, err := cache.Get(t.Context(), "menu", noon, func(context.Context) ([]byte, time.Time, error) { return nil, noon, broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	whole := func(context.Context) ([]byte, time.Time, error) { return []byte("{}"), time.Time{}, nil }
	if b, err := cache.Get(t.Context(), "menu", noon, whole); err != nil || string(b.Identity) != "{}" {
		t.Errorf("got %v, %v", b, err)
	}
}
