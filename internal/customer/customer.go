// Package customer manages sessions and customers: the session of a browser, and the customer who
// has signed in with it. A session is begun when there is first something to store; a customer is
// one phone at one brand.
package customer

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"
	"unicode/utf8"

	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
)

// Customer is a person at one brand, identified by their phone. It prints as its id only, so that
// no phone gets into a log.
type Customer struct {
	ID int64
	// Phone is digits with the country code.
	Phone string
	// Name is empty until the customer enters it.
	Name string
}

// String returns the id and nothing of the person.
func (c Customer) String() string { return "customer " + strconv.FormatInt(c.ID, 10) }

// GoString returns the same as String.
func (c Customer) GoString() string { return c.String() }

// LogValue returns the same as String.
func (c Customer) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Customers finds and creates customers and stores what belongs to them. It is safe for concurrent
// use.
type Customers struct {
	db    *db.DB
	clock clock.Clock
}

// NewCustomers returns the customers in the database.
func NewCustomers(d *db.DB, c clock.Clock) *Customers { return &Customers{db: d, clock: c} }

// FindOrCreateByPhone returns the customer of a site with that phone, digits with the country code,
// and creates them when there is none. Concurrent calls return the same customer.
func (s *Customers) FindOrCreateByPhone(ctx context.Context, site, phone string) (Customer, error) {
	found, ok, err := findCustomer(ctx, s.db.Read(), site, phone)
	if err != nil || ok {
		return found, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := insertCustomer(ctx, tx.Q, site, phone, s.clock.Now()); err != nil {
			return err
		}
		found, ok, err = findCustomer(ctx, tx.Q, site, phone)
		if err == nil && !ok {
			return fmt.Errorf("the customer that was just made at %s is gone", site)
		}
		return err
	})
	return found, err
}

// LockByPhone returns the customer of a site with that phone, digits with the country code, and makes
// an erasure wait until the transaction ends. It reports false when there is none.
func LockByPhone(ctx context.Context, tx *db.Tx, site, phone string) (Customer, bool, error) {
	return lockCustomerByPhone(ctx, tx.Q, site, phone)
}

// Present is a gift that belongs to one customer.
type Present struct {
	ID, GiftID int64
	// Count is how many there are in all, taken or not.
	Count int
	// ExpiresAt is zero when it never expires.
	ExpiresAt time.Time
}

const (
	// maxPresents is how many of a gift one present has at most.
	maxPresents = 100
	// maxKey is how many characters the key of a present has at most.
	maxKey = 64
)

// AddPresent creates a present of a gift for a customer and returns its id. A later call with the same key
// at the site creates nothing and returns the same id.
//
// Faults, all Invalid: customer.key_reused at key when the key was used for another present;
// customer.present_ended at expires_at when the present would have ended already;
// common.out_of_range at count; common.too_long at key.
func (s *Customers) AddPresent(ctx context.Context, site string, customerID int64, key string, p Present) (id int64, err error) {
	if p.Count < 1 || p.Count > maxPresents {
		return 0, fault.New(fault.Invalid, "common.invalid", fault.Field("count", "common.out_of_range", fault.Args{"min": 1, "max": maxPresents}))
	}
	if utf8.RuneCountInString(key) > maxKey {
		return 0, fault.New(fault.Invalid, "common.invalid", fault.Field("key", "common.too_long", fault.Args{"max": maxKey}))
	}
	p.ExpiresAt = clock.Cut(p.ExpiresAt)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err = addPresent(ctx, tx, site, customerID, key, p, s.clock.Now())
		return err
	})
	return id, err
}

// addPresent stores p under a key, unless a present is stored under it, and returns the id of the
// stored present. Faults: customer.key_reused (Invalid) when the stored present differs from p,
// customer.present_ended (Invalid). It must be called in a transaction.
func addPresent(ctx context.Context, tx *db.Tx, site string, customerID int64, key string, p Present, now time.Time) (int64, error) {
	stored, exists, err := findPresent(ctx, tx.Q, site, key)
	if err != nil {
		return 0, err
	}
	if !exists {
		if !p.ExpiresAt.IsZero() && !p.ExpiresAt.After(now) {
			return 0, fault.New(fault.Invalid, "common.invalid", fault.Field("expires_at", "customer.present_ended"))
		}
		if err := insertPresent(ctx, tx.Q, site, customerID, key, p, now); err != nil {
			return 0, err
		}
		// Another call with the key may have been first: what is stored decides.
		if stored, _, err = findPresent(ctx, tx.Q, site, key); err != nil {
			return 0, err
		}
		given := audit.Fields{"present": stored.ID, "gift_id": p.GiftID, "count": p.Count}
		if err := audit.Record(ctx, tx, auditEntry(site, customerID, given), now); err != nil {
			return 0, err
		}
	}
	if stored.customerID != customerID || stored.GiftID != p.GiftID || stored.Count != p.Count || !stored.ExpiresAt.Equal(p.ExpiresAt) {
		return 0, fault.New(fault.Invalid, "common.invalid", fault.Field("key", "customer.key_reused"))
	}
	return stored.ID, nil
}
