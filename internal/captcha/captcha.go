// Package captcha asks a provider whether a visitor is a person.
package captcha

import (
	"context"
	"errors"
	"net/http"
	"time"

	"servery/internal/remote"
)

// timeout is how long a visitor waits for the provider at most.
const timeout = 1500 * time.Millisecond

// The providers, by the names that the page uses too.
const (
	SmartCaptchaName = "smartcaptcha"
	TurnstileName    = "turnstile"
)

// Result is the outcome of checking a token.
type Result int

// The results. Unanswered says that the provider did not answer: its outage must not keep all
// customers out, so callers may let it pass where there is no attack.
const (
	Refused Result = iota
	Unanswered
	Passed
)

// Verifier checks the token that a captcha gave to a visitor. It is safe for concurrent use; its
// errors contain neither the token nor a secret.
type Verifier interface {
	// Verify returns whether the provider accepts the token, which it does once. The address is the
	// visitor's, empty when it is unknown.
	//
	// With an error the result is Unanswered when no answer came, or one of a broken provider (5xx,
	// or no JSON). It is Refused when the provider refused the request itself (4xx): an attacker
	// can provoke a 429 by volume.
	Verify(ctx context.Context, token, address string) (Result, error)
}

// failedResult returns the result of a check that has failed with err, and err itself. The result is
// Refused when the provider refused the request, otherwise Unanswered.
func failedResult(err error) (Result, error) {
	var e *remote.Error
	if errors.As(err, &e) && e.Status >= http.StatusBadRequest && e.Status < http.StatusInternalServerError {
		return Refused, err
	}
	return Unanswered, err
}
