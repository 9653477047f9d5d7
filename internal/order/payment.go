package order

import (
	"time"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// PaymentState is where a try to pay stands in our books. The set is closed; the values
// are stored.
type PaymentState string

// The states of a try to pay.
const (
	// Starting: written down, and what the acquirer answered is not known.
	Starting PaymentState = "starting"
	// Pending: the acquirer has it, and nobody has paid yet.
	Pending PaymentState = "pending"
	// Abandoned: nobody wants it any more, but the acquirer cannot say that it will never
	// be paid. It is watched, and what is paid is given back.
	Abandoned PaymentState = "abandoned"
	// Paid: the money was taken; what was given back of it is in Refunded.
	Paid PaymentState = "paid"
	// Failed: certainly not taken.
	Failed PaymentState = "failed"
	// Disputed: another sum or currency was taken than asked for. It pays for nothing, and is
	// given back as it was taken; a person has to look.
	Disputed PaymentState = "disputed"
)

// Payment is a try to pay an order online.
type Payment struct {
	// ID is random: the key of every call to the acquirer, and what the bank's page of
	// 3-D Secure comes back with.
	ID      acquiring.ID
	OrderID int64
	Site    string
	// Account names the acquirer among those of the brand.
	Account string
	Method  acquiring.Method
	Sum     acquiring.Sum
	// OtherSum is what was taken when that is not Sum; zero else, or when nobody can tell.
	OtherSum acquiring.Sum
	State    PaymentState
	// Ref is the acquirer's name of the payment, "" while it is not known.
	Ref string
	// Next is what the acquirer answered last that the customer has to do.
	Next acquiring.Next
	// Reason is why it failed, or why the last try failed on the acquirer's page; Code is
	// the acquirer's own word for it.
	Reason acquiring.Reason
	Code   string
	// Refunded is what was given back of what was taken.
	Refunded            money.Amount
	StartedAt, Deadline time.Time
	// FinishedAt is when it became certain; zero while it is not.
	FinishedAt time.Time

	asked   asked
	proof   proofStage
	callKey string
	// busyUntil is set while one of us asks for what must not be asked for side by side;
	// checkAt is when the acquirer is to be asked next, checks how often it was.
	busyUntil, checkAt time.Time
	checks             int
}

// asked is what an acquirer is asked with besides the sum, so that it can be asked the
// same again. The card or the wallet's token is never kept.
type asked struct {
	Language string `json:"language"`
	// ReceiptLanguage is the brand's own, which its fiscal register speaks.
	ReceiptLanguage lang.Lang `json:"receipt_language,omitempty"`
	// Origin is scheme and host that the customer uses, City the alias of his city.
	Origin    string `json:"origin"`
	City      string `json:"city"`
	Address   string `json:"address,omitempty"`
	UserAgent string `json:"user_agent,omitempty"`
	Email     string `json:"email,omitempty"`
	Phone     string `json:"phone"`
	Name      string `json:"name,omitempty"`
	IsMobile  bool   `json:"is_mobile,omitempty"`
	HasToken  bool   `json:"has_token,omitempty"`
	// SentAt is when the card was sent to an acquirer that was prepared for it before; zero
	// when it went with the try's first request.
	SentAt time.Time    `json:"sent_at,omitzero"`
	Fiscal *site.Fiscal `json:"fiscal,omitempty"`
}

// proofStage is how far the 3-D Secure of a try was handed over. The values are stored.
type proofStage string

const (
	notProved   proofStage = ""
	methodEnded proofStage = "method" // the hidden step of version 2 is over
	proved      proofStage = "answer" // what the bank's page gave was handed over
)

// IsLive reports whether the customer may still finish the try.
func (p Payment) IsLive() bool { return p.State == Starting || p.State == Pending }

// IsMismatch reports whether another sum was taken, which goes back.
func (p Payment) IsMismatch() bool { return p.State == Disputed && p.OtherSum.Amount > 0 }

// isUnclear reports whether another sum was taken and nobody can tell which.
func (p Payment) isUnclear() bool { return p.State == Disputed && p.OtherSum.Amount == 0 }

// taken is what the acquirer took, zero as long as that is not certain.
func (p Payment) taken() acquiring.Sum {
	if p.State == Paid {
		return p.Sum
	}
	return p.OtherSum
}

// boughtNothing reports whether the try is over and the order has nothing of it.
func (p Payment) boughtNothing() bool { return p.State == Failed || p.IsMismatch() }

// makesRoom reports whether another try may follow although the customer was told nothing of
// this one.
func (p Payment) makesRoom() bool { return !p.IsLive() && p.State != Paid && p.State != Disputed }

// isStale reports whether the request that takes the money was sent so long ago that another
// may follow it.
func (p Payment) isStale(now time.Time) bool {
	sent := p.StartedAt
	if p.asked.SentAt.After(sent) {
		sent = p.asked.SentAt
	}
	return !now.Before(sent.Add(stale))
}

// Lookup names the payment to its acquirer.
func (p Payment) Lookup() acquiring.Lookup {
	return acquiring.Lookup{Ref: p.Ref, ID: p.ID, Started: p.StartedAt}
}

// MoneyState is how the paying of an order stands for its customer. The set is closed;
// the values go over the wire.
type MoneyState string

// How the paying of an order stands.
const (
	// MoneyWaiting: nothing was begun, or the last try certainly failed.
	MoneyWaiting MoneyState = "waiting"
	// MoneyPending: begun, and the customer has to act.
	MoneyPending MoneyState = "pending"
	// MoneyChecking: nobody knows yet.
	MoneyChecking  MoneyState = "checking"
	MoneyPaid      MoneyState = "paid"
	MoneyCanceled  MoneyState = "canceled"
	MoneyRefunding MoneyState = "refunding"
	MoneyRefunded  MoneyState = "refunded"
)

// Paying is an order with how its paying stands.
type Paying struct {
	Order Order
	State MoneyState
	// Last is the last try; nil before the first.
	Last *Payment
	// Refunded is what was given back of all tries.
	Refunded money.Amount
	// PaymentTypes are the ways to pay this order online.
	PaymentTypes []string
}

// PayRequest is what a customer sends to pay.
type PayRequest struct {
	OrderID     int64
	CacheKey    string
	PaymentType string
	// Token is the cryptogram of the card or what a wallet gave.
	Token       acquiring.Secret
	VerifyParam string
	// Email is where the receipt goes, Phone whom SberPay asks; both may be empty.
	Email, Phone string
	IsMobile     bool
	// Origin is scheme and host that the customer uses, Address and UserAgent are his.
	Origin, Address, UserAgent string
}

// Answer is what came back from 3-D Secure; all but the order may be empty.
type Answer struct {
	OrderID     int64
	CacheKey    string
	PaymentID   acquiring.ID
	PaRes, CRes acquiring.Secret
	MethodDone  bool
	IsLast      bool
}

// RefundState is where a refund stands. The set is closed; the values are stored.
type RefundState string

// The states of a refund.
const (
	// RefundWaiting: written down, the acquirer was not asked yet.
	RefundWaiting RefundState = "waiting"
	// RefundRunning: the acquirer was asked, and is asked under the same id until it is
	// certain what became of it.
	RefundRunning RefundState = "running"
	RefundDone    RefundState = "done"
	// RefundFailed: certainly not given back.
	RefundFailed RefundState = "failed"
)

// RefundCause is why money is given back. The set is closed; the values are stored.
type RefundCause string

// The causes of a refund.
const (
	ByOperator RefundCause = "operator"
	OnCancel   RefundCause = "canceled"  // a paid order was canceled
	PaidLate   RefundCause = "late"      // paid after the order was canceled
	PaidTwice  RefundCause = "duplicate" // paid by another try already
	Mismatch   RefundCause = "mismatch"  // another sum or currency was taken than asked for
)

// RefundRequest is what an operator refunds: all that is left, or some lines. Key makes it
// safe to repeat.
type RefundRequest struct {
	Key    string       `json:"key"`
	Reason string       `json:"reason"`
	All    bool         `json:"all"`
	Lines  []RefundLine `json:"lines"`
}

// RefundLine is a part of an order: the key of a line, the alias of a package, or "delivery".
type RefundLine struct {
	Key   string `json:"key"`
	Count int    `json:"count"`
	// Amount is what it comes to. It is ours to say.
	Amount money.Amount `json:"amount,omitempty"`
}

// Refund is money that is given back.
type Refund struct {
	ID         acquiring.ID
	PaymentID  acquiring.ID
	OrderID    int64
	Sum        acquiring.Sum
	State      RefundState
	Cause      RefundCause
	Reason     string
	Lines      []RefundLine
	Code       string
	CreatedAt  time.Time
	FinishedAt time.Time
	// AfterClosing says that a closing receipt is of these lines: they were handed over.
	AfterClosing bool

	// tries is how often the acquirer was asked for it; attempt counts the refunds of the
	// same money, of which all but the last failed for certain.
	tries, attempt int64
	// checkAt is when the acquirer is to be asked.
	checkAt time.Time
}

// AlreadyPaid is the data of the fault order.already_paid: the order that was paid meanwhile.
type AlreadyPaid struct{ OrderID int64 }
