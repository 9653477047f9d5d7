// Package payment is what it means to pay a bill online and to refund it: attempts at acquirers, what
// their events do, refunds and their shares, and the fiscal receipts of both. It is pure: it reads and
// writes nothing. Package payments charges and refunds by these rules.
//
// It knows of an order only its [Bill]: it imports neither carts nor schedules, stock or bonuses.
package payment

import (
	"net/mail"
	"time"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// BillState is whether a bill still has to be paid. The set is closed.
type BillState uint8

// The states of a bill.
const (
	BillDue      BillState = iota // the order waits for its payment
	BillAccepted                  // the order was accepted
	BillCanceled                  // the order was canceled
)

// Bill is what an order costs, what for, and who pays.
type Bill struct {
	OrderID int64
	Site    string
	CityID  int64
	Type    site.OrderType
	// CacheKey names the payment page of the order, Link opens the order itself.
	CacheKey, Link string
	CreatedAt      time.Time
	State          BillState
	// OrderState is the state of the order as it is stored and shown.
	OrderState string
	Sum        acquiring.Sum
	// Deadline is until when it can be paid; zero for an order that is paid on receipt.
	Deadline    time.Time
	PaymentType string
	// PaidBy is the attempt that the order was accepted for, empty for none.
	PaidBy acquiring.ID
	Payer  Payer
	// Kept is what of the money of a canceled bill is not refunded.
	Kept money.Amount
	// Parts are what was sold. What was paid for them adds up to the sum. Bills of orders
	// that are listed without their lines have none.
	Parts []Part
}

// Payer is the customer of an order. Email may be empty.
type Payer struct{ Name, Phone, Email string }

// Part is a part of an order that was sold: a line, a package or the delivery. Gifts cost
// nothing and are no parts.
type Part struct {
	Key  string
	Name lang.Text
	// Modifiers complete the name on receipts.
	Modifiers []Modifier
	Count     int
	// Paid is what was paid for all of Count: the price less the share of discounts and bonuses.
	Paid money.Amount
	// Bonuses are those that were spent on it besides; 0 in old orders, which have no shares.
	Bonuses   money.Amount
	IsService bool // the delivery, which has a tax of its own
}

// Modifier is a chosen modifier of a part.
type Modifier struct {
	Name  lang.Text
	Count int
}

const maxEmail = 254 // characters

// IsEmail reports whether a text is a plain address for a receipt, without a display name.
func IsEmail(text string) bool {
	a, err := mail.ParseAddress(text)
	return err == nil && a.Address == text && len(text) <= maxEmail
}
