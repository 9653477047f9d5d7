package acquiring

import (
	"time"
	"unicode/utf8"
)

// Intent is what is to be paid, and all that any acquirer asks about it.
type Intent struct {
	// ID is ours, and the idempotency key.
	ID ID
	// Sum is above zero and comes from the order's row, never from a request.
	Sum    Sum
	Method Method
	// Description is shown to the customer; adapters cut it to what the acquirer takes.
	Description string
	Customer    Customer
	// Language is that of the customer: ru, en, tr, uz, de, uk.
	Language string
	// ReturnURL is where the customer comes back to; it says nothing about success.
	// FailURL is ReturnURL when empty.
	ReturnURL, FailURL string
	// CallbackURL is sent to acquirers that take it with each payment.
	CallbackURL string
	// TermURL is where the bank's page of 3-D Secure posts its answer.
	TermURL string
	// Started is when the payment was written down, Deadline when it is too late to pay.
	Started, Deadline time.Time
	// Token is the cryptogram of the card form, or what a wallet gave.
	Token Secret
	// VerifyParam is what a [Prepared] answer gave.
	VerifyParam string
	// Receipt is for the fiscal register; without lines none is sent.
	Receipt Receipt
}

// Customer is who pays.
type Customer struct {
	// Phone is digits with the country's code: 79991234567.
	Phone, Email, Name string
	// Address is the network address as text, "" when unknown.
	Address string
	// UserAgent is that of the browser.
	UserAgent string
	// Mobile says that links open on the phone that has the bank's program.
	Mobile bool
}

// RussianPhone returns the phone in the form that SberPay takes, 79991234567; empty for a phone
// of another country.
func (c Customer) RussianPhone() string {
	const length = 11
	const noSigns = "" // isPlain then allows no hyphen or any other sign
	if len(c.Phone) == length && c.Phone[0] == '7' && isPlain(c.Phone, length, noSigns) {
		return c.Phone
	}
	return ""
}

// NoRef stands for a reference of the acquirer that is not known or does not exist.
const NoRef = ""

// Lookup returns the lookup of the intent's payment. ref is the acquirer's reference, or [NoRef].
func (in Intent) Lookup(ref string) Lookup { return Lookup{Ref: ref, ID: in.ID, Started: in.Started} }

// Check returns an error of kind [Invalid] for an intent that no acquirer can take, and of kind
// [Late] when its deadline is over. isSupported says whether the acquirer supports its method.
func (in Intent) Check(acquirer string, isSupported bool, now time.Time) error {
	switch {
	case !in.ID.IsValid():
		return &Error{Acquirer: acquirer, Op: "start", Kind: Invalid, Code: "id"}
	case !isSupported:
		return &Error{Acquirer: acquirer, Op: "start", Kind: Invalid, Code: "method"}
	case in.Sum.Amount <= 0 || in.Sum.Currency.Code == "":
		return &Error{Acquirer: acquirer, Op: "start", Kind: Invalid, Code: "sum"}
	case len(in.Receipt.Lines) > 0 && in.Receipt.Total() != in.Sum.Amount:
		return &Error{Acquirer: acquirer, Op: "start", Kind: Invalid, Code: "receipt"}
	case !now.Before(in.Deadline):
		return &Error{Acquirer: acquirer, Op: "start", Kind: Late}
	}
	return nil
}

// CutText returns the first characters of a text, at most limit.
func CutText(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit])
}

// PaymentWindow returns how long the customer has to pay, in whole units and at least one. It
// is the same in each call.
func (in Intent) PaymentWindow(unit time.Duration) int64 {
	return max(1, int64(in.Deadline.Sub(in.Started)/unit))
}
