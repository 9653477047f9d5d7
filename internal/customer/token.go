package customer

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// tokenBytes is the length of every secret: 256 random bits.
const tokenBytes = 32

// hash stands for a secret in the database, which never contains the secret itself.
type hash [sha256.Size]byte

// newToken returns a new secret, as text for a cookie or a link, and its hash.
func newToken() (string, hash) {
	var raw [tokenBytes]byte
	_, _ = rand.Read(raw[:]) // crypto/rand never fails
	return base64.RawURLEncoding.EncodeToString(raw[:]), sha256.Sum256(raw[:])
}

// hashOf returns the hash of a secret; false when the text cannot be one.
func hashOf(token string) (hash, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return hash{}, false
	}
	return sha256.Sum256(raw), true
}
