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

// ledger calls package bonus on a database. An unexpected error ends the test.
type ledger struct {
	t  testing.TB
	db *db.DB
}

// newLedger returns a ledger on the database.
func newLedger(t testing.TB, d *db.DB) ledger { return ledger{t, d} }

// newCustomer creates a customer, if there is none with that phone at the site, and returns
// their account in roubles.
func (l ledger) newCustomer(site, phone string) bonus.Account {
	l.t.Helper()
	c, err := customer.NewCustomers(l.db, clock.NewFake(noon)).FindOrCreateByPhone(l.t.Context(), site, phone)
	if err != nil {
		l.t.Fatal(err)
	}
	return accountOf(c.ID, "RUB")
}

// accountOf returns a customer's account in a currency.
func accountOf(customerID int64, currency string) bonus.Account {
	return bonus.Account{CustomerID: customerID, Currency: money.Currency{Code: currency}}
}

// runInTx calls call in a transaction of its own. It returns the key of the fault, empty for
// none; any other error ends the test.
func (l ledger) runInTx(call func(tx *db.Tx) error) string {
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

// adjust calls Adjust and returns the key of its fault, empty for none. It ends the test when the
// balance that Adjust returns is not the stored one.
func (l ledger) adjust(who bonus.Account, key string, amount money.Amount) string {
	l.t.Helper()
	return l.runInTx(func(tx *db.Tx) error {
		after, err := bonus.Adjust(l.t.Context(), tx, who, key, amount, noon)
		if err != nil {
			return err
		}
		if now, err := bonus.Balance(l.t.Context(), tx.Q, who); err != nil || after != now {
			return fmt.Errorf("the balance is returned as %d, is %d: %w", after, now, err)
		}
		return nil
	})
}

// reserve calls Reserve for an order and returns the key of its fault, empty for none.
func (l ledger) reserve(who bonus.Account, order int64, amount money.Amount) string {
	l.t.Helper()
	return l.runInTx(func(tx *db.Tx) error { return bonus.Reserve(l.t.Context(), tx, who, order, amount, noon) })
}

// confirm calls Confirm for an order in a transaction of its own.
func (l ledger) confirm(order int64) {
	l.t.Helper()
	l.runInTx(func(tx *db.Tx) error { return bonus.Confirm(l.t.Context(), tx, order, noon) })
}

// release calls Release for an order in a transaction of its own.
func (l ledger) release(order int64) {
	l.t.Helper()
	l.runInTx(func(tx *db.Tx) error { return bonus.Release(l.t.Context(), tx, order, noon) })
}

// accrue calls Accrue for an order in a transaction of its own.
func (l ledger) accrue(who bonus.Account, order int64, amount money.Amount) {
	l.t.Helper()
	l.runInTx(func(tx *db.Tx) error { return bonus.Accrue(l.t.Context(), tx, who, order, amount, noon) })
}

// returnPart calls Return for an order in a transaction of its own.
func (l ledger) returnPart(order int64, due money.Amount) {
	l.t.Helper()
	l.runInTx(func(tx *db.Tx) error { return bonus.Return(l.t.Context(), tx, order, due, noon) })
}

// refund calls Refund for an order in a transaction of its own and returns what it has moved.
func (l ledger) refund(order int64) (r bonus.Refunded) {
	l.t.Helper()
	l.runInTx(func(tx *db.Tx) (err error) {
		r, err = bonus.Refund(l.t.Context(), tx, order, noon)
		return err
	})
	return r
}

// balance returns the bonuses that the account can spend.
func (l ledger) balance(who bonus.Account) money.Amount {
	l.t.Helper()
	balance, err := bonus.Balance(l.t.Context(), l.db.Read(), who)
	if err != nil {
		l.t.Fatal(err)
	}
	return balance
}

// expectBalance fails the test unless the balance of the account is want. after says in the
// message what was done before.
func (l ledger) expectBalance(who bonus.Account, want money.Amount, after string) {
	l.t.Helper()
	if got := l.balance(who); got != want {
		l.t.Errorf("after %s the balance is %d, want %d", after, got, want)
	}
}

// sumEntries returns the sum of all entries of an account of a brand: "issued", "held" or
// "spent".
func (l ledger) sumEntries(site, kind string) (sum money.Amount) {
	l.t.Helper()
	err := l.db.Reader().QueryRowContext(l.t.Context(), `SELECT CAST(COALESCE(SUM(e.amount), 0) AS bigint)
		FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id WHERE a.site = $1 AND a.kind = $2`, site, kind).Scan(&sum)
	if err != nil {
		l.t.Fatal(err)
	}
	return sum
}

// checkLedger fails the test unless the ledger is consistent: each posting sums to zero within
// one brand and currency, each balance is the sum of its entries, and none is below zero.
func (l ledger) checkLedger() {
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

// eachLedger runs the test on each kind of database, and checks that the ledger is consistent
// afterwards.
func eachLedger(t *testing.T, test func(t *testing.T, l ledger)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d)
		test(t, l)
		l.checkLedger()
	})
}

// tryAdjust calls Adjust in a transaction of its own and returns its error.
func (l ledger) tryAdjust(who bonus.Account, key string, amount money.Amount) error {
	return l.db.InTx(l.t.Context(), func(tx *db.Tx) error {
		_, err := bonus.Adjust(l.t.Context(), tx, who, key, amount, noon)
		return err
	})
}
