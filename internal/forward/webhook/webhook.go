// Package webhook delivers messages to a program of the brand: a signed POST of JSON.
package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"servery/internal/clock"
	"servery/internal/forward"
	"servery/internal/remote"
)

// Name is the name of this way in settings and logs.
const Name = "webhook"

// Timeout is how long a delivery may take.
const Timeout = 10 * time.Second

// SignatureHeader is the header of the signature: t=<seconds>,v1=<hex of HMAC-SHA256>.
const SignatureHeader = "Servery-Signature"

// Settings are those of one webhook.
type Settings struct {
	URL, Secret string
	Clock       clock.Clock
	// Timeout is 0 for [Timeout].
	Timeout time.Duration
}

// Hook delivers messages to a webhook. Make it with [New]. It is safe for concurrent use.
type Hook struct {
	secret []byte
	clock  clock.Clock
	// path is the end of the address that the client leaves out: a slash or nothing.
	path   string
	client *remote.Client
}

// New returns a hook.
func New(s Settings) *Hook {
	if s.Timeout == 0 {
		s.Timeout = Timeout
	}
	base, hasSlash := strings.CutSuffix(s.URL, "/")
	h := &Hook{secret: []byte(s.Secret), clock: s.Clock, client: remote.New(Name, base, s.Timeout)}
	if hasSlash {
		h.path = "/"
	}
	return h
}

// Name implements [forward.Sender].
func (*Hook) Name() string { return Name }

// Send implements [forward.Sender]. Any status of 2xx means that the message was taken, even when the
// rest of the answer was cut off.
func (h *Hook) Send(ctx context.Context, m forward.Message) error {
	body, err := json.Marshal(m.Body) // in the compact form in which it is sent
	if err != nil {
		return fmt.Errorf("webhook: the message is no JSON: %w", err)
	}
	answer, err := h.client.Do(ctx, remote.Request{Path: h.path, JSON: json.RawMessage(body), Header: map[string]string{
		"Idempotency-Key": m.Key, SignatureHeader: Sign(h.secret, h.clock.Now(), body),
	}})
	if err != nil && answer.Status == 0 { // no answer came
		return err
	}
	if answer.Status < http.StatusOK || answer.Status >= http.StatusMultipleChoices {
		return &remote.Error{Provider: Name, Status: answer.Status, Reason: "not taken"}
	}
	return nil
}

// Sign returns the signature of a body that is sent at an instant. The signed text is the seconds
// since 1970, a dot and the body.
func Sign(secret []byte, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(seconds + "."))
	mac.Write(body)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
