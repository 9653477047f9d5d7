package login

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"
)

const (
	secretBytes = 32
	saltBytes   = 16
	tokenBytes  = 32
)

// hash stands for a secret, or for a phone, in the database.
type hash [sha256.Size]byte

// keyedHash returns the hash of parts with the server's secret as its key. use makes the hashes of
// different purposes differ. The length of each part is written before it, so that no two lists
// have the same bytes.
func keyedHash(secret []byte, use string, parts ...string) hash {
	mac := hmac.New(sha256.New, secret)
	for _, part := range append([]string{use}, parts...) {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		mac.Write(length[:])
		mac.Write([]byte(part))
	}
	return hash(mac.Sum(nil))
}

// codeOf returns the digits of a code, derived from the secret and the random salt of its
// challenge. Each digit is taken from eight bytes of its own, so that none is more likely than
// another by more than 2⁻⁶⁰.
func codeOf(secret, salt []byte, site, phone string, length int) string {
	digits := make([]byte, length)
	for i := range digits {
		h := keyedHash(secret, "code", string(salt), site, phone, strconv.Itoa(i))
		digits[i] = '0' + byte(binary.BigEndian.Uint64(h[:8])%10)
	}
	return string(digits)
}

// codeHash returns the hash of a code that is stored instead of the code.
func codeHash(secret, salt []byte, code string) hash {
	return keyedHash(secret, "told", string(salt), code) // the use is a part of stored hashes: it stays
}

// phoneHash returns the hash that stands for a phone at a site in tables that need no phone.
func phoneHash(secret []byte, site, phone string) hash {
	return keyedHash(secret, "phone", site, phone)
}

// newSalt returns random bytes, with which the code of one challenge and the hash of that code are made.
func newSalt() []byte {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // crypto/rand never fails
	return salt
}

// newToken returns a new secret of a device, and its hash.
func newToken() (string, hash) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // crypto/rand never fails
	return base64.RawURLEncoding.EncodeToString(raw), sha256.Sum256(raw)
}

// tokenHash returns the hash of a device's secret; false for a text that cannot be one.
func tokenHash(token string) (hash, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return hash{}, false
	}
	return sha256.Sum256(raw), true
}
