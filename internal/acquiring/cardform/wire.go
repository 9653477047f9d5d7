package cardform

import (
	"encoding/json"
	"strconv"
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// toDecimal returns a sum as the number that the API takes, written digit by digit.
func toDecimal(a money.Amount) json.Number { return json.Number(acquiring.Decimal(a)) }

// envelope is every answer. Success is not the state of a payment: it is false, too, when
// the bank wants 3-D Secure.
type envelope struct {
	Success *bool
	Message string
	Model   *model
}

type model struct {
	TransactionID int64 `json:"TransactionId"`
	Amount        json.Number
	Currency      string
	InvoiceID     string `json:"InvoiceId"`
	Status        string
	Reason        string
	ReasonCode    int
	PaReq         string
	AcsURL        string `json:"AcsUrl"`
	IFrameAllowed bool   `json:"IFrameIsAllowed"`
	QrURL         string `json:"QrUrl"`
}

// transaction is a payment or a refund. Type is typeRefund for a refund, whose OriginalID is the number of
// its payment.
type transaction struct {
	model

	Type       int
	OriginalID int64 `json:"OriginalTransactionId"`
}

// typeRefund is the type of a transaction that is a refund.
const typeRefund = 1

// transactionRef returns the number of the transaction as a reference.
func (m *model) transactionRef() string { return strconv.FormatInt(m.TransactionID, 10) }

// isRefund reports whether the transaction is a refund of the sum, made of the payment with the number.
func (t *transaction) isRefund(payment int64, sum acquiring.Sum) bool {
	const noOtherID = "" // the payment is found by its number
	refund := t.toEvent(noOtherID)
	return t.Type == typeRefund && t.OriginalID == payment && refund.State == acquiring.Paid && refund.Sum == sum
}

// toEvent returns the event of a payment. id is used when the answer does not name the payment.
// An answer without a state, a sum or a number has an event of state [acquiring.Absent].
func (m *model) toEvent(id acquiring.ID) acquiring.Event {
	e := acquiring.Event{Ref: m.transactionRef(), ID: acquiring.ID(m.InvoiceID)}
	if e.ID == "" {
		e.ID = id
	}
	amount, err := acquiring.ParseDecimal(m.Amount.String())
	currency, unknown := money.ParseCurrency(m.Currency)
	if err != nil || unknown != nil || m.TransactionID <= 0 {
		return acquiring.Event{}
	}
	e.Sum = acquiring.Sum{Amount: amount, Currency: currency}
	switch m.Status {
	case "Completed":
		e.State = acquiring.Paid
	case "Authorized":
		e.State = acquiring.Held
	case "Declined":
		e.State, e.Reason, e.Code = acquiring.Failed, reasonOf(m.ReasonCode), strconv.Itoa(m.ReasonCode)
	case "Cancelled":
		e.State, e.Reason = acquiring.Failed, acquiring.Canceled
	case "":
		return acquiring.Event{}
	default:
		// AwaitingAuthentication, and words that a link may have before it is paid.
		e.State = acquiring.Pending
	}
	return e
}

// readCharge returns what the answer to a charge means: 3-D Secure is required, or the payment's
// state. It returns [acquiring.Unknown] for an answer about another payment or one that
// contradicts itself.
func (e envelope) readCharge(in acquiring.Intent) acquiring.Next {
	m := e.Model
	if m.TransactionID <= 0 {
		return acquiring.Next{Kind: acquiring.Unknown}
	}
	if !*e.Success && m.AcsURL != "" && m.PaReq != "" {
		return acquiring.Next{Kind: acquiring.ThreeDS1, Ref: m.transactionRef(), ThreeDS: acquiring.ThreeDS{
			ACSURL: m.AcsURL, MD: m.transactionRef(), PaReq: m.PaReq, TermURL: in.TermURL, Framed: m.IFrameAllowed,
		}}
	}
	event := m.toEvent(in.ID)
	contradictsItself := *e.Success == (event.State == acquiring.Failed)
	if event.ID != in.ID || contradictsItself {
		return acquiring.Next{Kind: acquiring.Unknown, Ref: m.transactionRef()}
	}
	return acquiring.NextOfEvent(event)
}

// readLink returns the link that an answer has for the customer, and [acquiring.Unknown] when it
// has none or is about another payment.
func (e envelope) readLink(in acquiring.Intent) acquiring.Next {
	m := e.Model
	if m.TransactionID <= 0 || !*e.Success || m.QrURL == "" {
		return acquiring.Next{Kind: acquiring.Unknown}
	}
	if m.InvoiceID != "" && m.InvoiceID != string(in.ID) {
		return acquiring.Next{Kind: acquiring.Unknown}
	}
	return acquiring.Next{Kind: acquiring.MobileLink, Ref: m.transactionRef(), URL: m.QrURL, QR: m.QrURL}
}

var reasons = map[int]acquiring.Reason{
	5004: acquiring.Restricted, 5007: acquiring.Restricted, 5013: acquiring.Refused, 5014: acquiring.CardNumber, 5015: acquiring.CardNumber,
	5017: acquiring.CustomerCancelled, 5019: acquiring.BankAway, 5030: acquiring.BankAway, 5031: acquiring.BankAway, 5033: acquiring.CardExpiry,
	5034: acquiring.Fraud, 5036: acquiring.Restricted, 5041: acquiring.Restricted, 5043: acquiring.Restricted, 5051: acquiring.InsufficientFunds,
	5054: acquiring.CardExpiry, 5057: acquiring.Restricted, 5058: acquiring.Restricted, 5059: acquiring.Fraud, 5061: acquiring.LimitExceeded,
	5062: acquiring.Restricted, 5063: acquiring.Restricted, 5065: acquiring.LimitExceeded, 5082: acquiring.CardCode, 5091: acquiring.BankAway,
	5092: acquiring.BankAway, 5096: acquiring.BankAway, 5206: acquiring.ThreeDSFailed, 5207: acquiring.ThreeDSFailed, 5300: acquiring.Fraud,
}

// reasonOf returns the reason for a code of the acquirer, BankDeclined for an unknown one.
func reasonOf(code int) acquiring.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	if code >= 3000 && code < 4000 { // we refused the payment when the acquirer asked (Check)
		return acquiring.Canceled
	}
	return acquiring.BankDeclined
}

var cultures = map[string]string{"ru": "ru-RU", "en": "en-US", "uk": "uk", "tr": "tr-TR"}

// chargeBody returns the JSON body of the call that charges a card.
func (a *Acquirer) chargeBody(in acquiring.Intent) map[string]any {
	body := map[string]any{
		"Amount": toDecimal(in.Sum.Amount), "Currency": in.Sum.Currency.Code, "IpAddress": in.Customer.Address,
		"CardCryptogramPacket": in.Token.Reveal(), "InvoiceId": string(in.ID), "Description": acquiring.CutText(in.Description, 200),
	}
	if culture, ok := cultures[in.Language]; ok {
		body["CultureName"] = culture
	}
	for field, value := range map[string]string{"Email": in.Customer.Email, "Name": in.Customer.Name} {
		if value != "" {
			body[field] = value
		}
	}
	if len(in.Receipt.Lines) > 0 {
		body["JsonData"] = receiptBody(in.Receipt)
	}
	return body
}

// linkBody returns the JSON body of the call for a link to pay by SBP or SberPay. The link ends
// at the deadline.
func (a *Acquirer) linkBody(in acquiring.Intent) map[string]any {
	device := "DesktopWeb"
	if in.Customer.Mobile {
		device = "Mobile"
	}
	body := map[string]any{
		"PublicId": a.config.PublicID, "Amount": toDecimal(in.Sum.Amount), "Currency": in.Sum.Currency.Code, "Scheme": "charge",
		"InvoiceId": string(in.ID), "Description": acquiring.CutText(in.Description, 200), "Device": device,
		// Without it a link stays open for three days.
		"TtlMinutes": in.PaymentWindow(time.Minute),
	}
	if len(in.ReturnURL) <= 1024 { // the API refuses a longer one
		body["SuccessRedirectUrl"] = in.ReturnURL
	}
	if in.Customer.Address != "" {
		body["IpAddress"] = in.Customer.Address
	}
	if len(in.Receipt.Lines) > 0 {
		body["JsonData"] = receiptBody(in.Receipt)
	}
	return body
}

// vatCodes are percents, and 100 and the percent for a tax that is part of the sum; no
// tax is null.
var vatCodes = map[acquiring.VAT]int{
	acquiring.VAT0: 0, acquiring.VAT5: 5, acquiring.VAT7: 7, acquiring.VAT10: 10, acquiring.VAT20: 20, acquiring.VAT22: 22,
	acquiring.VATOf5: 105, acquiring.VATOf7: 107, acquiring.VATOf10: 110, acquiring.VATOf20: 120, acquiring.VATOf22: 122,
}

// taxSystems begin with 0, other than those of other acquirers.
var taxSystems = map[acquiring.TaxSystem]int{
	acquiring.TaxGeneral: 0, acquiring.TaxSimpleIncome: 1, acquiring.TaxSimpleProfit: 2, acquiring.TaxFarm: 4, acquiring.TaxPatent: 5,
}

// methods are the numbers of tag 1214.
var methods = map[acquiring.ReceiptMode]int{acquiring.FullPrepayment: 1, acquiring.FullPayment: 4}

// receiptBody returns the fiscal receipt in the form of the API, which is sent with a payment or
// a refund. Its object is 1 for goods and 4 for a service.
func receiptBody(r acquiring.Receipt) map[string]any {
	items := make([]map[string]any, 0, len(r.Lines))
	for _, l := range r.Lines {
		item := map[string]any{
			"label": acquiring.CutText(l.Name, 128), "price": toDecimal(l.Unit), "quantity": l.Count, "amount": toDecimal(l.Total()),
			"vat": nil, "method": methods[r.Mode], "object": 1,
		}
		if code, ok := vatCodes[l.VAT]; ok {
			item["vat"] = code
		}
		if l.Service {
			item["object"] = 4
		}
		items = append(items, item)
	}
	body := map[string]any{"Items": items, "amounts": map[string]any{"electronic": toDecimal(r.Total())}}
	if code, ok := taxSystems[r.Tax]; ok {
		body["taxationSystem"] = code
	}
	if r.Email != "" {
		body["email"] = r.Email
	}
	if r.Phone != "" {
		body["phone"] = "+" + r.Phone
	}
	return map[string]any{"cloudpayments": map[string]any{"CustomerReceipt": body}}
}
