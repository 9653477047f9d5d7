package payment

import (
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// RefundState is the state of a refund. The set is closed; the values are stored.
type RefundState string

// The states of a refund.
const (
	// RefundWaiting: stored, and certainly not sent to the acquirer yet.
	RefundWaiting RefundState = "waiting"
	// RefundRunning: it may have been sent, and the acquirer is called under the same id until the
	// outcome is certain.
	RefundRunning RefundState = "running"
	RefundDone    RefundState = "done"
	// RefundFailed: certainly not refunded.
	RefundFailed RefundState = "failed"
)

// IsOpen reports whether the money of such a refund still has to be returned.
func (s RefundState) IsOpen() bool { return s == RefundWaiting || s == RefundRunning }

// RefundCause is why money is returned. The set is closed; the values are stored.
type RefundCause string

// The causes of a refund.
const (
	ByOperator   RefundCause = "operator"
	OnCancel     RefundCause = "canceled"  // a paid order was canceled
	PaidLate     RefundCause = "late"      // paid after the order was canceled
	PaidTwice    RefundCause = "duplicate" // another attempt had paid already
	OnCorrection RefundCause = "corrected" // the order has become cheaper
	Mismatch     RefundCause = "mismatch"  // another sum or currency was taken than requested
)

// Refund is money that is returned.
type Refund struct {
	ID         acquiring.ID
	PaymentID  acquiring.ID
	OrderID    int64
	Sum        acquiring.Sum
	State      RefundState
	Cause      RefundCause
	Reason     string
	Lines      []RefundLine
	Code       string
	CreatedAt  time.Time
	FinishedAt time.Time
	// AfterClosing is set when a closing receipt has these lines: they were handed over.
	AfterClosing bool
	Bearer       Bearer
	// Actor is the operator who asked for it, empty for none.
	Actor string

	// Calls is how often the acquirer was called for it; Attempt counts the refunds of the
	// same money, of which all but the last certainly failed.
	Calls, Attempt int64
	// CallAt is when the acquirer is to be called.
	CallAt time.Time
}

// SentSince returns from when on the refund may have been sent to the acquirer, and the zero time while it
// certainly was not.
func (r Refund) SentSince() time.Time {
	if r.State == RefundWaiting {
		return time.Time{}
	}
	return r.CreatedAt
}

// HandRefund is money that a person hands back: of an order paid on receipt, or of what was collected
// for an order paid online. It is owed while HandedBackAt is zero.
type HandRefund struct {
	Key    string
	Amount money.Amount
	Lines  []RefundLine
	Bearer Bearer
	Reason string
	// Actor decided it.
	Actor        string
	CreatedAt    time.Time
	HandedBackBy string
	HandedBackAt time.Time

	// Hash is that of the request under Key.
	Hash []byte
}

// IsOwed reports whether the money still has to be handed back.
func (r HandRefund) IsOwed() bool { return r.HandedBackAt.IsZero() }
