package yookassa

import (
	"servery/internal/money"
	"servery/internal/pay"
)

type amount struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
}

func amountOf(s pay.Sum) amount {
	return amount{Value: pay.Decimal(s.Amount), Currency: s.Currency.Code}
}

func (a amount) sum() (pay.Sum, error) {
	value, err := pay.ParseDecimal(a.Value)
	if err != nil {
		return pay.Sum{}, err
	}
	currency, err := money.ParseCurrency(a.Currency)
	return pay.Sum{Amount: value, Currency: currency}, err
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

// event reads what the object says. Its status decides, never its field paid, which is
// true already while money is only held.
func (o object) event() (pay.Event, error) {
	unreadable := &pay.Error{Acquirer: Name, Op: "payment", Kind: pay.Lost, Code: pay.CleanCode(o.Status)}
	sum, err := o.Amount.sum()
	if err != nil || !pay.PlainRef(o.ID) {
		return pay.Event{}, unreadable
	}
	e := pay.Event{Ref: o.ID, ID: pay.ID(o.Metadata.PaymentID), Sum: sum}
	if o.Refunded != nil {
		refunded, err := o.Refunded.sum()
		if err != nil || refunded.Currency != sum.Currency {
			return pay.Event{}, unreadable
		}
		e.Refunded = refunded.Amount
	}
	switch o.Status {
	case "pending":
		e.State = pay.Pending
	case "waiting_for_capture":
		e.State = pay.Held
	case "succeeded":
		e.State = pay.Paid
	case "canceled":
		e.State, e.Reason, e.Code = pay.Failed, reason(o.Details.Reason), pay.CleanCode(o.Details.Reason)
	default:
		return pay.Event{}, unreadable
	}
	return e, nil
}

// refund is a refund of the API, or the error in its place.
type refund struct {
	ID      string  `json:"id"`
	Status  string  `json:"status"`
	Payment string  `json:"payment_id"`
	Code    string  `json:"code"`
	Details details `json:"cancellation_details"`
}

func (o refund) refunded(r pay.Refund) pay.Refunded {
	if o.Payment == r.Of.Ref {
		switch o.Status {
		case "succeeded":
			return pay.Refunded{State: pay.RefundDone, Ref: o.ID}
		case "pending":
			return pay.Refunded{State: pay.RefundPending, Ref: o.ID}
		case "canceled":
			return pay.Refunded{State: pay.RefundFailed, Ref: o.ID, Code: pay.CleanCode(o.Details.Reason)}
		}
	}
	return pay.Refunded{State: pay.RefundUnknown}
}

var reasons = map[string]pay.Reason{
	"3d_secure_failed":              pay.ThreeDSFailed,
	"call_issuer":                   pay.BankDeclined,
	"canceled_by_merchant":          pay.Withdrawn,
	"card_expired":                  pay.CardExpiry,
	"country_forbidden":             pay.Restricted,
	"deal_expired":                  pay.Expired,
	"expired_on_capture":            pay.Expired,
	"expired_on_confirmation":       pay.Expired,
	"fraud_suspected":               pay.Fraud,
	"general_decline":               pay.BankDeclined,
	"identification_required":       pay.LimitExceeded,
	"insufficient_funds":            pay.InsufficientFunds,
	"internal_timeout":              pay.BankAway,
	"invalid_card_number":           pay.CardNumber,
	"invalid_csc":                   pay.CardCode,
	"issuer_unavailable":            pay.BankAway,
	"payment_method_limit_exceeded": pay.LimitExceeded,
	"payment_method_restricted":     pay.Restricted,
	"permission_revoked":            pay.CustomerCancelled,
	"unsupported_mobile_operator":   pay.Restricted,
}

func reason(code string) pay.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	return pay.BankDeclined
}

var locales = map[string]string{"ru": "ru_RU"}

func payment(in pay.Intent) map[string]any {
	method := map[string]any{}
	confirmation := map[string]any{"type": "redirect", "return_url": in.ReturnURL, "locale": "en_US"}
	if l, ok := locales[in.Language]; ok {
		confirmation["locale"] = l
	}
	switch in.Method {
	case pay.SBP:
		method["type"] = "sbp"
	case pay.SberPay:
		method["type"] = "sberbank"
		if phone := in.Customer.RussianPhone(); phone != "" {
			// The bank's program asks on the customer's telephone; there is no page.
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
		"description":         pay.Cut(in.Description, 128),
		"metadata":            map[string]string{"payment_id": string(in.ID)},
	}
	if in.Customer.Address != "" {
		body["client_ip"] = in.Customer.Address
	}
	if len(in.Receipt.Lines) > 0 {
		body["receipt"] = receipt(in.Receipt, in.Sum.Currency.Code)
	}
	return body
}

// vatCodes are YooKassa's own numbers; Sber's are others.
var vatCodes = map[pay.VAT]int{
	pay.NoVAT: 1, pay.VAT0: 2, pay.VAT10: 3, pay.VAT20: 4, pay.VATOf10: 5, pay.VATOf20: 6,
	pay.VAT5: 7, pay.VAT7: 8, pay.VATOf5: 9, pay.VATOf7: 10, pay.VAT22: 11, pay.VATOf22: 12,
}

var taxSystems = map[pay.TaxSystem]int{
	pay.TaxGeneral: 1, pay.TaxSimpleIncome: 2, pay.TaxSimpleProfit: 3, pay.TaxFarm: 5, pay.TaxPatent: 6,
}

func receipt(r pay.Receipt, currency string) map[string]any {
	items := make([]map[string]any, 0, len(r.Lines))
	for _, l := range r.Lines {
		subject := "commodity"
		if l.Service {
			subject = "service"
		}
		items = append(items, map[string]any{
			"description": pay.Cut(l.Name, 128),
			"quantity":    l.Count,
			// Of one piece, not of the line.
			"amount":          amount{Value: pay.Decimal(l.Unit), Currency: currency},
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
