package customer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// foundSession is a session and when it was last seen.
type foundSession struct {
	Session

	seenAt time.Time
}

// findSession returns the session with the token's hash; false when there is none or it has ended.
func findSession(ctx context.Context, d *db.DB, key sessionKey, now time.Time) (foundSession, bool, error) {
	row, err := d.Read().FindSession(ctx, gen.FindSessionParams{TokenHash: key.hash[:], Site: key.site, Now: now})
	if errors.Is(err, db.ErrNotFound) {
		return foundSession{}, false, nil
	}
	if err != nil {
		return foundSession{}, false, fmt.Errorf("find session: %w", err)
	}
	return foundSession{Session: Session{ID: row.ID, CustomerID: row.CustomerID, Phone: row.Phone}, seenAt: row.SeenAt}, true, nil
}

// insertSession creates a guest's session and returns its id.
func insertSession(ctx context.Context, q *gen.Queries, key sessionKey, now, expires time.Time) (int64, error) {
	id, err := q.InsertSession(ctx, gen.InsertSessionParams{TokenHash: key.hash[:], Site: key.site, Now: now, ExpiresAt: expires})
	if err != nil {
		return 0, fmt.Errorf("insert session: %w", err)
	}
	return id, nil
}

// wasRotated reports whether a sign-in has replaced the token within [RotatedFor].
func wasRotated(ctx context.Context, d *db.DB, key sessionKey, now time.Time) (bool, error) {
	_, err := d.Read().FindRotatedSession(ctx, gen.FindRotatedSessionParams{
		TokenHash: key.hash[:], Site: key.site, After: sql.NullTime{Time: now.Add(-RotatedFor), Valid: true},
	})
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find rotated session: %w", err)
	}
	return true, nil
}

// touchSession stores that the session was seen now and ends at expires, and that its customer was
// seen; customerID is 0 for a guest.
func touchSession(ctx context.Context, d *db.DB, id, customerID int64, now, expires time.Time) error {
	err := d.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Q.TouchSession(ctx, gen.TouchSessionParams{ID: id, Now: now, ExpiresAt: expires}); err != nil || customerID == 0 {
			return err
		}
		return touchCustomer(ctx, tx.Q, customerID, now)
	})
	if err != nil {
		return fmt.Errorf("touch session: %w", err)
	}
	return nil
}

// rotateSession signs the customer in under the hash of the new token, and stores that the customer
// was seen. When the old session is the customer's already, only its hash and its times change.
// Otherwise the old session ends and a new one is created, because other processes may have a guest's
// session in their cache. A guest's session is also marked as the customer's and returned as GuestID,
// and the answers that are stored under its idempotency keys move to the new session.
func rotateSession(ctx context.Context, q *gen.Queries, old sessionKey, newHash hash, customerID int64, now time.Time) (Rotated, error) {
	rotated := Rotated{Session: Session{CustomerID: customerID}}
	if err := touchCustomer(ctx, q, customerID, now); err != nil {
		return Rotated{}, err
	}
	expires := now.Add(SessionLife)
	id, err := q.RotateSession(ctx, gen.RotateSessionParams{
		NewHash: newHash[:], CustomerID: customerID, Now: now, ExpiresAt: expires, TokenHash: old.hash[:], Site: old.site,
	})
	if !errors.Is(err, db.ErrNotFound) {
		if err != nil {
			return Rotated{}, fmt.Errorf("rotate session: %w", err)
		}
		rotated.ID = id
		return rotated, nil // it was the customer's already
	}
	customer := sql.NullInt64{Int64: customerID, Valid: true}
	rotated.GuestID, err = q.EndGuestSession(ctx, gen.EndGuestSessionParams{TokenHash: old.hash[:], Site: old.site, Now: now, CustomerID: customer})
	if errors.Is(err, db.ErrNotFound) { // no guest's: another customer's, or none that is valid
		err = q.EndSession(ctx, gen.EndSessionParams{TokenHash: old.hash[:], Site: old.site, Now: now})
	}
	if err != nil {
		return Rotated{}, fmt.Errorf("end session: %w", err)
	}
	rotated.ID, err = q.InsertSignedInSession(ctx, gen.InsertSignedInSessionParams{
		TokenHash: newHash[:], Site: old.site, CustomerID: customer, Now: now, ExpiresAt: expires, FormerTokenHash: old.hash[:],
	})
	if err != nil {
		return Rotated{}, fmt.Errorf("insert session: %w", err)
	}
	if err := q.MoveAnswers(ctx, gen.MoveAnswersParams{SessionID: rotated.ID, GuestID: rotated.GuestID}); err != nil {
		return Rotated{}, fmt.Errorf("move answers: %w", err)
	}
	return rotated, nil
}

// sweepSessions deletes sessions and sign-in links that have ended, answers that were stored before
// answersBefore, and sessions of guests that were last seen before idleBefore and have neither order
// nor address. It also deletes what a concurrent call has stored for a customer after the erasure.
func sweepSessions(ctx context.Context, d *db.DB, now, answersBefore, idleBefore time.Time) error {
	err := errors.Join(d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteOldIdempotency(ctx, answersBefore)
	}), d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteExpiredSessions(ctx, now)
	}), d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return endIdleGuests(ctx, tx.Q, idleBefore)
	}), d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteExpiredSignInLinks(ctx, now)
	}), d.InTx(ctx, func(tx *db.Tx) error {
		erasedAfter := sql.NullTime{Time: now.Add(-lateFor), Valid: true}
		if err := tx.Q.DeleteCartsOfErased(ctx, erasedAfter); err != nil {
			return err
		}
		return tx.Q.DeleteAddressesOfErased(ctx, erasedAfter)
	}))
	if err != nil {
		return fmt.Errorf("sweep sessions: %w", err)
	}
	return nil
}

// endIdleGuests ends a batch of idle guests' sessions that have no order and no address. It marks
// idle sessions with an order or an address, so that each is checked once. It returns how many it has
// ended or marked, 0 when none are left.
func endIdleGuests(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	marked, err := q.KeepIdleSessions(ctx, before)
	if err != nil {
		return 0, fmt.Errorf("keep idle sessions: %w", err)
	}
	ended, err := q.DeleteIdleSessions(ctx, before)
	if err != nil {
		return 0, fmt.Errorf("delete idle sessions: %w", err)
	}
	return marked + ended, nil
}

// lateFor is longer than any call takes.
const lateFor = time.Hour

// endSession ends the session with the token's hash.
func endSession(ctx context.Context, d *db.DB, key sessionKey, now time.Time) error {
	err := d.InTx(ctx, func(tx *db.Tx) error {
		return tx.Q.EndSession(ctx, gen.EndSessionParams{TokenHash: key.hash[:], Site: key.site, Now: now})
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// listBrowsers returns the sessions in which a customer is signed in, the one seen last first.
func listBrowsers(ctx context.Context, d *db.DB, site string, customerID int64, now time.Time) ([]Browser, error) {
	rows, err := d.Read().ListSessions(ctx, gen.ListSessionsParams{CustomerID: customerID, Site: site, Now: now})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	list := make([]Browser, len(rows))
	for i, row := range rows {
		list[i] = Browser{SessionID: row.ID, Device: row.Device, SignedInAt: row.SignedInAt.Time, SeenAt: row.SeenAt}
		if !row.SignedInAt.Valid { // from before this column
			list[i].SignedInAt = row.CreatedAt
		}
	}
	return list, nil
}

// endSessionOf ends a session of the customer. It reports false when the session is not theirs or
// has ended.
func endSessionOf(ctx context.Context, d *db.DB, site string, customerID, id int64, now time.Time) (isEnded bool, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.EndSessionOf(ctx, gen.EndSessionOfParams{ID: id, CustomerID: customerID, Site: site, Now: now})
		isEnded = rows > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("end session: %w", err)
	}
	return isEnded, nil
}

// endOtherSessions ends all sessions of the customer but the current one.
func endOtherSessions(ctx context.Context, d *db.DB, site string, customerID, currentID int64, now time.Time) error {
	err := d.InTx(ctx, func(tx *db.Tx) error {
		return tx.Q.EndOtherSessionsOf(ctx, gen.EndOtherSessionsOfParams{CustomerID: customerID, Site: site, CurrentID: currentID, Now: now})
	})
	if err != nil {
		return fmt.Errorf("end other sessions: %w", err)
	}
	return nil
}

// storeDeviceName stores the name of the device that the session is used on.
func storeDeviceName(ctx context.Context, q *gen.Queries, id int64, device string) error {
	if err := q.DescribeSession(ctx, gen.DescribeSessionParams{ID: id, Device: device}); err != nil {
		return fmt.Errorf("store device name: %w", err)
	}
	return nil
}

// isSignedIn reports whether the session is the customer's, and locks its row until the transaction
// ends.
func isSignedIn(ctx context.Context, q *gen.Queries, id, customerID int64, now time.Time) (bool, error) {
	rows, err := q.ClaimCustomersSession(ctx, gen.ClaimCustomersSessionParams{ID: id, CustomerID: customerID, Now: now})
	if err != nil {
		return false, fmt.Errorf("claim session: %w", err)
	}
	return rows > 0, nil
}
