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
	// unheard: the request was lost before the bank did anything with it.
	unheard state = "unheard"
	open    state = "open"
	paid    state = "paid"
	failed  state = "failed"
)

// step is where the customer of an open payment stands. The set is closed.
type step string

const (
	atPage      step = ""          // on a page of the bank, or to be asked
	atToken     step = "token"     // prepared: a card is still to come
	atFrame     step = "frame"     // 3-D Secure 2: the hidden frame
	atChallenge step = "challenge" // 3-D Secure: the bank asks whether it is the customer
	proved      step = "proved"    // the customer agreed
	disproved   step = "disproved" // the customer refused
)

// payment is a payment in the books. Its methods are the bank's rules: they change it, and
// the caller keeps it when they say so.
type payment struct {
	ref, site string
	id        acquiring.ID
	asked     []byte
	method    acquiring.Method
	sum       acquiring.Sum

	description, language                    string
	returnURL, failURL, callbackURL, termURL string

	state   state
	step    step
	outcome Outcome
	reason  acquiring.Reason
	card    string
	transID string
	// reserved is what refunds were asked for, refunded what was given back.
	reserved, refunded money.Amount
	deadline           time.Time
	// due is when the bank takes the money by itself; zero when it does not.
	due       time.Time
	createdAt time.Time
	version   int64
	// receipt is what the request brought; it is not read back.
	receipt acquiring.Receipt
}

// applyTime lets the time do its part; false when it changes nothing.
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

// capture takes the money.
func (p *payment) capture() {
	p.state, p.reason, p.due = paid, acquiring.NoReason, time.Time{}
	if p.outcome.Trouble == OtherSum {
		p.sum.Amount = p.sum.Amount.Add(more)
	}
}

// isOpen says that the customer may still act.
func (p *payment) isOpen() bool { return p.state == open && p.due.IsZero() }

// chooseOutcome is the customer who chose how it ends, where the bank asks for no proof.
func (p *payment) chooseOutcome(o Outcome, now time.Time) {
	p.outcome, p.step = o, atPage
	switch {
	case o.Reason != acquiring.NoReason && o.Trouble == AnotherTry && p.method == acquiring.CardOnline:
		p.reason = o.Reason
	case o.Reason != acquiring.NoReason:
		p.state, p.reason = failed, o.Reason
	case o.Trouble == Delayed:
		p.due = now.Add(delay)
	case o.Trouble == TooLate:
		p.due = p.deadline.Add(late)
	default:
		p.capture()
	}
}

// enterCard is the customer who entered a card.
func (p *payment) enterCard(c card, now time.Time) {
	o := c.outcomeOf(now)
	p.card = c.maskedNumber()
	switch o.Check {
	case Version1, Version2Plain:
		p.outcome, p.step, p.reason = o, atChallenge, acquiring.NoReason
	case Version2, Frictionless:
		p.outcome, p.step, p.reason = o, atFrame, acquiring.NoReason
		if p.method != acquiring.CardForm { // the bank's own page shows no frame of its own
			p.endHiddenFrame(now)
		}
	case NoCheck:
		p.chooseOutcome(o, now)
	}
}

// endHiddenFrame goes on after the hidden frame.
func (p *payment) endHiddenFrame(now time.Time) {
	if p.outcome.Check == Frictionless {
		p.chooseOutcome(p.outcome, now)
		return
	}
	p.step = atChallenge
}

// answerChallenge applies the customer's answer on the bank's page. It reports false when the page does not ask any more.
func (p *payment) answerChallenge(yes bool) bool {
	if !p.isOpen() || p.step != atChallenge {
		return false
	}
	if p.step = disproved; yes {
		p.step = proved
	}
	return true
}

// finishChallenge applies the result of 3-D Secure. It reports false while the customer has not answered.
func (p *payment) finishChallenge(now time.Time) bool {
	switch p.step {
	case proved:
		p.chooseOutcome(p.outcome, now)
	case disproved:
		p.state, p.reason, p.step = failed, acquiring.ThreeDSFailed, atPage
	case atPage, atToken, atFrame, atChallenge:
		return false
	}
	return true
}

// endUnpaid ends a payment that nobody wants any more; false when it is over, or the bank has
// begun to take the money.
func (p *payment) endUnpaid(why acquiring.Reason) bool {
	if p.state != unheard && !p.isOpen() {
		return false
	}
	p.state, p.reason, p.step = failed, why, atPage
	return true
}

// toEvent returns what the shop is sent.
func (p *payment) toEvent() acquiring.Event {
	e := acquiring.Event{Ref: p.ref, ID: p.id, Sum: p.sum, Refunded: p.refunded, Reason: p.reason, Code: p.reason.String()}
	switch p.state {
	case unheard:
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

// callbackDelays returns how long after the change each callback is sent.
func (p *payment) callbackDelays() []time.Duration {
	switch {
	case p.callbackURL == "", p.outcome.Trouble == NoCallback:
		return nil
	case p.outcome.Trouble == TwoCallbacks:
		return []time.Duration{0, again}
	case p.outcome.Trouble == LateCallback:
		return []time.Duration{delay}
	}
	return []time.Duration{0}
}

// cancelByShop is the shop that wants no money any more.
func (p *payment) cancelByShop(time.Time) bool { return p.endUnpaid(acquiring.Canceled) }
