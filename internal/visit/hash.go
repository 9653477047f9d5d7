package visit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// HashRequest returns a hash of what a request asks for. Two requests with the same idempotency
// key and different hashes are a mistake of the caller.
func HashRequest(request any) ([]byte, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("hash the request: %w", err)
	}
	hash := sha256.Sum256(text)
	return hash[:], nil
}
