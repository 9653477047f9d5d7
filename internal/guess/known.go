package guess

import "sync"

const (
	// knownFrom is how many have to name a secret rightly until it is none any more.
	knownFrom = 3
	// maxKnown bounds the memory; it is far above the number of codes that a brand has at once.
	maxKnown = 10_000
)

// Known remembers secrets that several sessions have named rightly, such as a promocode that
// stands on a flyer: there is nothing left in them to guess. It lives in memory, and is safe for
// concurrent use.
type Known struct {
	mu      sync.Mutex
	namedBy map[string]map[int64]bool
}

// Add notes that a session has named the secret rightly.
func (k *Known) Add(secret string, sessionID int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	by := k.namedBy[secret]
	if len(by) >= knownFrom || by == nil && len(k.namedBy) >= maxKnown {
		return
	}
	if k.namedBy == nil {
		k.namedBy = map[string]map[int64]bool{}
	}
	if by == nil {
		by = map[int64]bool{}
		k.namedBy[secret] = by
	}
	by[sessionID] = true
}

// Has reports whether the secret is known.
func (k *Known) Has(secret string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.namedBy[secret]) >= knownFrom
}
