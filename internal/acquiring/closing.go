package acquiring

import "context"

// ReceiptSupport is what an acquirer does about fiscal receipts. The set is closed.
type ReceiptSupport uint8

// The closed set of what acquirers do.
const (
	// NoReceipts: receipts are left out of what the acquirer is asked.
	NoReceipts ReceiptSupport = iota
	// WithoutClosing: receipts of payments and refunds are registered. A receipt of mode
	// [FullPrepayment] has to be followed by a closing receipt that somebody else makes.
	WithoutClosing
	// WithClosing: closing receipts are registered too; the acquirer is a [ReceiptCloser].
	WithClosing
)

// ReceiptCloser is an acquirer that registers closing receipts.
type ReceiptCloser interface {
	Acquirer

	// CloseReceipt registers the closing receipt of a paid payment, once for each id. An error
	// says that this call registered nothing; it says nothing about earlier calls.
	CloseReceipt(ctx context.Context, c Closing) (Closed, error)
}

// Closing is a closing receipt to register: the goods are handed over, and what they cost is
// offset against the prepayment.
type Closing struct {
	// ID is ours and the idempotency key; see [ID].
	ID ID
	// Of is the payment; its Ref must be known.
	Of Lookup
	// Sum is what was handed over: what was paid, less what was given back before.
	Sum Sum
	// Receipt is of mode [FullPayment], and its total is Sum.
	Receipt Receipt
	// Ref is the acquirer's name of the receipt, "" while it is not known.
	Ref string
	// Repeated says that the receipt was asked for before, so that it is looked for first:
	// idempotency keys are forgotten.
	Repeated bool
}

// Check returns an error of kind [Invalid] for a closing receipt that cannot be registered. Its
// code names what is wrong: id, ref, sum or receipt.
func (c Closing) Check(acquirer string) error {
	code := ""
	switch {
	case !c.ID.IsValid() || !c.Of.ID.IsValid() || c.ID == c.Of.ID:
		code = "id"
	case !IsPlainRef(c.Of.Ref) || c.Ref != "" && !IsPlainRef(c.Ref):
		code = "ref"
	case c.Sum.Amount <= 0 || c.Sum.Currency.Code == "" || c.Receipt.Total() != c.Sum.Amount:
		code = "sum"
	case c.Receipt.Mode != FullPayment || c.Receipt.Email == "" && c.Receipt.Phone == "":
		code = "receipt"
	default:
		return nil
	}
	return &Error{Acquirer: acquirer, Op: "close", Kind: Invalid, Code: code}
}

// ClosingState is what a closing receipt is. The set is closed. The zero state asks to try
// again.
type ClosingState uint8

// The closed set of states of a closing receipt.
const (
	ClosingUnknown ClosingState = iota // it may have been registered: call CloseReceipt again with the same id
	ClosingPending                     // accepted and on its way to the register: call CloseReceipt again later
	ClosingDone                        // registered
	ClosingFailed                      // certainly not registered; a person has to make it
)

var closingNames = [...]string{"unknown", "pending", "done", "failed"}

// String returns the state as a stable word.
func (s ClosingState) String() string {
	if int(s) < len(closingNames) {
		return closingNames[s]
	}
	return closingNames[ClosingUnknown]
}

// Closed is what became of a closing receipt.
type Closed struct {
	State ClosingState
	// Ref is the acquirer's name of the receipt.
	Ref string
	// Code is the acquirer's word for why it failed, cleaned by [CleanCode].
	Code string
}
