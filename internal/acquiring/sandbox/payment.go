//go:build !release

package sandbox

import (
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// state is what a payment is in the bank's books. The set is closed.
type state string

const (
	// requestLost: the request was lost before the bank did anything with it.
	requestLost state = "unheard"
	open        state = "open"
	paid        state = "paid"
	failed      state = "failed"
)

// step is where the customer of an open payment stands. The set is closed.
type step string

const (
	atPage           step = ""          // on a page of the bank, or to be asked
	atToken          step = "token"     // prepared: a card is still to come
	atFrame          step = "frame"     // 3-D Secure 2: the hidden frame
	atChallenge      step = "challenge" // 3-D Secure: the bank asks whether it is the customer
	challengePassed  step = "proved"    // the customer agreed
	challengeRefused step = "disproved" // the customer refused
)

// payment is a payment in the books. Its methods are the bank's rules: they change the payment,
// and the caller stores it when they report a change.
type payment struct {
	ref, site   string
	id          acquiring.ID
	requestHash []byte
	method      acquiring.Method
	sum         acquiring.Sum

	description, language                    string
	returnURL, failURL, callbackURL, termURL string

	state   state
	step    step
	outcome Outcome
	reason  acquiring.Reason
	card    string
	transID string
	// reserved is the sum of all refunds that were accepted, refunded the sum of those that are done.
	reserved, refunded money.Amount
	deadline           time.Time
	// due is when the bank takes the money by itself; zero when it does not.
	due       time.Time
	createdAt time.Time
	version   int64
	// receipt came with the request. It is stored in a table of its own and not read back.
	receipt acquiring.Receipt
}

// applyTime takes the money when its capture is due, or fails the payment as expired after its
// deadline. It reports whether it has changed the payment.
func (p *payment) applyTime(now time.Time) bool {
	switch {
	case p.state != open:
		return false
	case !p.due.IsZero() && !now.Before(p.due):
		p.capture()
	case p.due.IsZero() && !now.Before(p.deadline):
		p.state, p.reason = failed, acquiring.Expired
	default:
		return false
	}
	return true
}

// capture takes the money of the payment: a wrong sum if its outcome is OtherSum.
func (p *payment) capture() {
	p.state, p.reason, p.due = paid, acquiring.NoReason, time.Time{}
	if p.outcome.Trouble == OtherSum {
		p.sum.Amount = p.sum.Amount.Add(overcharge)
	}
}

// isOpen reports whether the customer may still act.
func (p *payment) isOpen() bool { return p.state == open && p.due.IsZero() }

// chooseOutcome ends the payment with the outcome of the card or button that the customer chose.
// A refused card may be followed by another one on the bank's page with AnotherTry; with Delayed
// and TooLate the money is taken later.
func (p *payment) chooseOutcome(o Outcome, now time.Time) {
	p.outcome, p.step = o, atPage
	switch {
	case o.Reason != acquiring.NoReason && o.Trouble == AnotherTry && p.method == acquiring.CardOnline:
		p.reason = o.Reason
	case o.Reason != acquiring.NoReason:
		p.state, p.reason = failed, o.Reason
	case o.Trouble == Delayed:
		p.due = now.Add(slowDelay)
	case o.Trouble == TooLate:
		p.due = p.deadline.Add(lateCaptureDelay)
	default:
		p.capture()
	}
}

// enterCard handles the card that the customer has entered: it begins the card's kind of 3-D
// Secure, or ends the payment with the card's outcome.
func (p *payment) enterCard(c card, now time.Time) {
	o := c.outcomeOf(now)
	p.card = c.maskedNumber()
	switch o.Check {
	case Version1, Version2Plain:
		p.outcome, p.step, p.reason = o, atChallenge, acquiring.NoReason
	case Version2, Frictionless:
		p.outcome, p.step, p.reason = o, atFrame, acquiring.NoReason
		if p.method != acquiring.CardForm { // only our card form shows the hidden frame; on the bank's page it ends at once
			p.endHiddenFrame(now)
		}
	case NoCheck:
		p.chooseOutcome(o, now)
	}
}

// endHiddenFrame continues after the hidden frame of 3-D Secure: with the challenge, or without
// it for a frictionless card.
func (p *payment) endHiddenFrame(now time.Time) {
	if p.outcome.Check == Frictionless {
		p.chooseOutcome(p.outcome, now)
		return
	}
	p.step = atChallenge
}

// answerChallenge stores the customer's answer to the challenge. It returns false when the
// challenge is not open any more.
func (p *payment) answerChallenge(isAgreed bool) bool {
	if !p.isOpen() || p.step != atChallenge {
		return false
	}
	if p.step = challengeRefused; isAgreed {
		p.step = challengePassed
	}
	return true
}

// finishChallenge ends the payment by the customer's answer to the challenge. It returns false
// when there is no answer.
func (p *payment) finishChallenge(now time.Time) bool {
	switch p.step {
	case challengePassed:
		p.chooseOutcome(p.outcome, now)
	case challengeRefused:
		p.state, p.reason, p.step = failed, acquiring.ThreeDSFailed, atPage
	case atPage, atToken, atFrame, atChallenge:
		return false
	}
	return true
}

// endUnpaid ends an unpaid payment for the given reason. It returns false when the payment is
// over, or the bank has begun to take the money.
func (p *payment) endUnpaid(reason acquiring.Reason) bool {
	if p.state != requestLost && !p.isOpen() {
		return false
	}
	p.state, p.reason, p.step = failed, reason, atPage
	return true
}

// toEvent returns the payment as the shop sees it. A payment whose request was lost is
// [acquiring.Absent].
func (p *payment) toEvent() acquiring.Event {
	e := acquiring.Event{Ref: p.ref, ID: p.id, Sum: p.sum, Refunded: p.refunded, Reason: p.reason, Code: p.reason.String()}
	switch p.state {
	case requestLost:
		return acquiring.Event{ID: p.id, State: acquiring.Absent}
	case open:
		e.State = acquiring.Pending
	case paid:
		e.State = acquiring.Paid
	case failed:
		e.State = acquiring.Failed
	}
	return e
}

// callbackDelays returns how long after the change each callback is sent; none when there are
// no callbacks.
func (p *payment) callbackDelays() []time.Duration {
	switch {
	case p.callbackURL == "", p.outcome.Trouble == NoCallback:
		return nil
	case p.outcome.Trouble == TwoCallbacks:
		return []time.Duration{0, secondCallbackDelay}
	case p.outcome.Trouble == LateCallback:
		return []time.Duration{slowDelay}
	}
	return []time.Duration{0}
}

// cancelByShop ends an unpaid payment that the shop cancels. It returns false when the payment
// is over, or the bank has begun to take the money.
func (p *payment) cancelByShop(time.Time) bool { return p.endUnpaid(acquiring.Canceled) }
