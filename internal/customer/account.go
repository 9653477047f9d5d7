package customer

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
)

// Profile gives what is kept of a customer of the site. Fault: [ErrSignInFirst] for one who
// is not there, or not any more.
func (s *Customers) Profile(ctx context.Context, site string, id int64) (Profile, error) {
	return findProfile(ctx, s.db.Read(), site, id)
}

// Update changes the profile of a customer of the site and gives it as it is then. today is
// the date in his city, address the network address that the change came from. Faults:
// those of the fields, [ErrSignInFirst].
func (s *Customers) Update(ctx context.Context, site string, id int64, c Change, today clock.Day, address string) (Profile, error) {
	at := circumstances{today: today, now: clock.Cut(s.clock.Now()), address: address}
	var changed Profile
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		before, err := lockProfile(ctx, tx.Q, site, id)
		if err != nil {
			return err
		}
		after, answers, err := before.with(c, at)
		if err != nil {
			return err
		}
		changed = after
		return saveProfile(ctx, tx.Q, after, answers)
	})
	return changed, err
}

// NameIfNew gives a customer who has told no name the one that he orders under, in the
// transaction of the order.
func NameIfNew(ctx context.Context, tx *db.Tx, id int64, name string) error {
	return nameIfNew(ctx, tx.Q, id, name)
}

// Presents gives all presents of a customer of the site, used and ended ones too, the newest
// first.
func (s *Customers) Presents(ctx context.Context, site string, id int64) ([]Present, error) {
	return listPresents(ctx, s.db.Read(), site, id)
}

// Erased is whom an erasure is about, for the rooms that keep something of him.
type Erased struct {
	Customer

	Site string
	// SessionIDs are all sessions that were his; they are gone.
	SessionIDs []int64
	At         time.Time
}

// Erase deletes all that this room keeps of a customer: his name, phone and profile,
// consents, presents, links that sign in, and every session with what hangs on it. A stump
// without a person stays for the books. forget runs in the same transaction and lets the
// other rooms do the same; it may run twice and must have no effect outside of the
// transaction. When it fails nothing has happened. Fault: [ErrSignInFirst] for one who is
// not there, or not any more.
func (s *Customers) Erase(ctx context.Context, site string, id int64, forget func(tx *db.Tx, e Erased) error) error {
	e := Erased{Site: site, At: clock.Cut(s.clock.Now())}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		// An order that one of them is placing ends first, and is seen by forget.
		sessions, err := deleteSessions(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		who, err := lockProfile(ctx, tx.Q, site, id)
		if err != nil {
			return err
		}
		// Who signed in meanwhile was waited for, and nobody does so from here on.
		late, err := deleteSessions(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		e.Customer, e.SessionIDs = who.Customer, append(sessions, late...)
		if err := forget(tx, e); err != nil {
			return fmt.Errorf("forget %v: %w", e.Customer, err)
		}
		return eraseCustomer(ctx, tx.Q, id, stump(id), e.At)
	})
}

// stump stands where the phone of an erased customer was.
func stump(id int64) string { return "erased:" + strconv.FormatInt(id, 10) }
