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
