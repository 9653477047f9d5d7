package customer_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"servery/internal/customer"
	"servery/internal/lang"
)

// The version that is stored with an answer says what was agreed to. A change of a text needs another
// version, with the text's hash in this test.
func TestConsentText_hasAVersionOfItsOwn(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"2026-11-22-news":     "b47f01128fbf3a91",
		"2026-11-22-receipts": "69b3b12bd0e4b56f",
	}
	for _, kind := range customer.Kinds() {
		textsHash := sha256.New()
		for _, l := range lang.All() {
			m := kind.Text("Brand")
			textsHash.Write([]byte(lang.T(l, m.Key, m.Args)))
		}
		if got := hex.EncodeToString(textsHash.Sum(nil)[:8]); texts[kind.Version()] != got {
			t.Errorf("the text of %s is %s under the version %s, want %q", kind, got, kind.Version(), texts[kind.Version()])
		}
	}
}
