package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// tokenSecret names the row of the token in use. Its value is empty in a database that is older
// than such rows.
const tokenSecret = "operator token"

// findSettingsToken returns the salted hash of the token in use; false when there is none.
func findSettingsToken(ctx context.Context, q *gen.Queries) (storedHash []byte, exists bool, err error) {
	storedHash, err = q.GetSecret(ctx, tokenSecret)
	if errors.Is(err, db.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find the operator's token: %w", err)
	}
	return storedHash, true, nil
}

// storeSettingsToken stores the salted hash of the token in use.
func storeSettingsToken(ctx context.Context, q *gen.Queries, value []byte, now time.Time) error {
	if err := q.SetSecret(ctx, gen.SetSecretParams{Name: tokenSecret, Value: value, Now: now}); err != nil {
		return fmt.Errorf("keep the operator's token: %w", err)
	}
	return nil
}
