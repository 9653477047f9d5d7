//go:build !release

package sandbox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
)

// message is a message of 3-D Secure, in the form of its version 2, which this bank uses for version 1
// too. A result in it decides nothing, since the bank's books have the customer's answer: it only says
// that the customer is back.
type message struct {
	TransID    string `json:"threeDSServerTransID"`
	ACSTransID string `json:"acsTransID,omitempty"`
	Type       string `json:"messageType,omitempty"`
	Version    string `json:"messageVersion,omitempty"`
	Window     string `json:"challengeWindowSize,omitempty"` // "05" is the full screen
	Status     string `json:"transStatus,omitempty"`
	NotifyURL  string `json:"threeDSMethodNotificationURL,omitempty"`
}

// sealMessage returns a message of 3-D Secure as it travels through the browser: JSON in base64.
func sealMessage(m message) string {
	text, err := json.Marshal(m)
	if err != nil {
		return "" // texts only
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// unsealMessage reads a message of 3-D Secure in any form of base64, since browsers and servers
// differ in that. It returns false when it cannot be read.
func unsealMessage(text string) (message, bool) {
	var m message
	for _, form := range []*base64.Encoding{base64.RawURLEncoding, base64.URLEncoding, base64.StdEncoding, base64.RawStdEncoding} {
		if plain, err := form.DecodeString(text); err == nil {
			return m, json.Unmarshal(plain, &m) == nil && m.TransID != ""
		}
	}
	return m, false
}

// nextChallenge returns what the page has to do next to pay with a card of the card form: enter
// the card, or one of the steps of 3-D Secure. origin is the shop's, where the bank's pages are.
// A card without 3-D Secure is returned as its outcome.
func (p *payment) nextChallenge(origin string) acquiring.Next {
	next := acquiring.Next{Ref: p.ref}
	m := message{TransID: p.transID, ACSTransID: p.ref, Type: "CReq", Version: "2.2.0", Window: "05"}
	switch {
	case p.step == atToken:
		next.Kind = acquiring.Prepared
	case p.outcome.Check == NoCheck:
		return acquiring.NextOfEvent(p.toEvent())
	case p.outcome.Check == Version1:
		m.Type, m.Version, m.Window = "PAReq", "1.0.2", ""
		next.Kind = acquiring.ThreeDS1
		next.ThreeDS = acquiring.ThreeDS{ACSURL: origin + Root + "acs/1", MD: p.ref, PaReq: sealMessage(m), TermURL: p.termURL, Framed: true}
	case p.step == atFrame:
		notify := origin + Root + "acs/2/method/done"
		next.Kind = acquiring.ThreeDS2
		next.ThreeDS = acquiring.ThreeDS{
			MethodURL: origin + Root + "acs/2/method", MethodData: sealMessage(message{TransID: p.transID, NotifyURL: notify}),
			TransID: p.transID, ACSURL: origin + Root + "acs/2", Framed: true,
		}
	default:
		next.Kind = acquiring.ThreeDS2
		next.ThreeDS = acquiring.ThreeDS{ACSURL: origin + Root + "acs/2", TransID: p.transID, CReq: sealMessage(m), Framed: true}
	}
	return next
}

// Finish3DS continues a payment after a step of 3-D Secure and returns what comes next. The outcome
// follows from the bank's own books, so it may be called any number of times. A result that cannot be
// read is an error of kind [acquiring.Rejected], one of another payment of kind [acquiring.Foreign].
// When the call was made to fail, it returns [acquiring.Unknown].
func (a *Acquirer) Finish3DS(ctx context.Context, result acquiring.ThreeDSResult) (acquiring.Next, error) {
	fault, err := a.checkFault(ctx, "finish")
	if err != nil {
		return acquiring.Next{}, err
	}
	unknown := acquiring.Next{Kind: acquiring.Unknown, Ref: result.Ref}
	if fault == FaultBefore {
		return unknown, nil
	}
	p, err := a.bank.findPayment(ctx, a.site, result.Lookup)
	var refused *acquiring.Error
	switch {
	case errors.Is(err, db.ErrNotFound):
		return acquiring.Next{}, a.callError("finish", acquiring.Foreign, "payment")
	case errors.As(err, &refused):
		return acquiring.Next{}, a.callError("finish", refused.Kind, refused.Code)
	case err != nil:
		return unknown, nil //nolint:nilerr // nothing is known
	}
	answer := result.CRes
	if answer == "" {
		answer = result.PaRes
	}
	if answer != "" {
		m, ok := unsealMessage(answer.Reveal())
		switch {
		case !ok:
			return acquiring.Next{}, a.callError("finish", acquiring.Rejected, "answer")
		case m.TransID != p.transID:
			return acquiring.Next{}, a.callError("finish", acquiring.Foreign, "answer")
		}
	}
	p, err = a.bank.changePayment(ctx, p.ref, func(p *payment, now time.Time) bool {
		switch {
		case !p.isOpen():
			return false
		case answer != "":
			return p.finishChallenge(now)
		case p.step == atFrame:
			p.endHiddenFrame(now)
			return true
		}
		return false
	})
	if err != nil || fault == FaultAfter {
		return unknown, nil //nolint:nilerr // it may have been finished
	}
	return p.nextAction(), nil
}
