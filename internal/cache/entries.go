package cache

import (
	"context"

	"github.com/maypok86/otter/v2"
)

// entries are the values of a cache, of whatever types. They are an interface, and the functions that make them are not
// inlined, so that the packages with a cache do not see otter's: the compiler compiles what is generic again in each
// package that sees it, and otter's cache is hundreds of functions for each pair of types.
type entries interface {
	get(key any) (any, bool)
	load(ctx context.Context, key any, load func(context.Context) (any, error)) (any, error)
	set(key, value any)
	remove(key any)
}

// otterEntries implements entries.
type otterEntries struct{ cache *otter.Cache[any, any] }

// newEntriesOfSize returns no entries, of which there are at most size. It panics when size is not above 0: otter has no
// bound then.
//
//go:noinline
func newEntriesOfSize(size int, life Life) entries {
	if size <= 0 {
		panic("cache: the size is not above 0")
	}
	o := otter.Options[any, any]{MaximumSize: size}
	switch {
	case life.AfterSet > 0:
		o.ExpiryCalculator = otter.ExpiryWriting[any, any](life.AfterSet)
	case life.AfterUse > 0:
		o.ExpiryCalculator = otter.ExpiryAccessing[any, any](life.AfterUse)
	}
	return otterEntries{otter.Must(&o)}
}

// newEntriesOfWeight returns no entries, which weigh at most weight. It panics when weight is 0.
//
//go:noinline
func newEntriesOfWeight(weight uint64, weigh func(value any) uint32) entries {
	return otterEntries{otter.Must(&otter.Options[any, any]{
		MaximumWeight: weight, Weigher: func(_, value any) uint32 { return weigh(value) },
	})}
}

func (e otterEntries) get(key any) (any, bool) { return e.cache.GetIfPresent(key) }

func (e otterEntries) load(ctx context.Context, key any, load func(context.Context) (any, error)) (any, error) {
	return e.cache.Get(ctx, key, otter.LoaderFunc[any, any](func(ctx context.Context, _ any) (any, error) { return load(ctx) }))
}

func (e otterEntries) set(key, value any) { e.cache.Set(key, value) }

func (e otterEntries) remove(key any) { e.cache.Invalidate(key) }
