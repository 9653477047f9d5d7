package customer

import (
	"context"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
)

// ErrSignInFirst refuses what only a customer who has signed in may do.
var ErrSignInFirst = fault.New(fault.Unauthenticated, "customer.sign_in_first")

// Browser is a place where a customer is signed in.
type Browser struct {
	SessionID int64
	IsCurrent bool
	// Device is browser and system as [DeviceOf] names them; empty when they are unknown.
	Device             string
	SignedInAt, SeenAt time.Time
}

// End ends the session with the token, of a customer or a guest: no process accepts the token any
// more. The next request of the browser begins a guest's session with another token. A session that
// has ended or never existed is no fault.
func (s *Sessions) End(ctx context.Context, site, token string) error {
	tokenHash, isToken := hashOf(token)
	if !isToken {
		return nil
	}
	key := sessionKey{site, tokenHash}
	if err := endSession(ctx, s.db, key, s.clock.Now()); err != nil {
		return err
	}
	s.guests.Remove(key)
	return nil
}

// List returns the sessions in which a customer is signed in: the current one first, then the
// others, the one seen last first.
func (s *Sessions) List(ctx context.Context, site string, customerID, currentID int64) ([]Browser, error) {
	list, err := listBrowsers(ctx, s.db, site, customerID, s.clock.Now())
	if err != nil {
		return nil, err
	}
	if index := slices.IndexFunc(list, func(b Browser) bool { return b.SessionID == currentID }); index >= 0 {
		current := list[index]
		current.IsCurrent = true
		list = append([]Browser{current}, slices.Delete(list, index, index+1)...)
	}
	return list, nil
}

// EndOthers signs a customer out everywhere but in the current session.
func (s *Sessions) EndOthers(ctx context.Context, site string, customerID, currentID int64) error {
	return endOtherSessions(ctx, s.db, site, customerID, currentID, s.clock.Now())
}

// EndOne signs a customer out in one of their sessions. It returns customer.session_unknown
// (NotFound) when the session is not one of theirs or has ended.
func (s *Sessions) EndOne(ctx context.Context, site string, customerID, id int64) error {
	isEnded, err := endSessionOf(ctx, s.db, site, customerID, id, s.clock.Now())
	if err == nil && !isEnded {
		err = fault.New(fault.NotFound, "customer.session_unknown")
	}
	return err
}

// StoreDeviceName stores the name of the device for the customer's list of sessions. It must be called in
// the transaction of a sign-in.
func (s *Sessions) StoreDeviceName(ctx context.Context, tx *db.Tx, sessionID int64, userAgent string) error {
	return storeDeviceName(ctx, tx.Q, sessionID, DeviceOf(userAgent))
}

// Claim returns [ErrSignInFirst] when the session is not the customer's any more. It must be called
// in a transaction, and makes a concurrent sign-out or erasure wait for its end.
func Claim(ctx context.Context, tx *db.Tx, session Session, now time.Time) error {
	stillSignedIn, err := isSignedIn(ctx, tx.Q, session.ID, session.CustomerID, now)
	if err == nil && !stillSignedIn {
		err = ErrSignInFirst
	}
	return err
}
