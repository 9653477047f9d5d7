package notify

import "fmt"

// Refusal says that a provider answered, and did not accept a message or a code.
type Refusal struct {
	Provider string
	// Code is the provider's own, empty when there was none.
	Code string
	// Reason is our own text: a provider's text may contain the number.
	Reason string
	// Undeliverable says that [ErrUndeliverable] is in the chain, OptedOut that [ErrOptedOut] is.
	Undeliverable, OptedOut bool
}

// Error returns provider, code and reason.
func (r *Refusal) Error() string {
	if r.Code == "" {
		return fmt.Sprintf("%s refused: %s", r.Provider, r.Reason)
	}
	return fmt.Sprintf("%s refused with %s: %s", r.Provider, r.Code, r.Reason)
}

// Unwrap returns [ErrUndeliverable] where no other attempt can succeed, [ErrOptedOut] where none is wanted,
// else nil.
func (r *Refusal) Unwrap() error {
	switch {
	case r.Undeliverable:
		return ErrUndeliverable
	case r.OptedOut:
		return ErrOptedOut
	}
	return nil
}
