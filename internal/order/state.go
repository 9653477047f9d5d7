package order

import (
	"slices"
	"time"

	"servery/internal/site"
)

// State is where an order stands. The set is closed; the values are stored and go
// over the wire.
type State string

// The states.
const (
	WaitingForPayment State = "waiting_for_payment"
	Accepted          State = "accepted"
	Cooking           State = "cooking"
	Sent              State = "sent" // delivery only
	Done              State = "done"
	Canceled          State = "canceled"
)

// Actor is who may move an order into its next state. The set is closed; the values are stored.
type Actor string

// The actors.
const (
	Customer Actor = "customer"
	Operator Actor = "operator" // the kitchen, the counter, the courier's app
	Acquirer Actor = "payment"  // the acquirer reports the payment
	Deadline Actor = "deadline" // the clock
)

// move is one allowed step. The zero orderType means any.
type move struct {
	from, to  State
	by        Actor
	orderType site.OrderType
}

// moves is the whole life of an order: nothing else is allowed. docs/states.md shows
// it, and a test compares the two.
var moves = []move{
	{WaitingForPayment, Accepted, Acquirer, ""},
	{WaitingForPayment, Canceled, Deadline, ""},
	{WaitingForPayment, Canceled, Customer, ""}, // by a new checkout, not by the button
	{Accepted, Cooking, Operator, ""},
	{Accepted, Canceled, Customer, ""},
	{Accepted, Canceled, Operator, ""},
	{Cooking, Sent, Operator, site.Delivery},
	{Cooking, Done, Operator, site.Takeaway},
	{Cooking, Canceled, Customer, ""}, // one that will be late
	{Cooking, Canceled, Operator, ""},
	{Sent, Done, Operator, site.Delivery},
	{Sent, Canceled, Operator, site.Delivery},
}

// stepsBack has, for each state that an order may step back from after a mistake, the state before.
var stepsBack = map[State]State{Cooking: Accepted, Sent: Cooking}

// ParseState returns the state that is stored and sent as text, false for any other text.
func ParseState(text string) (State, bool) {
	s := State(text)
	return s, slices.Contains(States(), s)
}

// States returns all states.
func States() []State {
	return []State{WaitingForPayment, Accepted, Cooking, Sent, Done, Canceled}
}

// Next returns the states into which the actor may move an order of the type, in the order of
// its life. There are none when the actor cannot move it.
func Next(from State, t site.OrderType, by Actor) []State {
	next := []State{}
	for _, m := range moves {
		if m.from == from && m.by == by && (m.orderType == "" || m.orderType == t) {
			next = append(next, m.to)
		}
	}
	return next
}

// CanMove reports whether the actor may move an order of the type from one state to the other.
func CanMove(from, to State, t site.OrderType, by Actor) bool {
	return slices.Contains(Next(from, t, by), to)
}

// StateBefore returns the state that an order may step back into after a mistake, false when there is
// none.
func StateBefore(s State) (State, bool) {
	before, ok := stepsBack[s]
	return before, ok
}

// IsFinal reports whether an order never leaves the state.
func (s State) IsFinal() bool { return s == Done || s == Canceled }

// IsLate reports whether the order is promised for later than the customer has agreed to.
func (o Order) IsLate() bool { return !o.AgreedTo.IsZero() && o.PromisedTo.After(o.AgreedTo) }

// CanCancel reports whether the customer may cancel the order: until it is cooked and, when it is
// promised for later than they have agreed to, until it is sent.
func (o Order) CanCancel() bool { return o.State == Accepted || o.State == Cooking && o.IsLate() }

// CanRepeat reports whether the customer may repeat an order in the state.
func (s State) CanRepeat() bool { return s == Done }

// Path returns the states that an order of the type passes when all goes well, from Accepted on.
// WaitingForPayment, with which an order that is paid online begins, is not among them.
func Path(t site.OrderType) []State {
	if t == site.Takeaway {
		return []State{Accepted, Cooking, Done}
	}
	return []State{Accepted, Cooking, Sent, Done}
}

// stepBackWithin is how long after a move an order may step back from it.
const stepBackWithin = 5 * time.Minute

// CanStepBack reports whether the restaurant may undo the last move of the order now: a move into
// Cooking or Sent that was made in the last five minutes and was not itself a step back.
func (o Order) CanStepBack(now time.Time) bool {
	last, moved := o.LastMove()
	_, canGoBack := StateBefore(o.State)
	return moved && canGoBack && last.Kind == Moved && now.Sub(last.At) <= stepBackWithin
}
