package bonus_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/bonus"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
)

var noon = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// ledger is a database with customers in it.
type ledger struct {
	t  testing.TB
	db *db.DB
}

func newLedger(t testing.TB, d *db.DB) ledger { return ledger{t, d} }

// customer returns the account in roubles of a customer.
func (l ledger) customer(site, phone string) bonus.Account {
	l.t.Helper()
	c, err := customer.NewCustomers(l.db, clock.NewFake(noon)).ByPhone(l.t.Context(), site, phone)
	if err != nil {
		l.t.Fatal(err)
	}
	return in(c.ID, "RUB")
}

func in(customerID int64, currency string) bonus.Account {
	return bonus.Account{CustomerID: customerID, Currency: money.Currency{Code: currency}}
}

// in runs one call in a transaction of its own and returns the key of its refusal.
func (l ledger) in(call func(tx *db.Tx) error) string {
	l.t.Helper()
	err := l.db.InTx(l.t.Context(), call)
	if key := fault.KeyOf(err); key != "" {
		return key
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return ""
}

func (l ledger) give(who bonus.Account, key string, amount money.Amount) string {
	l.t.Helper()
	return l.in(func(tx *db.Tx) error {
		after, err := bonus.Give(l.t.Context(), tx, who, key, amount, noon)
		if err != nil {
			return err
		}
		if now, err := bonus.Balance(l.t.Context(), tx.Q, who); err != nil || after != now {
			return fmt.Errorf("the balance is returned as %d, is %d: %w", after, now, err)
		}
		return nil
	})
}

func (l ledger) hold(who bonus.Account, order int64, amount money.Amount) string {
	l.t.Helper()
	return l.in(func(tx *db.Tx) error { return bonus.Reserve(l.t.Context(), tx, who, order, amount, noon) })
}

func (l ledger) commit(order int64) {
	l.t.Helper()
	l.in(func(tx *db.Tx) error { return bonus.Confirm(l.t.Context(), tx, order, noon) })
}

func (l ledger) release(order int64) {
	l.t.Helper()
	l.in(func(tx *db.Tx) error { return bonus.Release(l.t.Context(), tx, order, noon) })
}

func (l ledger) accrue(who bonus.Account, order int64, amount money.Amount) {
	l.t.Helper()
	l.in(func(tx *db.Tx) error { return bonus.Accrue(l.t.Context(), tx, who, order, amount, noon) })
}

func (l ledger) refund(order int64) (r bonus.Refunded) {
	l.t.Helper()
	l.in(func(tx *db.Tx) (err error) {
		r, err = bonus.Refund(l.t.Context(), tx, order, noon)
		return err
	})
	return r
}

func (l ledger) balance(who bonus.Account) money.Amount {
	l.t.Helper()
	balance, err := bonus.Balance(l.t.Context(), l.db.Read(), who)
	if err != nil {
		l.t.Fatal(err)
	}
	return balance
}

func (l ledger) expect(who bonus.Account, want money.Amount, after string) {
	l.t.Helper()
	if got := l.balance(who); got != want {
		l.t.Errorf("after %s the balance is %d, want %d", after, got, want)
	}
}

// total sums the entries of an account of a brand.
func (l ledger) total(site, kind string) (sum money.Amount) {
	l.t.Helper()
	err := l.db.Reader().QueryRowContext(l.t.Context(), `SELECT CAST(COALESCE(SUM(e.amount), 0) AS bigint)
		FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id WHERE a.site = $1 AND a.kind = $2`, site, kind).Scan(&sum)
	if err != nil {
		l.t.Fatal(err)
	}
	return sum
}

// audit proves what has to hold of the ledger whatever happened.
func (l ledger) audit() {
	l.t.Helper()
	for name, query := range map[string]string{
		"postings whose entries do not sum to zero": `SELECT COUNT(*) FROM
			(SELECT posting_id FROM bonus_entry GROUP BY posting_id HAVING SUM(amount) <> 0 OR COUNT(*) <> 2) broken`,
		"customers whose balance is not the sum of their entries": `SELECT COUNT(*) FROM bonus_account a WHERE a.kind = 'customer'
			AND a.balance <> (SELECT COALESCE(SUM(e.amount), 0) FROM bonus_entry e WHERE e.account_id = a.id)`,
		"customers below zero": `SELECT COUNT(*) FROM bonus_account WHERE balance < 0`,
		"brands that hold or spent less than nothing": `SELECT COUNT(*) FROM (SELECT a.id FROM bonus_account a
			JOIN bonus_entry e ON e.account_id = a.id WHERE a.kind IN ('held', 'spent') GROUP BY a.id HAVING SUM(e.amount) < 0) broken`,
		"postings between brands or currencies": `SELECT COUNT(*) FROM (SELECT e.posting_id FROM bonus_entry e
			JOIN bonus_account a ON a.id = e.account_id GROUP BY e.posting_id
			HAVING COUNT(DISTINCT a.site) <> 1 OR COUNT(DISTINCT a.currency) <> 1) broken`,
	} {
		var count int
		if err := l.db.Reader().QueryRowContext(l.t.Context(), query).Scan(&count); err != nil {
			l.t.Fatal(name, err)
		}
		if count != 0 {
			l.t.Errorf("there are %d %s", count, name)
		}
	}
}

func each(t *testing.T, test func(t *testing.T, l ledger)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d)
		test(t, l)
		l.audit()
	})
}

func (l ledger) try(who bonus.Account, key string, amount money.Amount) error {
	return l.db.InTx(l.t.Context(), func(tx *db.Tx) error {
		_, err := bonus.Give(l.t.Context(), tx, who, key, amount, noon)
		return err
	})
}
