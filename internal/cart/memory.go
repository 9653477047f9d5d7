package cart

import (
	"time"

	"github.com/maypok86/otter/v2"
)

const (
	// keptCarts is more than are changed within [memoryTime] on a busy evening.
	keptCarts = 8192
	// memoryTime bounds how old may be what is known beside a remembered cart.
	memoryTime = 10 * time.Second
)

// memory keeps carts as this process has last saved them, so that the next change need not
// read before it writes. What it holds is a guess until a save over its version proves it:
// nothing else may be concluded from it.
type memory struct {
	kept *otter.Cache[memoryKey, remembered]
}

// memoryKey is an owner, without what only tells of his former orders.
type memoryKey struct {
	sessionID, customerID, cityID int64
	site                          string
}

// remembered is a saved cart.
type remembered struct {
	body    []byte
	version int64
	// isWaiting and hasOrdered are as old as the last reading. An order that came since has
	// changed the version of its cart.
	isWaiting, hasOrdered bool
	readAt                time.Time
}

func newMemory() memory {
	return memory{otter.Must(&otter.Options[memoryKey, remembered]{
		MaximumSize: keptCarts,
		// Nobody's cart stays here for longer than it may be used.
		ExpiryCalculator: otter.ExpiryWriting[memoryKey, remembered](memoryTime),
	})}
}

func (o owner) memoryKey() memoryKey { return memoryKey{o.sessionID, o.customerID, o.cityID, o.site} }

// recall gives the cart as it was saved here last, not long ago. It holds no answers: a key
// that was used before is refused by the save.
func (m memory) recall(o owner, now time.Time) (stored, bool) {
	r, ok := m.kept.GetIfPresent(o.memoryKey())
	if age := now.Sub(r.readAt); !ok || age < 0 || age >= memoryTime {
		return stored{}, false
	}
	c, err := parse(r.body, o.cityID)
	c.Version = r.version
	return stored{cart: c, body: r.body, isWaiting: r.isWaiting, hasOrdered: r.hasOrdered, readAt: r.readAt, isRecalled: true}, err == nil
}

// remember takes note of the cart that was saved over the one found.
func (m memory) remember(o owner, found stored, body []byte) {
	m.kept.Set(o.memoryKey(), remembered{body, found.cart.Version + 1, found.isWaiting, found.hasOrdered, found.readAt})
}

func (m memory) forget(o owner) { m.kept.Invalidate(o.memoryKey()) }
