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

// findCustomer returns the customer of a site with the phone; false when there is none.
func findCustomer(ctx context.Context, q *gen.Queries, site, phone string) (Customer, bool, error) {
	row, err := q.FindCustomer(ctx, gen.FindCustomerParams{Site: site, Phone: phone})
	if errors.Is(err, db.ErrNotFound) {
		return Customer{}, false, nil
	}
	if err != nil {
		return Customer{}, false, fmt.Errorf("find customer: %w", err)
	}
	return Customer(row), true, nil
}

// lockCustomerByPhone returns the customer of the site with the phone and locks the row until the
// transaction ends; false when they do not exist or were erased.
func lockCustomerByPhone(ctx context.Context, q *gen.Queries, site, phone string) (Customer, bool, error) {
	row, err := q.LockCustomerByPhone(ctx, gen.LockCustomerByPhoneParams{Site: site, Phone: phone})
	if errors.Is(err, db.ErrNotFound) {
		return Customer{}, false, nil
	}
	if err != nil {
		return Customer{}, false, fmt.Errorf("find customer: %w", err)
	}
	return Customer(row), true, nil
}

// lockCustomer returns a customer of the site and locks the row until the transaction ends; false
// when they do not exist or were erased.
func lockCustomer(ctx context.Context, q *gen.Queries, site string, id int64) (Customer, bool, error) {
	row, err := q.LockProfile(ctx, gen.LockProfileParams{ID: id, Site: site})
	if errors.Is(err, db.ErrNotFound) {
		return Customer{}, false, nil
	}
	if err != nil {
		return Customer{}, false, fmt.Errorf("lock customer: %w", err)
	}
	return Customer{ID: row.ID, Phone: row.Phone, Name: row.Name}, true, nil
}

// insertCustomer creates a customer, unless the site has one with the phone.
func insertCustomer(ctx context.Context, q *gen.Queries, site, phone string, now time.Time) error {
	if err := q.InsertCustomer(ctx, gen.InsertCustomerParams{Site: site, Phone: phone, Now: now}); err != nil {
		return fmt.Errorf("insert customer: %w", err)
	}
	return nil
}

// insertLink stores a sign-in link by the hash of its token.
func insertLink(ctx context.Context, q *gen.Queries, h hash, site string, customerID int64, now, expires time.Time) error {
	err := q.InsertSignInLink(ctx, gen.InsertSignInLinkParams{
		TokenHash: h[:], CustomerID: customerID, Site: site, Now: now, ExpiresAt: expires,
	})
	if err != nil {
		return fmt.Errorf("insert sign-in link: %w", err)
	}
	return nil
}

// useLink uses a link up and returns its customer; false when the link cannot be used.
func useLink(ctx context.Context, q *gen.Queries, h hash, site string, now time.Time) (int64, bool, error) {
	id, err := q.UseSignInLink(ctx, gen.UseSignInLinkParams{TokenHash: h[:], Site: site, Now: sql.NullTime{Time: now, Valid: true}})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("use sign-in link: %w", err)
	}
	return id, true, nil
}

// findUsedLink returns the customer of a link of the site that was used and could still be, false when there is none.
func findUsedLink(ctx context.Context, q *gen.Queries, h hash, site string, now time.Time) (int64, bool, error) {
	id, err := q.GetUsedSignInLink(ctx, gen.GetUsedSignInLinkParams{TokenHash: h[:], Site: site, Now: now})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find used sign-in link: %w", err)
	}
	return id, true, nil
}

// storedPresent is a present with the id of its customer.
type storedPresent struct {
	Present

	customerID int64
}

// findPresent returns the present under a key of the site, and false when there is none.
func findPresent(ctx context.Context, q *gen.Queries, site, key string) (storedPresent, bool, error) {
	row, err := q.GetPresentByKey(ctx, gen.GetPresentByKeyParams{Site: site, Key: key})
	if errors.Is(err, db.ErrNotFound) {
		return storedPresent{}, false, nil
	}
	if err != nil {
		return storedPresent{}, false, fmt.Errorf("find present: %w", err)
	}
	p := Present{ID: row.ID, GiftID: row.GiftID, Count: int(row.Count), ExpiresAt: row.ExpiresAt.Time}
	return storedPresent{Present: p, customerID: row.CustomerID}, true, nil
}

// insertPresent stores a present, unless there is one under the key already.
func insertPresent(ctx context.Context, q *gen.Queries, site string, customerID int64, key string, p Present, now time.Time) error {
	_, err := q.InsertPresent(ctx, gen.InsertPresentParams{
		Site: site, CustomerID: customerID, GiftID: p.GiftID, Count: int64(p.Count), Key: key, Now: now,
		ExpiresAt: sql.NullTime{Time: p.ExpiresAt, Valid: !p.ExpiresAt.IsZero()},
	})
	if err != nil {
		return fmt.Errorf("insert present: %w", err)
	}
	return nil
}
