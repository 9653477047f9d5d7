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
	// NameVerifying requires a verify_param in each cryptogram.
	NameVerifying = "sandbox_verify"
)

// Acquirer is a brand's account with the bank. It implements [acquiring.Acquirer].
type Acquirer struct {
	bank             *Bank
	site             string
	needsVerifyParam bool
}

// Acquirer returns the account of a brand.
func (b *Bank) Acquirer(site string) *Acquirer { return &Acquirer{bank: b, site: site} }

// VerifyingAcquirer returns an account of the brand that requires a verify_param in each
// cryptogram.
func (b *Bank) VerifyingAcquirer(site string) *Acquirer {
	return &Acquirer{bank: b, site: site, needsVerifyParam: true}
}

// Name returns what settings call this account.
func (a *Acquirer) Name() string {
	if a.needsVerifyParam {
		return NameVerifying
	}
	return Name
}

// SupportsMethod reports whether payments of the method can be started: the bank supports all of
// them.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool {
	return m >= acquiring.CardOnline && m <= acquiring.GooglePay
}

// ReceiptSupport returns WithClosing: the bank registers all receipts.
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithClosing }

// LoadSettings returns what the page needs to pay by a method: for a card the key that encrypts
// it, and whether a verify_param is required. It returns an error of kind [acquiring.Lost] when
// the bank's key cannot be read.
func (a *Acquirer) LoadSettings(ctx context.Context, m acquiring.Method) (acquiring.Settings, error) {
	s := acquiring.Settings{PublicID: "sandbox-" + a.site}
	if m != acquiring.CardForm {
		return s, nil
	}
	key, err := a.bank.keys.publicPEM(ctx)
	if err != nil {
		return acquiring.Settings{}, a.callError("settings", acquiring.Lost, "key").Because(err)
	}
	s.PublicKey, s.NeedsVerify = key, a.needsVerifyParam
	return s, nil
}

// callError returns an error of this account in the operation op. code says what is at fault.
func (a *Acquirer) callError(op string, kind acquiring.ErrorKind, code string) *acquiring.Error {
	return &acquiring.Error{Acquirer: a.Name(), Op: op, Kind: kind, Code: code}
}

// checkFault must begin each call. It returns the fault that was set for the call of the given
// name, and counts it as used. It returns an error when the call cannot reach the bank, or is
// refused as one of too many.
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

// carryOut makes a call to the bank by do, with the fault that was set for the call. isAnswered is
// false when no answer comes, also after an internal error: the call may have been carried out, so
// its outcome is unknown. refused is the error with which the bank refuses the call; err says that
// the call did not reach the bank.
func (a *Acquirer) carryOut(ctx context.Context, call string, do func() error) (isAnswered bool, refused *acquiring.Error, err error) {
	fault, err := a.checkFault(ctx, call)
	if err != nil || fault == FaultBefore {
		return false, nil, err
	}
	switch err := do(); {
	case errors.As(err, &refused):
		return true, refused, nil
	case err != nil || fault == FaultAfter:
		return false, nil, nil
	}
	return true, nil, nil
}

// StartPayment begins the payment, once for each id, and returns what the customer has to do
// next. A card of the card form is charged at once, unless it requires 3-D Secure. When the
// request or its answer is lost, it returns [acquiring.Unknown]; an error means that this call
// took nothing.
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
	verifyParam, err := a.verifyParam(ctx, in.ID)
	if err != nil {
		return acquiring.Next{}, a.callError("start", acquiring.Unsent, "key").Because(err)
	}
	entered, err := a.readEntry(ctx, in, verifyParam)
	if err != nil {
		return acquiring.Next{}, a.callError("start", acquiring.Unsent, "key").Because(err)
	}
	p, isDecided, err := a.bank.beginPayment(ctx, a.newPayment(in), entered.decide)
	switch {
	case err != nil || fault == FaultAfter:
		return unknown, nil //nolint:nilerr // it may have been begun
	case isDecided && (p.outcome.Trouble == LostAfter || p.state == requestLost):
		return unknown, nil
	case !hmac.Equal(p.requestHash, hashIntent(in)):
		return acquiring.Next{Kind: acquiring.Unknown, Ref: p.ref}, nil // another body: the first one counts
	}
	next := p.nextAction()
	if next.Kind == acquiring.Prepared {
		next.VerifyParam = verifyParam
	}
	return next, nil
}

// newPayment returns the payment that an intent asks for, with new names. It is open and not
// stored.
func (a *Acquirer) newPayment(in acquiring.Intent) payment {
	p := payment{
		ref: newRef(), site: a.site, id: in.ID, requestHash: hashIntent(in), method: in.Method, sum: in.Sum,
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
	// cardComesLater says that the card comes with the next call, once the verify_param is known.
	cardComesLater bool
	// isReadable says that the bank can begin the payment at all.
	isReadable bool
}

// readEntry returns what came with an intent. verifyParam must be in the cryptogram where the
// account requires one. An error is one of the bank itself; a card that cannot be read is not an
// error.
func (a *Acquirer) readEntry(ctx context.Context, in acquiring.Intent, verifyParam string) (entry, error) {
	e := entry{method: in.Method}
	if _, e.isReadable = originOf(in.ReturnURL); !e.isReadable || in.Method != acquiring.CardForm {
		return e, nil
	}
	if e.cardComesLater = a.needsVerifyParam && in.VerifyParam == ""; e.cardComesLater {
		return e, nil
	}
	key, err := a.bank.keys.privateKey(ctx)
	if err != nil {
		return e, err
	}
	var unreadable error
	e.card, unreadable = readCryptogram(key, in.Token)
	e.isReadable = unreadable == nil && (!a.needsVerifyParam || hmac.Equal([]byte(e.card.VerifyParam), []byte(verifyParam)))
	return e, nil
}

// verifyParam returns the verify_param of a payment, empty for accounts without one. It is
// derived from the payment's id, so that it need not be stored.
func (a *Acquirer) verifyParam(ctx context.Context, id acquiring.ID) (string, error) {
	if !a.needsVerifyParam {
		return "", nil
	}
	mac, err := a.bank.keys.signText(ctx, "verify", a.site, []byte(id))
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(mac[:16]), nil
}

// QueryStatus returns the payment as it is in the bank's books, [acquiring.Absent] when there is
// none. A reference of another payment is an error of kind [acquiring.Foreign]; a call that was
// made to fail is one of kind [acquiring.Lost].
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

// toEvent returns the event of a payment that was looked up; p and err are what the look-up
// returned. [db.ErrNotFound] becomes an event of state [acquiring.Absent], and any other error
// an error of the call op.
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

// CancelPayment ends a payment that the customer can still act on, and returns what it is
// afterwards. A call that was made to fail is an error of kind [acquiring.Lost].
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

// nextAction returns what the customer has to do next: open the bank's page, answer on the
// phone, or pass 3-D Secure. A payment that is over is returned as its outcome, and one whose money
// the bank takes later as [acquiring.Unknown].
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

// originOf returns scheme and host of an address, and false when it is not an address of the
// web.
func originOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}
