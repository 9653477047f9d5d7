package payment

import (
	"cmp"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/fault"
)

// transition is what an event means for an attempt.
type transition uint8

const (
	noTransition transition = iota
	staysPending            // the acquirer has it, and it is not paid yet
	fails                   // certainly not paid
	isPaid                  // paid
	isPaidOther             // paid, with another sum or currency
)

// interpret returns what an event means for an attempt. An attempt only moves forward, in
// whatever order events arrive. That money was taken is accepted for any attempt whose outcome
// is not known yet, and for one that failed.
func interpret(a Attempt, e acquiring.Event) transition {
	isOther := e.Sum != a.Sum
	switch {
	case e.ID != a.ID, a.State == Paid, a.State == Disputed:
		return noTransition
	case e.State == acquiring.Paid && isOther:
		return isPaidOther
	case e.State == acquiring.Paid:
		return isPaid
	case isOther, a.State == Failed:
		return noTransition
	case e.State == acquiring.Failed:
		return fails
	case e.State == acquiring.Pending, e.State == acquiring.Held:
		return staysPending
	}
	return noTransition
}

// eventKey returns the same key for each copy of an event of an attempt.
func eventKey(e acquiring.Event) string { return e.Key() + "/" + e.Sum.String() }

// activeAttempt returns the attempt that the customer may still finish, and false when there is
// none. An order has at most one.
func activeAttempt(attempts []Attempt) (Attempt, bool) {
	at := slices.IndexFunc(attempts, Attempt.IsActive)
	if at < 0 {
		return Attempt{}, false
	}
	return attempts[at], true
}

// attemptWithKey returns the attempt that a call with the idempotency key began.
func attemptWithKey(attempts []Attempt, key string) (Attempt, bool) {
	for _, a := range attempts {
		if key != "" && a.idempotencyKey == key {
			return a, true
		}
	}
	return Attempt{}, false
}

// Field returns the form field at which the reason of a failed attempt is shown.
func (a Attempt) Field() string {
	if a.Method == acquiring.CardForm {
		switch a.Reason {
		case acquiring.InsufficientFunds, acquiring.CardNumber:
			return "card_number"
		case acquiring.CardExpiry:
			return "card_expiry"
		case acquiring.CardCode:
			return "card_cvc"
		default:
		}
	}
	return "payment"
}

// FailureMessage returns why an attempt paid for nothing, and what to do next.
func (a Attempt) FailureMessage() fault.Message {
	if a.IsMismatch() {
		return fault.Message{Key: "pay.other_sum"}
	}
	return fault.Message{Key: "pay." + cmp.Or(a.Reason, acquiring.BankDeclined).String()}
}

// declined is the fault of an attempt that certainly paid for nothing.
func declined(a Attempt) error {
	message := a.FailureMessage()
	return fault.New(fault.Invalid, message.Key, fault.Field(a.Field(), message.Key))
}
