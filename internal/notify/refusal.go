package notify

import "fmt"

// Refusal says that a provider answered, and did not take a message or a code.
type Refusal struct {
	Provider string
	// Code is the provider's own, empty when it gave none.
	Code string
	// Reason is ours: a provider's words may hold the number.
	Reason string
	// Undeliverable says that [ErrUndeliverable] is in the chain.
	Undeliverable bool
}

// Error gives provider, code and reason.
func (r *Refusal) Error() string {
	if r.Code == "" {
		return fmt.Sprintf("%s refused: %s", r.Provider, r.Reason)
	}
	return fmt.Sprintf("%s refused with %s: %s", r.Provider, r.Code, r.Reason)
}

// Unwrap gives [ErrUndeliverable] where no other try can succeed.
func (r *Refusal) Unwrap() error {
	if r.Undeliverable {
		return ErrUndeliverable
	}
	return nil
}
