package captcha

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"servery/internal/remote"
)

// TurnstileURL is where Turnstile checks tokens and its widget comes from.
const TurnstileURL = "https://challenges.cloudflare.com"

// maxTurnstile is the length of the longest token that Turnstile makes.
const maxTurnstile = 2048

// Turnstile is Cloudflare's captcha.
type Turnstile struct {
	remote *remote.Client
	secret string
}

// NewTurnstile returns the client of a widget; base is [TurnstileURL], or a double's address.
func NewTurnstile(base, secret string) *Turnstile {
	return &Turnstile{remote: remote.New(TurnstileName, base, timeout), secret: secret}
}

// Verify implements [Verifier].
func (t *Turnstile) Verify(ctx context.Context, token, address string) (Result, error) {
	if token == "" || len(token) > maxTurnstile {
		return Refused, nil
	}
	form := url.Values{"secret": {t.secret}, "response": {token}}
	if ip, ok := remote.IPAddress(address); ok {
		form.Set("remoteip", ip)
	}
	var answer struct {
		Success *bool    `json:"success"`
		Errors  []string `json:"error-codes"`
	}
	status, err := t.remote.PostForm(ctx, "/turnstile/v0/siteverify", form, remote.Account{}, &answer)
	switch {
	case err != nil:
		return failedResult(err)
	case status != http.StatusOK:
		return failedResult(&remote.Error{Provider: TurnstileName, Status: status, Reason: "it did not check the token"})
	case answer.Success == nil:
		return failedResult(&remote.Error{Provider: TurnstileName, Status: status, Reason: "the answer has no success"})
	case *answer.Success:
		return Passed, nil
	case slices.Contains(answer.Errors, "internal-error"):
		return failedResult(&remote.Error{Provider: TurnstileName, Status: status, Reason: "internal-error"})
	}
	// Our own faults say nothing about the visitor, and do not pass.
	for _, code := range []string{"missing-input-secret", "invalid-input-secret", "bad-request"} {
		if slices.Contains(answer.Errors, code) {
			return Refused, &remote.Error{Provider: TurnstileName, Status: status, Reason: code}
		}
	}
	return Refused, nil
}
