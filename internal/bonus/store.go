package bonus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
)

// queries are those of the caller's transaction.
type queries = *gen.Queries

// The accounts of a brand.
const (
	ofIssued = "issued"
	ofHeld   = "held"
	ofSpent  = "spent"
)

// lockedAccount is a customer's account whose row is locked until the transaction ends.
type lockedAccount struct {
	id       int64
	site     string
	currency string
	balance  money.Amount
}

// posting is the customer's side of a posting. of.CustomerID is 0 when the posting touches no
// customer's account: it moves bonuses within the brand, or only uses up its key.
type posting struct {
	exists bool
	of     Account
	amount money.Amount
}

// hasCustomer reports whether the posting touches a customer's account.
func (p posting) hasCustomer() bool { return p.of.CustomerID != 0 }

// Balance returns the bonuses that a customer can spend: those on the account, without those
// reserved for orders. It returns 0 when there is no account.
func Balance(ctx context.Context, q *gen.Queries, a Account) (money.Amount, error) {
	balance, err := q.BonusBalance(ctx, gen.BonusBalanceParams{CustomerID: a.CustomerID, Currency: a.Currency.Code})
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read bonuses: %w", err)
	}
	return money.Amount(balance), nil
}

// lockAccount locks the row of an account until the transaction ends, and returns the account; the
// zero value when there is none.
func lockAccount(ctx context.Context, q queries, a Account) (lockedAccount, error) {
	row, err := q.LockBonusAccount(ctx, gen.LockBonusAccountParams{CustomerID: a.CustomerID, Currency: a.Currency.Code})
	if errors.Is(err, db.ErrNotFound) {
		return lockedAccount{}, nil
	}
	if err != nil {
		return lockedAccount{}, fmt.Errorf("lock bonuses: %w", err)
	}
	return lockedAccount{id: row.ID, site: row.Site, currency: a.Currency.Code, balance: money.Amount(row.Balance)}, nil
}

// openAccount locks the row of an account until the transaction ends, and returns the account. It
// creates the account when there is none.
func openAccount(ctx context.Context, q queries, a Account) (lockedAccount, error) {
	account, err := lockAccount(ctx, q, a)
	if err != nil || account.id != 0 {
		return account, err
	}
	err = q.OpenBonusAccount(ctx, gen.OpenBonusAccountParams{CustomerID: a.CustomerID, Currency: a.Currency.Code})
	if err != nil {
		return lockedAccount{}, fmt.Errorf("open bonuses: %w", err)
	}
	account, err = lockAccount(ctx, q, a)
	if err == nil && account.id == 0 {
		return lockedAccount{}, fmt.Errorf("customer %d has no bonuses: there is no such customer", a.CustomerID)
	}
	return account, err
}

// findSiteAccount returns the id of the brand's account of the kind (ofIssued, ofHeld or ofSpent),
// in the currency of the customer's account. It creates the brand's account when there is none.
func findSiteAccount(ctx context.Context, q queries, account lockedAccount, kind string) (int64, error) {
	find := gen.FindBonusAccountOfSiteParams{Site: account.site, Currency: account.currency, Kind: kind}
	id, err := q.FindBonusAccountOfSite(ctx, find)
	if errors.Is(err, db.ErrNotFound) {
		if err := q.OpenBonusAccountOfSite(ctx, gen.OpenBonusAccountOfSiteParams(find)); err != nil {
			return 0, fmt.Errorf("open the account of bonuses %s: %w", kind, err)
		}
		id, err = q.FindBonusAccountOfSite(ctx, find)
	}
	if err != nil {
		return 0, fmt.Errorf("find the account of bonuses %s: %w", kind, err)
	}
	return id, nil
}

// findPosting returns the posting under the key; its field exists is false when there is none.
func findPosting(ctx context.Context, q queries, key string) (posting, error) {
	row, err := q.FindBonusPosting(ctx, key)
	if errors.Is(err, db.ErrNotFound) {
		return posting{}, nil
	}
	if err != nil {
		return posting{}, fmt.Errorf("find posting: %w", err)
	}
	of := Account{CustomerID: row.CustomerID, Currency: money.Currency{Code: row.Currency}}
	return posting{exists: true, of: of, amount: money.Amount(row.Amount)}, nil
}

// findOrClose returns the posting under the key. When there is none, it stores and returns a posting
// without entries, so that no other can be made under the key.
func findOrClose(ctx context.Context, q queries, key string, now time.Time) (posting, error) {
	found, err := findPosting(ctx, q, key)
	if err != nil || found.exists {
		return found, err
	}
	if _, err := q.InsertBonusPosting(ctx, gen.InsertBonusPostingParams{Key: key, Now: now}); err != nil {
		return posting{}, fmt.Errorf("close posting: %w", err)
	}
	return findPosting(ctx, q, key) // another call may have been first
}

// postMovement makes a posting that moves the amount from the brand's account of the kind to the
// customer's account, and changes the customer's balance; a negative amount moves the other way.
// The caller must have locked the customer's account and checked its balance. With an amount of 0
// only the key is stored. It returns errKeyUsed when the key was used before.
func postMovement(ctx context.Context, q queries, key string, account lockedAccount, kind string, amount money.Amount, now time.Time) error {
	other, err := findSiteAccount(ctx, q, account, kind)
	if err != nil {
		return err
	}
	if err := insertPosting(ctx, q, key, other, account.id, amount, now); err != nil || amount == 0 {
		return err
	}
	err = q.AddToBonusBalance(ctx, gen.AddToBonusBalanceParams{ID: account.id, Amount: int64(amount)})
	if err != nil {
		return fmt.Errorf("write balance: %w", err)
	}
	return nil
}

// postWithinSite makes a posting that moves the amount between two accounts of the brand, in the
// currency of the customer's account. from and to are kinds of account. It returns
// errKeyUsed when the key was used before.
func postWithinSite(ctx context.Context, q queries, key string, account lockedAccount, from, to string, amount money.Amount, now time.Time) error {
	source, err := findSiteAccount(ctx, q, account, from)
	if err != nil {
		return err
	}
	target, err := findSiteAccount(ctx, q, account, to)
	if err != nil {
		return err
	}
	return insertPosting(ctx, q, key, source, target, amount, now)
}

// errKeyUsed says that a key was used between reading and writing; nothing was written under it.
var errKeyUsed = errors.New("another posting with the key was first")

// insertPosting writes a posting and its two entries, or only its key when the amount is 0. It
// returns errKeyUsed when the key was used before.
func insertPosting(ctx context.Context, q queries, key string, from, to int64, amount money.Amount, now time.Time) error {
	rows, err := q.InsertBonusPosting(ctx, gen.InsertBonusPostingParams{Key: key, Now: now})
	switch {
	case err != nil:
		return fmt.Errorf("insert posting: %w", err)
	case rows == 0:
		return errKeyUsed
	case amount == 0:
		return nil
	}
	err = q.InsertBonusEntries(ctx, gen.InsertBonusEntriesParams{Key: key, FromAccount: from, ToAccount: to, Amount: int64(amount)})
	if err != nil {
		return fmt.Errorf("insert entries: %w", err)
	}
	return nil
}
