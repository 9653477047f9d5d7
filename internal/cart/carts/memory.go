package carts

import (
	"time"

	"servery/internal/cache"
)

const (
	// rememberedCarts is the most carts in memory: more than are changed within [memoryTime] on a
	// busy evening.
	rememberedCarts = 8192
	// memoryTime bounds the age of the facts that are remembered with a cart.
	memoryTime = 10 * time.Second
)

// memory holds carts as this process has last saved them or found them unchanged, so that the next change
// need not read before it writes. A cart from memory may be stale: only a successful save over its version shows
// that it was not.
type memory struct {
	carts *cache.Cache[memoryKey, remembered]
}

// memoryKey is an owner without the phone, which serves only to find former orders.
type memoryKey struct {
	sessionID, customerID, cityID int64
	site                          string
}

// remembered is a stored cart.
type remembered struct {
	body    []byte
	version int64
	// isWaiting and hasOrdered are as old as the last read. An order placed since has changed the
	// version of its cart.
	isWaiting, hasOrdered bool
	readAt                time.Time
}

// newMemory returns an empty memory.
func newMemory() memory {
	// A cart is not stored for longer than it may be used.
	return memory{cache.OfSize[memoryKey, remembered](rememberedCarts, cache.Life{AfterSet: memoryTime})}
}

// memoryKey returns the key of the owner's cart in memory.
func (o owner) memoryKey() memoryKey { return memoryKey{o.sessionID, o.customerID, o.cityID, o.site} }

// loadCart returns the cart that this process stored last; false when it stored none, or the cart was
// read longer than [memoryTime] ago. The cart may be stale. The result has no answers to idempotency
// keys: the save refuses a key that was used before.
func (m memory) loadCart(o owner, now time.Time) (storedCart, bool) {
	r, ok := m.carts.Get(o.memoryKey())
	// The age is negative when a request that began later has read the cart.
	if age := now.Sub(r.readAt); !ok || age < 0 || age >= memoryTime {
		return storedCart{}, false
	}
	c, err := parseCart(r.body, o.cityID)
	c.Version = r.version
	return storedCart{cart: c, body: r.body, isWaiting: r.isWaiting, hasOrdered: r.hasOrdered, readAt: r.readAt, isRecalled: true}, err == nil
}

// storeCart keeps in memory the cart that the database has, as body, in a version; found is the cart
// that was read before.
func (m memory) storeCart(o owner, found storedCart, body []byte, version int64) {
	m.carts.Set(o.memoryKey(), remembered{body, version, found.isWaiting, found.hasOrdered, found.readAt})
}

// removeCart removes the owner's cart from memory, so that it is read next time.
func (m memory) removeCart(o owner) { m.carts.Remove(o.memoryKey()) }
