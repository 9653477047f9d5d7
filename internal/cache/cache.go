// Package cache keeps values in memory up to a bound, and removes those that are used least.
package cache

import (
	"context"
	"time"
)

// Cache keeps values by key. It is safe for concurrent use.
type Cache[K comparable, V any] struct{ entries entries }

// Life is how long a cache keeps a value: at most one of the two is set. The zero Life keeps it until there is no room.
type Life struct {
	AfterSet time.Duration // since the value was set
	AfterUse time.Duration // since the value was set or returned
}

// OfSize returns an empty cache of at most size values. It panics when size is not above 0.
func OfSize[K comparable, V any](size int, life Life) *Cache[K, V] {
	return &Cache[K, V]{newEntriesOfSize(size, life)}
}

// OfWeight returns an empty cache of values that together weigh at most weight. It panics when weight is 0.
func OfWeight[K comparable, V any](weight uint64, weigh func(V) uint32) *Cache[K, V] {
	return &Cache[K, V]{newEntriesOfWeight(weight, func(value any) uint32 { return weigh(typed[V](value)) })}
}

// Get returns the value of a key, and false when there is none.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	value, ok := c.entries.get(key)
	return typed[V](value), ok
}

// Load returns the value of a key. When there is none, load makes it, once for all who wait for it. Its error is
// returned to all of them, and is not stored.
func (c *Cache[K, V]) Load(ctx context.Context, key K, load func(ctx context.Context) (V, error)) (V, error) {
	value, err := c.entries.load(ctx, key, func(ctx context.Context) (any, error) { return load(ctx) })
	return typed[V](value), err
}

// Set stores the value of a key.
func (c *Cache[K, V]) Set(key K, value V) { c.entries.set(key, value) }

// Remove removes the value of a key, if there is one.
func (c *Cache[K, V]) Remove(key K) { c.entries.remove(key) }

// typed returns a value in its type; the zero value of nil, which stands for none.
func typed[V any](value any) V {
	v, _ := value.(V)
	return v
}
