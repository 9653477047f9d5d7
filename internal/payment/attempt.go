package payment

import (
	"time"

	"servery/internal/acquiring"
	"servery/internal/fault"
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

	// Call is what the acquirer was called with, Stage what of 3-D Secure was submitted.
	Call  Call
	Stage ThreeDSStage
	// IdempotencyKey is that of the request that began the attempt.
	IdempotencyKey string
	// LeaseUntil is set while a call is made that must not be made concurrently; PollAt is
	// when the acquirer is polled next, Polls how often it was.
	LeaseUntil, PollAt time.Time
	Polls              int
}

// Call is what the acquirer is called with besides the sum. It is stored, so that the same
// call can be repeated. A card or the token of a wallet is never stored.
type Call struct {
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

// ThreeDSStage is how much of 3-D Secure was submitted to the acquirer. The values are stored.
type ThreeDSStage string

const (
	nothingSubmitted ThreeDSStage = ""
	methodSubmitted  ThreeDSStage = "method" // the hidden step of version 2 has ended
	resultSubmitted  ThreeDSStage = "answer" // the result of the bank's page was submitted
)

// IsActive reports whether the customer may still finish the attempt.
func (a Attempt) IsActive() bool { return a.State == Starting || a.State == Pending }

// IsMismatch reports whether another sum was taken, which is refunded.
func (a Attempt) IsMismatch() bool { return a.State == Disputed && a.OtherSum.Amount > 0 }

// IsUnclear reports whether another sum was taken and the acquirer did not say which.
func (a Attempt) IsUnclear() bool { return a.State == Disputed && a.OtherSum.Amount == 0 }

// TakenSum returns what the acquirer took, zero as long as that is not certain.
func (a Attempt) TakenSum() acquiring.Sum {
	if a.State == Paid {
		return a.Sum
	}
	return a.OtherSum
}

// BoughtNothing reports whether the attempt is over without having paid for the order.
func (a Attempt) BoughtNothing() bool { return a.State == Failed || a.IsMismatch() }

// AllowsAnother reports whether another attempt may be made now. It may not while this one is
// active, nor after it took money.
func (a Attempt) AllowsAnother() bool {
	return !a.IsActive() && a.State != Paid && a.State != Disputed
}

// Lookup names the attempt to its acquirer.
func (a Attempt) Lookup() acquiring.Lookup {
	return acquiring.Lookup{Ref: a.Ref, ID: a.ID, Started: a.StartedAt}
}

// Payer returns the customer in the form that acquirers take.
func (a Attempt) Payer() acquiring.Customer {
	return acquiring.Customer{
		Phone: a.Call.Phone, Email: a.Call.Email, Name: a.Call.Name, Address: a.Call.Address,
		UserAgent: a.Call.UserAgent, Mobile: a.Call.IsMobile,
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
	// MethodDone says that the hidden step of version 2 has ended.
	MethodDone bool
	// IsLast says that the page does not ask for the outcome again.
	IsLast bool
}

// AwaitsCard reports whether the attempt is prepared for a card and the request has one.
func (a Attempt) AwaitsCard(r PayRequest) bool {
	return a.State == Pending && a.Next.Kind == acquiring.Prepared && r.Token != ""
}

// Intent returns what the acquirer is called with. It is the same in each call, because it
// follows from what is stored; only token and verifyParam come with the call and are not stored.
func (a Attempt) Intent(bill Bill, token acquiring.Secret, verifyParam string) acquiring.Intent {
	back := a.Call.Origin + "/" + a.Call.City + "/order/payment/" + bill.CacheKey
	return acquiring.Intent{
		ID: a.ID, Sum: a.Sum, Method: a.Method, Language: a.Call.Language,
		Description: lang.T(lang.Lang(a.Call.Language), "pay.description", fault.Args{"order": bill.OrderID}),
		Customer:    a.Payer(),
		ReturnURL:   back + "?back=1", FailURL: back + "?back=fail",
		CallbackURL: a.Call.Origin + "/api/callback/" + a.Account,
		TermURL:     a.Call.Origin + "/api/order/3ds/" + string(a.ID),
		Started:     a.StartedAt, Deadline: a.Deadline, Token: token, VerifyParam: verifyParam, Receipt: a.PaymentReceipt(bill),
	}
}

// StageOf returns the stage of 3-D Secure that a result completes, and false when there is
// nothing to submit. A request without a result completes the hidden step of version 2.
func (a Attempt) StageOf(r ThreeDSResult) (ThreeDSStage, bool) {
	kind := a.Next.Kind
	is3DS := kind == acquiring.ThreeDS1 || kind == acquiring.ThreeDS2
	switch {
	case a.State != Pending || a.Stage == resultSubmitted || !is3DS:
		return "", false
	case r.PaRes != "" || r.CRes != "":
		return resultSubmitted, true
	}
	return methodSubmitted, kind == acquiring.ThreeDS2 && a.Next.ThreeDS.MethodURL != "" && a.Stage == nothingSubmitted
}

// TypeOf returns the payment type that a method belongs to.
func TypeOf(m acquiring.Method) string {
	if m == acquiring.CardForm {
		return site.CardOnline
	}
	return m.String()
}
