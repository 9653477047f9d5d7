package visit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// HashRequest returns the SHA-256 of the request as JSON, by which two requests with the same
// idempotency key are compared. It returns an error for a value that cannot be written as JSON.
func HashRequest(request any) ([]byte, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("hash the request: %w", err)
	}
	hash := sha256.Sum256(text)
	return hash[:], nil
}
