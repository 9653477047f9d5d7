// Package bonus keeps what customers have in bonuses: an append-only ledger with double
// entry (decisions §3). One bonus is one unit of the currency in which it was accrued, and
// pays in that currency only; sums are minor units.
//
// Every posting moves a sum from one account to another under a key that is used once, so
// that a call that comes again, also side by side, does nothing. A customer's balance
// never falls below zero: his account's row is locked before anything is taken from it.
//
//	Give, Accrue   issued → customer     Hold      customer → held
//	               (or back)             Commit    held → spent
//	Refund         spent → customer,     Release   held → customer
//	               customer → issued
package bonus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
)

// Account is what a customer has in one currency.
type Account struct {
	CustomerID int64
	Currency   money.Currency
}

func (a Account) is(b Account) bool {
	return a.CustomerID == b.CustomerID && a.Currency.Code == b.Currency.Code
}

// step is what happens to an order's bonuses; each happens once.
type step string

// The steps. To commit and to release are the same one: only one of them ever happens.
const (
	held      step = "hold"
	settled   step = "settle"
	accrued   step = "accrue"
	returned  step = "return"
	takenBack step = "take_back"
)

func orderKey(orderID int64, s step) string {
	return "order:" + strconv.FormatInt(orderID, 10) + ":" + string(s)
}

// Hold sets bonuses of an account aside for an order until Commit or Release. An order
// holds once, and not after a Refund. Fault: bonus.not_enough (Conflict) at bonuses, with
// nothing written. Holding nothing does nothing.
func Hold(ctx context.Context, tx *db.Tx, a Account, orderID int64, amount money.Amount, now time.Time) error {
	switch {
	case amount == 0:
		return nil
	case amount < 0:
		return fmt.Errorf("order %d holds less than nothing", orderID)
	}
	mine, err := lock(ctx, tx.Q, a)
	if err != nil {
		return err
	}
	key := orderKey(orderID, held)
	if done, err := isDone(ctx, tx.Q, key, a, -amount); err != nil || done {
		return err
	}
	if mine.balance < amount {
		return errNotEnough
	}
	return unlessClosed(move(ctx, tx.Q, key, mine, ofHeld, -amount, now))
}

// Commit spends what the order holds, for good. It changes nothing for an order that holds
// nothing or was released.
func Commit(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	return settle(ctx, tx, orderID, false, now)
}

// Release gives back what the order holds. It changes nothing for an order that holds
// nothing or was committed.
func Release(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	return settle(ctx, tx, orderID, true, now)
}

func settle(ctx context.Context, tx *db.Tx, orderID int64, giveBack bool, now time.Time) error {
	hold, err := find(ctx, tx.Q, orderKey(orderID, held))
	if err != nil || !hold.hasCustomer() {
		return err
	}
	mine, err := lock(ctx, tx.Q, hold.of)
	if err != nil {
		return err
	}
	key := orderKey(orderID, settled)
	if before, err := find(ctx, tx.Q, key); err != nil || before.exists {
		return err
	}
	if giveBack {
		return move(ctx, tx.Q, key, mine, ofHeld, -hold.amount, now)
	}
	return moveWithin(ctx, tx.Q, key, mine, ofHeld, ofSpent, -hold.amount, now)
}

// Accrue gives a customer the bonuses of an order that is done. An order accrues once, and
// not after a Refund.
func Accrue(ctx context.Context, tx *db.Tx, a Account, orderID int64, amount money.Amount, now time.Time) error {
	switch {
	case amount == 0:
		return nil
	case amount < 0:
		return fmt.Errorf("order %d accrues less than nothing", orderID)
	}
	mine, err := open(ctx, tx.Q, a)
	if err != nil {
		return err
	}
	key := orderKey(orderID, accrued)
	if done, err := isDone(ctx, tx.Q, key, a, amount); err != nil || done {
		return err
	}
	return unlessClosed(move(ctx, tx.Q, key, mine, ofIssued, amount, now))
}

// Refunded is what a refund has moved.
type Refunded struct {
	// Returned is what the customer had spent on the order and has again.
	Returned money.Amount
	// TakenBack is what of the accrued bonuses was taken back. Missing is the rest of
	// them, which he has spent already.
	TakenBack, Missing money.Amount
}

// Refund undoes what an order did to its customer's bonuses: what it holds or has spent
// goes back to him, and what it has accrued is taken from him, down to zero at most. From
// then on the order neither holds nor accrues anything. A second call changes nothing and gives the same.
func Refund(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) (Refunded, error) {
	var r Refunded
	var mine locked
	// Where nothing was held or accrued the key is used up, and whoever comes late finds it so.
	hold, err := findOrClose(ctx, tx.Q, orderKey(orderID, held), now)
	if err != nil {
		return r, err
	}
	if hold.hasCustomer() {
		if mine, err = lock(ctx, tx.Q, hold.of); err != nil {
			return r, err
		}
		if r.Returned, err = giveBack(ctx, tx.Q, orderID, mine, -hold.amount, now); err != nil {
			return r, err
		}
	}
	accrual, err := findOrClose(ctx, tx.Q, orderKey(orderID, accrued), now)
	if err != nil || accrual.amount == 0 {
		return r, err
	}
	// Locked by now or not, this has the balance after what was given back.
	if mine, err = lock(ctx, tx.Q, accrual.of); err != nil {
		return r, err
	}
	r.TakenBack, err = takeBack(ctx, tx.Q, orderID, mine, accrual.amount, now)
	r.Missing = accrual.amount - r.TakenBack
	return r, err
}

// giveBack gives the customer what the order holds or has spent, and tells how much was
// spent.
func giveBack(ctx context.Context, q queries, orderID int64, mine locked, amount money.Amount, now time.Time) (money.Amount, error) {
	settling, err := find(ctx, q, orderKey(orderID, settled))
	switch {
	case err != nil:
		return 0, err
	case !settling.exists:
		return 0, move(ctx, q, orderKey(orderID, settled), mine, ofHeld, amount, now)
	case settling.hasCustomer():
		return 0, nil // released before
	}
	key := orderKey(orderID, returned)
	if before, err := find(ctx, q, key); err != nil || before.exists {
		return before.amount, err
	}
	return amount, move(ctx, q, key, mine, ofSpent, amount, now)
}

// takeBack takes what was accrued from the customer, down to zero at most, and tells how
// much that was.
func takeBack(ctx context.Context, q queries, orderID int64, mine locked, amount money.Amount, now time.Time) (money.Amount, error) {
	key := orderKey(orderID, takenBack)
	if before, err := find(ctx, q, key); err != nil || before.exists {
		return -before.amount, err
	}
	taken := min(amount, mine.balance)
	return taken, move(ctx, q, key, mine, ofIssued, -taken, now)
}

// Give puts bonuses on an account, or takes some with a negative sum, and gives the balance
// after it. It happens once for each key at the customer's brand. Faults: bonus.not_enough (Conflict)
// at bonuses when he has less than is to be taken, with nothing written; bonus.key_reused
// (Invalid) at key when another sum or account was meant under it before; common.not_allowed
// at bonuses for a sum beyond all reason.
func Give(ctx context.Context, tx *db.Tx, a Account, key string, amount money.Amount, now time.Time) (money.Amount, error) {
	if amount < -most || amount > most {
		return 0, errTooMuch
	}
	mine, err := open(ctx, tx.Q, a)
	if err != nil {
		return 0, err
	}
	key = "give:" + mine.site + ":" + key
	before, err := find(ctx, tx.Q, key)
	if err != nil {
		return 0, err
	}
	if before.exists {
		if !before.of.is(a) || before.amount != amount {
			return 0, errKeyReused
		}
		return mine.balance, nil
	}
	if amount == 0 {
		return mine.balance, nil
	}
	if mine.balance+amount < 0 {
		return 0, errNotEnough
	}
	if mine.balance+amount > most {
		return 0, errTooMuch
	}
	err = move(ctx, tx.Q, key, mine, ofIssued, amount, now)
	if errors.Is(err, errKeyUsed) {
		return 0, errKeyReused // another customer was given something under it at the same time
	}
	return mine.balance + amount, err
}

// most is more than anybody has in bonuses, and small enough for sums never to overflow.
const most = 1_000_000_000 * money.Scale

var (
	errNotEnough = fault.New(fault.Conflict, "bonus.not_enough", fault.Field("bonuses", "bonus.not_enough"))
	errKeyReused = fault.New(fault.Invalid, "common.invalid", fault.Field("key", "bonus.key_reused"))
	errTooMuch   = fault.New(fault.Invalid, "common.invalid", fault.Field("bonuses", "common.not_allowed"))
)

// isDone reports whether the step was made before, with the same sum and account; another
// is a bug of the caller.
func isDone(ctx context.Context, q queries, key string, a Account, amount money.Amount) (bool, error) {
	before, err := find(ctx, q, key)
	if err != nil || !before.exists {
		return false, err
	}
	if before.hasCustomer() && (!before.of.is(a) || before.amount != amount) {
		return true, fmt.Errorf("%s was made before with another sum or account", key)
	}
	return true, nil
}

// unlessClosed forgives a step that a refund has closed between looking and writing.
func unlessClosed(err error) error {
	if errors.Is(err, errKeyUsed) {
		return nil
	}
	return err
}
