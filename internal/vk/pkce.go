package vk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// secretLength is what VK advises at least for a state and for a verifier.
const secretLength = 52

// newSecret returns at least 256 random bits as letters and digits: VK is known to drop other
// characters from a state.
func newSecret() string { return (rand.Text() + rand.Text())[:secretLength] }

// challengeOf returns the public challenge of a verifier (RFC 7636, S256).
func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
