package order

import (
	"slices"

	"servery/internal/fault"
	"servery/internal/payment"
)

// CancelRequest is how the restaurant cancels an order.
type CancelRequest struct {
	// Outcome is [OutcomeRefused] for an order that nobody has begun to cook, [OutcomeUndelivered] for
	// one on its way, and [OutcomeCanceled] for any.
	Outcome Outcome
	// Reason is one of [CancelReasons], or empty; the customer reads it. Note is for the restaurant's
	// own people, and may be empty.
	Reason CancelReason
	Note   string
	// Food is what became of the dishes of an undelivered order: one of [Foods].
	Food Food
	// KeepMoney says that nothing of what was paid online is refunded. Otherwise Part is refunded, or all
	// of it when Part is nil.
	KeepMoney bool
	Part      *payment.RefundRequest
	// Actor names who did it, as the restaurant's system knows them; it may be empty.
	Actor string
}

// MaxNote is how many characters a note may have.
const MaxNote = 500

// Check returns common.invalid (Invalid) with the fields that are wrong, order.refund_one_of (Invalid)
// when a part is refunded and the money is kept too, and the faults of
// [payment.RefundRequest.CheckShare].
func (r CancelRequest) Check() error {
	var wrong FieldErrors
	wrong.CheckLength("actor", r.Actor, MaxActorName)
	wrong.CheckLength("note", r.Note, MaxNote)
	if !slices.Contains(Outcomes(), r.Outcome) {
		wrong.Add("outcome", "common.not_allowed")
	}
	if r.Reason != "" && !slices.Contains(CancelReasons(), r.Reason) {
		wrong.Add("reason", "common.not_allowed")
	}
	switch isKnown := slices.Contains(Foods(), r.Food); {
	case r.Outcome == OutcomeUndelivered && r.Food == "":
		wrong.Add("food", "common.required")
	case r.Food != "" && (!isKnown || r.Outcome != OutcomeUndelivered):
		wrong.Add("food", "common.not_allowed")
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	if r.Part == nil {
		return nil
	}
	if r.KeepMoney {
		return fault.New(fault.Invalid, "order.refund_one_of", fault.Field("refund", "order.refund_one_of"))
	}
	return r.Part.CheckShare()
}

// Suits reports whether an order in the state can be canceled with this outcome.
func (o Outcome) Suits(s State) bool {
	switch o {
	case OutcomeRefused:
		return s == Accepted
	case OutcomeUndelivered:
		return s == Sent
	case OutcomeCanceled:
	}
	return true
}
