//go:build !release

package sandbox

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"net/url"

	"servery/internal/acquiring"
	"servery/internal/db"
)

// Names of the accounts that every brand has.
const (
	Name = "sandbox"
	// NameVerifying wants a verify_param in each cryptogram.
	NameVerifying = "sandbox_verify"
)

// Acquirer is a brand's account with the bank. It implements [acquiring.Acquirer].
type Acquirer struct {
	bank      *Bank
	site      string
	verifying bool
}

// Acquirer returns the account of a brand.
func (b *Bank) Acquirer(site string) *Acquirer { return &Acquirer{bank: b, site: site} }

// Verifying returns an account of the brand that wants a verify_param in each cryptogram.
func (b *Bank) Verifying(site string) *Acquirer {
	return &Acquirer{bank: b, site: site, verifying: true}
}

// Name implements [acquiring.Acquirer].
func (a *Acquirer) Name() string {
	if a.verifying {
		return NameVerifying
	}
	return Name
}

// SupportsMethod implements [acquiring.Acquirer]: everything.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool {
	return m >= acquiring.CardOnline && m <= acquiring.GooglePay
}

// ReceiptSupport implements [acquiring.Acquirer].
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithClosing }

// LoadSettings implements [acquiring.Acquirer].
func (a *Acquirer) LoadSettings(ctx context.Context, m acquiring.Method) (acquiring.Settings, error) {
	s := acquiring.Settings{PublicID: "sandbox-" + a.site}
	if m != acquiring.CardForm {
		return s, nil
	}
	key, err := a.bank.keys.publicPEM(ctx)
	if err != nil {
		return acquiring.Settings{}, a.callError("settings", acquiring.Lost, "key").Because(err)
	}
	s.PublicKey, s.NeedsVerify = key, a.verifying
	return s, nil
}

func (a *Acquirer) callError(op string, kind acquiring.ErrorKind, code string) *acquiring.Error {
	return &acquiring.Error{Acquirer: a.Name(), Op: op, Kind: kind, Code: code}
}

// checkFault is the way to the bank: what is in its way is an error, or a fault on request.
func (a *Acquirer) checkFault(ctx context.Context, call string) (Fault, error) {
	if a.site == "" {
		return NoFault, a.callError(call, acquiring.Denied, "site")
	}
	if err := ctx.Err(); err != nil {
		return NoFault, a.callError(call, acquiring.Unsent, "").Because(err)
	}
	fault, err := a.bank.takeFault(ctx, a.site, call)
	switch {
	case err != nil:
		return NoFault, a.callError(call, acquiring.Unsent, "").Because(err)
	case fault == FaultBusy:
		return NoFault, a.callError(call, acquiring.Busy, "")
	}
	return fault, nil
}

// StartPayment implements [acquiring.Acquirer].
func (a *Acquirer) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check(a.Name(), a.SupportsMethod(in.Method), a.bank.clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	fault, err := a.checkFault(ctx, "start")
	if err != nil {
		return acquiring.Next{}, err
	}
	unknown := acquiring.Next{Kind: acquiring.Unknown}
	if fault == FaultBefore {
		return unknown, nil
	}
	param, err := a.verifyParam(ctx, in.ID)
	if err != nil {
		return acquiring.Next{}, a.callError("start", acquiring.Unsent, "key").Because(err)
	}
	came, err := a.readEntry(ctx, in, param)
	if err != nil {
		return acquiring.Next{}, a.callError("start", acquiring.Unsent, "key").Because(err)
	}
	p, fresh, err := a.bank.beginPayment(ctx, a.newPayment(in), came.decideFirst)
	switch {
	case err != nil || fault == FaultAfter:
		return unknown, nil //nolint:nilerr // it may have been begun
	case fresh && (p.outcome.Trouble == LostAfter || p.state == unheard):
		return unknown, nil
	case !hmac.Equal(p.asked, hashIntent(in)):
		return acquiring.Next{Kind: acquiring.Unknown, Ref: p.ref}, nil // another body: the first one counts
	}
	next := p.nextAction()
	if next.Kind == acquiring.Prepared {
		next.VerifyParam = param
	}
	return next, nil
}

// newPayment is the payment that an intent asks for.
func (a *Acquirer) newPayment(in acquiring.Intent) payment {
	p := payment{
		ref: newRef(), site: a.site, id: in.ID, asked: hashIntent(in), method: in.Method, sum: in.Sum,
		description: acquiring.CutText(in.Description, 200), language: in.Language, returnURL: in.ReturnURL, failURL: in.FailURL,
		callbackURL: in.CallbackURL, termURL: in.TermURL, state: open, deadline: in.Deadline, transID: newTransID(),
		receipt: in.Receipt,
	}
	if p.failURL == "" {
		p.failURL = p.returnURL
	}
	return p
}

// entry is what came with an intent.
type entry struct {
	method acquiring.Method
	card   card
	// later says that the card comes with the next call, once the verify_param is known.
	later bool
	// readable says that the bank can begin the payment at all.
	readable bool
}

// readEntry reads what came with an intent; an error is one of the bank's own.
func (a *Acquirer) readEntry(ctx context.Context, in acquiring.Intent, param string) (entry, error) {
	e := entry{method: in.Method}
	if _, e.readable = originOf(in.ReturnURL); !e.readable || in.Method != acquiring.CardForm {
		return e, nil
	}
	if e.later = a.verifying && in.VerifyParam == ""; e.later {
		return e, nil
	}
	key, err := a.bank.keys.privateKey(ctx)
	if err != nil {
		return e, err
	}
	var bad error
	e.card, bad = readCryptogram(key, in.Token)
	e.readable = bad == nil && (!a.verifying || hmac.Equal([]byte(e.card.VerifyParam), []byte(param)))
	return e, nil
}

// verifyParam is derived from the payment's id, so that nothing needs to be kept.
func (a *Acquirer) verifyParam(ctx context.Context, id acquiring.ID) (string, error) {
	if !a.verifying {
		return "", nil
	}
	mac, err := a.bank.keys.signText(ctx, "verify", a.site, []byte(id))
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(mac[:16]), nil
}

// QueryStatus implements [acquiring.Acquirer].
func (a *Acquirer) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	fault, err := a.checkFault(ctx, "status")
	if err != nil {
		return acquiring.Event{}, err
	}
	if fault != NoFault {
		return acquiring.Event{}, a.callError("status", acquiring.Lost, "")
	}
	p, err := a.bank.findPayment(ctx, a.site, which)
	return a.toEvent("status", which, p, err)
}

func (a *Acquirer) toEvent(op string, which acquiring.Lookup, p payment, err error) (acquiring.Event, error) {
	var refused *acquiring.Error
	switch {
	case errors.Is(err, db.ErrNotFound):
		return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, nil
	case errors.As(err, &refused):
		return acquiring.Event{}, a.callError(op, refused.Kind, refused.Code)
	case err != nil:
		return acquiring.Event{}, a.callError(op, acquiring.Lost, "").Because(err)
	}
	return p.toEvent(), nil
}

// CancelPayment implements [acquiring.Acquirer].
func (a *Acquirer) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	fault, err := a.checkFault(ctx, "cancel")
	if err != nil {
		return acquiring.Event{}, err
	}
	if fault == FaultBefore {
		return acquiring.Event{}, a.callError("cancel", acquiring.Lost, "")
	}
	p, err := a.bank.findPayment(ctx, a.site, which)
	if err == nil {
		p, err = a.bank.changePayment(ctx, p.ref, (*payment).cancelByShop)
	}
	if fault == FaultAfter {
		return acquiring.Event{}, a.callError("cancel", acquiring.Lost, "")
	}
	return a.toEvent("cancel", which, p, err)
}

// nextAction is what the customer has to do.
func (p *payment) nextAction() acquiring.Next {
	origin, ok := originOf(p.returnURL)
	if !ok || !p.isOpen() {
		return acquiring.NextOfEvent(p.toEvent())
	}
	next := acquiring.Next{Ref: p.ref}
	page := func(kind string) string { return origin + Root + kind + "/" + p.ref }
	switch p.method {
	case acquiring.CardOnline:
		next.Kind, next.URL = acquiring.Redirect, page("pay")
	case acquiring.ApplePay, acquiring.GooglePay:
		next.Kind, next.URL = acquiring.Redirect, page("wallet")
	case acquiring.SBP:
		next.Kind, next.URL, next.QR = acquiring.MobileLink, page("sbp"), page("sbp")
	case acquiring.SberPay:
		next.Kind = acquiring.Push
	case acquiring.CardForm:
		return p.nextChallenge(origin)
	}
	return next
}

// originOf returns scheme and host of an address.
func originOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}
