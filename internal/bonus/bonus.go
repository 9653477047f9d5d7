// Package bonus holds the bonuses of customers: an append-only ledger with double entry. One bonus
// is one unit of the currency in which it was accrued, and pays in that currency only; sums are
// minor units.
//
// Every posting moves a sum from one account to another under a key that is used once, so that a
// repeated call, also a concurrent one, does nothing. A customer's balance never falls below zero:
// the account's row is locked before anything is taken from it.
//
//	Adjust         issued → customer     Reserve   customer → held
//	               (or back)             Confirm   held → spent
//	Accrue         issued → customer
//	Return         spent → customer
//	Refund         held or spent → customer, customer → issued
package bonus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
)

// Account is a customer's account in one currency.
type Account struct {
	CustomerID int64
	Currency   money.Currency
}

// equals reports whether both are the account of the same customer in the same currency.
func (a Account) equals(b Account) bool {
	return a.CustomerID == b.CustomerID && a.Currency.Code == b.Currency.Code
}

// step is what happens to an order's bonuses; each step happens once.
type step string

// The steps. Confirming and releasing a reservation have one key, so that only one of them ever
// happens.
const (
	held      step = "hold"
	settled   step = "settle"
	accrued   step = "accrue"
	returned  step = "return"
	takenBack step = "take_back"
)

// orderKey returns the key of the posting that a step of an order makes: "order:17:hold".
func orderKey(orderID int64, s step) string {
	return "order:" + strconv.FormatInt(orderID, 10) + ":" + string(s)
}

// partKey returns the key of the posting that returns a part of an order's bonuses: "order:17:return:1" for the first.
func partKey(orderID int64, number int) string {
	return orderKey(orderID, returned) + ":" + strconv.Itoa(number)
}

// Reserve moves bonuses of an account aside for an order, until Confirm or Refund. An order
// reserves once, and not after a Refund; a repeated call changes nothing. It returns
// bonus.not_enough (Conflict) at bonuses, with nothing written, when the balance is less than
// the amount. An amount of 0 does nothing. It must be called in a transaction.
func Reserve(ctx context.Context, tx *db.Tx, a Account, orderID int64, amount money.Amount, now time.Time) error {
	switch {
	case amount == 0:
		return nil
	case amount < 0:
		return fmt.Errorf("order %d reserves less than nothing", orderID)
	}
	account, err := lockAccount(ctx, tx.Q, a)
	if err != nil {
		return err
	}
	key := orderKey(orderID, held) // Refund uses up this key, so that nothing is reserved after it
	if isMade, err := isDone(ctx, tx.Q, key, a, -amount); err != nil || isMade {
		return err
	}
	if account.balance < amount {
		return errNotEnough
	}
	return ignoreUsedKey(postMovement(ctx, tx.Q, key, account, ofHeld, -amount, now))
}

// Confirm spends what the order has reserved, for good. It does nothing for an order that has
// reserved nothing or was confirmed before, or whose reservation Refund has released. It must be
// called in a transaction.
func Confirm(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	return settleReserved(ctx, tx, orderID, func(key string, account lockedAccount, amount money.Amount) error {
		return postWithinSite(ctx, tx.Q, key, account, ofHeld, ofSpent, amount, now)
	})
}

// settleReserved calls post with the customer's account and the amount that the order has
// reserved; post must make a posting under the key. It does nothing when the order has reserved
// nothing, or when there is a posting under that key. It locks the account.
func settleReserved(ctx context.Context, tx *db.Tx, orderID int64, post func(key string, account lockedAccount, amount money.Amount) error) error {
	hold, err := findPosting(ctx, tx.Q, orderKey(orderID, held))
	if err != nil || !hold.hasCustomer() {
		return err
	}
	account, err := lockAccount(ctx, tx.Q, hold.of)
	if err != nil {
		return err
	}
	key := orderKey(orderID, settled)
	if before, err := findPosting(ctx, tx.Q, key); err != nil || before.exists {
		return err
	}
	return post(key, account, -hold.amount) // a hold takes from the balance, so its amount is below zero
}

// Accrue adds the bonuses of a completed order to the customer's account. An order accrues once,
// and not after a Refund; a repeated call changes nothing. An amount of 0 does nothing. It must
// be called in a transaction.
func Accrue(ctx context.Context, tx *db.Tx, a Account, orderID int64, amount money.Amount, now time.Time) error {
	switch {
	case amount == 0:
		return nil
	case amount < 0:
		return fmt.Errorf("order %d accrues less than nothing", orderID)
	}
	account, err := openAccount(ctx, tx.Q, a)
	if err != nil {
		return err
	}
	key := orderKey(orderID, accrued) // Refund uses up this key, so that nothing is accrued after it
	if isMade, err := isDone(ctx, tx.Q, key, a, amount); err != nil || isMade {
		return err
	}
	return ignoreUsedKey(postMovement(ctx, tx.Q, key, account, ofIssued, amount, now))
}

// Return returns to the customer as many of the bonuses that were spent on the order as are due by now, less
// those that it has returned before; at most all of them. It does nothing while the order's bonuses are not
// spent, and after a Refund. It must be called in a transaction that has locked the order.
func Return(ctx context.Context, tx *db.Tx, orderID int64, due money.Amount, now time.Time) error {
	hold, err := findPosting(ctx, tx.Q, orderKey(orderID, held))
	if err != nil || !hold.hasCustomer() {
		return err
	}
	settling, err := findPosting(ctx, tx.Q, orderKey(orderID, settled))
	if err != nil || !settling.exists || settling.hasCustomer() { // not spent yet, or released
		return err
	}
	if whole, err := findPosting(ctx, tx.Q, orderKey(orderID, returned)); err != nil || whole.exists {
		return err
	}
	before, parts, err := sumReturned(ctx, tx.Q, orderID)
	if err != nil {
		return err
	}
	amount := min(due, -hold.amount).Sub(before) // a hold takes from the balance, so its amount is below zero
	if amount <= 0 {
		return nil
	}
	account, err := lockAccount(ctx, tx.Q, hold.of)
	if err != nil {
		return err
	}
	return postMovement(ctx, tx.Q, partKey(orderID, parts+1), account, ofSpent, amount, now)
}

// sumReturned returns how many bonuses Return has returned for the order, and in how many parts.
func sumReturned(ctx context.Context, q queries, orderID int64) (sum money.Amount, parts int, err error) {
	for {
		part, err := findPosting(ctx, q, partKey(orderID, parts+1))
		if err != nil || !part.exists {
			return sum, parts, err
		}
		sum, parts = sum.Add(part.amount), parts+1
	}
}

// Refunded is what a refund has moved.
type Refunded struct {
	// Returned are the bonuses that were spent on the order and went back to the customer, without those
	// of [Return].
	Returned money.Amount
	// TakenBack are the accrued bonuses that were taken from the customer. Missing are the rest of
	// them, which the customer has spent already.
	TakenBack, Missing money.Amount
}

// Refund undoes all that an order did to its customer's bonuses. It returns to the customer the
// bonuses that the order has reserved or spent, and that [Return] has not returned. It takes back those
// that the order has accrued, as far as the balance allows. Afterwards the order neither reserves nor
// accrues anything. A second call changes nothing and returns the same. It must be called in a transaction.
func Refund(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) (Refunded, error) {
	var r Refunded
	var account lockedAccount
	// Where nothing was reserved or accrued, the key is used up, so that a late Reserve or Accrue does
	// nothing.
	hold, err := findOrClose(ctx, tx.Q, orderKey(orderID, held), now)
	if err != nil {
		return r, err
	}
	if hold.hasCustomer() {
		if account, err = lockAccount(ctx, tx.Q, hold.of); err != nil {
			return r, err
		}
		if r.Returned, err = returnReserved(ctx, tx.Q, orderID, account, -hold.amount, now); err != nil {
			return r, err
		}
	}
	accrual, err := findOrClose(ctx, tx.Q, orderKey(orderID, accrued), now)
	if err != nil || accrual.amount == 0 {
		return r, err
	}
	// The account is read again, because the return above has changed its balance.
	if account, err = lockAccount(ctx, tx.Q, accrual.of); err != nil {
		return r, err
	}
	r.TakenBack, err = takeBackAccrued(ctx, tx.Q, orderID, account, accrual.amount, now)
	r.Missing = accrual.amount - r.TakenBack
	return r, err
}

// returnReserved moves the amount that the order has reserved, spent or not, back to the customer, less
// what Return has returned. It returns what it has moved when the order had spent it, else 0. A repeated
// call moves nothing and returns the same.
func returnReserved(ctx context.Context, q queries, orderID int64, account lockedAccount, amount money.Amount, now time.Time) (money.Amount, error) {
	settling, err := findPosting(ctx, q, orderKey(orderID, settled))
	switch {
	case err != nil:
		return 0, err
	case !settling.exists:
		return 0, postMovement(ctx, q, orderKey(orderID, settled), account, ofHeld, amount, now)
	case settling.hasCustomer():
		return 0, nil // released before
	}
	key := orderKey(orderID, returned)
	if before, err := findPosting(ctx, q, key); err != nil || before.exists {
		return before.amount, err
	}
	before, _, err := sumReturned(ctx, q, orderID)
	if err != nil {
		return 0, err
	}
	rest := amount.Sub(before)
	return rest, postMovement(ctx, q, key, account, ofSpent, rest, now)
}

// takeBackAccrued takes the accrued amount from the customer, or the whole balance when that is
// less. It returns how much it has taken. A repeated call takes nothing and returns the same.
func takeBackAccrued(ctx context.Context, q queries, orderID int64, account lockedAccount, amount money.Amount, now time.Time) (money.Amount, error) {
	key := orderKey(orderID, takenBack)
	if before, err := findPosting(ctx, q, key); err != nil || before.exists {
		return -before.amount, err
	}
	taken := min(amount, account.balance)
	return taken, postMovement(ctx, q, key, account, ofIssued, -taken, now)
}

// Adjust adds bonuses to an account, or takes some with a negative amount, and returns the balance
// afterwards. It writes the change to the audit log. It must be called in a transaction. A key is
// used once at the customer's brand: a repeated call changes nothing. Faults:
// bonus.not_enough (Conflict) at bonuses when the balance is less than the amount to take;
// bonus.key_reused (Invalid) at key when the key was used for another amount or account;
// common.not_allowed (Invalid) at bonuses when the amount or the new balance is above maxSum. An amount
// of 0 changes nothing and leaves the key unused.
func Adjust(ctx context.Context, tx *db.Tx, a Account, key string, amount money.Amount, now time.Time) (money.Amount, error) {
	if amount < -maxSum || amount > maxSum {
		return 0, errTooMuch
	}
	account, err := openAccount(ctx, tx.Q, a)
	if err != nil {
		return 0, err
	}
	key = "give:" + account.site + ":" + key // never one of the ledger's own keys
	before, err := findPosting(ctx, tx.Q, key)
	if err != nil {
		return 0, err
	}
	if before.exists {
		if !before.of.equals(a) || before.amount != amount {
			return 0, errKeyReused
		}
		return account.balance, nil
	}
	if amount == 0 {
		return account.balance, nil
	}
	if account.balance+amount < 0 {
		return 0, errNotEnough
	}
	if account.balance+amount > maxSum {
		return 0, errTooMuch
	}
	err = postMovement(ctx, tx.Q, key, account, ofIssued, amount, now)
	if errors.Is(err, errKeyUsed) {
		return 0, errKeyReused // by another customer's call: calls for this account wait for its lock
	}
	if err != nil {
		return 0, err
	}
	return account.balance + amount, audit.Record(ctx, tx, audit.Entry{
		Site: account.site, Subject: "customer", ID: strconv.FormatInt(a.CustomerID, 10),
		Before: audit.Fields{"bonuses": account.balance}, After: audit.Fields{"bonuses": account.balance + amount, "currency": a.Currency.Code},
	}, now)
}

// maxSum is more than any customer has in bonuses, and small enough for sums never to overflow.
const maxSum = 1_000_000_000 * money.Scale

var (
	errNotEnough = fault.New(fault.Conflict, "bonus.not_enough", fault.Field("bonuses", "bonus.not_enough"))
	errKeyReused = fault.New(fault.Invalid, "common.invalid", fault.Field("key", "bonus.key_reused"))
	errTooMuch   = fault.New(fault.Invalid, "common.invalid", fault.Field("bonuses", "common.not_allowed"))
)

// isDone reports whether there is a posting under the key. It returns an error when the posting has
// another amount or account, which is a bug of the caller. A posting without entries (of findOrClose,
// or of amount 0) counts as done for any account and amount.
func isDone(ctx context.Context, q queries, key string, a Account, amount money.Amount) (bool, error) {
	before, err := findPosting(ctx, q, key)
	if err != nil || !before.exists {
		return false, err
	}
	if before.hasCustomer() && (!before.of.equals(a) || before.amount != amount) {
		return true, fmt.Errorf("%s was made before with another sum or account", key)
	}
	return true, nil
}

// ignoreUsedKey returns nil for errKeyUsed, which says that a concurrent Refund has used the
// key, and any other err as it is.
func ignoreUsedKey(err error) error {
	if errors.Is(err, errKeyUsed) {
		return nil
	}
	return err
}
