package payment

import (
	"time"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// AttemptState is the state of a payment attempt. The set is closed; the values are stored.
type AttemptState string

// The states of a payment attempt.
const (
	// Starting: stored, and the answer of the acquirer is not known.
	Starting AttemptState = "starting"
	// Pending: the acquirer has it, and it is not paid yet.
	Pending AttemptState = "pending"
	// Abandoned: given up, but the acquirer cannot say that it will never be paid. It is
	// polled, and what is paid is refunded.
	Abandoned AttemptState = "abandoned"
	// Paid: the money was taken; how much of it was returned is in Refunded.
	Paid AttemptState = "paid"
	// Failed: certainly not paid.
	Failed AttemptState = "failed"
	// Disputed: another sum or currency was taken than requested. It pays for nothing and is
	// refunded as it was taken; a person has to look.
	Disputed AttemptState = "disputed"
)

// Attempt is an attempt to pay an order online.
type Attempt struct {
	// ID is random. It is the idempotency key of every call to the acquirer, and names the
	// attempt when the browser returns from 3-D Secure.
	ID      acquiring.ID
	OrderID int64
	Site    string
	// Account names the acquirer among those of the brand.
	Account string
	Method  acquiring.Method
	Sum     acquiring.Sum
	// OtherSum is what was taken when that is not Sum; zero otherwise, or when it is unclear.
	OtherSum acquiring.Sum
	State    AttemptState
	// Ref is the acquirer's name of the payment, empty while it is not known.
	Ref string
	// Next is the next action of the customer, as the acquirer answered last.
	Next acquiring.Next
	// Reason is why it failed, or why the customer's last card failed on the acquirer's page;
	// Code is the acquirer's own word for it.
	Reason acquiring.Reason
	Code   string
	// Refunded is how much was returned of what was taken.
	Refunded            money.Amount
	StartedAt, Deadline time.Time
	// FinishedAt is when the outcome became certain; zero before.
	FinishedAt time.Time

	request        request
	stage          threeDSStage
	idempotencyKey string
	// leaseUntil is set while a call is made that must not be made concurrently; pollAt is
	// when the acquirer is polled next, polls how often it was.
	leaseUntil, pollAt time.Time
	polls              int
}

// request is what the acquirer is called with besides the sum. It is stored, so that the same
// call can be repeated. A card or the token of a wallet is never stored.
type request struct {
	Language string `json:"language"`
	// ReceiptLanguage is the brand's own, which its fiscal register prints.
	ReceiptLanguage lang.Lang `json:"receipt_language,omitempty"`
	// Origin is scheme and host of the site, City the alias of the city.
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
	// when it was sent with the first call.
	SentAt time.Time    `json:"sent_at,omitzero"`
	Fiscal *site.Fiscal `json:"fiscal,omitempty"`
}

// threeDSStage is how much of 3-D Secure was submitted to the acquirer. The values are stored.
type threeDSStage string

const (
	nothingSubmitted threeDSStage = ""
	methodSubmitted  threeDSStage = "method" // the hidden step of version 2 has ended
	resultSubmitted  threeDSStage = "answer" // the result of the bank's page was submitted
)

// IsActive reports whether the customer may still finish the attempt.
func (a Attempt) IsActive() bool { return a.State == Starting || a.State == Pending }

// IsMismatch reports whether another sum was taken, which is refunded.
func (a Attempt) IsMismatch() bool { return a.State == Disputed && a.OtherSum.Amount > 0 }

// isUnclear reports whether another sum was taken and the acquirer did not say which.
func (a Attempt) isUnclear() bool { return a.State == Disputed && a.OtherSum.Amount == 0 }

// takenSum returns what the acquirer took, zero as long as that is not certain.
func (a Attempt) takenSum() acquiring.Sum {
	if a.State == Paid {
		return a.Sum
	}
	return a.OtherSum
}

// boughtNothing reports whether the attempt is over without having paid for the order.
func (a Attempt) boughtNothing() bool { return a.State == Failed || a.IsMismatch() }

// allowsAnother reports whether another attempt may be made now. It may not while this one is
// active, nor after it took money.
func (a Attempt) allowsAnother() bool {
	return !a.IsActive() && a.State != Paid && a.State != Disputed
}

// isPolled reports whether the acquirer is still going to be polled.
func (a Attempt) isPolled() bool { return !a.pollAt.IsZero() }

// isStale reports whether the call that takes the money was made so long ago that another
// attempt may follow. That call is the one with the card, if the card was sent later.
func (a Attempt) isStale(now time.Time) bool {
	sent := a.StartedAt
	if a.request.SentAt.After(sent) {
		sent = a.request.SentAt
	}
	return !now.Before(sent.Add(staleAfter))
}

// Lookup names the attempt to its acquirer.
func (a Attempt) Lookup() acquiring.Lookup {
	return acquiring.Lookup{Ref: a.Ref, ID: a.ID, Started: a.StartedAt}
}

// Payer returns the customer in the form that acquirers take.
func (a Attempt) Payer() acquiring.Customer {
	return acquiring.Customer{
		Phone: a.request.Phone, Email: a.request.Email, Name: a.request.Name, Address: a.request.Address,
		UserAgent: a.request.UserAgent, Mobile: a.request.IsMobile,
	}
}

// PayRequest is what a customer sends to pay.
type PayRequest struct {
	OrderID     int64
	CacheKey    string
	PaymentType string
	// Token is the cryptogram of the card or the token of a wallet.
	Token       acquiring.Secret
	VerifyParam string
	// Email is where the receipt goes, Phone whom SberPay asks; both may be empty.
	Email, Phone string
	IsMobile     bool
	// Origin is scheme and host of the site, Address and UserAgent are the customer's.
	Origin, Address, UserAgent string
}

// ThreeDSResult is what came back from 3-D Secure; all but the order may be empty.
type ThreeDSResult struct {
	OrderID     int64
	CacheKey    string
	PaymentID   acquiring.ID
	PaRes, CRes acquiring.Secret
	MethodDone  bool
	IsLast      bool
}

// RefundState is the state of a refund. The set is closed; the values are stored.
type RefundState string

// The states of a refund.
const (
	// RefundWaiting: stored, the acquirer was not called yet.
	RefundWaiting RefundState = "waiting"
	// RefundRunning: the acquirer was called, and is called under the same id until the
	// outcome is certain.
	RefundRunning RefundState = "running"
	RefundDone    RefundState = "done"
	// RefundFailed: certainly not refunded.
	RefundFailed RefundState = "failed"
)

// isOpen reports whether the money of such a refund still has to be returned.
func (s RefundState) isOpen() bool { return s == RefundWaiting || s == RefundRunning }

// RefundCause is why money is returned. The set is closed; the values are stored.
type RefundCause string

// The causes of a refund.
const (
	ByOperator   RefundCause = "operator"
	OnCancel     RefundCause = "canceled"  // a paid order was canceled
	PaidLate     RefundCause = "late"      // paid after the order was canceled
	PaidTwice    RefundCause = "duplicate" // another attempt had paid already
	OnCorrection RefundCause = "corrected" // the order has become cheaper
	Mismatch     RefundCause = "mismatch"  // another sum or currency was taken than requested
)

// Bearer is whose money a refund is in the end. The set is closed; the values are stored and go
// over the wire. The zero value means [Restaurant].
type Bearer string

// Who bears a refund.
const (
	Restaurant     Bearer = "restaurant"
	CourierService Bearer = "courier_service"
	Platform       Bearer = "platform"
)

// RefundRequest is what an operator refunds: one of all that is left, some lines, and an amount. Key
// is an idempotency key.
type RefundRequest struct {
	Key    string       `json:"key"`
	Reason string       `json:"reason"`
	All    bool         `json:"all"`
	Lines  []RefundLine `json:"lines"`
	Amount money.Amount `json:"amount,omitempty"`
	Bearer Bearer       `json:"bearer,omitempty"`
	// Owed says that the money of an order paid on receipt still has to be handed back.
	Owed bool `json:"owed,omitempty"`
	// Actor names who asks for it; it may be empty.
	Actor string `json:"-"`
}

// RefundLine is a number of items of a part of the order, by the key of the part. It is a share of
// the price of all items when Count is 0.
type RefundLine struct {
	Key   string `json:"key"`
	Count int    `json:"count"`
	// Amount is what is refunded for them. It is computed, never read from a request.
	Amount money.Amount `json:"amount,omitempty"`
}

// Refund is money that is returned.
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
	// AfterClosing is set when a closing receipt has these lines: they were handed over.
	AfterClosing bool
	Bearer       Bearer
	// Actor is the operator who asked for it, empty for none.
	Actor string

	// calls is how often the acquirer was called for it; attempt counts the refunds of the
	// same money, of which all but the last certainly failed.
	calls, attempt int64
	// callAt is when the acquirer is to be called.
	callAt time.Time
}
