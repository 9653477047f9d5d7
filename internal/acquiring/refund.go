package acquiring

import (
	"cmp"
	"slices"
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
	// Earlier are the acquirer's references of the other refunds of the payment, as far as our books
	// have them. None of them is this refund.
	Earlier []string
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

// IsOlderThan reports whether an earlier call may have sent the refund so long ago, or longer, that an
// acquirer which remembers ids for that time may have forgotten it.
func (r Refund) IsOlderThan(age time.Duration, now time.Time) bool {
	return !r.Since.IsZero() && now.Sub(r.Since) >= age
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

// ListedRefund is a refund of a payment in the acquirer's list.
type ListedRefund struct {
	Refunded

	// ID is ours, "" when the list does not have it.
	ID  ID
	Sum Sum
}

// ListResult is what a list says about a refund. The set is closed.
type ListResult uint8

// The closed set of results.
const (
	ListUnclear  ListResult = iota // it may be in the list
	ListFound                      // it is in the list
	ListNotFound                   // it is certainly not in the list
)

// FindIn looks for the refund in the complete list of the refunds of its payment and returns what became
// of it. The refund is the one with its id. Where the list has no ids, it is the one of its sum that our
// books do not have, if that sum is also what the acquirer has returned more than our books say. The
// result is unclear as well when so much was returned in any other way.
func (r Refund) FindIn(list []ListedRefund) (Refunded, ListResult) {
	var named, candidates, failed []ListedRefund
	var extra money.Amount // what the acquirer has returned more than our books say
	for _, l := range list {
		isFailed := l.State == RefundFailed
		if !isFailed {
			extra = extra.Add(l.Sum.Amount)
		}
		mayBeOurs := l.ID == "" && l.Sum == r.Sum && !slices.Contains(r.Earlier, l.Ref)
		switch {
		case l.Sum.Currency != r.Sum.Currency, l.ID == r.ID && l.Sum != r.Sum:
			return Refunded{}, ListUnclear
		case l.ID == r.ID:
			named = append(named, l)
		case mayBeOurs && isFailed:
			failed = append(failed, l)
		case mayBeOurs:
			candidates = append(candidates, l)
		}
	}
	extra = extra.Sub(r.Before)
	switch {
	case len(named) > 0:
		return leastFinal(named), ListFound
	case len(candidates) > 0 && extra == r.Sum.Amount:
		return leastFinal(candidates), ListFound
	case len(candidates) > 0 && extra != 0, extra >= r.Sum.Amount:
		return Refunded{}, ListUnclear
	case len(failed) > 0:
		return leastFinal(failed), ListFound
	}
	return Refunded{}, ListNotFound
}

// leastFinal returns the first refund that may still change, else the first that is done, else the first.
// refunds must not be empty.
func leastFinal(refunds []ListedRefund) Refunded {
	// The states are in that order.
	return slices.MinFunc(refunds, func(a, b ListedRefund) int { return cmp.Compare(a.State, b.State) }).Refunded
}
