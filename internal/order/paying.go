package order

import (
	"cmp"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/money"
)

// liveTry gives the try that the customer may still finish, and false when there is none.
// An order has one at most.
func liveTry(tries []Payment) (Payment, bool) {
	at := slices.IndexFunc(tries, Payment.IsLive)
	if at < 0 {
		return Payment{}, false
	}
	return tries[at], true
}

// moneyOf says how the paying of an order stands.
func moneyOf(o Order, tries []Payment) MoneyState {
	taken, kept := false, false // sums of several currencies are not added
	for _, p := range tries {
		if sum := p.taken().Amount; sum > 0 && (o.State == Canceled || p.ID == o.PaidBy) {
			taken, kept = true, kept || p.Refunded < sum
		}
	}
	unclear := slices.ContainsFunc(tries, Payment.isUnclear)
	switch {
	case o.State == Canceled && unclear: // the acquirer has money, and a person decides what becomes of it
		return MoneyChecking
	case taken && !kept:
		return MoneyRefunded
	case o.State == Canceled && taken:
		return MoneyRefunding
	case o.State == Canceled:
		return MoneyCanceled
	case o.State != WaitingForPayment:
		return MoneyPaid
	}
	live, ok := liveTry(tries)
	switch {
	case ok && live.State == Pending && live.Next.Kind != acquiring.Unknown:
		return MoneyPending
	case ok || unclear:
		return MoneyChecking
	}
	return MoneyWaiting
}

// refundedOf is what was given back of what was paid; of another sum than asked for, which
// may be of another currency, a message tells.
func refundedOf(tries []Payment) money.Amount {
	var back money.Amount
	for _, p := range tries {
		if !p.IsMismatch() {
			back = back.Add(p.Refunded)
		}
	}
	return back
}

// payingOf tells the customer of an order how its paying stands. types are the ways to pay
// it online.
func payingOf(o Order, tries []Payment, types []string) Paying {
	told := Paying{Order: o, State: moneyOf(o, tries)}
	if o.State == WaitingForPayment {
		told.PaymentTypes = types
	}
	told.Refunded = refundedOf(tries)
	last := slices.IndexFunc(tries, func(p Payment) bool { return p.ID == o.PaidBy && p.ID != "" })
	if last < 0 {
		last = slices.IndexFunc(tries, Payment.IsLive)
	}
	if last < 0 {
		last = len(tries) - 1
	}
	if last >= 0 {
		told.Last = &tries[last]
	}
	return told
}

// Field gives the field of the page that the reason of a failed try stands at.
func (p Payment) Field() string {
	if p.Method == acquiring.CardForm {
		switch p.Reason {
		case acquiring.InsufficientFunds, acquiring.CardNumber:
			return "card_number"
		case acquiring.CardExpiry:
			return "card_expiry"
		case acquiring.CardCode:
			return "card_cvc"
		default:
		}
	}
	return "payment"
}

// Why says why a try bought nothing, and what to do next.
func (p Payment) Why() fault.Message {
	if p.IsMismatch() {
		return fault.Message{Key: "pay.other_sum"}
	}
	return fault.Message{Key: "pay." + cmp.Or(p.Reason, acquiring.BankDeclined).String()}
}

// declined is the fault of a try that certainly bought nothing.
func declined(p Payment) error {
	return fault.New(fault.Invalid, p.Why().Key, fault.Field(p.Field(), p.Why().Key))
}

// news is what an event means for a try.
type news uint8

const (
	noNews       news = iota
	stillPending      // the acquirer has it, and nobody has paid
	notTaken          // certainly not paid
	taken             // paid
	otherSum          // paid, with another sum or currency
)

// judge says what an event means for a try: forwards only, whatever order events come in.
// That money was taken is believed of any try of which that is not known yet.
func judge(p Payment, e acquiring.Event) news {
	isOther := e.Sum != p.Sum
	switch {
	case e.ID != p.ID, p.State == Paid, p.State == Disputed:
		return noNews
	case e.State == acquiring.Paid && isOther:
		return otherSum
	case e.State == acquiring.Paid:
		return taken
	case isOther, p.State == Failed:
		return noNews
	case e.State == acquiring.Failed:
		return notTaken
	case e.State == acquiring.Pending, e.State == acquiring.Held:
		return stillPending
	}
	return noNews
}

// keyOf is the same for each copy of the same news of a try.
func keyOf(e acquiring.Event) string { return e.Key() + "/" + e.Sum.String() }
