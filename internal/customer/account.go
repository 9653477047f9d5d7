package customer

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
)

// Profile returns the profile of a customer of the site. It returns [ErrSignInFirst] when there is
// no such customer or they were erased.
func (s *Customers) Profile(ctx context.Context, site string, id int64) (Profile, error) {
	return findProfile(ctx, s.db.Read(), site, id)
}

// Update changes the profile of a customer of the site, stores new answers to consents, and returns
// the new profile. today is the date in the customer's city, and address the network address that
// the request came from. Faults: those of [Profile.changedBy], [ErrSignInFirst].
func (s *Customers) Update(ctx context.Context, site string, id int64, c Change, today clock.Day, address string) (Profile, error) {
	origin := changeContext{today: today, now: clock.Cut(s.clock.Now()), address: address}
	var changed Profile
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		before, err := lockProfile(ctx, tx.Q, site, id)
		if err != nil {
			return err
		}
		after, answers, err := before.changedBy(c, origin)
		if err != nil {
			return err
		}
		changed = after
		return saveProfile(ctx, tx.Q, after, answers)
	})
	return changed, err
}

// SetNameIfEmpty stores the name of an order for a customer who has no name yet. It must be called
// in the transaction of the order.
func SetNameIfEmpty(ctx context.Context, tx *db.Tx, id int64, name string) error {
	return setNameIfEmpty(ctx, tx.Q, id, name)
}

// Presents returns all presents of a customer of the site, newest first. Used and ended ones are
// among them.
func (s *Customers) Presents(ctx context.Context, site string, id int64) ([]Present, error) {
	return listPresents(ctx, s.db.Read(), site, id)
}

// Erased is a customer who is being erased, for the packages that store something about them.
type Erased struct {
	Customer

	Site string
	// SessionIDs are all sessions of the customer; they are deleted.
	SessionIDs []int64
	At         time.Time
}

// Erase deletes the personal data that this package stores of a customer: name, phone and profile,
// consents, presents, links that sign in, and every session with all that refers to it. A tombstone
// without personal data stays, because the books refer to it.
//
// forget deletes what the other packages store, in the same transaction. It may run twice, and must
// have no effect outside of the transaction. When it fails nothing is changed. Erase returns
// [ErrSignInFirst] when there is no such customer or they were erased before.
func (s *Customers) Erase(ctx context.Context, site string, id int64, forget func(tx *db.Tx, e Erased) error) error {
	e := Erased{Site: site, At: clock.Cut(s.clock.Now())}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		// This waits for an order that is being placed in a session, so that forget sees that order.
		sessions, err := deleteSessions(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		profile, err := lockProfile(ctx, tx.Q, site, id)
		if err != nil {
			return err
		}
		// The lock has waited for concurrent sign-ins, whose sessions are deleted now. It blocks later ones.
		late, err := deleteSessions(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		e.Customer, e.SessionIDs = profile.Customer, append(sessions, late...)
		if err := forget(tx, e); err != nil {
			return fmt.Errorf("forget %v: %w", e.Customer, err)
		}
		return eraseCustomer(ctx, tx.Q, id, tombstonePhone(id), e.At)
	})
}

// tombstonePhone returns what replaces the phone of an erased customer.
func tombstonePhone(id int64) string { return "erased:" + strconv.FormatInt(id, 10) }
