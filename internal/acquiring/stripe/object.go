package stripe

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/money"
)

const (
	sessionPrefix = "cs_"
	intentPrefix  = "pi_"
)

// currencies are those whose smallest unit is a hundredth here and there. Stripe has
// others without decimals, where the same digits would be a hundred times the sum.
var currencies = map[string]bool{"EUR": true, "GBP": true, "PLN": true, "USD": true}

// formatMinor returns an amount as the API takes it, in hundredths.
func formatMinor(a money.Amount) string { return strconv.FormatInt(int64(a), 10) }

// readSum returns a sum of the API. It returns an error of kind [acquiring.Lost] when the sum is
// not above zero or the currency is unknown.
func readSum(amount int64, currency string) (acquiring.Sum, error) {
	c, err := money.ParseCurrency(strings.ToUpper(currency))
	if err != nil || amount <= 0 {
		return acquiring.Sum{}, callError("payment", acquiring.Lost, "sum")
	}
	return acquiring.Sum{Amount: money.Amount(amount), Currency: c}, nil
}

type metadata struct {
	PaymentID string `json:"payment_id"`
	// Via is checkout for payments of a page, whose name is that of the page.
	Via string `json:"via"`
}

// intent is Stripe's payment intent.
type intent struct {
	ID       string   `json:"id"`
	Status   string   `json:"status"`
	Amount   int64    `json:"amount"`
	Currency string   `json:"currency"`
	Metadata metadata `json:"metadata"`
	Action   struct {
		Redirect struct {
			URL string `json:"url"`
		} `json:"redirect_to_url"`
	} `json:"next_action"`
	Error *struct {
		Code    string `json:"code"`
		Decline string `json:"decline_code"`
	} `json:"last_payment_error"`
	Charge expanded[struct {
		Refunded int64 `json:"amount_refunded"`
	}] `json:"latest_charge"`
}

// expanded is an object within another one. It is nil where the answer has only the object's id: that
// depends on what was asked for, and for some objects on the API's version.
type expanded[T any] struct{ Object *T }

// UnmarshalJSON reads the object. When the answer has only the object's id, a string, it leaves Object
// nil.
func (e *expanded[T]) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return nil
	}
	return json.Unmarshal(data, &e.Object)
}

// toEvent returns the event of a payment intent. It returns an error of kind [acquiring.Lost]
// when the sum cannot be read or the status is unknown.
func (p *intent) toEvent() (acquiring.Event, error) {
	total, err := readSum(p.Amount, p.Currency)
	if err != nil || !acquiring.IsPlainRef(p.ID) {
		return acquiring.Event{}, callError("payment", acquiring.Lost, "intent")
	}
	e := acquiring.Event{Ref: p.ID, ID: acquiring.ID(p.Metadata.PaymentID), Sum: total}
	switch p.Status {
	case "succeeded":
		e.State = acquiring.Paid
		if p.Charge.Object != nil {
			e.Refunded = money.Amount(p.Charge.Object.Refunded)
		}
	case "requires_capture":
		e.State = acquiring.Held
	case "canceled":
		e.State, e.Reason = acquiring.Failed, acquiring.Canceled
		p.addReason(&e)
	case "requires_payment_method":
		e.State = acquiring.Pending
		p.addReason(&e)
	case "requires_confirmation", "requires_action", "processing":
		e.State = acquiring.Pending
	default:
		return acquiring.Event{}, callError("payment", acquiring.Lost, acquiring.CleanCode(p.Status))
	}
	return e, nil
}

// addReason adds to the event why the last try failed, if one did.
func (p *intent) addReason(e *acquiring.Event) {
	if p.Error == nil {
		return
	}
	word := p.Error.Decline
	if word == "" {
		word = p.Error.Code
	}
	e.Reason, e.Code = reasonOf(word), acquiring.CleanCode(word)
}

// session is a page of Stripe's.
type session struct {
	ID            string           `json:"id"`
	URL           string           `json:"url"`
	Status        string           `json:"status"`
	PaymentStatus string           `json:"payment_status"`
	Amount        int64            `json:"amount_total"`
	Currency      string           `json:"currency"`
	Metadata      metadata         `json:"metadata"`
	Intent        expanded[intent] `json:"payment_intent"`
}

// toEvent returns the event of a checkout page. It returns an error of kind [acquiring.Lost]
// when the sum cannot be read or the status is unknown.
func (s *session) toEvent() (acquiring.Event, error) {
	total, err := readSum(s.Amount, s.Currency)
	if err != nil || !acquiring.IsPlainRef(s.ID) {
		return acquiring.Event{}, callError("payment", acquiring.Lost, "session")
	}
	e := acquiring.Event{Ref: s.ID, ID: acquiring.ID(s.Metadata.PaymentID), Sum: total}
	switch {
	case s.Status == "complete" && s.PaymentStatus == "paid":
		e.State = acquiring.Paid
		if p := s.Intent.Object; p != nil && p.Charge.Object != nil {
			e.Refunded = money.Amount(p.Charge.Object.Refunded)
		}
	case s.Status == "open", s.Status == "complete":
		e.State = acquiring.Pending
		if p := s.Intent.Object; p != nil && s.Status == "open" {
			p.addReason(&e)
		}
	case s.Status == "expired":
		e.State, e.Reason, e.Code = acquiring.Failed, acquiring.Expired, "expired"
	default:
		return acquiring.Event{}, callError("payment", acquiring.Lost, acquiring.CleanCode(s.Status))
	}
	return e, nil
}

// errorCode returns the code, or else the type, of the error in an answer, fit for logs.
func errorCode(answer call.Answer) string {
	var e struct {
		Error struct {
			Type string `json:"type"`
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = answer.ReadJSON(&e) // the status says enough
	if e.Error.Code == "" {
		return acquiring.CleanCode(e.Error.Type)
	}
	return acquiring.CleanCode(e.Error.Code)
}

var reasons = map[string]acquiring.Reason{
	"insufficient_funds": acquiring.InsufficientFunds, "withdrawal_count_limit_exceeded": acquiring.LimitExceeded,
	"card_velocity_exceeded": acquiring.LimitExceeded, "amount_too_large": acquiring.LimitExceeded,
	"incorrect_number": acquiring.CardNumber, "invalid_number": acquiring.CardNumber, "invalid_account": acquiring.CardNumber,
	"expired_card": acquiring.CardExpiry, "invalid_expiry_month": acquiring.CardExpiry, "invalid_expiry_year": acquiring.CardExpiry,
	"incorrect_cvc": acquiring.CardCode, "invalid_cvc": acquiring.CardCode,
	"authentication_required": acquiring.ThreeDSFailed, "payment_intent_authentication_failure": acquiring.ThreeDSFailed,
	"lost_card": acquiring.Restricted, "stolen_card": acquiring.Restricted, "pickup_card": acquiring.Restricted, "restricted_card": acquiring.Restricted,
	"card_not_supported": acquiring.Restricted, "currency_not_supported": acquiring.Restricted, "transaction_not_allowed": acquiring.Restricted,
	"fraudulent": acquiring.Fraud, "merchant_blacklist": acquiring.Fraud,
	"issuer_not_available": acquiring.BankAway, "processing_error": acquiring.BankAway, "reenter_transaction": acquiring.BankAway, "try_again_later": acquiring.BankAway,
}

// reasonOf returns the reason for a decline code of the acquirer, BankDeclined for an unknown
// one.
func reasonOf(word string) acquiring.Reason {
	if r, ok := reasons[word]; ok {
		return r
	}
	return acquiring.BankDeclined
}

var locales = map[string]bool{"de": true, "en": true, "ru": true, "tr": true}

// checkoutForm returns the form that opens a checkout page. Stripe keeps a page open for at
// least half an hour, longer than an order waits; [Acquirer.CancelPayment] closes it.
func checkoutForm(in acquiring.Intent) url.Values {
	f := url.Values{}
	f.Set("mode", "payment")
	f.Set("line_items[0][quantity]", "1")
	f.Set("line_items[0][price_data][currency]", strings.ToLower(in.Sum.Currency.Code))
	f.Set("line_items[0][price_data][unit_amount]", formatMinor(in.Sum.Amount))
	f.Set("line_items[0][price_data][product_data][name]", acquiring.CutText(in.Description, 200))
	f.Set("client_reference_id", string(in.ID))
	f.Set("metadata[payment_id]", string(in.ID))
	f.Set("payment_intent_data[metadata][payment_id]", string(in.ID))
	f.Set("payment_intent_data[metadata][via]", "checkout")
	f.Set("payment_intent_data[description]", acquiring.CutText(in.Description, 200))
	f.Set("success_url", in.ReturnURL)
	f.Set("cancel_url", in.ReturnURL)
	if in.FailURL != "" {
		f.Set("cancel_url", in.FailURL)
	}
	const leastOpen = 35 * time.Minute // what Stripe demands, with a margin for its clock
	f.Set("expires_at", strconv.FormatInt(in.Deadline.Add(leastOpen).Unix(), 10))
	if in.Customer.Email != "" {
		f.Set("customer_email", in.Customer.Email)
	}
	if locales[in.Language] {
		f.Set("locale", in.Language)
	}
	return f
}

// chargeForm returns the form that charges the payment method which Stripe's script has made.
func chargeForm(in acquiring.Intent) url.Values {
	f := url.Values{}
	f.Set("amount", formatMinor(in.Sum.Amount))
	f.Set("currency", strings.ToLower(in.Sum.Currency.Code))
	f.Set("payment_method", in.Token.Reveal())
	f.Set("confirm", "true")
	f.Set("automatic_payment_methods[enabled]", "true")
	f.Set("return_url", in.ReturnURL)
	f.Set("description", acquiring.CutText(in.Description, 200))
	f.Set("metadata[payment_id]", string(in.ID))
	if in.Customer.Email != "" {
		f.Set("receipt_email", in.Customer.Email)
	}
	return f
}
