package payment

import (
	"slices"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// Status is how the payment of an order stands for its customer. The set is closed; the values
// go over the wire.
type Status string

// The statuses of a payment.
const (
	// StatusWaiting: nothing was begun, or the last attempt certainly failed.
	StatusWaiting Status = "waiting"
	// StatusPending: begun, and the customer has to act.
	StatusPending Status = "pending"
	// StatusChecking: the outcome is not known yet.
	StatusChecking  Status = "checking"
	StatusPaid      Status = "paid"
	StatusCanceled  Status = "canceled"
	StatusRefunding Status = "refunding"
	StatusRefunded  Status = "refunded"
)

// View is a bill with how its payment stands for the customer.
type View struct {
	Bill   Bill
	Status Status
	// Last is the attempt that the customer is shown; nil before the first.
	Last *Attempt
	// Refunded is what was returned of all attempts that took the requested sum.
	Refunded money.Amount
	// PaymentTypes are the ways to pay the bill online.
	PaymentTypes []string

	history History
}

// RefundMessage is that of the history of the bill, see [History.RefundMessage].
func (v View) RefundMessage(format func(acquiring.Sum) string) (fault.Message, bool) {
	return v.history.RefundMessage(format)
}

// History is a bill with all that happened to its payment, as of one instant.
type History struct {
	Bill Bill
	// Attempts and Refunds are each in the order in which they were begun. An order paid on
	// receipt has none.
	Attempts []Attempt
	Refunds  []Refund
	// ByHand are the refunds by a person: of an order paid on receipt, or of what was collected for one paid
	// online.
	ByHand []HandRefund
	// Closings are the closing receipts.
	Closings []ClosingReceipt
}

// RefundablePart is a part of an order that was paid.
type RefundablePart struct {
	Key  string
	Name lang.Text
	// Count and Paid are of all of it; Refunded and RefundedAmount of what was returned or is
	// being returned.
	Count, Refunded      int
	Paid, RefundedAmount money.Amount
}

// StatusOf returns how the payment of a bill stands for the customer. An accepted bill is paid, and
// refunded once all that paid for it was returned. A canceled bill is canceled when no money was taken,
// and paid when all of it is kept; otherwise it is refunding, and refunded once the rest was returned.
// The status of a due bill follows from its active attempt. An attempt that took an unknown sum shows
// the bill as being checked.
func StatusOf(bill Bill, attempts []Attempt) Status {
	// Whether money was taken, and whether some of it is not returned. While the order stands,
	// only what paid for it counts. Sums are not added up, since they may be in several currencies.
	hasTaken, hasUnreturned, hasReturned := false, false, false
	for _, a := range attempts {
		left := a.TakenSum().Amount.Sub(a.Refunded)
		if a.ID == bill.PaidBy {
			left = left.Sub(bill.Kept)
		}
		if a.TakenSum().Amount > 0 && (bill.State == BillCanceled || a.ID == bill.PaidBy) {
			hasTaken = true
			hasUnreturned = hasUnreturned || left > 0
			hasReturned = hasReturned || a.Refunded > 0
		}
	}
	isUnclear := slices.ContainsFunc(attempts, Attempt.IsUnclear)
	switch {
	case bill.State == BillCanceled && isUnclear: // the acquirer has money, and a person decides about it
		return StatusChecking
	case hasTaken && !hasUnreturned && hasReturned:
		return StatusRefunded
	case hasTaken && !hasUnreturned: // all of it is kept
		return StatusPaid
	case bill.State == BillCanceled && hasTaken:
		return StatusRefunding
	case bill.State == BillCanceled:
		return StatusCanceled
	case bill.State != BillDue:
		return StatusPaid
	}
	active, ok := ActiveAttempt(attempts)
	switch {
	case ok && active.State == Pending && active.Next.Kind != acquiring.Unknown:
		return StatusPending
	case ok || isUnclear:
		return StatusChecking
	}
	return StatusWaiting
}

// totalRefunded returns how much was returned of the attempts that took the requested sum. An attempt
// that took another sum is left out, since that may be in another currency; the customer reads of it
// in [History.RefundMessage].
func totalRefunded(attempts []Attempt) money.Amount {
	var total money.Amount
	for _, a := range attempts {
		if !a.IsMismatch() {
			total = total.Add(a.Refunded)
		}
	}
	return total
}

// NewView returns how the payment of a bill stands for the customer. The types are those for paying
// online; they are left out once the bill is paid or canceled.
func NewView(h History, types []string) View {
	view := View{
		Bill: h.Bill, Status: h.Status(), Last: ShownAttempt(h.Bill, h.Attempts), Refunded: h.Refunded(), history: h,
	}
	if h.Bill.State == BillDue {
		view.PaymentTypes = types
	}
	return view
}

// ShownAttempt returns the attempt that the customer is shown: the one that paid, else the active one,
// else the newest; nil when there is none.
func ShownAttempt(bill Bill, attempts []Attempt) *Attempt {
	last := slices.IndexFunc(attempts, func(a Attempt) bool { return a.ID == bill.PaidBy && a.ID != "" })
	if last < 0 {
		last = slices.IndexFunc(attempts, Attempt.IsActive)
	}
	if last < 0 {
		last = len(attempts) - 1
	}
	if last < 0 {
		return nil
	}
	return &attempts[last]
}

// Status returns how the payment stands for the customer.
func (h History) Status() Status { return StatusOf(h.Bill, h.Attempts) }

// Refunded returns what was returned of all attempts that took the requested sum.
func (h History) Refunded() money.Amount { return totalRefunded(h.Attempts) }

// Kept returns what is kept of the money of a canceled bill: what was kept when it was canceled, less what was refunded
// of that since or is being refunded.
func (h History) Kept() money.Amount {
	kept := h.Bill.Kept
	for _, a := range h.Attempts {
		if a.ID == h.Bill.PaidBy {
			left := a.TakenSum().Amount
			for _, r := range h.Refunds {
				if r.PaymentID == a.ID && r.State != RefundFailed {
					left = left.Sub(r.Sum.Amount)
				}
			}
			kept = min(kept, left)
		}
	}
	return kept
}

// RefundMessage returns the message about returned money that the customer is shown, and false
// when there is none to show. It is about the newest refund, with the sum of all that have the same
// cause: of those that are under way, or of those that are done when none is. Of a canceled order whose money
// is kept in part it is about all that was refunded of it, whatever the cause. When the newest refund has
// failed and none is under way, the message is about that one alone. Without a refund it says why none is
// made yet, or that the money is kept. format writes a sum in the customer's language.
func (h History) RefundMessage(format func(acquiring.Sum) string) (fault.Message, bool) {
	newest := newestRefund(h.Refunds)
	if newest == nil {
		return h.messageWithoutRefund()
	}
	message := func(key string, sum acquiring.Sum) (fault.Message, bool) {
		return fault.Message{Key: "refund." + key, Args: fault.Args{"sum": format(sum), "paid": format(h.Bill.Sum)}}, true
	}
	cause := string(newest.Cause)
	isLike := func(r Refund) bool { return r.Cause == newest.Cause }
	isPart := h.Bill.Kept > 0 && newest.PaymentID == h.Bill.PaidBy
	if isPart {
		cause = "part"
		isLike = func(r Refund) bool { return r.PaymentID == h.Bill.PaidBy }
	}
	sum := func(isIncluded func(RefundState) bool) acquiring.Sum {
		return h.sumOfRefunds(newest.Sum.Currency, func(r Refund) bool { return isLike(r) && isIncluded(r.State) })
	}
	open, done := sum(RefundState.IsOpen), sum(func(s RefundState) bool { return s == RefundDone })
	switch {
	case open.Amount > 0 && isPart:
		return message("going_"+cause, acquiring.Sum{Amount: open.Amount.Add(done.Amount), Currency: open.Currency})
	case open.Amount > 0:
		return message("going_"+cause, open)
	case newest.State == RefundFailed:
		return message("stuck", newest.Sum)
	}
	return message("done_"+cause, done)
}

// messageWithoutRefund returns the message about the money of an order that has no refund: that a person
// looks at the payment, that the canceled order is still watched for money, or that its money is kept. It
// returns false when none of them is so.
func (h History) messageWithoutRefund() (fault.Message, bool) {
	isPolled := slices.ContainsFunc(h.Attempts, func(a Attempt) bool { return a.State == Abandoned && a.isPolled() })
	switch {
	case slices.ContainsFunc(h.Attempts, Attempt.IsUnclear):
		return fault.Message{Key: "refund.disputed"}, true
	case isPolled && h.Status() == StatusCanceled:
		return fault.Message{Key: "refund.watched"}, true
	case h.Bill.Kept > 0:
		return fault.Message{Key: "refund.kept"}, true
	}
	return fault.Message{}, false
}

// sumOfRefunds returns the sum of the refunds in the currency for which isIncluded returns true.
func (h History) sumOfRefunds(currency money.Currency, isIncluded func(Refund) bool) acquiring.Sum {
	sum := acquiring.Sum{Currency: currency}
	for _, r := range h.Refunds {
		if r.Sum.Currency == currency && isIncluded(r) {
			sum.Amount = sum.Amount.Add(r.Sum.Amount)
		}
	}
	return sum
}

// newestRefund returns the refund that was created last, nil for none.
func newestRefund(refunds []Refund) *Refund {
	var newest *Refund
	for i := range refunds {
		if newest == nil || !refunds[i].CreatedAt.Before(newest.CreatedAt) {
			newest = &refunds[i]
		}
	}
	return newest
}

// Refundable returns the parts of an order, each with what was refunded of it, by the acquirer or, of an order paid on
// receipt, by hand. It returns none for an order that is to be paid online before an attempt has paid it.
func (h History) Refundable() []RefundablePart {
	isOnline, isPaidByAttempt := site.IsOnline(h.Bill.PaymentType), h.Bill.PaidBy != ""
	if isOnline != isPaidByAttempt { // to be paid online, and no attempt has paid it
		return nil
	}
	refunded := RefundedLines{}
	for _, r := range h.ByHand {
		if !isOnline { // otherwise it was collected besides, and is in no part
			refunded.AddLines(r.Lines)
		}
	}
	for _, r := range h.Refunds {
		if r.PaymentID == h.Bill.PaidBy && r.State != RefundFailed {
			refunded.AddLines(r.Lines)
		}
	}
	var parts []RefundablePart
	for _, part := range h.Bill.Parts {
		parts = append(parts, RefundablePart{
			Key: part.Key, Name: part.Name, Count: part.Count, Refunded: refunded[part.Key].Count,
			Paid: part.Paid, RefundedAmount: refunded[part.Key].Amount,
		})
	}
	return parts
}
