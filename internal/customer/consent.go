package customer

import (
	"time"

	"servery/internal/fault"
)

// Kind is something that a customer may agree to, each by a box of its own. The set is closed; the
// values are stored and sent.
type Kind string

// The kinds of consent.
const (
	News              Kind = "news"
	PaperlessReceipts Kind = "paperless_receipts"
)

// Kinds returns the kinds in the order in which they are offered.
func Kinds() []Kind { return []Kind{News, PaperlessReceipts} }

// Answer is the answer of a customer to a consent.
type Answer struct {
	Kind Kind
	// Version names the text that the customer was shown.
	Version string
	IsGiven bool
	// Address is the network address that the answer came from.
	Address string
	At      time.Time
}

// Version returns the version of the current text of the kind. Each text has its own version.
func (k Kind) Version() string {
	switch k {
	case News:
		return "2026-11-22-news"
	case PaperlessReceipts:
		return "2026-11-22-receipts"
	}
	return ""
}

// Text returns what a customer agrees to, for a brand of that name.
func (k Kind) Text(brand string) fault.Message {
	return fault.Message{Key: "customer.consent_" + string(k), Args: fault.Args{"brand": brand}}
}

// fieldName returns the field of a refusal of the kind.
func (k Kind) fieldName() string {
	if k == News {
		return "is_subscribed"
	}
	return "is_print_fiscal_receipt"
}

// Consent returns the last answer of a kind; the zero Answer, which is no consent, when there is
// none.
func (p Profile) Consent(k Kind) Answer {
	for _, a := range p.Consents {
		if a.Kind == k {
			return a
		}
	}
	return Answer{}
}

// newAnswers returns the new answers of a change, and the kinds that were ticked without the
// current text: a consent is only valid for the text that was shown.
func (p Profile) newAnswers(c Change, at changeContext) (given []Answer, unseen []Kind) {
	for _, k := range Kinds() {
		wanted, asked := c.Consents[k]
		if !asked {
			continue
		}
		before := p.Consent(k)
		version := c.Versions[k]
		switch {
		case !wanted && !before.IsGiven, wanted && before.IsGiven && (version == "" || version == before.Version):
			continue // it stays as it is
		case !wanted:
			version = before.Version
		case version != k.Version():
			unseen = append(unseen, k)
			continue
		}
		given = append(given, Answer{Kind: k, Version: version, IsGiven: wanted, Address: at.address, At: at.now})
	}
	return given, unseen
}
