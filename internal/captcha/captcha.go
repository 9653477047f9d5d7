// Package captcha asks a provider whether a visitor has shown to be a person.
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

// The providers, as the page knows them too.
const (
	SmartCaptchaName = "smartcaptcha"
	TurnstileName    = "turnstile"
)

// Result is what is known of a token.
type Result int

// The results. Unanswered says that the provider could not be asked: a provider's bad hour must
// not keep all customers out, so callers may let it pass where no attack is seen.
const (
	Refused Result = iota
	Unanswered
	Passed
)

// Verifier checks the token that a captcha handed to a visitor. It is safe for concurrent use;
// its errors hold neither the token nor a secret.
type Verifier interface {
	// Verify returns whether the provider takes the token, which it does once. The address is
	// the visitor's, empty when it is not known.
	//
	// With an error the result is Unanswered when no answer came, or one of a broken provider
	// (5xx, or no JSON). It is Refused when the provider refused the question itself (4xx): a
	// stranger can provoke a 429 by volume.
	Verify(ctx context.Context, token, address string) (Result, error)
}

// failed returns the result of a provider that did not say whether it takes the token.
func failed(err error) (Result, error) {
	var e *remote.Error
	if errors.As(err, &e) && e.Status >= http.StatusBadRequest && e.Status < http.StatusInternalServerError {
		return Refused, err
	}
	return Unanswered, err
}
