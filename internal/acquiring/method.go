package acquiring

import (
	"fmt"
	"log/slog"

	"servery/internal/money"
)

// Method is a way to pay online. The set is closed.
type Method uint8

// The closed set of methods.
const (
	CardOnline Method = iota + 1 // the card is entered on the acquirer's page
	CardForm                     // the card is entered and encrypted on our page
	SBP                          // by QR or link through the customer's bank
	SberPay                      // by a push to the customer's phone
	ApplePay
	GooglePay
)

// Methods returns all ways to pay online.
func Methods() []Method { return []Method{CardOnline, CardForm, SBP, SberPay, ApplePay, GooglePay} }

var methodNames = map[Method]string{
	CardOnline: "card_online", CardForm: "card_form", SBP: "sbp", SberPay: "sberpay",
	ApplePay: "apple_pay", GooglePay: "google_pay",
}

// String returns the method as it is stored.
func (m Method) String() string {
	if name, ok := methodNames[m]; ok {
		return name
	}
	return "none"
}

// ParseMethod returns the method with the stored name. It returns an error for an unknown name.
func ParseMethod(name string) (Method, error) {
	for m, n := range methodNames {
		if n == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("unknown payment method %q", name)
}

// ID is our name of a payment or of a refund, and its idempotency key with every
// acquirer: 1 to 36 letters of ASCII, digits and hyphens, never used twice, not even for
// a payment and a refund.
type ID string

// IsValid reports whether the id can be sent to every acquirer.
func (id ID) IsValid() bool { return isPlain(string(id), 36, "-") }

// Sum is money of a currency.
type Sum struct {
	Amount   money.Amount
	Currency money.Currency
}

// String returns the sum for logs: "1234.50 RUB".
func (s Sum) String() string { return Decimal(s.Amount) + " " + s.Currency.Code }

// Secret is a text that no log, error or JSON may hold: a cryptogram, a wallet's token,
// an answer of 3-D Secure. Reveal it only into a request to the acquirer.
type Secret string

const hidden = "[hidden]"

// Reveal returns the text. It must only go into a request to the acquirer.
func (s Secret) Reveal() string { return string(s) }

// String returns "[hidden]" in place of the text, and nothing for an empty one.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString returns "[hidden]" in quotes in place of the text, for %#v.
func (s Secret) GoString() string { return fmt.Sprintf("%q", s.String()) }

// LogValue returns "[hidden]" in place of the text, for logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns "[hidden]" in place of the text, so that JSON never holds it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// isPlain reports whether a text has 1 to limit characters, each of which is a letter or digit
// of ASCII or one of the characters of others.
func isPlain(s string, limit int, others string) bool {
	if s == "" || len(s) > limit {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		default:
			found := false
			for j := range len(others) {
				found = found || others[j] == c
			}
			if !found {
				return false
			}
		}
	}
	return true
}

// IsPlainRef reports whether an acquirer's reference may be put into an address: letters and
// digits of ASCII, hyphens and underscores, at most 100.
func IsPlainRef(ref string) bool { return isPlain(ref, 100, "-_") }
