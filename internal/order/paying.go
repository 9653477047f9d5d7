package order

import (
	"cmp"
	"slices"

	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/pay"
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
	var paid, back money.Amount
	disputed := false
	for _, p := range tries {
		if p.State == Paid && (o.State == Canceled || p.ID == o.PaidBy) {
			paid, back = paid.Add(p.Sum.Amount), back.Add(p.Refunded)
		}
		disputed = disputed || p.State == Disputed
	}
	switch {
	case paid > 0 && back >= paid:
		return MoneyRefunded
	case o.State == Canceled && paid > 0:
		return MoneyRefunding
	case o.State == Canceled && disputed: // the acquirer has money, and a person decides what becomes of it
		return MoneyChecking
	case o.State == Canceled:
		return MoneyCanceled
	case o.State != WaitingForPayment:
		return MoneyPaid
	}
	live, ok := liveTry(tries)
	switch {
	case ok && live.State == Pending && live.Next.Kind != pay.Unknown:
		return MoneyPending
	case ok || disputed:
		return MoneyChecking
	}
	return MoneyWaiting
}

// payingOf tells the customer of an order how its paying stands. types are the ways to pay
// it online.
func payingOf(o Order, tries []Payment, types []string) Paying {
	told := Paying{Order: o, State: moneyOf(o, tries)}
	if o.State == WaitingForPayment {
		told.PaymentTypes = types
	}
	for _, p := range tries {
		told.Refunded = told.Refunded.Add(p.Refunded)
	}
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
	if p.Method == pay.CardForm {
		switch p.Reason {
		case pay.InsufficientFunds, pay.CardNumber:
			return "card_number"
		case pay.CardExpiry:
			return "card_expiry"
		case pay.CardCode:
			return "card_cvc"
		default:
		}
	}
	return "payment"
}

// Why says why a try failed, and what to do next.
func (p Payment) Why() fault.Message {
	return fault.Message{Key: "pay." + cmp.Or(p.Reason, pay.BankDeclined).String()}
}

// declined is the fault of a try that certainly failed.
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
// That money was taken is believed of any try that is not paid yet.
func judge(p Payment, e pay.Event) news {
	isOther := e.Sum != p.Sum
	switch {
	case e.ID != p.ID, p.State == Paid:
		return noNews
	case e.State == pay.Paid && isOther:
		return otherSum
	case e.State == pay.Paid:
		return taken
	case isOther, p.State == Failed, p.State == Disputed:
		return noNews
	case e.State == pay.Failed:
		return notTaken
	case e.State == pay.Pending, e.State == pay.Held:
		return stillPending
	}
	return noNews
}

// keyOf is the same for each copy of the same news of a try.
func keyOf(e pay.Event) string { return e.Key() + "/" + e.Sum.String() }
