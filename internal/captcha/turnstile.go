package captcha

import (
	"context"
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

// NewTurnstile makes the client of a widget; base is [TurnstileURL], or a double's address.
func NewTurnstile(base, secret string) *Turnstile {
	return &Turnstile{remote: remote.New(TurnstileName, base, timeout), secret: secret}
}

// Verify implements [Verifier].
func (t *Turnstile) Verify(ctx context.Context, token, address string) (bool, error) {
	if token == "" || len(token) > maxTurnstile {
		return false, nil
	}
	form := url.Values{"secret": {t.secret}, "response": {token}}
	if ip, ok := remote.Address(address); ok {
		form.Set("remoteip", ip)
	}
	var answer struct {
		Success *bool    `json:"success"`
		Errors  []string `json:"error-codes"`
	}
	status, err := t.remote.PostForm(ctx, "/turnstile/v0/siteverify", form, remote.Account{}, &answer)
	switch {
	case err != nil:
		return false, err //nolint:wrapcheck // it names the provider
	case answer.Success == nil:
		return false, &remote.Error{Provider: TurnstileName, Status: status, Reason: "the answer does not say success"}
	case *answer.Success:
		return true, nil
	}
	// Ours or the provider's faults are no word about the visitor.
	for _, code := range []string{"missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"} {
		if slices.Contains(answer.Errors, code) {
			return false, &remote.Error{Provider: TurnstileName, Status: status, Reason: code}
		}
	}
	return false, nil
}
