package customer

import (
	"time"

	"servery/internal/fault"
)

// Kind is something that a customer may agree to by a checkbox of its own. There are no other values
// than those below; they are stored and sent.
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

// Text returns the text that the customer agrees to, for a brand of that name.
func (k Kind) Text(brand string) fault.Message {
	return fault.Message{Key: "customer.consent_" + string(k), Args: fault.Args{"brand": brand}}
}

// fieldName returns the field of a request that a refusal of the kind is at.
func (k Kind) fieldName() string {
	if k == News {
		return "is_subscribed"
	}
	return "is_print_fiscal_receipt"
}

// Consent returns the last answer to a kind. Without one it returns the zero Answer, which is no
// consent.
func (p Profile) Consent(k Kind) Answer {
	for _, a := range p.Consents {
		if a.Kind == k {
			return a
		}
	}
	return Answer{}
}

// newAnswers returns the answers that a change adds; an answer that is as before is left out. A consent
// is valid only for the text that was shown: kinds that were ticked without their current text are returned
// as unseen, and not answered.
func (p Profile) newAnswers(c Change, origin changeContext) (answers []Answer, unseen []Kind) {
	for _, k := range Kinds() {
		isTicked, isAsked := c.Consents[k]
		if !isAsked {
			continue
		}
		before := p.Consent(k)
		version := c.Versions[k]
		switch {
		case !isTicked && !before.IsGiven, isTicked && before.IsGiven && (version == "" || version == before.Version):
			continue // the answer is as before
		case !isTicked:
			version = before.Version // the consent is withdrawn
		case version != k.Version():
			unseen = append(unseen, k)
			continue
		}
		answers = append(answers, Answer{Kind: k, Version: version, IsGiven: isTicked, Address: origin.address, At: origin.now})
	}
	return answers, unseen
}
