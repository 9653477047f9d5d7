package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"servery/internal/clock"
	"servery/internal/db"
)

// LeastToken is how many characters a new token must have.
const LeastToken = 24

// ErrShortToken says that a token is new and too short to be taken.
var ErrShortToken = errors.New("must have at least 24 characters: make one with openssl rand -hex 24")

// saltLength is the number of bytes of salt before the hash of a token.
const saltLength = 32

// AcceptToken returns nil when the operator's token may be used, and stores a salted hash of a new
// token. isShort reports whether it has fewer characters than [LeastToken]. A short token is refused
// with ErrShortToken, unless it was in use before. A database that is older than these hashes accepts
// its first token, whatever its length.
func AcceptToken(ctx context.Context, d *db.DB, c clock.Clock, token string) (isShort bool, err error) {
	isShort = len(token) < LeastToken
	err = d.InTx(ctx, func(tx *db.Tx) error {
		storedHash, exists, err := findSettingsToken(ctx, tx.Q)
		if err != nil {
			return err
		}
		if exists && isSame(storedHash, token) {
			return nil
		}
		isFromBeforeHashes := exists && len(storedHash) == 0
		if isShort && !isFromBeforeHashes {
			return ErrShortToken
		}
		return storeSettingsToken(ctx, tx.Q, hashOf(newSalt(), token), c.Now())
	})
	return isShort, err
}

// newSalt returns a random salt.
func newSalt() []byte {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // crypto/rand never fails
	return salt
}

// hashOf returns the salt, followed by the hash of the token with that salt.
func hashOf(salt []byte, token string) []byte {
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(token))
	return mac.Sum(append([]byte{}, salt...))
}

// isSame reports whether the stored hash is that of the token.
func isSame(storedHash []byte, token string) bool {
	return len(storedHash) > saltLength && hmac.Equal(storedHash, hashOf(storedHash[:saltLength], token))
}
