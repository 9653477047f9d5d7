package order

import (
	"slices"
	"time"

	"servery/internal/money"
)

// ChangeKind is what a change did to an order. The set is closed; the values are stored and go over
// the wire.
type ChangeKind string

// The kinds of changes.
const (
	Placed       ChangeKind = "placed"
	Paid         ChangeKind = "paid"         // and accepted by that
	Taken        ChangeKind = "taken"        // by the restaurant; the state stays
	Moved        ChangeKind = "moved"        // into its next state
	SteppedBack  ChangeKind = "stepped_back" // into the state before
	Promised     ChangeKind = "promised"     // for another time; the state stays
	Cancellation ChangeKind = "canceled"
	// The courier was assigned, or taken off the order again; the state stays.
	CourierAssigned ChangeKind = "courier_assigned"
	CourierRemoved  ChangeKind = "courier_removed"
	Corrected       ChangeKind = "corrected"   // before it was sent; the state stays
	RefundOwed      ChangeKind = "refund_owed" // money that is to be handed back by hand; the state stays
	Refunded        ChangeKind = "refunded"    // in part or in full; the state stays
)

// IsMove reports whether a change of the kind leaves the order in another state than before, or is its
// first one.
func (k ChangeKind) IsMove() bool {
	switch k {
	case Placed, Paid, Moved, SteppedBack, Cancellation:
		return true
	case Taken, Promised, CourierAssigned, CourierRemoved, Corrected, RefundOwed, Refunded:
	}
	return false
}

// CancelReason is why the restaurant canceled an order. The set is closed; the values are stored and
// go over the wire. The zero value says nothing.
type CancelReason string

// CancelReasons returns the reasons from which the restaurant chooses.
func CancelReasons() []CancelReason {
	return []CancelReason{"sold_out", "overloaded", "closed", "out_of_reach", "unreachable", "nobody_there", "customer_asked", "duplicate", "other"}
}

// Outcome is how a canceled order ended. The set is closed; the values are stored and go over the
// wire. The zero value is that of an order which is not canceled.
type Outcome string

// The outcomes.
const (
	OutcomeCanceled    Outcome = "canceled"
	OutcomeRefused     Outcome = "refused"     // before it was cooked
	OutcomeUndelivered Outcome = "undelivered" // on its way
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{OutcomeCanceled, OutcomeRefused, OutcomeUndelivered} }

// Food is what became of the dishes of an undelivered order. The set is closed; the values are
// stored and go over the wire. The zero value is that of any other order.
type Food string

// Foods returns what may become of the dishes.
func Foods() []Food { return []Food{"returned", "discarded", "left_there"} }

// Change is what happened to an order: the state since then, and who brought it about.
type Change struct {
	// ID goes up over all orders.
	ID    int64
	Kind  ChangeKind
	State State
	Actor string
	At    time.Time
	// Reason and Note say why: one of a list, and what a person wrote.
	Reason CancelReason
	Note   string
	Food   Food
	// CourierID is the courier who was assigned or removed.
	CourierID string
	// Fields are what was corrected.
	Fields []string
	// Amount is what was refunded.
	Amount money.Amount
	// PromisedFrom and PromisedTo are the new promise; both are zero where there is none.
	PromisedFrom, PromisedTo time.Time
}

// NewsID returns the number of the last change of which the customer is notified: another state, a
// promise later than the agreed one, or a correction. Without one it is the number of the first change.
func (o Order) NewsID() int64 {
	for i := len(o.History) - 1; i > 0; i-- {
		c := o.History[i]
		isLater := !o.AgreedTo.IsZero() && c.PromisedTo.After(o.AgreedTo)
		if c.State != o.History[i-1].State || isLater || c.Kind == Corrected {
			return c.ID
		}
	}
	return o.History[0].ID
}

// isCorrected reports whether the order was corrected since it was placed.
func (o Order) isCorrected() bool {
	return slices.ContainsFunc(o.History, func(c Change) bool { return c.Kind == Corrected })
}

// LastMove returns the last change that gave the order another state, false when it has only been
// placed.
func (o Order) LastMove() (Change, bool) {
	for i := len(o.History) - 1; i > 0; i-- {
		if o.History[i].State != o.History[i-1].State {
			return o.History[i], true
		}
	}
	return Change{}, false
}

// ReachedAt returns when the order first came into the state. A time that a later step back has undone
// does not count. It reports false when there is no such time.
func (o Order) ReachedAt(s State) (time.Time, bool) {
	var at time.Time
	var before State
	for _, c := range o.History {
		switch {
		case c.Kind == SteppedBack && before == s:
			at = time.Time{}
		case c.State == s && at.IsZero():
			at = c.At
		}
		before = c.State
	}
	return at, !at.IsZero()
}

// reason returns why the order was canceled, empty when no reason was chosen.
func (o Order) reason() CancelReason {
	i := slices.IndexFunc(o.History, func(c Change) bool { return c.Kind == Cancellation })
	if i < 0 {
		return ""
	}
	return o.History[i].Reason
}
