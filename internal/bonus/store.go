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

// locked is a customer's account that nobody else moves until the transaction ends.
type locked struct {
	id       int64
	site     string
	currency string
	balance  money.Amount
}

// posting is the customer's side of one; of is empty where it has none.
type posting struct {
	exists bool
	of     Account
	amount money.Amount
}

func (p posting) hasCustomer() bool { return p.of.CustomerID != 0 }

// Balance gives what is on an account, without what is held for orders; nothing for one
// that was never given any.
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

// lock gives an account, the zero value when there is none.
func lock(ctx context.Context, q queries, a Account) (locked, error) {
	row, err := q.LockBonusAccount(ctx, gen.LockBonusAccountParams{CustomerID: a.CustomerID, Currency: a.Currency.Code})
	if errors.Is(err, db.ErrNotFound) {
		return locked{}, nil
	}
	if err != nil {
		return locked{}, fmt.Errorf("lock bonuses: %w", err)
	}
	return locked{id: row.ID, site: row.Site, currency: a.Currency.Code, balance: money.Amount(row.Balance)}, nil
}

// open gives an account and makes it when there is none.
func open(ctx context.Context, q queries, a Account) (locked, error) {
	mine, err := lock(ctx, q, a)
	if err != nil || mine.id != 0 {
		return mine, err
	}
	err = q.OpenBonusAccount(ctx, gen.OpenBonusAccountParams{CustomerID: a.CustomerID, Currency: a.Currency.Code})
	if err != nil {
		return locked{}, fmt.Errorf("open bonuses: %w", err)
	}
	mine, err = lock(ctx, q, a)
	if err == nil && mine.id == 0 {
		return locked{}, fmt.Errorf("customer %d has no bonuses: there is no such customer", a.CustomerID)
	}
	return mine, err
}

// ofSite gives an account of the brand in the currency of a customer's, and makes it when
// there is none.
func ofSite(ctx context.Context, q queries, mine locked, kind string) (int64, error) {
	find := gen.FindBonusAccountOfSiteParams{Site: mine.site, Currency: mine.currency, Kind: kind}
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

func find(ctx context.Context, q queries, key string) (posting, error) {
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

// findOrClose gives the posting under the key. When there is none, none can come any more.
func findOrClose(ctx context.Context, q queries, key string, now time.Time) (posting, error) {
	found, err := find(ctx, q, key)
	if err != nil || found.exists {
		return found, err
	}
	if _, err := q.InsertBonusPosting(ctx, gen.InsertBonusPostingParams{Key: key, Now: now}); err != nil {
		return posting{}, fmt.Errorf("close posting: %w", err)
	}
	return find(ctx, q, key) // another call may have been first
}

// move makes a posting that adds the amount to the customer's account and takes it from
// the brand's. The balance must allow it. Of nothing only the key is kept.
func move(ctx context.Context, q queries, key string, mine locked, kind string, amount money.Amount, now time.Time) error {
	other, err := ofSite(ctx, q, mine, kind)
	if err != nil {
		return err
	}
	if err := post(ctx, q, key, other, mine.id, amount, now); err != nil || amount == 0 {
		return err
	}
	err = q.AddToBonusBalance(ctx, gen.AddToBonusBalanceParams{ID: mine.id, Amount: int64(amount)})
	if err != nil {
		return fmt.Errorf("write balance: %w", err)
	}
	return nil
}

// moveWithin makes a posting from one account of the brand to another, on behalf of a
// customer.
func moveWithin(ctx context.Context, q queries, key string, mine locked, from, to string, amount money.Amount, now time.Time) error {
	source, err := ofSite(ctx, q, mine, from)
	if err != nil {
		return err
	}
	target, err := ofSite(ctx, q, mine, to)
	if err != nil {
		return err
	}
	return post(ctx, q, key, source, target, amount, now)
}

// errKeyUsed says that a key was used between looking and writing; nothing was written
// under it.
var errKeyUsed = errors.New("another posting with the key was first")

func post(ctx context.Context, q queries, key string, from, to int64, amount money.Amount, now time.Time) error {
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
