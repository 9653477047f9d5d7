// Package operator decides which token the kitchen's system may be let in by.
package operator

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

// saltLength is how many bytes stand before the hash that is kept of a token.
const saltLength = 32

// AcceptToken keeps a salted hash of the token that is in use. A token below [LeastToken] is
// accepted only while it is the one that was in use before, and reported as short; it returns
// ErrShortToken for one that is new. A database that had content before such hashes were kept
// takes the first token as the one in use.
func AcceptToken(ctx context.Context, d *db.DB, c clock.Clock, token string) (isShort bool, err error) {
	isShort = len(token) < LeastToken
	err = d.InTx(ctx, func(tx *db.Tx) error {
		kept, found, err := findToken(ctx, tx.Q)
		if err != nil {
			return err
		}
		isOld := found && len(kept) == 0
		if found && isSame(kept, token) {
			return nil
		}
		if isShort && !isOld {
			return ErrShortToken
		}
		return keepToken(ctx, tx.Q, hashOf(newSalt(), token), c.Now())
	})
	return isShort, err
}

func newSalt() []byte {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // crypto/rand never fails
	return salt
}

// hashOf returns the salt with the hash of the token under it.
func hashOf(salt []byte, token string) []byte {
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(token))
	return mac.Sum(append([]byte{}, salt...))
}

func isSame(kept []byte, token string) bool {
	return len(kept) > saltLength && hmac.Equal(kept, hashOf(kept[:saltLength], token))
}
