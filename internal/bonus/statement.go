package bonus

import (
	"context"
	"strconv"
	"strings"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
)

// maxMovements is how many movements a statement has at most.
const maxMovements = 100

// Statement is a customer's balance in one currency, with its latest movements.
type Statement struct {
	Currency string // ISO 4217
	Balance  money.Amount
	// Movements are the newest hundred, the newest first.
	Movements []Movement
}

// Movement is a sum that was added to the account, or taken from it where it is below zero.
type Movement struct {
	At     time.Time
	Amount money.Amount
	// OrderID is 0 for a movement that belongs to no order.
	OrderID int64
	// text is the key of the message for the customer.
	text string
}

// Text returns the message that says to the customer why the movement was made, with the number of
// the order.
func (m Movement) Text() fault.Message {
	return fault.Message{Key: m.text, Args: fault.Args{"order": m.OrderID}}
}

// Statements returns a statement for each currency in which the customer ever had bonuses, with
// at most a hundred movements each.
func (s *Service) Statements(ctx context.Context, customerID int64) ([]Statement, error) {
	return listStatements(ctx, s.db.Read(), customerID)
}

// Void sets the customer's balance in each currency to zero. It must be called once, in the
// transaction that erases the customer. The customer must have nothing reserved for an order.
func (s *Service) Void(ctx context.Context, tx *db.Tx, customerID int64, now time.Time) error {
	statements, err := listStatements(ctx, tx.Q, customerID)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		account, err := lockAccount(ctx, tx.Q, Account{CustomerID: customerID, Currency: money.Currency{Code: statement.Currency}})
		if err != nil {
			return err
		}
		key := voidPrefix + strconv.FormatInt(customerID, 10) + ":" + statement.Currency
		if err := postMovement(ctx, tx.Q, key, account, ofIssued, -account.balance, now); err != nil {
			return err
		}
	}
	return nil
}

// voidPrefix begins the keys of the postings that empty an erased customer's accounts.
const voidPrefix = "void:"

// movementOf returns the movement of a posting. Its text follows from the key or, for a key that
// the operator has chosen, from the sign of the amount.
func movementOf(key string, at time.Time, amount money.Amount) Movement {
	m := Movement{At: at, Amount: amount, text: "bonus.given"}
	if amount < 0 {
		m.text = "bonus.taken"
	}
	switch parts := strings.Split(key, ":"); {
	case strings.HasPrefix(key, voidPrefix):
		m.text = "bonus.void"
	case len(parts) >= 3 && parts[0] == "order":
		m.OrderID, _ = strconv.ParseInt(parts[1], 10, 64) // the ledger's own keys always have one
		m.text = stepTexts[step(parts[2])]
	}
	return m
}

// stepTexts are the keys of the texts that customers see for the steps of an order.
var stepTexts = map[step]string{
	held:      "bonus.paid",
	settled:   "bonus.released",
	accrued:   "bonus.accrued",
	returned:  "bonus.returned",
	takenBack: "bonus.taken_back",
}
