package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// insertToken stores a token, and ends an expired one with the same name. isNew is false, and the token
// is not stored, when a token in use has its name.
func insertToken(ctx context.Context, q *gen.Queries, t Token, hash []byte, now time.Time) (isNew bool, err error) {
	if err := q.EndExpiredAccessToken(ctx, gen.EndExpiredAccessTokenParams{Name: t.Name, Now: now}); err != nil {
		return false, fmt.Errorf("end an older token: %w", err)
	}
	rows, err := q.InsertAccessToken(ctx, gen.InsertAccessTokenParams{
		Name: t.Name, Hash: hash, Site: t.Site, Shops: JoinShops(t.Shops), Rights: JoinRights(t.Rights), Now: now, ExpiresAt: t.ExpiresAt,
	})
	if err != nil {
		return false, fmt.Errorf("store a token: %w", err)
	}
	return rows == 1, nil
}

// findToken returns the token with the hash, and false when there is none.
func findToken(ctx context.Context, q *gen.Queries, hash []byte) (Token, bool, error) {
	row, err := q.FindAccessToken(ctx, hash)
	return readToken(row, err)
}

// findTokenByID returns the token with the number, and false when there is none.
func findTokenByID(ctx context.Context, q *gen.Queries, id int64) (Token, bool, error) {
	row, err := q.GetAccessToken(ctx, id)
	return readToken(gen.FindAccessTokenRow(row), err)
}

// listTokens returns all tokens, the newest first.
func listTokens(ctx context.Context, q *gen.Queries) ([]Token, error) {
	rows, err := q.ListAccessTokens(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	tokens := make([]Token, len(rows))
	for i, row := range rows {
		if tokens[i], _, err = readToken(gen.FindAccessTokenRow(row), nil); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// readToken returns the token of a row that a query returned with err, and false for [db.ErrNotFound].
func readToken(row gen.FindAccessTokenRow, err error) (Token, bool, error) {
	if errors.Is(err, db.ErrNotFound) {
		return Token{}, false, nil
	}
	if err != nil {
		return Token{}, false, fmt.Errorf("find a token: %w", err)
	}
	shops, err := ParseShops(row.Shops)
	if err != nil {
		return Token{}, false, fmt.Errorf("read the shops of token %d: %w", row.ID, err)
	}
	t := Token{
		ID: row.ID, Name: row.Name, Scope: Scope{Site: row.Site, Shops: shops}, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt,
		RevokedAt: row.RevokedAt.Time, UsedAt: row.UsedAt.Time,
	}
	for _, name := range splitList(row.Rights) {
		t.Rights = append(t.Rights, Right(name)) // also one that only a newer release has
	}
	return t, true, nil
}

// revokeToken revokes the token with the name, and returns its brand. It reports false when no token
// in use has the name.
func revokeToken(ctx context.Context, q *gen.Queries, name string, now time.Time) (site string, wasInUse bool, err error) {
	site, err = q.RevokeAccessToken(ctx, gen.RevokeAccessTokenParams{Name: name, Now: sql.NullTime{Time: now, Valid: true}})
	if errors.Is(err, db.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("revoke a token: %w", err)
	}
	return site, true, nil
}

func setTokenUsed(ctx context.Context, q *gen.Queries, id int64, now time.Time) error {
	if err := q.SetAccessTokenUsed(ctx, gen.SetAccessTokenUsedParams{ID: id, Now: sql.NullTime{Time: now, Valid: true}}); err != nil {
		return fmt.Errorf("store the use of a token: %w", err)
	}
	return nil
}

func deleteOldTokens(ctx context.Context, q *gen.Queries, before time.Time) error {
	if err := q.DeleteOldAccessTokens(ctx, before); err != nil {
		return fmt.Errorf("delete old tokens: %w", err)
	}
	return nil
}
