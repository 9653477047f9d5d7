// Package customer knows who is calling: today the session of a browser, without
// any name to it. A session is begun when there is first something to remember.
package customer

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"servery/internal/clock"
	"servery/internal/db"
)

// SessionLife is how long a session lives after it was last seen (specification §9).
const SessionLife = 256 * 24 * time.Hour

const (
	tokenBytes = 32
	// A session seen today is not written again: reading must stay a read.
	touchEvery = 24 * time.Hour
	keptFor    = time.Minute
	keptMost   = 100_000
)

// Sessions finds and begins sessions. It is safe for concurrent use.
type Sessions struct {
	db    *db.DB
	clock clock.Clock
	// known saves a query for each call of a busy visitor. An entry lives a minute,
	// so a session that ends elsewhere ends here within that time.
	known *otter.Cache[sessionKey, int64]
}

type sessionKey struct {
	site string
	hash [sha256.Size]byte
}

// NewSessions keeps sessions in the database.
func NewSessions(d *db.DB, c clock.Clock) (*Sessions, error) {
	known, err := otter.New(&otter.Options[sessionKey, int64]{
		MaximumSize:      keptMost,
		ExpiryCalculator: otter.ExpiryWriting[sessionKey, int64](keptFor),
	})
	if err != nil {
		return nil, fmt.Errorf("make session cache: %w", err)
	}
	return &Sessions{db: d, clock: c, known: known}, nil
}

// Find gives the id of the session with that token on that site; 0 when there is
// none or it has ended.
func (s *Sessions) Find(ctx context.Context, site, token string) (int64, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return 0, nil //nolint:nilerr // an invented token is nobody's, which is an answer
	}
	key := sessionKey{site: site, hash: sha256.Sum256(raw)}
	if id, ok := s.known.GetIfPresent(key); ok {
		return id, nil
	}
	now := s.clock.Now()
	found, ok, err := findSession(ctx, s.db, key, now)
	if err != nil || !ok {
		return 0, err
	}
	if now.Sub(found.seenAt) > touchEvery {
		if err := touchSession(ctx, s.db, found.id, now, now.Add(SessionLife)); err != nil {
			return 0, err
		}
	}
	s.known.Set(key, found.id)
	return found.id, nil
}

// Begin makes a session and gives its id and the token for the cookie. Only a hash
// of the token is stored.
func (s *Sessions) Begin(ctx context.Context, site string) (id int64, token string, err error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // crypto/rand never fails
	key := sessionKey{site: site, hash: sha256.Sum256(raw)}
	now := s.clock.Now()
	id, err = insertSession(ctx, s.db, key, now, now.Add(SessionLife))
	if err != nil {
		return 0, "", err
	}
	s.known.Set(key, id)
	return id, base64.RawURLEncoding.EncodeToString(raw), nil
}

// Sweep removes what has ended: sessions past their life, and answers kept for
// repeated calls longer than a day (decisions §2).
func (s *Sessions) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	return sweep(ctx, s.db, now, now.Add(-24*time.Hour))
}
