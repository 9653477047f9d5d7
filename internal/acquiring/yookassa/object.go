package yookassa

import (
	"servery/internal/acquiring"
	"servery/internal/money"
)

type amount struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
}

// amountOf returns a sum as the API takes it, in major units.
func amountOf(s acquiring.Sum) amount {
	return amount{Value: acquiring.Decimal(s.Amount), Currency: s.Currency.Code}
}

// toSum returns the sum of an amount of the API. It returns an error when it cannot be read.
func (a amount) toSum() (acquiring.Sum, error) {
	value, err := acquiring.ParseDecimal(a.Value)
	if err != nil {
		return acquiring.Sum{}, err
	}
	currency, err := money.ParseCurrency(a.Currency)
	return acquiring.Sum{Amount: value, Currency: currency}, err
}

type details struct {
	Reason string `json:"reason"`
}

// object is a payment of the API.
type object struct {
	ID           string  `json:"id"`
	Status       string  `json:"status"`
	Amount       amount  `json:"amount"`
	Refunded     *amount `json:"refunded_amount"`
	Confirmation struct {
		Type string `json:"type"`
		URL  string `json:"confirmation_url"`
	} `json:"confirmation"`
	Details  details `json:"cancellation_details"`
	Metadata struct {
		PaymentID string `json:"payment_id"`
	} `json:"metadata"`
}

// toEvent returns the event of a payment. It returns an error of kind [acquiring.Lost] when a
// sum cannot be read or the status is unknown. The field paid is not used: it is true already
// while money is only held.
func (o object) toEvent() (acquiring.Event, error) {
	unreadable := &acquiring.Error{Acquirer: Name, Op: "payment", Kind: acquiring.Lost, Code: acquiring.CleanCode(o.Status)}
	sum, err := o.Amount.toSum()
	if err != nil || !acquiring.IsPlainRef(o.ID) {
		return acquiring.Event{}, unreadable
	}
	e := acquiring.Event{Ref: o.ID, ID: acquiring.ID(o.Metadata.PaymentID), Sum: sum}
	if o.Refunded != nil {
		refunded, err := o.Refunded.toSum()
		if err != nil || refunded.Currency != sum.Currency {
			return acquiring.Event{}, unreadable
		}
		e.Refunded = refunded.Amount
	}
	switch o.Status {
	case "pending":
		e.State = acquiring.Pending
	case "waiting_for_capture":
		e.State = acquiring.Held
	case "succeeded":
		e.State = acquiring.Paid
	case "canceled":
		e.State, e.Reason, e.Code = acquiring.Failed, reasonOf(o.Details.Reason), acquiring.CleanCode(o.Details.Reason)
	default:
		return acquiring.Event{}, unreadable
	}
	return e, nil
}

var reasons = map[string]acquiring.Reason{
	"3d_secure_failed":              acquiring.ThreeDSFailed,
	"call_issuer":                   acquiring.BankDeclined,
	"canceled_by_merchant":          acquiring.Canceled,
	"card_expired":                  acquiring.CardExpiry,
	"country_forbidden":             acquiring.Restricted,
	"deal_expired":                  acquiring.Expired,
	"expired_on_capture":            acquiring.Expired,
	"expired_on_confirmation":       acquiring.Expired,
	"fraud_suspected":               acquiring.Fraud,
	"general_decline":               acquiring.BankDeclined,
	"identification_required":       acquiring.LimitExceeded,
	"insufficient_funds":            acquiring.InsufficientFunds,
	"internal_timeout":              acquiring.BankAway,
	"invalid_card_number":           acquiring.CardNumber,
	"invalid_csc":                   acquiring.CardCode,
	"issuer_unavailable":            acquiring.BankAway,
	"payment_method_limit_exceeded": acquiring.LimitExceeded,
	"payment_method_restricted":     acquiring.Restricted,
	"permission_revoked":            acquiring.CustomerCancelled,
	"unsupported_mobile_operator":   acquiring.Restricted,
}

// reasonOf returns the reason for a code of the acquirer, BankDeclined for an unknown one.
func reasonOf(code string) acquiring.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	return acquiring.BankDeclined
}

var locales = map[string]string{"ru": "ru_RU"}

// paymentBody returns the JSON body that begins a payment. SberPay asks on the customer's phone
// when that is Russian; all other payments have a page to redirect to.
func paymentBody(in acquiring.Intent) map[string]any {
	method := map[string]any{}
	confirmation := map[string]any{"type": "redirect", "return_url": in.ReturnURL, "locale": "en_US"}
	if l, ok := locales[in.Language]; ok {
		confirmation["locale"] = l
	}
	switch in.Method {
	case acquiring.SBP:
		method["type"] = "sbp"
	case acquiring.SberPay:
		method["type"] = "sberbank"
		if phone := in.Customer.RussianPhone(); phone != "" {
			// The bank's program asks on the customer's phone; there is no page.
			method["phone"] = phone
			confirmation = map[string]any{"type": "external"}
		}
	default:
		method["type"] = "bank_card"
	}
	body := map[string]any{
		"amount": amountOf(in.Sum),
		// False would only hold the money, and SBP would refuse it.
		"capture":             true,
		"payment_method_data": method,
		"confirmation":        confirmation,
		"description":         acquiring.CutText(in.Description, 128),
		"metadata":            map[string]string{"payment_id": string(in.ID)},
	}
	if in.Customer.Address != "" {
		body["client_ip"] = in.Customer.Address
	}
	if len(in.Receipt.Lines) > 0 {
		body["receipt"] = receiptBody(in.Receipt, in.Sum.Currency.Code)
	}
	return body
}

// vatCodes are YooKassa's own numbers; Sber's are others.
var vatCodes = map[acquiring.VAT]int{
	acquiring.NoVAT: 1, acquiring.VAT0: 2, acquiring.VAT10: 3, acquiring.VAT20: 4, acquiring.VATOf10: 5, acquiring.VATOf20: 6,
	acquiring.VAT5: 7, acquiring.VAT7: 8, acquiring.VATOf5: 9, acquiring.VATOf7: 10, acquiring.VAT22: 11, acquiring.VATOf22: 12,
}

var taxSystems = map[acquiring.TaxSystem]int{
	acquiring.TaxGeneral: 1, acquiring.TaxSimpleIncome: 2, acquiring.TaxSimpleProfit: 3, acquiring.TaxFarm: 5, acquiring.TaxPatent: 6,
}

// receiptBody returns the fiscal receipt in the form of the API.
func receiptBody(r acquiring.Receipt, currency string) map[string]any {
	items := make([]map[string]any, 0, len(r.Lines))
	for _, l := range r.Lines {
		subject := "commodity"
		if l.Service {
			subject = "service"
		}
		items = append(items, map[string]any{
			"description": acquiring.CutText(l.Name, 128),
			"quantity":    l.Count,
			// Of one piece, not of the line.
			"amount":          amount{Value: acquiring.Decimal(l.Unit), Currency: currency},
			"vat_code":        vatCodes[l.VAT],
			"payment_mode":    r.Mode.String(),
			"payment_subject": subject,
			"measure":         "piece",
		})
	}
	customer := map[string]string{}
	if r.Email != "" {
		customer["email"] = r.Email
	}
	if r.Phone != "" {
		customer["phone"] = r.Phone
	}
	body := map[string]any{"customer": customer, "items": items}
	if code, ok := taxSystems[r.Tax]; ok {
		body["tax_system_code"] = code
	}
	return body
}
