package guess

import "sync"

const (
	// knownFrom is how many sessions have to enter a secret rightly until it counts as public.
	knownFrom = 3
	// maxKnown bounds the memory; it is far above the number of codes that a brand has at once.
	maxKnown = 10_000
)

// Known holds secrets that several sessions have entered rightly, such as a promocode from a flyer:
// they are public, and guesses of them do not count. It lives in memory, and is safe for concurrent
// use.
type Known struct {
	mu      sync.Mutex
	namedBy map[string]map[int64]bool
}

// Add records that a session has entered the secret rightly.
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

// Has reports whether the secret is public.
func (k *Known) Has(secret string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.namedBy[secret]) >= knownFrom
}
