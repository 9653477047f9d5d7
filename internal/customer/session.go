package customer

import (
	"context"
	"time"

	"servery/internal/cache"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
)

// SessionLife is how long a session lives after it was last seen.
const SessionLife = 256 * 24 * time.Hour

// GuestLife is how long after its last use a guest's session ends that has neither an order nor a
// saved address.
const GuestLife = 30 * 24 * time.Hour

// RotatedFor is how long a token that a sign-in has replaced is remembered: longer than any call, which the server ends
// after two minutes. A visitor whose sign-in was not answered cannot fill a cart as a guest for so long.
const RotatedFor = 3 * time.Minute

const (
	// A guest's session seen today is not written again, so that reading stays a read. A customer
	// is shown when each device was last used, for which a day is too coarse.
	touchGuestEvery    = 24 * time.Hour
	touchCustomerEvery = 10 * time.Minute
	// answerLife is how long the answer to a call is stored for its repetitions.
	answerLife = 24 * time.Hour
	cachedFor  = time.Minute
	maxCached  = 100_000
)

// Session is the browser of a visitor. The zero value is a visitor without a session.
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
	guests *cache.Cache[sessionKey, Session]
}

type sessionKey struct {
	site string
	hash hash
}

// NewSessions returns the sessions in the database.
func NewSessions(d *db.DB, c clock.Clock) *Sessions {
	return &Sessions{db: d, clock: c, guests: cache.OfSize[sessionKey, Session](maxCached, cache.Life{AfterSet: cachedFor})}
}

// Find returns the session of the site with that token; the zero Session when there is none or it
// has ended. A session that was not seen for a while is stored as seen now, which prolongs it. A
// guest's session may come from a cache.
func (s *Sessions) Find(ctx context.Context, site, token string) (Session, error) {
	tokenHash, isToken := hashOf(token)
	if !isToken {
		return Session{}, nil
	}
	key := sessionKey{site: site, hash: tokenHash}
	if cached, ok := s.guests.Get(key); ok {
		return cached, nil
	}
	now := s.clock.Now()
	found, exists, err := findSession(ctx, s.db, key, now)
	if err != nil || !exists {
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

// Begin creates a guest's session and returns it with the token for the cookie; only a hash of the
// token is stored. sentToken is the token that the browser has sent, empty for none; it must belong
// to no session. It returns the faults of [Sessions.Prepare].
func (s *Sessions) Begin(ctx context.Context, site, sentToken string) (Session, string, error) {
	prepared, err := s.Prepare(ctx, site, sentToken)
	if err != nil {
		return Session{}, "", err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := prepared.Insert(ctx, tx)
		return err
	})
	if err != nil {
		return Session{}, "", err
	}
	begun, token := s.Keep(prepared)
	return begun, token, nil
}

// Prepared is a guest's session that is not stored yet.
type Prepared struct {
	key   sessionKey
	token string
	now   time.Time
	id    int64
}

// Prepare returns a guest's session for [Prepared.Insert] to store, with a new token. sentToken is as in
// [Sessions.Begin].
//
// It returns customer.session_rotated (Conflict) when a sign-in has replaced that token a moment
// ago. The browser then has the customer's token already, which a new one would overwrite.
func (s *Sessions) Prepare(ctx context.Context, site, sentToken string) (*Prepared, error) {
	now := s.clock.Now()
	if sentHash, isToken := hashOf(sentToken); isToken {
		isRotated, err := wasRotated(ctx, s.db, sessionKey{site: site, hash: sentHash}, now)
		if err != nil {
			return nil, err
		}
		if isRotated {
			return nil, fault.New(fault.Conflict, "customer.session_rotated")
		}
	}
	token, h := newToken()
	return &Prepared{key: sessionKey{site: site, hash: h}, token: token, now: now}, nil
}

// Insert stores the session in the caller's transaction and returns its id. It may be called again
// after that transaction was rolled back.
func (p *Prepared) Insert(ctx context.Context, tx *db.Tx) (id int64, err error) {
	p.id, err = insertSession(ctx, tx.Q, p.key, p.now, p.now.Add(SessionLife))
	return p.id, err
}

// Keep caches a session that was stored, and returns it with the token for the cookie. It must be called
// after the commit.
func (s *Sessions) Keep(p *Prepared) (Session, string) {
	begun := Session{ID: p.id}
	s.guests.Set(p.key, begun)
	return begun, p.token
}

// Sweep deletes what has ended: sessions past their life, guests' sessions without order or address
// that were not used for [GuestLife], and sign-in links. It deletes answers that were stored for
// repeated calls longer than a day ago. It also deletes what a concurrent call has stored for a
// customer after the erasure.
func (s *Sessions) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	// A guest may have been seen up to touchGuestEvery later than is stored.
	return sweepSessions(ctx, s.db, now, now.Add(-answerLife), now.Add(-GuestLife-touchGuestEvery))
}
