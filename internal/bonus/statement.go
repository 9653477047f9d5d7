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

// mostMovements is how many movements a statement has at most.
const mostMovements = 100

// Statement is what a customer has in one currency, and how it came to that.
type Statement struct {
	Currency string // ISO 4217
	Balance  money.Amount
	// Movements are the newest hundred, the newest first.
	Movements []Movement
}

// Movement is something that came to the account, or left it below zero.
type Movement struct {
	At     time.Time
	Amount money.Amount
	// OrderID is 0 for what no order has caused.
	OrderID int64
	// text is the key of what happened.
	text string
}

// Text says what happened.
func (m Movement) Text() fault.Message {
	return fault.Message{Key: m.text, Args: fault.Args{"order": m.OrderID}}
}

// Statements gives what a customer has, a statement for each currency that he ever had
// bonuses in.
func (s *Service) Statements(ctx context.Context, customerID int64) ([]Statement, error) {
	return statements(ctx, s.db.Read(), customerID)
}

// Void takes all that a customer has, in each currency, in the transaction that erases him.
// He must hold nothing for an order any more.
func (s *Service) Void(ctx context.Context, tx *db.Tx, customerID int64, now time.Time) error {
	accounts, err := statements(ctx, tx.Q, customerID)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		mine, err := lock(ctx, tx.Q, Account{CustomerID: customerID, Currency: money.Currency{Code: a.Currency}})
		if err != nil {
			return err
		}
		key := voidPrefix + strconv.FormatInt(customerID, 10) + ":" + a.Currency
		if err := move(ctx, tx.Q, key, mine, ofIssued, -mine.balance, now); err != nil {
			return err
		}
	}
	return nil
}

const voidPrefix = "void:"

// movement reads what happened from the key of a posting.
func movement(key string, at time.Time, amount money.Amount) Movement {
	m := Movement{At: at, Amount: amount, text: "bonus.given"}
	if amount < 0 {
		m.text = "bonus.taken"
	}
	switch parts := strings.Split(key, ":"); {
	case strings.HasPrefix(key, voidPrefix):
		m.text = "bonus.void"
	case len(parts) == 3 && parts[0] == "order":
		m.OrderID, _ = strconv.ParseInt(parts[1], 10, 64) // the ledger's own keys always have one
		m.text = stepTexts[step(parts[2])]
	}
	return m
}

var stepTexts = map[step]string{
	held:      "bonus.paid",
	settled:   "bonus.released",
	accrued:   "bonus.accrued",
	returned:  "bonus.returned",
	takenBack: "bonus.taken_back",
}
