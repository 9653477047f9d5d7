package payment

import (
	"time"

	"servery/internal/acquiring"
)

// ClosingState is the state of a closing receipt. The set is closed; the values are stored.
type ClosingState string

// The states of a closing receipt.
const (
	// ClosingWaiting: stored with the state done of the order. What refunds take before the
	// acquirer is called is left out of it.
	ClosingWaiting ClosingState = "waiting"
	// ClosingRunning: the acquirer was called for it with these lines, and is called under the
	// same id until the outcome is certain.
	ClosingRunning ClosingState = "running"
	ClosingDone    ClosingState = "done"
	// ClosingFailed: certainly not registered. A person has to make it.
	ClosingFailed ClosingState = "failed"
	// ClosingManual: the acquirer registers none, so somebody else makes it.
	ClosingManual ClosingState = "manual"
	// ClosingNotNeeded: all was refunded before.
	ClosingNotNeeded ClosingState = "not_needed"
)

// IsOpen reports whether the acquirer still has to be called for such a receipt.
func (s ClosingState) IsOpen() bool { return s == ClosingWaiting || s == ClosingRunning }

// EndsPrepayment reports whether the fiscal register counts the lines of a receipt in this state as
// handed over: the acquirer was called for it. A refund of them then needs a receipt of goods, not
// one of a prepayment.
func (s ClosingState) EndsPrepayment() bool { return s != ClosingWaiting && s != ClosingNotNeeded }

// ClosingReceipt is the receipt that follows a receipt of prepayment once the order is handed
// over (54-FZ). An attempt has at most one.
type ClosingReceipt struct {
	ID        acquiring.ID
	PaymentID acquiring.ID
	OrderID   int64
	// Lines are what was handed over and Sum what it comes to; both are empty while it waits.
	Lines []RefundLine
	Sum   acquiring.Sum
	State ClosingState
	// Ref is the acquirer's name of it, Code its word for why it failed.
	Ref, Code             string
	CreatedAt, FinishedAt time.Time

	Calls int64
	// CallAt is when the acquirer is to be called; zero once the outcome is certain.
	CallAt time.Time
}
