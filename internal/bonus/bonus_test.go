package bonus_test

import (
	"fmt"
	"sync"
	"testing"

	"servery/internal/bonus"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
)

// 30 of 100 bonuses are reserved for an order and confirmed. The balance stays at 70, the sum is
// spent, and a release afterwards changes nothing.
func TestConfirm_spendsWhatAnOrderHasReserved(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(_ *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		l.reserve(who, 17, 30_00)
		l.expectBalance(who, 70_00, "holding")
		l.confirm(17)
		l.expectBalance(who, 70_00, "spending")
		l.release(17)
		l.expectBalance(who, 70_00, "releasing what is spent")
		if held, spent := l.sumEntries("sushi", "held"), l.sumEntries("sushi", "spent"); held != 0 || spent != 30_00 {
			l.t.Errorf("held %d, spent %d", held, spent)
		}
	})
}

// A released reservation is back on the account. The order can neither confirm it nor reserve
// again.
func TestRelease_returnsBonusesAndEndsTheReservation(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(_ *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		l.reserve(who, 17, 30_00)
		l.release(17)
		l.expectBalance(who, 100_00, "releasing")
		l.confirm(17)
		l.reserve(who, 17, 30_00)
		l.expectBalance(who, 100_00, "committing and holding what was released")
	})
}

// Reserving or taking more than the balance is refused, also without an account. All of the
// balance can be reserved.
func TestReserve_neverExceedsTheBalance(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who, poor := l.newCustomer("sushi", "79160000001"), l.newCustomer("sushi", "79160000002")
		l.adjust(who, "welcome", 100_00)
		for name, refusal := range map[string]string{
			"more than there is": l.reserve(who, 17, 100_01),
			"without an account": l.reserve(poor, 18, 1),
			"taking more back":   l.adjust(who, "fine", -100_01),
			"taking from no one": l.adjust(poor, "fine", -1),
		} {
			if refusal != "bonus.not_enough" {
				t.Errorf("%s: %q", name, refusal)
			}
		}
		if refusal := l.reserve(who, 17, 100_00); refusal != "" {
			t.Errorf("all there is: %s", refusal)
		}
		l.expectBalance(who, 0, "holding all")
	})
}

// Each call for an order is made three times and changes the balance once. Refund returns the
// same each time.
func TestBonuses_ofAnOrderChangeOnceForRepeatedCalls(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		for range 3 {
			l.reserve(who, 17, 30_00)
		}
		for range 3 {
			l.confirm(17)
		}
		for range 3 {
			l.accrue(who, 17, 5_00)
		}
		l.expectBalance(who, 75_00, "all three times")
		want := bonus.Refunded{Returned: 30_00, TakenBack: 5_00}
		for range 3 {
			if got := l.refund(17); got != want {
				t.Errorf("refunded %+v, want %+v", got, want)
			}
		}
		l.expectBalance(who, 100_00, "refunding")
	})
}

// The customer has spent 40 of 50 accrued bonuses with another order. Refund takes the remaining
// 10, says that 40 are missing, and takes nothing later.
func TestRefund_takesNoMoreThanTheBalance(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.accrue(who, 17, 50_00)
		l.reserve(who, 18, 40_00)
		l.confirm(18)
		want := bonus.Refunded{TakenBack: 10_00, Missing: 40_00}
		for range 2 {
			if got := l.refund(17); got != want {
				t.Errorf("refunded %+v, want %+v", got, want)
			}
			l.expectBalance(who, 0, "the refund")
		}
		l.adjust(who, "later", 100_00)
		if got := l.refund(17); got != want {
			t.Errorf("refunded %+v, want %+v", got, want)
		}
		l.expectBalance(who, 100_00, "a refund that comes again")
	})
}

// The account is empty; the order has spent 30 and accrued 20. Refund returns the 30 first and
// can take all 20 back.
func TestRefund_takesFromWhatItReturns(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 30_00)
		l.reserve(who, 17, 30_00)
		l.confirm(17)
		l.accrue(who, 17, 20_00)
		l.adjust(who, "taken", -20_00)
		if got, want := l.refund(17), (bonus.Refunded{Returned: 30_00, TakenBack: 20_00}); got != want {
			t.Errorf("refunded %+v, want %+v", got, want)
		}
		l.expectBalance(who, 10_00, "the refund")
	})
}

// Parts of what an order has spent go back as they become due, each once. A refund returns the rest.
func TestReturn_givesBackWhatIsDueOnce(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		l.reserve(who, 17, 30_00)
		l.returnPart(17, 10_00)
		l.expectBalance(who, 70_00, "a return of what was not spent")
		l.confirm(17)
		for _, c := range []struct{ due, want money.Amount }{{10_00, 80_00}, {10_00, 80_00}, {25_50, 95_50}, {5_00, 95_50}} {
			l.returnPart(17, c.due)
			l.expectBalance(who, c.want, "a return")
		}
		for range 2 {
			if got, want := l.refund(17), (bonus.Refunded{Returned: 4_50}); got != want {
				t.Errorf("refunded %+v, want %+v", got, want)
			}
			l.returnPart(17, 30_00)
			l.expectBalance(who, 100_00, "the refund")
		}
	})
}

// After a Refund, with or without a reservation before it, an order reserves, spends and accrues
// nothing.
func TestRefund_endsReservingAndAccruing(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		l.reserve(who, 17, 30_00)
		if got := l.refund(17); got != (bonus.Refunded{}) {
			t.Errorf("refunded %+v of what was not spent", got)
		}
		l.refund(18)
		for _, order := range []int64{17, 18} {
			l.reserve(who, order, 30_00)
			l.confirm(order)
			l.accrue(who, order, 5_00)
		}
		l.expectBalance(who, 100_00, "refunds that came first")
	})
}

// Euros cannot be reserved out of roubles. Each currency has its balance, and a key is used in
// one currency only.
func TestBonuses_payInTheirOwnCurrencyOnly(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		roubles := l.newCustomer("pizza", "79160000001")
		euros := accountOf(roubles.CustomerID, "EUR")
		l.accrue(roubles, 17, 100_00)
		l.expectBalance(euros, 0, "accruing roubles")
		if refusal := l.reserve(euros, 18, 1_00); refusal != "bonus.not_enough" {
			t.Errorf("euros are held out of roubles: %q", refusal)
		}
		l.adjust(euros, "welcome", 5_00)
		l.reserve(euros, 18, 2_00)
		l.confirm(18)
		l.expectBalance(roubles, 100_00, "spending euros")
		l.expectBalance(euros, 3_00, "spending euros")
		l.refund(18)
		l.expectBalance(euros, 5_00, "the refund")
		if err := l.tryAdjust(roubles, "welcome", 5_00); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("the same key in another currency: %v", err)
		}
	})
}

// An order that reserves and accrues 0 leaves no posting.
func TestBonuses_ofZeroWriteNothing(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.reserve(who, 17, 0)
		l.confirm(17)
		l.release(17)
		l.accrue(who, 17, 0)
		var postings int
		if err := l.db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM bonus_posting").Scan(&postings); err != nil || postings != 0 {
			t.Errorf("%d postings, %v", postings, err)
		}
	})
}

// A key is used once at a brand; at another brand it can be used again. Another sum or customer
// for it and sums beyond the maximum are Invalid.
func TestAdjust_usesAKeyOnce(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who, other := l.newCustomer("sushi", "79160000001"), l.newCustomer("sushi", "79160000002")
		abroad := l.newCustomer("pizza", "79160000001")
		for range 3 {
			l.adjust(who, "welcome", 100_00)
		}
		l.expectBalance(who, 100_00, "one key three times")
		l.adjust(abroad, "welcome", 7_00)
		l.expectBalance(abroad, 7_00, "the same key at another brand")
		for name, refused := range map[string]func() error{
			"another sum":      func() error { return l.tryAdjust(who, "welcome", 99_00) },
			"another customer": func() error { return l.tryAdjust(other, "welcome", 100_00) },
			"beyond reason":    func() error { return l.tryAdjust(who, "rich", 1_000_000_001_00) },
			"one too many":     func() error { return l.tryAdjust(who, "richer", 1_000_000_000_00) },
		} {
			if err := refused(); fault.CodeOf(err) != fault.Invalid {
				t.Errorf("%s: %v", name, err)
			}
		}
		l.expectBalance(other, 0, "a refusal")
	})
}

// A repeated step with another amount, a negative amount and an unknown customer are bugs of the
// caller: the error is Internal and the balance stays.
func TestReserve_withAnotherAmountIsAnError(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		l.reserve(who, 17, 30_00)
		l.accrue(who, 17, 5_00)
		for name, call := range map[string]func(tx *db.Tx) error{
			"hold":             func(tx *db.Tx) error { return bonus.Reserve(t.Context(), tx, who, 17, 31_00, noon) },
			"accrue":           func(tx *db.Tx) error { return bonus.Accrue(t.Context(), tx, who, 17, 6_00, noon) },
			"hold below zero":  func(tx *db.Tx) error { return bonus.Reserve(t.Context(), tx, who, 18, -1, noon) },
			"accrue less":      func(tx *db.Tx) error { return bonus.Accrue(t.Context(), tx, who, 18, -1, noon) },
			"accrue to no one": func(tx *db.Tx) error { return bonus.Accrue(t.Context(), tx, accountOf(4711, "RUB"), 18, 1, noon) },
		} {
			if err := l.db.InTx(t.Context(), call); err == nil || fault.CodeOf(err) != fault.Internal {
				t.Errorf("%s: %v", name, err)
			}
		}
		l.expectBalance(who, 75_00, "bugs")
	})
}

// The database refuses to change or delete entries and postings, and a balance below zero.
func TestLedger_isOnlyAddedTo(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
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

// Fifty orders reserve 7 each of 100 at once. Fourteen succeed; the others are refused.
func TestReserve_concurrentlyNeverExceedsTheBalance(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		var all sync.WaitGroup
		refusals := make([]string, 50)
		for i := range refusals {
			all.Go(func() { refusals[i] = l.reserve(who, int64(i), 7_00) })
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
		l.expectBalance(who, 2_00, "fourteen holds of 7")
	})
}

// All calls for six orders run at once, three times each. The ledger is consistent, and after a
// Refund of all orders nothing is reserved or spent.
func TestBonuses_concurrentCallsCountOnce(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "welcome", 100_00)
		const orders = 6
		var all sync.WaitGroup
		for order := range int64(orders) {
			for range 3 {
				all.Go(func() { l.reserve(who, order, 10_00) })
				all.Go(func() { l.confirm(order) })
				all.Go(func() { l.release(order) })
				all.Go(func() { l.accrue(who, order, 1_00) })
				all.Go(func() { l.refund(order) })
				all.Go(func() { l.adjust(who, fmt.Sprint("more", order), 2_00) })
			}
		}
		all.Wait()
		l.checkLedger()
		for order := range int64(orders) {
			l.reserve(who, order, 10_00)
			l.refund(order)
		}
		l.expectBalance(who, 100_00+orders*2_00, "refunds of all orders")
		if held, spent := l.sumEntries("sushi", "held"), l.sumEntries("sushi", "spent"); held != 0 || spent != 0 {
			t.Errorf("held %d, spent %d", held, spent)
		}
	})
}

// Eight customers are given bonuses under one key at once. Exactly one gets them; the others are
// Invalid.
func TestAdjust_concurrentlyWithOneKeyCountsOnce(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := make([]bonus.Account, 8)
		for i := range who {
			who[i] = l.newCustomer("sushi", fmt.Sprintf("7916000000%d", i))
		}
		var all sync.WaitGroup
		for _, id := range who {
			all.Go(func() {
				if err := l.tryAdjust(id, "prize", 5_00); err != nil && fault.CodeOf(err) != fault.Invalid {
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
