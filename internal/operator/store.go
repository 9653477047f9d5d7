package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// tokenSecret names the row of the token in use. It is empty in a database that is older than
// the row.
const tokenSecret = "operator token"

func findToken(ctx context.Context, q *gen.Queries) (kept []byte, found bool, err error) {
	kept, err = q.GetSecret(ctx, tokenSecret)
	if errors.Is(err, db.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find the operator's token: %w", err)
	}
	return kept, true, nil
}

func keepToken(ctx context.Context, q *gen.Queries, value []byte, now time.Time) error {
	if err := q.SetSecret(ctx, gen.SetSecretParams{Name: tokenSecret, Value: value, Now: now}); err != nil {
		return fmt.Errorf("keep the operator's token: %w", err)
	}
	return nil
}
