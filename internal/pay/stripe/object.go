package stripe

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/money"
	"servery/internal/pay"
	"servery/internal/pay/call"
)

const (
	sessionPrefix = "cs_"
	intentPrefix  = "pi_"
)

// currencies are those whose smallest unit is a hundredth here and there. Stripe has
// others without decimals, where the same digits would be a hundred times the sum.
var currencies = map[string]bool{"EUR": true, "GBP": true, "PLN": true, "USD": true}

func minor(a money.Amount) string { return strconv.FormatInt(int64(a), 10) }

func sum(amount int64, currency string) (pay.Sum, error) {
	c, err := money.ParseCurrency(strings.ToUpper(currency))
	if err != nil || amount <= 0 {
		return pay.Sum{}, fail("payment", pay.Lost, "sum")
	}
	return pay.Sum{Amount: money.Amount(amount), Currency: c}, nil
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

// expanded is an object in its place, or nothing where only its name stands: that depends
// on what was asked for, and for some on the API's version.
type expanded[T any] struct{ Object *T }

// UnmarshalJSON reads an object and leaves a name out.
func (e *expanded[T]) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return nil
	}
	return json.Unmarshal(data, &e.Object)
}

func (p *intent) event() (pay.Event, error) {
	total, err := sum(p.Amount, p.Currency)
	if err != nil || !pay.PlainRef(p.ID) {
		return pay.Event{}, fail("payment", pay.Lost, "intent")
	}
	e := pay.Event{Ref: p.ID, ID: pay.ID(p.Metadata.PaymentID), Sum: total}
	switch p.Status {
	case "succeeded":
		e.State = pay.Paid
		if p.Charge.Object != nil {
			e.Refunded = money.Amount(p.Charge.Object.Refunded)
		}
	case "requires_capture":
		e.State = pay.Held
	case "canceled":
		e.State, e.Reason = pay.Failed, pay.Withdrawn
		p.explain(&e)
	case "requires_payment_method":
		e.State = pay.Pending
		p.explain(&e)
	case "requires_confirmation", "requires_action", "processing":
		e.State = pay.Pending
	default:
		return pay.Event{}, fail("payment", pay.Lost, pay.CleanCode(p.Status))
	}
	return e, nil
}

// explain adds why the last try failed.
func (p *intent) explain(e *pay.Event) {
	if p.Error == nil {
		return
	}
	word := p.Error.Decline
	if word == "" {
		word = p.Error.Code
	}
	e.Reason, e.Code = reason(word), pay.CleanCode(word)
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

func (s *session) event() (pay.Event, error) {
	total, err := sum(s.Amount, s.Currency)
	if err != nil || !pay.PlainRef(s.ID) {
		return pay.Event{}, fail("payment", pay.Lost, "session")
	}
	e := pay.Event{Ref: s.ID, ID: pay.ID(s.Metadata.PaymentID), Sum: total}
	switch {
	case s.Status == "complete" && s.PaymentStatus == "paid":
		e.State = pay.Paid
		if p := s.Intent.Object; p != nil && p.Charge.Object != nil {
			e.Refunded = money.Amount(p.Charge.Object.Refunded)
		}
	case s.Status == "open", s.Status == "complete":
		e.State = pay.Pending
		if p := s.Intent.Object; p != nil && s.Status == "open" {
			p.explain(&e)
		}
	case s.Status == "expired":
		e.State, e.Reason, e.Code = pay.Failed, pay.Expired, "expired"
	default:
		return pay.Event{}, fail("payment", pay.Lost, pay.CleanCode(s.Status))
	}
	return e, nil
}

type refund struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Intent string `json:"payment_intent"`
	Reason string `json:"failure_reason"`
}

func (o refund) refunded(intent string) pay.Refunded {
	if o.Intent == intent {
		switch o.Status {
		case "succeeded":
			return pay.Refunded{State: pay.RefundDone, Ref: o.ID}
		case "pending", "requires_action":
			return pay.Refunded{State: pay.RefundPending, Ref: o.ID}
		case "failed", "canceled":
			return pay.Refunded{State: pay.RefundFailed, Ref: o.ID, Code: pay.CleanCode(o.Reason)}
		}
	}
	return pay.Refunded{State: pay.RefundUnknown}
}

// code reads an error's word.
func code(answer call.Answer) string {
	var e struct {
		Error struct {
			Type string `json:"type"`
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = answer.Read(&e) // the status says enough
	if e.Error.Code == "" {
		return pay.CleanCode(e.Error.Type)
	}
	return pay.CleanCode(e.Error.Code)
}

var reasons = map[string]pay.Reason{
	"insufficient_funds": pay.InsufficientFunds, "withdrawal_count_limit_exceeded": pay.LimitExceeded,
	"card_velocity_exceeded": pay.LimitExceeded, "amount_too_large": pay.LimitExceeded,
	"incorrect_number": pay.CardNumber, "invalid_number": pay.CardNumber, "invalid_account": pay.CardNumber,
	"expired_card": pay.CardExpiry, "invalid_expiry_month": pay.CardExpiry, "invalid_expiry_year": pay.CardExpiry,
	"incorrect_cvc": pay.CardCode, "invalid_cvc": pay.CardCode,
	"authentication_required": pay.ThreeDSFailed, "payment_intent_authentication_failure": pay.ThreeDSFailed,
	"lost_card": pay.Restricted, "stolen_card": pay.Restricted, "pickup_card": pay.Restricted, "restricted_card": pay.Restricted,
	"card_not_supported": pay.Restricted, "currency_not_supported": pay.Restricted, "transaction_not_allowed": pay.Restricted,
	"fraudulent": pay.Fraud, "merchant_blacklist": pay.Fraud,
	"issuer_not_available": pay.BankAway, "processing_error": pay.BankAway, "reenter_transaction": pay.BankAway, "try_again_later": pay.BankAway,
}

func reason(word string) pay.Reason {
	if r, ok := reasons[word]; ok {
		return r
	}
	return pay.BankDeclined
}

var locales = map[string]bool{"de": true, "en": true, "ru": true, "tr": true}

// checkout is the form that opens a page. A page lives at least half an hour, longer than
// an order waits: [Acquirer.Cancel] closes it.
func checkout(in pay.Intent) url.Values {
	f := url.Values{}
	f.Set("mode", "payment")
	f.Set("line_items[0][quantity]", "1")
	f.Set("line_items[0][price_data][currency]", strings.ToLower(in.Sum.Currency.Code))
	f.Set("line_items[0][price_data][unit_amount]", minor(in.Sum.Amount))
	f.Set("line_items[0][price_data][product_data][name]", pay.Cut(in.Description, 200))
	f.Set("client_reference_id", string(in.ID))
	f.Set("metadata[payment_id]", string(in.ID))
	f.Set("payment_intent_data[metadata][payment_id]", string(in.ID))
	f.Set("payment_intent_data[metadata][via]", "checkout")
	f.Set("payment_intent_data[description]", pay.Cut(in.Description, 200))
	f.Set("success_url", in.ReturnURL)
	f.Set("cancel_url", in.ReturnURL)
	if in.FailURL != "" {
		f.Set("cancel_url", in.FailURL)
	}
	f.Set("expires_at", strconv.FormatInt(in.Deadline.Add(35*time.Minute).Unix(), 10))
	if in.Customer.Email != "" {
		f.Set("customer_email", in.Customer.Email)
	}
	if locales[in.Language] {
		f.Set("locale", in.Language)
	}
	return f
}

// charge is the form that pays with a payment method of Stripe's script.
func charge(in pay.Intent) url.Values {
	f := url.Values{}
	f.Set("amount", minor(in.Sum.Amount))
	f.Set("currency", strings.ToLower(in.Sum.Currency.Code))
	f.Set("payment_method", in.Token.Reveal())
	f.Set("confirm", "true")
	f.Set("automatic_payment_methods[enabled]", "true")
	f.Set("return_url", in.ReturnURL)
	f.Set("description", pay.Cut(in.Description, 200))
	f.Set("metadata[payment_id]", string(in.ID))
	if in.Customer.Email != "" {
		f.Set("receipt_email", in.Customer.Email)
	}
	return f
}
