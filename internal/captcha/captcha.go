// Package captcha asks a provider whether a visitor has shown himself to be a person.
package captcha

import (
	"context"
	"time"
)

// timeout is how long a visitor waits for the provider at most.
const timeout = 1500 * time.Millisecond

// The providers, as the page knows them too.
const (
	SmartCaptchaName = "smartcaptcha"
	TurnstileName    = "turnstile"
)

// Verifier checks what a visitor's captcha gave him. It is safe for concurrent use; its
// errors hold neither the token nor a secret.
type Verifier interface {
	// Verify reports whether the provider takes the token, which it does once. The address
	// is the visitor's, empty when it is not known.
	//
	// An error says that the provider could not be asked or did not understand us. Callers
	// let the visitor pass then, and their limits per address stay: a provider's bad hour
	// must not keep everybody out.
	Verify(ctx context.Context, token, address string) (bool, error)
}
