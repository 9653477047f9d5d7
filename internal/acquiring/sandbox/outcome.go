//go:build !release

package sandbox

import (
	"time"

	"servery/internal/acquiring"
)

// Check is how the bank makes sure that the card's holder pays. The set is closed.
type Check string

// The checks. [Version2] begins with the hidden frame, [Version2Plain] has none, and with
// [Frictionless] the bank is content after the frame.
const (
	NoCheck       Check = ""
	Version1      Check = "3ds1"
	Version2      Check = "3ds2"
	Version2Plain Check = "3ds2_plain"
	Frictionless  Check = "3ds2_frictionless"
)

// Trouble is what goes wrong around a payment. The set is closed.
type Trouble string

// The troubles.
const (
	NoTrouble     Trouble = ""
	LostBefore    Trouble = "lost_before"    // no answer, and nothing was done
	LostAfter     Trouble = "lost_after"     // no answer, and the money was taken
	LateCallback  Trouble = "late_callback"  // the callback comes half a minute later
	NoCallback    Trouble = "no_callback"    // no callback at all
	TwoCallbacks  Trouble = "two_callbacks"  // the callback comes twice
	Delayed       Trouble = "delayed"        // the bank thinks for half a minute
	TooLate       Trouble = "too_late"       // the bank takes the money after the deadline
	OtherSum      Trouble = "other_sum"      // the bank takes another sum
	AnotherTry    Trouble = "another_try"    // refused, but its page may be tried again
	RefundLost    Trouble = "refund_lost"    // the first refund fails, the next try makes it
	RefundSlow    Trouble = "refund_slow"    // refunds take half a minute
	RefundRefused Trouble = "refund_refused" // no refund is ever made
)

// What the bank does on purpose.
const (
	// slowDelay is how long a slow bank, callback or refund takes.
	slowDelay = 30 * time.Second
	// lateCaptureDelay is how long after the deadline the bank takes the money with [TooLate].
	lateCaptureDelay = 15 * time.Second
	// secondCallbackDelay is when the second copy of a callback comes.
	secondCallbackDelay = 3 * time.Second
	// overcharge is how much too much the bank takes with [OtherSum], in hundredths.
	overcharge = 100
)

// Outcome is how a payment ends.
type Outcome struct {
	// Key names it, also on the pages.
	Key string
	// Reason is why no money is taken, none where it is.
	Reason  acquiring.Reason
	Check   Check
	Trouble Trouble
}

// Card is a test card. There are no others.
type Card struct {
	Outcome

	Number string
}

// outcomes are all of them, in the order in which people see them, each with the number of
// its card; those without one are reached by buttons alone.
var outcomes = []Card{
	{Outcome{Key: "paid"}, "4242424242424242"},
	{Outcome{Key: "three_ds_1", Check: Version1}, "4000000000000101"},
	{Outcome{Key: "three_ds_2", Check: Version2}, "4000000000000200"},
	{Outcome{Key: "three_ds_2_plain", Check: Version2Plain}, "4000000000000309"},
	{Outcome{Key: "three_ds_2_frictionless", Check: Frictionless}, "4000000000000408"},
	{Outcome{Key: "three_ds_2_declined", Check: Version2, Reason: acquiring.InsufficientFunds}, "4000000000000507"},

	{Outcome{Key: "insufficient_funds", Reason: acquiring.InsufficientFunds}, "4000000000001000"},
	{Outcome{Key: "card_number", Reason: acquiring.CardNumber}, "4000000000001109"},
	{Outcome{Key: "card_expiry", Reason: acquiring.CardExpiry}, "4000000000001208"},
	{Outcome{Key: "card_code", Reason: acquiring.CardCode}, "4000000000001307"},
	{Outcome{Key: "bank_declined", Reason: acquiring.BankDeclined}, "4000000000001406"},
	{Outcome{Key: "limit_exceeded", Reason: acquiring.LimitExceeded}, "4000000000001505"},
	{Outcome{Key: "restricted", Reason: acquiring.Restricted}, "4000000000001604"},
	{Outcome{Key: "fraud", Reason: acquiring.Fraud}, "4000000000001703"},
	{Outcome{Key: "bank_away", Reason: acquiring.BankAway}, "4000000000001802"},
	{Outcome{Key: "three_ds_failed", Reason: acquiring.ThreeDSFailed}, "4000000000001901"},
	{Outcome{Key: "customer_cancelled", Reason: acquiring.CustomerCancelled}, ""},
	{Outcome{Key: "another_try", Reason: acquiring.InsufficientFunds, Trouble: AnotherTry}, "4000000000002008"},

	{Outcome{Key: "lost_after", Trouble: LostAfter}, "4000000000002107"},
	{Outcome{Key: "lost_before", Trouble: LostBefore}, "4000000000002206"},
	{Outcome{Key: "late_callback", Trouble: LateCallback}, "4000000000002305"},
	{Outcome{Key: "no_callback", Trouble: NoCallback}, "4000000000002404"},
	{Outcome{Key: "two_callbacks", Trouble: TwoCallbacks}, "4000000000002503"},
	{Outcome{Key: "delayed", Trouble: Delayed}, "4000000000002602"},
	{Outcome{Key: "too_late", Trouble: TooLate}, "4000000000002701"},
	{Outcome{Key: "other_sum", Trouble: OtherSum}, "4000000000002800"},
	{Outcome{Key: "refund_lost", Trouble: RefundLost}, "4000000000003006"},
	{Outcome{Key: "refund_slow", Trouble: RefundSlow}, "4000000000003105"},
	{Outcome{Key: "refund_refused", Trouble: RefundRefused}, "4000000000003204"},
}

// Cards returns the test cards, those that pay first.
func Cards() []Card {
	var cards []Card
	for _, c := range outcomes {
		if c.Number != "" {
			cards = append(cards, c)
		}
	}
	return cards
}

// listButtons returns the outcomes that a customer may choose where no card is entered.
// Outcomes of cards alone are left out.
func listButtons() []Outcome {
	var chosen []Outcome
	for _, c := range outcomes {
		switch {
		case c.Check != NoCheck, c.Trouble == AnotherTry, c.Trouble == LostBefore, c.Trouble == LostAfter:
			continue // of cards
		}
		switch c.Reason {
		case acquiring.CardNumber, acquiring.CardExpiry, acquiring.CardCode, acquiring.ThreeDSFailed:
			continue // of cards
		default:
			chosen = append(chosen, c.Outcome)
		}
	}
	return chosen
}

// outcomeOf returns the outcome with a key, and false when there is none.
func outcomeOf(key string) (Outcome, bool) {
	for _, c := range outcomes {
		if c.Key == key {
			return c.Outcome, true
		}
	}
	return Outcome{}, false
}
