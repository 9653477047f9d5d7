package customer

import (
	"context"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
)

// SessionLife is how long a session lives after it was last seen.
const SessionLife = 256 * 24 * time.Hour

// GuestLife is how long after its last use a guest's session ends that has neither an order nor a
// saved address.
const GuestLife = 30 * 24 * time.Hour

// RotatedFor is how long a token that a sign-in has replaced is remembered: longer than any call
// takes.
const RotatedFor = 10 * time.Minute

const (
	// A guest's session seen today is not written again, so that reading stays a read. A customer
	// is shown when each device was last used, for which a day is too coarse.
	touchGuestEvery    = 24 * time.Hour
	touchCustomerEvery = 10 * time.Minute
	cachedFor          = time.Minute
	maxCached          = 100_000
)

// Session is the browser of a visitor. The zero value is a visitor without one.
type Session struct {
	ID int64
	// CustomerID is the customer who has signed in, 0 for a guest; Phone is theirs.
	CustomerID int64
	Phone      string
}

// Sessions finds, begins and signs in sessions. It is safe for concurrent use.
type Sessions struct {
	db    *db.DB
	clock clock.Clock
	// guests caches guests' sessions, to save a query for each call of a busy guest. A customer's
	// session is read each time, so that a session that is ended, here or in another process, ends
	// at once. A sign-in rotates the token, so no process serves a customer from this cache.
	guests *otter.Cache[sessionKey, Session]
}

type sessionKey struct {
	site string
	hash hash
}

// NewSessions returns the sessions in the database.
func NewSessions(d *db.DB, c clock.Clock) (*Sessions, error) {
	known, err := otter.New(&otter.Options[sessionKey, Session]{
		MaximumSize:      maxCached,
		ExpiryCalculator: otter.ExpiryWriting[sessionKey, Session](cachedFor),
	})
	if err != nil {
		return nil, fmt.Errorf("make session cache: %w", err)
	}
	return &Sessions{db: d, clock: c, guests: known}, nil
}

// Find returns the session with that token on that site; the zero Session when there is none or it
// has ended.
func (s *Sessions) Find(ctx context.Context, site, token string) (Session, error) {
	h, ok := hashOf(token)
	if !ok {
		return Session{}, nil
	}
	key := sessionKey{site: site, hash: h}
	if known, ok := s.guests.GetIfPresent(key); ok {
		return known, nil
	}
	now := s.clock.Now()
	found, ok, err := findSession(ctx, s.db, key, now)
	if err != nil || !ok {
		return Session{}, err
	}
	touchEvery := touchGuestEvery
	if found.CustomerID != 0 {
		touchEvery = touchCustomerEvery
	}
	if now.Sub(found.seenAt) > touchEvery {
		if err := touchSession(ctx, s.db, found.ID, found.CustomerID, now, now.Add(SessionLife)); err != nil {
			return Session{}, err
		}
	}
	if found.CustomerID == 0 {
		s.guests.Set(key, found.Session)
	}
	return found.Session, nil
}

// Begin creates a guest's session and returns it with the token for the cookie. Only a hash of the
// token is stored. sent is the token that the browser sent, which belongs to no session, empty for
// none.
//
// It returns customer.session_rotated (Conflict) when a sign-in replaced sent a moment ago: the
// browser has the customer's token by now, and another would overwrite it. The sender of a former
// token gets no access to the customer.
func (s *Sessions) Begin(ctx context.Context, site, sent string) (Session, string, error) {
	now := s.clock.Now()
	if h, ok := hashOf(sent); ok {
		rotated, err := wasRotated(ctx, s.db, sessionKey{site: site, hash: h}, now)
		if err != nil {
			return Session{}, "", err
		}
		if rotated {
			return Session{}, "", fault.New(fault.Conflict, "customer.session_rotated")
		}
	}
	token, h := newToken()
	key := sessionKey{site: site, hash: h}
	id, err := insertSession(ctx, s.db, key, now, now.Add(SessionLife))
	if err != nil {
		return Session{}, "", err
	}
	begun := Session{ID: id}
	s.guests.Set(key, begun)
	return begun, token, nil
}

// Sweep removes what has ended: sessions past their life, guests' sessions without order or address
// that were not used for [GuestLife], sign-in links, answers stored for repeated calls for longer
// than a day, and what a concurrent call has stored for a customer after the erasure.
func (s *Sessions) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	return sweepSessions(ctx, s.db, now, now.Add(-24*time.Hour), now.Add(-GuestLife-touchGuestEvery))
}
