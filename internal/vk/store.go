package vk

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// signIn is a sign-in that a browser has begun.
type signIn struct {
	sessionID          int64
	stateHash          [sha256.Size]byte
	verifier, redirect string
}

// insertSignIn stores a new sign-in of the session, and deletes the session's pending account.
func insertSignIn(ctx context.Context, tx *db.Tx, s signIn, expires time.Time) error {
	if err := dropPending(ctx, tx, s.sessionID); err != nil {
		return err
	}
	err := tx.Q.BeginVkSignIn(ctx, gen.BeginVkSignInParams{
		SessionID: s.sessionID, StateHash: s.stateHash[:], Verifier: s.verifier, Redirect: s.redirect, ExpiresAt: expires,
	})
	if err != nil {
		return fmt.Errorf("begin vk sign-in: %w", err)
	}
	return nil
}

// useSignIn deletes the sign-in that has the session and the state of s, and returns it with verifier
// and redirect. It returns false when there is none or it has expired.
func useSignIn(ctx context.Context, tx *db.Tx, s signIn, now time.Time) (signIn, bool, error) {
	row, err := tx.Q.UseVkSignIn(ctx, gen.UseVkSignInParams{SessionID: s.sessionID, StateHash: s.stateHash[:], Now: now})
	if errors.Is(err, db.ErrNotFound) {
		return s, false, nil
	}
	if err != nil {
		return s, false, fmt.Errorf("use vk sign-in: %w", err)
	}
	s.verifier, s.redirect = row.Verifier, row.Redirect
	return s, true, nil
}

// storePending stores a VK account as the session's pending one: it is linked once the session has
// verified a phone.
func storePending(ctx context.Context, tx *db.Tx, site string, sessionID, id int64, expires time.Time) error {
	err := tx.Q.KeepVkPending(ctx, gen.KeepVkPendingParams{SessionID: sessionID, Site: site, VkUserID: id, ExpiresAt: expires})
	if err != nil {
		return fmt.Errorf("keep waiting vk account: %w", err)
	}
	return nil
}

// dropPending deletes the session's pending account, if there is one.
func dropPending(ctx context.Context, tx *db.Tx, sessionID int64) error {
	if err := tx.Q.DropVkPending(ctx, sessionID); err != nil {
		return fmt.Errorf("drop waiting vk account: %w", err)
	}
	return nil
}

// takePending deletes the session's pending account and returns it. It returns false when there is
// none or it has expired.
func takePending(ctx context.Context, tx *db.Tx, sessionID int64, now time.Time) (site string, id int64, found bool, err error) {
	row, err := tx.Q.UseVkPending(ctx, gen.UseVkPendingParams{SessionID: sessionID, Now: now})
	if errors.Is(err, db.ErrNotFound) {
		return "", 0, false, nil
	}
	if err != nil {
		return "", 0, false, fmt.Errorf("use waiting vk account: %w", err)
	}
	return row.Site, row.VkUserID, true, nil
}

// findCustomer returns the customer of an account, and false when there is none.
func findCustomer(ctx context.Context, tx *db.Tx, site string, id int64) (int64, bool, error) {
	customerID, err := tx.Q.FindVkCustomer(ctx, gen.FindVkCustomerParams{Site: site, VkUserID: id})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find customer of vk account: %w", err)
	}
	return customerID, true, nil
}

// linkAccount stores that an account belongs to a customer, and no longer to an earlier one.
func linkAccount(ctx context.Context, tx *db.Tx, site string, id, customerID int64, now time.Time) error {
	err := tx.Q.JoinVkAccount(ctx, gen.JoinVkAccountParams{Site: site, VkUserID: id, CustomerID: customerID, Now: now})
	if err != nil {
		return fmt.Errorf("join vk account: %w", err)
	}
	return nil
}

// deleteAccounts deletes the accounts of a customer.
func deleteAccounts(ctx context.Context, tx *db.Tx, customerID int64) error {
	if err := tx.Q.DeleteVkAccounts(ctx, customerID); err != nil {
		return fmt.Errorf("delete vk accounts: %w", err)
	}
	return nil
}

// deleteExpired deletes expired sign-ins and pending accounts.
func deleteExpired(ctx context.Context, d *db.DB, now time.Time) error {
	err := d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteExpiredVkSignIns(ctx, now) })
	if err != nil {
		return fmt.Errorf("sweep vk sign-ins: %w", err)
	}
	err = d.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteExpiredVkPending(ctx, now) })
	if err != nil {
		return fmt.Errorf("sweep waiting vk accounts: %w", err)
	}
	return nil
}

// listAccounts reads the accounts of a customer at the site.
func listAccounts(ctx context.Context, q *gen.Queries, site string, customerID int64) ([]Account, error) {
	rows, err := q.ListVkAccounts(ctx, gen.ListVkAccountsParams{CustomerID: customerID, Site: site})
	if err != nil {
		return nil, fmt.Errorf("list vk accounts: %w", err)
	}
	list := make([]Account, len(rows))
	for i, row := range rows {
		list[i] = Account{row.VkUserID, row.CreatedAt}
	}
	return list, nil
}
