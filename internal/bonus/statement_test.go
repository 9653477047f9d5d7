package bonus_test

import (
	"testing"

	"servery/internal/bonus"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/lang"
	"servery/internal/money"
)

// onlyStatement returns the customer's statement, of which there must be exactly one.
func (l ledger) onlyStatement(who bonus.Account) bonus.Statement {
	l.t.Helper()
	statements, err := bonus.New(l.db, clock.NewFake(noon)).Statements(l.t.Context(), who.CustomerID)
	if err != nil || len(statements) != 1 {
		l.t.Fatalf("statements %v, %v", statements, err)
	}
	return statements[0]
}

// shownMovement is a movement with its text in English.
type shownMovement struct {
	amount money.Amount
	order  int64
	text   string
}

// After nine changes the statement lists them, the newest first, each with amount, order and an
// English text. A key of the operator that looks like one of the program is shown as a gift.
func TestStatement_hasATextForEachMovement(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		l.adjust(who, "order:5:hold", 100_00) // a key of the operator's that looks like one of ours
		l.adjust(who, "fine", -1_00)
		l.reserve(who, 17, 30_00)
		l.confirm(17)
		l.accrue(who, 17, 5_00)
		l.returnPart(17, 12_00)
		l.refund(17)
		l.reserve(who, 18, 10_00)
		l.release(18)
		want := []shownMovement{
			{10_00, 18, "Given back: order 18 was canceled"},
			{-10_00, 18, "Used for order 18"},
			{-5_00, 17, "Taken back: order 17 was refunded or canceled"},
			{18_00, 17, "Given back for order 17"},
			{12_00, 17, "Given back for order 17"},
			{5_00, 17, "Earned with order 17"},
			{-30_00, 17, "Used for order 17"},
			{-1_00, 0, "Taken back by us"},
			{100_00, 0, "A gift from us"},
		}
		got := l.onlyStatement(who)
		if got.Currency != "RUB" || got.Balance != 99_00 || len(got.Movements) != len(want) {
			t.Fatalf("statement %+v", got)
		}
		for i, m := range got.Movements {
			text := m.Text()
			if shown := (shownMovement{m.Amount, m.OrderID, lang.T(lang.EN, text.Key, text.Args)}); shown != want[i] || !m.At.Equal(noon) {
				t.Errorf("movement %d is %v at %s, want %v", i, shown, m.At, want[i])
			}
		}
	})
}

// Of 102 movements the statement has the newest hundred.
func TestStatement_hasTheNewestHundredMovements(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		who := l.newCustomer("sushi", "79160000001")
		for order := range int64(102) {
			l.accrue(who, order+1, 1_00)
		}
		got := l.onlyStatement(who)
		if len(got.Movements) != 100 || got.Movements[0].OrderID != 102 || got.Movements[99].OrderID != 3 {
			t.Errorf("%d movements", len(got.Movements))
		}
	})
}

// A customer has balances in two currencies and an empty account in a third. Void sets all three
// to zero and leaves another customer alone.
func TestService_Void_emptiesEveryCurrency(t *testing.T) {
	t.Parallel()
	eachLedger(t, func(t *testing.T, l ledger) {
		roubles := l.newCustomer("sushi", "79160000001")
		lira, empty, other := accountOf(roubles.CustomerID, "TRY"), accountOf(roubles.CustomerID, "EUR"), l.newCustomer("sushi", "79160000002")
		l.adjust(roubles, "a", 50_00)
		l.adjust(lira, "b", 7_00)
		l.adjust(empty, "c", 1_00)
		l.adjust(empty, "d", -1_00)
		l.adjust(other, "e", 3_00)
		service := bonus.New(l.db, clock.NewFake(noon))
		if refusal := l.runInTx(func(tx *db.Tx) error { return service.Void(t.Context(), tx, roubles.CustomerID, noon) }); refusal != "" {
			t.Fatal(refusal)
		}
		for _, who := range []bonus.Account{roubles, lira, empty} {
			l.expectBalance(who, 0, "voiding")
		}
		l.expectBalance(other, 3_00, "voiding another's")
	})
}
