package cardform

import (
	"encoding/json"
	"strconv"
	"time"

	"servery/internal/money"
	"servery/internal/pay"
)

// decimal writes a sum as the number that the API wants, digit by digit.
func decimal(a money.Amount) json.Number { return json.Number(pay.Decimal(a)) }

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

func (m *model) ref() string { return strconv.FormatInt(m.TransactionID, 10) }

// event reads what a payment is; Absent stands for what cannot be read. The id is used
// where an answer repeats none.
func (m *model) event(id pay.ID) pay.Event {
	e := pay.Event{Ref: m.ref(), ID: pay.ID(m.InvoiceID)}
	if e.ID == "" {
		e.ID = id
	}
	amount, err := pay.ParseDecimal(m.Amount.String())
	currency, unknown := money.ParseCurrency(m.Currency)
	if err != nil || unknown != nil || m.TransactionID <= 0 {
		return pay.Event{}
	}
	e.Sum = pay.Sum{Amount: amount, Currency: currency}
	switch m.Status {
	case "Completed":
		e.State = pay.Paid
	case "Authorized":
		e.State = pay.Held
	case "Declined":
		e.State, e.Reason, e.Code = pay.Failed, reason(m.ReasonCode), strconv.Itoa(m.ReasonCode)
	case "Cancelled":
		e.State, e.Reason = pay.Failed, pay.Withdrawn
	case "":
		return pay.Event{}
	default:
		// AwaitingAuthentication, and words that a link may have before it is paid.
		e.State = pay.Pending
	}
	return e
}

// charged reads the answer to a charge: 3-D Secure is wanted, or the payment's state.
func (e envelope) charged(in pay.Intent) pay.Next {
	m := e.Model
	if m.TransactionID <= 0 {
		return pay.Next{Kind: pay.Unknown}
	}
	if !*e.Success && m.AcsURL != "" && m.PaReq != "" {
		return pay.Next{Kind: pay.ThreeDS1, Ref: m.ref(), ThreeDS: pay.ThreeDS{
			ACSURL: m.AcsURL, MD: m.ref(), PaReq: m.PaReq, TermURL: in.TermURL, Framed: m.IFrameAllowed,
		}}
	}
	event := m.event(in.ID)
	if event.ID != in.ID || *e.Success == (event.State == pay.Failed) {
		return pay.Next{Kind: pay.Unknown, Ref: m.ref()}
	}
	return pay.Outcome(event)
}

// link reads the answer to the wish for a link.
func (e envelope) link(in pay.Intent) pay.Next {
	m := e.Model
	if m.TransactionID <= 0 || !*e.Success || m.QrURL == "" {
		return pay.Next{Kind: pay.Unknown}
	}
	if m.InvoiceID != "" && m.InvoiceID != string(in.ID) {
		return pay.Next{Kind: pay.Unknown}
	}
	return pay.Next{Kind: pay.MobileLink, Ref: m.ref(), URL: m.QrURL, QR: m.QrURL}
}

var reasons = map[int]pay.Reason{
	5004: pay.Restricted, 5007: pay.Restricted, 5013: pay.Refused, 5014: pay.CardNumber, 5015: pay.CardNumber,
	5017: pay.CustomerCancelled, 5019: pay.BankAway, 5030: pay.BankAway, 5031: pay.BankAway, 5033: pay.CardExpiry,
	5034: pay.Fraud, 5036: pay.Restricted, 5041: pay.Restricted, 5043: pay.Restricted, 5051: pay.InsufficientFunds,
	5054: pay.CardExpiry, 5057: pay.Restricted, 5058: pay.Restricted, 5059: pay.Fraud, 5061: pay.LimitExceeded,
	5062: pay.Restricted, 5063: pay.Restricted, 5065: pay.LimitExceeded, 5082: pay.CardCode, 5091: pay.BankAway,
	5092: pay.BankAway, 5096: pay.BankAway, 5206: pay.ThreeDSFailed, 5207: pay.ThreeDSFailed, 5300: pay.Fraud,
}

func reason(code int) pay.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	if code >= 3000 && code < 4000 { // what we answered to Check
		return pay.Withdrawn
	}
	return pay.BankDeclined
}

var cultures = map[string]string{"ru": "ru-RU", "en": "en-US", "uk": "uk", "tr": "tr-TR"}

func (a *Acquirer) charge(in pay.Intent) map[string]any {
	body := map[string]any{
		"Amount": decimal(in.Sum.Amount), "Currency": in.Sum.Currency.Code, "IpAddress": in.Customer.Address,
		"CardCryptogramPacket": in.Token.Reveal(), "InvoiceId": string(in.ID), "Description": pay.Cut(in.Description, 200),
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
		body["JsonData"] = receipt(in.Receipt)
	}
	return body
}

func (a *Acquirer) link(in pay.Intent) map[string]any {
	device := "DesktopWeb"
	if in.Customer.Mobile {
		device = "Mobile"
	}
	body := map[string]any{
		"PublicId": a.config.PublicID, "Amount": decimal(in.Sum.Amount), "Currency": in.Sum.Currency.Code, "Scheme": "charge",
		"InvoiceId": string(in.ID), "Description": pay.Cut(in.Description, 200), "Device": device,
		// Three days without it.
		"TtlMinutes": in.Window(time.Minute),
	}
	if len(in.ReturnURL) <= 1024 {
		body["SuccessRedirectUrl"] = in.ReturnURL
	}
	if in.Customer.Address != "" {
		body["IpAddress"] = in.Customer.Address
	}
	if len(in.Receipt.Lines) > 0 {
		body["JsonData"] = receipt(in.Receipt)
	}
	return body
}

// vatCodes are percents, and 100 and the percent for a tax that is part of the sum; no
// tax is null.
var vatCodes = map[pay.VAT]int{
	pay.VAT0: 0, pay.VAT5: 5, pay.VAT7: 7, pay.VAT10: 10, pay.VAT20: 20, pay.VAT22: 22,
	pay.VATOf5: 105, pay.VATOf7: 107, pay.VATOf10: 110, pay.VATOf20: 120, pay.VATOf22: 122,
}

// taxSystems begin with 0, other than those of other acquirers.
var taxSystems = map[pay.TaxSystem]int{
	pay.TaxGeneral: 0, pay.TaxSimpleIncome: 1, pay.TaxSimpleProfit: 2, pay.TaxFarm: 4, pay.TaxPatent: 5,
}

// methods are the numbers of tag 1214.
var methods = map[pay.ReceiptMode]int{pay.FullPrepayment: 1, pay.FullPayment: 4}

// receipt is the fiscal receipt as it travels beside a payment. Its object 1 is a thing, 4 a
// service.
func receipt(r pay.Receipt) map[string]any {
	items := make([]map[string]any, 0, len(r.Lines))
	for _, l := range r.Lines {
		item := map[string]any{
			"label": pay.Cut(l.Name, 128), "price": decimal(l.Unit), "quantity": l.Count, "amount": decimal(l.Total()),
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
	body := map[string]any{"Items": items, "amounts": map[string]any{"electronic": decimal(r.Total())}}
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
