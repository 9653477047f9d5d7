package acquiring

import (
	"time"

	"servery/internal/money"
)

// Refund is money to give back.
type Refund struct {
	// ID is ours and the idempotency key; see [ID].
	ID ID
	// Of is the payment; its Ref must be known.
	Of Lookup
	// Paid is the whole sum of the payment, Sum what to give back of it now.
	Paid, Sum Sum
	// Before is how much earlier refunds of the payment gave back, by our books. With it
	// an acquirer that forgot our refund id, or never knew it, can still be asked whether
	// this one is done; so have one refund of a payment on its way at a time.
	Before money.Amount
	// Since is from when on an earlier call may have sent this refund under its ID; zero when none
	// can have. An acquirer that forgets ids must not be sent a refund again that is too old.
	Since time.Time
	// Receipt is what is given back, for the fiscal register: all lines of a whole
	// refund, or some. Its total must be Sum; without lines none is sent.
	Receipt Receipt
	// Customer and Description are for the receipt and the acquirer's cabinet.
	Customer    Customer
	Description string
}

// Check returns an error of kind [Invalid] for a refund that cannot be requested. Its code names
// what is wrong: id, ref, sum or receipt.
func (r Refund) Check(acquirer string) error {
	code := ""
	switch {
	case !r.ID.IsValid() || !r.Of.ID.IsValid() || r.ID == r.Of.ID:
		code = "id"
	case !IsPlainRef(r.Of.Ref):
		code = "ref"
	case r.Sum.Amount <= 0 || r.Sum.Currency != r.Paid.Currency || r.Before < 0 ||
		r.Before.Add(r.Sum.Amount) > r.Paid.Amount:
		code = "sum"
	case len(r.Receipt.Lines) > 0 && r.Receipt.Total() != r.Sum.Amount:
		code = "receipt"
	default:
		return nil
	}
	return &Error{Acquirer: acquirer, Op: "refund", Kind: Invalid, Code: code}
}

// RefundState is what a refund is. The set is closed.
type RefundState uint8

// The closed set of states of a refund. The zero state asks to try again.
const (
	RefundUnknown RefundState = iota // it may have been made: call Refund again with the same id
	RefundPending                    // accepted and on its way: call Refund again later, or wait for a callback
	RefundDone                       // given back
	RefundFailed                     // certainly not given back; a person has to look
)

var refundNames = [...]string{"unknown", "pending", "done", "failed"}

// String returns the state as a stable word.
func (s RefundState) String() string {
	if int(s) < len(refundNames) {
		return refundNames[s]
	}
	return refundNames[RefundUnknown]
}

// Refunded is what became of a refund.
type Refunded struct {
	State RefundState
	// Ref is the acquirer's name of the refund, "" where it has none.
	Ref string
	// Code is the acquirer's own word for a failure, for logs.
	Code string
}
