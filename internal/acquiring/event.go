package acquiring

import (
	"fmt"

	"servery/internal/money"
)

// State is what a payment is at the acquirer. The set is closed.
type State uint8

// The closed set of states.
const (
	Absent  State = iota // the acquirer does not know it
	Pending              // not paid yet
	Held                 // reserved on the card, not taken; no adapter asks for that, Cancel lets it go
	Paid                 // taken; Refunded says how much was given back since
	Failed               // certainly not taken, and never will be under this id
	Asked                // a callback asks whether the payment may go on; see Notice.ReplyFor
)

var stateNames = [...]string{"absent", "pending", "held", "paid", "failed", "asked"}

// String returns the state as a stable word.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Event is what an acquirer says about a payment.
type Event struct {
	// Ref is the acquirer's name of the payment, ID is ours as the acquirer repeats it.
	Ref string
	ID  ID
	// State is what the payment is.
	State State
	// Sum is what the acquirer took, or was asked for. Never take it for the order's:
	// compare with [CheckEvent].
	Sum Sum
	// Refunded is how much of it was given back.
	Refunded money.Amount
	// Reason is why it failed, or why the last try failed while it is still Pending;
	// Code is the acquirer's own word for it, for logs.
	Reason Reason
	Code   string
}

// Key returns a text that is the same for each copy of an event and differs for all others,
// whether the event came by callback, poll or answer.
func (e Event) Key() string {
	return fmt.Sprintf("%s/%s/%s/%d", e.Ref, e.ID, e.State, int64(e.Refunded))
}

// CheckEvent compares an event with what was requested. It returns an error of kind [Foreign]
// when the event is of another payment, and of kind [Mismatch] when sum or currency differ.
func CheckEvent(acquirer string, id ID, sum Sum, e Event) error {
	switch {
	case e.ID != id:
		return &Error{Acquirer: acquirer, Op: "check", Kind: Foreign}
	case e.Sum != sum:
		return &Error{Acquirer: acquirer, Op: "check", Kind: Mismatch}
	}
	return nil
}

// Reason is why a payment failed. The set is closed; each adapter maps its acquirer's
// codes to it.
type Reason uint8

// The closed set of reasons.
const (
	NoReason          Reason = iota
	InsufficientFunds        // field: card number
	CardNumber               // field: card number
	CardExpiry               // field: expiry
	CardCode                 // field: cvc
	BankDeclined             // the customer's bank gave no other reason
	ThreeDSFailed
	CustomerCancelled
	LimitExceeded // too much or too often for this card or way to pay
	Restricted    // this card may not pay here: country, kind of card, lost, stolen
	Fraud         // somebody's guard against fraud refused
	BankAway      // the customer's bank does not answer
	Expired       // not paid in time
	Canceled      // we canceled it; its stored word is "withdrawn"
	Refused       // the acquirer refused the request itself; a setting or a bug
)

var reasonNames = [...]string{
	"", "insufficient_funds", "card_number", "card_expiry", "card_code", "bank_declined", "three_ds_failed",
	"customer_cancelled", "limit_exceeded", "restricted", "fraud", "bank_away", "expired", "withdrawn", "refused",
}

// String returns the reason as it is stored.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return ""
}

// ParseReason returns the reason with the stored name. It returns an error for an unknown name.
func ParseReason(name string) (Reason, error) {
	for i, n := range reasonNames {
		if n == name {
			return Reason(i), nil
		}
	}
	return NoReason, fmt.Errorf("unknown reason %q", name)
}
