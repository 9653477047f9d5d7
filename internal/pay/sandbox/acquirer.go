//go:build !release

package sandbox

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"net/url"

	"servery/internal/db"
	"servery/internal/pay"
)

// Names of the accounts that every brand has.
const (
	Name = "sandbox"
	// NameVerifying wants a verify_param in each cryptogram.
	NameVerifying = "sandbox_verify"
)

// Acquirer is a brand's account with the bank. It implements [pay.Acquirer].
type Acquirer struct {
	bank      *Bank
	site      string
	verifying bool
}

// Acquirer gives the account of a brand.
func (b *Bank) Acquirer(site string) *Acquirer { return &Acquirer{bank: b, site: site} }

// Verifying gives an account of the brand that wants a verify_param in each cryptogram.
func (b *Bank) Verifying(site string) *Acquirer {
	return &Acquirer{bank: b, site: site, verifying: true}
}

// Name implements [pay.Acquirer].
func (a *Acquirer) Name() string {
	if a.verifying {
		return NameVerifying
	}
	return Name
}

// Takes implements [pay.Acquirer]: everything.
func (a *Acquirer) Takes(m pay.Method) bool { return m >= pay.CardOnline && m <= pay.GooglePay }

// Receipts implements [pay.Acquirer].
func (a *Acquirer) Receipts() pay.ReceiptSupport { return pay.WithClosing }

// Settings implements [pay.Acquirer].
func (a *Acquirer) Settings(ctx context.Context, m pay.Method) (pay.Settings, error) {
	s := pay.Settings{PublicID: "sandbox-" + a.site}
	if m != pay.CardForm {
		return s, nil
	}
	key, err := a.bank.keys.pem(ctx)
	if err != nil {
		return pay.Settings{}, a.fail("settings", pay.Lost, "key").Because(err)
	}
	s.PublicKey, s.NeedsVerify = key, a.verifying
	return s, nil
}

func (a *Acquirer) fail(op string, kind pay.ErrorKind, code string) *pay.Error {
	return &pay.Error{Acquirer: a.Name(), Op: op, Kind: kind, Code: code}
}

// reach is the way to the bank: what is in its way is an error, or a fault on request.
func (a *Acquirer) reach(ctx context.Context, call string) (Fault, error) {
	if a.site == "" {
		return NoFault, a.fail(call, pay.Denied, "site")
	}
	if err := ctx.Err(); err != nil {
		return NoFault, a.fail(call, pay.Unsent, "").Because(err)
	}
	fault, err := a.bank.strike(ctx, a.site, call)
	switch {
	case err != nil:
		return NoFault, a.fail(call, pay.Unsent, "").Because(err)
	case fault == FaultBusy:
		return NoFault, a.fail(call, pay.Busy, "")
	}
	return fault, nil
}

// Start implements [pay.Acquirer].
func (a *Acquirer) Start(ctx context.Context, in pay.Intent) (pay.Next, error) {
	if err := in.Check(a.Name(), a.Takes(in.Method), a.bank.clock.Now()); err != nil {
		return pay.Next{}, err
	}
	fault, err := a.reach(ctx, "start")
	if err != nil {
		return pay.Next{}, err
	}
	unknown := pay.Next{Kind: pay.Unknown}
	if fault == FaultBefore {
		return unknown, nil
	}
	param, err := a.verifyParam(ctx, in.ID)
	if err != nil {
		return pay.Next{}, a.fail("start", pay.Unsent, "key").Because(err)
	}
	came, err := a.read(ctx, in, param)
	if err != nil {
		return pay.Next{}, a.fail("start", pay.Unsent, "key").Because(err)
	}
	p, fresh, err := a.bank.begin(ctx, a.request(in), came.first)
	switch {
	case err != nil || fault == FaultAfter:
		return unknown, nil //nolint:nilerr // it may have been begun
	case fresh && (p.outcome.Trouble == LostAfter || p.state == unheard):
		return unknown, nil
	case !hmac.Equal(p.asked, fingerprint(in)):
		return pay.Next{Kind: pay.Unknown, Ref: p.ref}, nil // another body: the first one counts
	}
	next := p.next()
	if next.Kind == pay.Prepared {
		next.VerifyParam = param
	}
	return next, nil
}

// request is the payment that an intent asks for.
func (a *Acquirer) request(in pay.Intent) payment {
	p := payment{
		ref: newRef(), site: a.site, id: in.ID, asked: fingerprint(in), method: in.Method, sum: in.Sum,
		description: pay.Cut(in.Description, 200), language: in.Language, returnURL: in.ReturnURL, failURL: in.FailURL,
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
	method pay.Method
	card   card
	// later says that the card comes with the next call, once the verify_param is known.
	later bool
	// readable says that the bank can begin the payment at all.
	readable bool
}

// read reads what came with an intent; an error is one of the bank's own.
func (a *Acquirer) read(ctx context.Context, in pay.Intent, param string) (entry, error) {
	e := entry{method: in.Method}
	if _, e.readable = originOf(in.ReturnURL); !e.readable || in.Method != pay.CardForm {
		return e, nil
	}
	if e.later = a.verifying && in.VerifyParam == ""; e.later {
		return e, nil
	}
	key, err := a.bank.keys.private(ctx)
	if err != nil {
		return e, err
	}
	var bad error
	e.card, bad = readCryptogram(key, in.Token)
	e.readable = bad == nil && (!a.verifying || hmac.Equal([]byte(e.card.VerifyParam), []byte(param)))
	return e, nil
}

// verifyParam is derived from the payment's id, so that nothing needs to be kept.
func (a *Acquirer) verifyParam(ctx context.Context, id pay.ID) (string, error) {
	if !a.verifying {
		return "", nil
	}
	mac, err := a.bank.keys.sign(ctx, "verify", a.site, []byte(id))
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(mac[:16]), nil
}

// Status implements [pay.Acquirer].
func (a *Acquirer) Status(ctx context.Context, which pay.Lookup) (pay.Event, error) {
	fault, err := a.reach(ctx, "status")
	if err != nil {
		return pay.Event{}, err
	}
	if fault != NoFault {
		return pay.Event{}, a.fail("status", pay.Lost, "")
	}
	p, err := a.bank.find(ctx, a.site, which)
	return a.told("status", which, p, err)
}

func (a *Acquirer) told(op string, which pay.Lookup, p payment, err error) (pay.Event, error) {
	var refused *pay.Error
	switch {
	case errors.Is(err, db.ErrNotFound):
		return pay.Event{Ref: which.Ref, ID: which.ID, State: pay.Absent}, nil
	case errors.As(err, &refused):
		return pay.Event{}, a.fail(op, refused.Kind, refused.Code)
	case err != nil:
		return pay.Event{}, a.fail(op, pay.Lost, "").Because(err)
	}
	return p.event(), nil
}

// Cancel implements [pay.Acquirer].
func (a *Acquirer) Cancel(ctx context.Context, which pay.Lookup) (pay.Event, error) {
	fault, err := a.reach(ctx, "cancel")
	if err != nil {
		return pay.Event{}, err
	}
	if fault == FaultBefore {
		return pay.Event{}, a.fail("cancel", pay.Lost, "")
	}
	p, err := a.bank.find(ctx, a.site, which)
	if err == nil {
		p, err = a.bank.change(ctx, p.ref, (*payment).withdraw)
	}
	if fault == FaultAfter {
		return pay.Event{}, a.fail("cancel", pay.Lost, "")
	}
	return a.told("cancel", which, p, err)
}

// next is what the customer has to do.
func (p *payment) next() pay.Next {
	origin, ok := originOf(p.returnURL)
	if !ok || !p.waits() {
		return pay.Outcome(p.event())
	}
	next := pay.Next{Ref: p.ref}
	page := func(kind string) string { return origin + Root + kind + "/" + p.ref }
	switch p.method {
	case pay.CardOnline:
		next.Kind, next.URL = pay.Redirect, page("pay")
	case pay.ApplePay, pay.GooglePay:
		next.Kind, next.URL = pay.Redirect, page("wallet")
	case pay.SBP:
		next.Kind, next.URL, next.QR = pay.MobileLink, page("sbp"), page("sbp")
	case pay.SberPay:
		next.Kind = pay.Push
	case pay.CardForm:
		return p.prove(origin)
	}
	return next
}

// originOf gives scheme and host of an address.
func originOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}
