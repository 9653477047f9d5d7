package payment

import (
	"cmp"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/fault"
)

// Transition is what an event means for an attempt.
type Transition uint8

// The transitions.
const (
	NoTransition Transition = iota
	ToPending               // the acquirer has it, and it is not paid yet
	ToFailed                // certainly not paid
	ToPaid                  // paid
	ToDisputed              // paid, with another sum or currency
)

// InterpretEvent returns what an event means for an attempt. An attempt only moves forward, in
// whatever order events arrive. An event that money was taken counts even for an attempt that
// failed. Only an attempt that is already Paid or Disputed ignores it.
func InterpretEvent(a Attempt, e acquiring.Event) Transition {
	isOther := e.Sum != a.Sum
	switch {
	case e.ID != a.ID, a.State == Paid, a.State == Disputed:
		return NoTransition
	case e.State == acquiring.Paid && isOther:
		return ToDisputed
	case e.State == acquiring.Paid:
		return ToPaid
	case isOther, a.State == Failed: // here only money that was taken would count
		return NoTransition
	case e.State == acquiring.Failed:
		return ToFailed
	case e.State == acquiring.Pending, e.State == acquiring.Held:
		return ToPending
	}
	return NoTransition
}

// EventKey returns the key under which an applied event is stored. Copies of an event have the
// same key, and every other event of the attempt has another one.
func EventKey(e acquiring.Event) string { return e.Key() + "/" + e.Sum.String() }

// ActiveAttempt returns the attempt that the customer may still finish, and false when there is
// none. An order has at most one.
func ActiveAttempt(attempts []Attempt) (Attempt, bool) {
	at := slices.IndexFunc(attempts, Attempt.IsActive)
	if at < 0 {
		return Attempt{}, false
	}
	return attempts[at], true
}

// AttemptWithKey returns the attempt that was begun with the idempotency key, and false when
// there is none or the key is empty.
func AttemptWithKey(attempts []Attempt, key string) (Attempt, bool) {
	for _, a := range attempts {
		if key != "" && a.IdempotencyKey == key {
			return a, true
		}
	}
	return Attempt{}, false
}

// Field returns the field of the form at which the reason of a failed attempt is shown.
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

// FailureMessage returns the message why an attempt paid for nothing, which also says what to
// do next.
func (a Attempt) FailureMessage() fault.Message {
	if a.IsMismatch() {
		return fault.Message{Key: "pay.other_sum"}
	}
	return fault.Message{Key: "pay." + cmp.Or(a.Reason, acquiring.BankDeclined).String()}
}

// DeclinedFault returns the fault for an attempt that has certainly paid for nothing.
func DeclinedFault(a Attempt) error {
	message := a.FailureMessage()
	return fault.New(fault.Invalid, message.Key, fault.Field(a.Field(), message.Key))
}
