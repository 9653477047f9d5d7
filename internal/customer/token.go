package customer

import (
	"crypto/hmac"
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

// deriveToken returns the secret of a session that follows from those of a link and of the browser that uses it, and
// its hash. Who has one of the two cannot compute it.
func deriveToken(link, key string) (string, hash) {
	mac := hmac.New(sha256.New, []byte(link))
	mac.Write([]byte(key))
	raw := mac.Sum(nil)
	return base64.RawURLEncoding.EncodeToString(raw), sha256.Sum256(raw)
}

// hashOf returns the hash of a secret; false when the text cannot be one.
func hashOf(token string) (hash, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return hash{}, false
	}
	return sha256.Sum256(raw), true
}
