package guess

import "sync"

const (
	// publicFrom is how many sessions have to enter a secret correctly until it counts as public.
	publicFrom = 3
	// maxSecrets bounds the memory; it is far above the number of codes that a brand has at once.
	maxSecrets = 10_000
)

// Entered holds the secrets that sessions have entered correctly. One that several sessions have
// entered is public, such as a promocode from a flyer. It lives in memory and is safe for
// concurrent use.
type Entered struct {
	mu sync.Mutex
	// enteredBy are the sessions that have entered a secret, by secret.
	enteredBy map[string]map[int64]bool
}

// Add stores that a session has entered the secret correctly. It does nothing when three sessions
// have entered it already, or when the memory is full.
func (e *Entered) Add(secret string, sessionID int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	sessions := e.enteredBy[secret]
	if len(sessions) >= publicFrom || sessions == nil && len(e.enteredBy) >= maxSecrets {
		return
	}
	if e.enteredBy == nil {
		e.enteredBy = map[string]map[int64]bool{}
	}
	if sessions == nil {
		sessions = map[int64]bool{}
		e.enteredBy[secret] = sessions
	}
	sessions[sessionID] = true
}

// IsPublic reports whether three sessions or more have entered the secret correctly.
func (e *Entered) IsPublic(secret string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.enteredBy[secret]) >= publicFrom
}
