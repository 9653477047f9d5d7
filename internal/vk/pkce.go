package vk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// secretLength is what VK advises at least for a state and for a verifier.
const secretLength = 52

// newSecret makes at least 256 random bits of letters and digits only: VK is known to drop
// other signs from a state.
func newSecret() string { return (rand.Text() + rand.Text())[:secretLength] }

// challenge gives what may be known of a verifier (RFC 7636, S256).
func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
