package bonus_test

import (
	"fmt"
	"sync"
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

func TestBonusesOfAnOrderAreHeldThenSpent(t *testing.T) {
	t.Parallel()
	each(t, func(_ *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		l.hold(who, 17, 30_00)
		l.expect(who, 70_00, "holding")
		l.commit(17)
		l.expect(who, 70_00, "spending")
		l.release(17)
		l.expect(who, 70_00, "releasing what is spent")
		if held, spent := l.total("sushi", "held"), l.total("sushi", "spent"); held != 0 || spent != 30_00 {
			l.t.Errorf("held %d, spent %d", held, spent)
		}
	})
}

func TestWhatIsReleasedIsThereAgainAndCannotBeSpentByThatOrder(t *testing.T) {
	t.Parallel()
	each(t, func(_ *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		l.hold(who, 17, 30_00)
		l.release(17)
		l.expect(who, 100_00, "releasing")
		l.commit(17)
		l.hold(who, 17, 30_00)
		l.expect(who, 100_00, "committing and holding what was released")
	})
}

func TestReserve_neverExceedsTheBalance(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who, poor := l.customer("sushi", "79160000001"), l.customer("sushi", "79160000002")
		l.give(who, "welcome", 100_00)
		for name, refusal := range map[string]string{
			"more than there is": l.hold(who, 17, 100_01),
			"without an account": l.hold(poor, 18, 1),
			"taking more back":   l.give(who, "fine", -100_01),
			"taking from no one": l.give(poor, "fine", -1),
		} {
			if refusal != "bonus.not_enough" {
				t.Errorf("%s: %q", name, refusal)
			}
		}
		if refusal := l.hold(who, 17, 100_00); refusal != "" {
			t.Errorf("all there is: %s", refusal)
		}
		l.expect(who, 0, "holding all")
	})
}

func TestEachStepOfAnOrderIsMadeOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		for range 3 {
			l.hold(who, 17, 30_00)
		}
		for range 3 {
			l.commit(17)
		}
		for range 3 {
			l.accrue(who, 17, 5_00)
		}
		l.expect(who, 75_00, "all three times")
		want := bonus.Refunded{Returned: 30_00, TakenBack: 5_00}
		for range 3 {
			if got := l.refund(17); got != want {
				t.Errorf("refunded %+v, want %+v", got, want)
			}
		}
		l.expect(who, 100_00, "refunding")
	})
}

func TestARefundTakesNoMoreBackThanThereIsAndSaysTheRest(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.accrue(who, 17, 50_00)
		l.hold(who, 18, 40_00)
		l.commit(18)
		want := bonus.Refunded{TakenBack: 10_00, Missing: 40_00}
		for range 2 {
			if got := l.refund(17); got != want {
				t.Errorf("refunded %+v, want %+v", got, want)
			}
			l.expect(who, 0, "the refund")
		}
		l.give(who, "later", 100_00)
		if got := l.refund(17); got != want {
			t.Errorf("refunded %+v, want %+v", got, want)
		}
		l.expect(who, 100_00, "a refund that comes again")
	})
}

func TestWhatARefundReturnsBackCountsAgainstWhatItTakes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 30_00)
		l.hold(who, 17, 30_00)
		l.commit(17)
		l.accrue(who, 17, 20_00)
		l.give(who, "taken", -20_00)
		if got, want := l.refund(17), (bonus.Refunded{Returned: 30_00, TakenBack: 20_00}); got != want {
			t.Errorf("refunded %+v, want %+v", got, want)
		}
		l.expect(who, 10_00, "the refund")
	})
}

func TestAfterARefundAnOrderSpendsAndAccruesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		l.hold(who, 17, 30_00)
		if got := l.refund(17); got != (bonus.Refunded{}) {
			t.Errorf("refunded %+v of what was not spent", got)
		}
		l.refund(18)
		for _, order := range []int64{17, 18} {
			l.hold(who, order, 30_00)
			l.commit(order)
			l.accrue(who, order, 5_00)
		}
		l.expect(who, 100_00, "refunds that came first")
	})
}

func TestBonusesPayInTheirOwnCurrencyOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		roubles := l.customer("pizza", "79160000001")
		euros := in(roubles.CustomerID, "EUR")
		l.accrue(roubles, 17, 100_00)
		l.expect(euros, 0, "accruing roubles")
		if refusal := l.hold(euros, 18, 1_00); refusal != "bonus.not_enough" {
			t.Errorf("euros are held out of roubles: %q", refusal)
		}
		l.give(euros, "welcome", 5_00)
		l.hold(euros, 18, 2_00)
		l.commit(18)
		l.expect(roubles, 100_00, "spending euros")
		l.expect(euros, 3_00, "spending euros")
		l.refund(18)
		l.expect(euros, 5_00, "the refund")
		if err := l.try(roubles, "welcome", 5_00); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("the same key in another currency: %v", err)
		}
	})
}

func TestAnOrderWithoutBonusesLeavesNoTrace(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.hold(who, 17, 0)
		l.commit(17)
		l.release(17)
		l.accrue(who, 17, 0)
		var postings int
		if err := l.db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM bonus_posting").Scan(&postings); err != nil || postings != 0 {
			t.Errorf("%d postings, %v", postings, err)
		}
	})
}

func TestAKeyReturnsOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who, other := l.customer("sushi", "79160000001"), l.customer("sushi", "79160000002")
		abroad := l.customer("pizza", "79160000001")
		for range 3 {
			l.give(who, "welcome", 100_00)
		}
		l.expect(who, 100_00, "one key three times")
		l.give(abroad, "welcome", 7_00)
		l.expect(abroad, 7_00, "the same key at another brand")
		for name, refused := range map[string]func() error{
			"another sum":      func() error { return l.try(who, "welcome", 99_00) },
			"another customer": func() error { return l.try(other, "welcome", 100_00) },
			"beyond reason":    func() error { return l.try(who, "rich", 1_000_000_001_00) },
			"one too many":     func() error { return l.try(who, "richer", 1_000_000_000_00) },
		} {
			if err := refused(); fault.CodeOf(err) != fault.Invalid {
				t.Errorf("%s: %v", name, err)
			}
		}
		l.expect(other, 0, "a refusal")
	})
}

func (l ledger) try(who bonus.Account, key string, amount money.Amount) error {
	return l.db.InTx(l.t.Context(), func(tx *db.Tx) error {
		_, err := bonus.Give(l.t.Context(), tx, who, key, amount, noon)
		return err
	})
}

func TestAnotherSumForAnOrderIsABugAndNotAnAnswer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		l.hold(who, 17, 30_00)
		l.accrue(who, 17, 5_00)
		for name, call := range map[string]func(tx *db.Tx) error{
			"hold":             func(tx *db.Tx) error { return bonus.Reserve(t.Context(), tx, who, 17, 31_00, noon) },
			"accrue":           func(tx *db.Tx) error { return bonus.Accrue(t.Context(), tx, who, 17, 6_00, noon) },
			"hold below zero":  func(tx *db.Tx) error { return bonus.Reserve(t.Context(), tx, who, 18, -1, noon) },
			"accrue less":      func(tx *db.Tx) error { return bonus.Accrue(t.Context(), tx, who, 18, -1, noon) },
			"accrue to no one": func(tx *db.Tx) error { return bonus.Accrue(t.Context(), tx, in(4711, "RUB"), 18, 1, noon) },
		} {
			if err := l.db.InTx(t.Context(), call); err == nil || fault.CodeOf(err) != fault.Internal {
				t.Errorf("%s: %v", name, err)
			}
		}
		l.expect(who, 75_00, "bugs")
	})
}

func TestTheLedgerIsOnlyAddedTo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		for _, statement := range []string{
			"UPDATE bonus_entry SET amount = amount + 1", "DELETE FROM bonus_entry", "UPDATE bonus_posting SET key = 'x'",
			"DELETE FROM bonus_posting WHERE key = 'give:sushi:welcome'", "UPDATE bonus_account SET balance = -1 WHERE kind = 'customer'",
		} {
			if _, err := l.db.Writer().ExecContext(t.Context(), statement); err == nil {
				t.Errorf("%s is allowed", statement)
			}
		}
	})
}

func TestHoldsSideBySideNeverExceedTheBalance(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		var all sync.WaitGroup
		refusals := make([]string, 50)
		for i := range refusals {
			all.Go(func() { refusals[i] = l.hold(who, int64(i), 7_00) })
		}
		all.Wait()
		won := 0
		for _, refusal := range refusals {
			switch refusal {
			case "":
				won++
			case "bonus.not_enough":
			default:
				t.Error(refusal)
			}
		}
		if won != 14 {
			t.Errorf("%d orders hold 7 each of 100", won)
		}
		l.expect(who, 2_00, "fourteen holds of 7")
	})
}

func TestEverythingSideBySideHappensOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := l.customer("sushi", "79160000001")
		l.give(who, "welcome", 100_00)
		const orders = 6
		var all sync.WaitGroup
		for order := range int64(orders) {
			for range 3 {
				all.Go(func() { l.hold(who, order, 10_00) })
				all.Go(func() { l.commit(order) })
				all.Go(func() { l.release(order) })
				all.Go(func() { l.accrue(who, order, 1_00) })
				all.Go(func() { l.refund(order) })
				all.Go(func() { l.give(who, fmt.Sprint("more", order), 2_00) })
			}
		}
		all.Wait()
		l.audit()
		for order := range int64(orders) {
			l.hold(who, order, 10_00)
			l.refund(order)
		}
		l.expect(who, 100_00+orders*2_00, "refunds of all orders")
		if held, spent := l.total("sushi", "held"), l.total("sushi", "spent"); held != 0 || spent != 0 {
			t.Errorf("held %d, spent %d", held, spent)
		}
	})
}

func TestOneKeyForTwoCustomersAtOnceIsGivenToOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l ledger) {
		who := make([]bonus.Account, 8)
		for i := range who {
			who[i] = l.customer("sushi", fmt.Sprintf("7916000000%d", i))
		}
		var all sync.WaitGroup
		for _, id := range who {
			all.Go(func() {
				if err := l.try(id, "prize", 5_00); err != nil && fault.CodeOf(err) != fault.Invalid {
					t.Error(err)
				}
			})
		}
		all.Wait()
		var sum money.Amount
		for _, id := range who {
			sum += l.balance(id)
		}
		if sum != 5_00 {
			t.Errorf("given %d in all, want 500", sum)
		}
	})
}
