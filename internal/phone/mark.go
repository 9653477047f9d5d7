package phone

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
)

// Marks are hashes that stand for a phone where it matters only whether two are the same: what each
// phone gets once must not be available again with a deleted account, and yet no phone may be
// stored. The zero value is good for tests: its marks can be guessed.
type Marks struct{ key []byte }

// NewMarks returns marks that are made with the server's secret. Without the secret, nobody can find
// the phone of a mark.
func NewMarks(secret []byte) Marks {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("phone marks"))
	return Marks{mac.Sum(nil)}
}

// markPrefix distinguishes a mark from a phone.
const markPrefix = "mark:"

// Of returns the mark of a phone at a site; another site has another mark for it. It is empty
// for an empty phone.
func (m Marks) Of(site, phone string) string {
	if phone == "" {
		return ""
	}
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(site))
	mac.Write([]byte{0}) // ends the site's name
	mac.Write([]byte(phone))
	return markPrefix + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
