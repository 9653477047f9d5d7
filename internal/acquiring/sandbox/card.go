//go:build !release

package sandbox

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"servery/internal/acquiring"
)

// card is what a customer entered. It lives in memory while the bank decides, and is
// neither stored nor shown: only [card.maskedNumber] is.
type card struct {
	Number      string `json:"number"`
	ExpMonth    int    `json:"exp_month"`
	ExpYear     int    `json:"exp_year"`
	CVC         string `json:"cvc"`
	VerifyParam string `json:"verify_param"`
}

var errCryptogram = errors.New("a cryptogram that cannot be read")

// readCryptogram decrypts the card that the page has encrypted with the bank's key: JSON under
// RSA-OAEP, in base64. It returns errCryptogram when that fails.
func readCryptogram(key *rsa.PrivateKey, token acquiring.Secret) (card, error) {
	sealed, err := base64.StdEncoding.DecodeString(token.Reveal())
	if err != nil {
		return card{}, errCryptogram
	}
	var noLabel []byte
	plain, err := rsa.DecryptOAEP(sha256.New(), nil, key, sealed, noLabel)
	if err != nil {
		return card{}, errCryptogram
	}
	var c card
	if json.Unmarshal(plain, &c) != nil {
		return card{}, errCryptogram
	}
	return c, nil
}

// outcomeOf returns how a payment by the card ends at this instant: as its test card says, or
// failed for another number, an expiry that is over or more than 50 years ahead, or a code that
// has not three digits.
func (c card) outcomeOf(now time.Time) Outcome {
	var found *Card
	for i := range outcomes {
		if outcomes[i].Number != "" && outcomes[i].Number == c.Number {
			found = &outcomes[i]
		}
	}
	// A card is good to the end of its month, anywhere on earth.
	end := time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 12, 0, 0, 0, time.UTC)
	switch {
	case found == nil:
		return Outcome{Key: "card_number", Reason: acquiring.CardNumber}
	case c.ExpMonth < 1 || c.ExpMonth > 12 || !now.Before(end) || c.ExpYear > now.Year()+50:
		return Outcome{Key: "card_expiry", Reason: acquiring.CardExpiry}
	case len(c.CVC) != 3 || strings.Trim(c.CVC, "0123456789") != "":
		return Outcome{Key: "card_code", Reason: acquiring.CardCode}
	}
	return found.Outcome
}

// maskedNumber returns the last four digits of the card, which are all that is stored; empty
// for a number that is no card.
func (c card) maskedNumber() string {
	if len(c.Number) < 12 || strings.Trim(c.Number, "0123456789") != "" {
		return ""
	}
	return "•••• " + c.Number[len(c.Number)-4:]
}

// decide decides about a payment that begins. A request that cannot be read fails, and one whose
// card comes later waits for it. A card is charged, unless its outcome is lost_before: then the
// first request counts as lost, and the card is charged when the request is repeated. Any other
// payment stays as newPayment has made it.
func (e entry) decide(p *payment, now time.Time, isRepeat bool) {
	switch {
	case !e.isReadable:
		p.state, p.reason = failed, acquiring.Refused
	case e.cardComesLater:
		p.step = atToken
	case e.method == acquiring.CardForm:
		p.enterCard(e.card, now)
		if !isRepeat && p.outcome.Trouble == LostBefore {
			p.state, p.step, p.card = requestLost, atPage, ""
		}
	}
}
