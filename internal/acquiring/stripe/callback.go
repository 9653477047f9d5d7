package stripe

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
)

// tolerance is how old a signature may be; later copies are signed again.
const tolerance = 5 * time.Minute

// VerifyCallback returns the notice of a signed event, and an error of kind [acquiring.Forged]
// for any other. An event was true when it was sent, but events come in any order: the payment
// is read as it is now. Events of other kinds, and of payments of another program, are ignored.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	if !a.isSigned(c.Header.Get("Stripe-Signature"), c.Body) {
		return acquiring.Notice{}, callError("callback", acquiring.Forged, "signature")
	}
	var e struct {
		Type string `json:"type"`
		Data struct {
			Object struct {
				ID     string `json:"id"`
				Intent string `json:"payment_intent"`
			} `json:"object"`
		} `json:"data"`
	}
	if json.Unmarshal(c.Body, &e) != nil {
		return acquiring.Notice{}, callError("callback", acquiring.Forged, "body")
	}
	ref := e.Data.Object.ID
	switch e.Type {
	case "checkout.session.completed", "checkout.session.expired",
		"checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed":
	case "payment_intent.succeeded", "payment_intent.payment_failed", "payment_intent.canceled":
		p, found, err := a.getIntent(ctx, ref)
		switch {
		case err != nil:
			return acquiring.Notice{}, err
		case !found, p.Metadata.PaymentID == "", p.Metadata.Via != "":
			return acquiring.IgnoredNotice(acquiring.PlainReply), nil // its page has an event of its own
		}
	case "charge.refunded":
		var err error
		if ref, err = a.refOfIntent(ctx, e.Data.Object.Intent); err != nil {
			return acquiring.Notice{}, err
		}
	default:
		return acquiring.IgnoredNotice(acquiring.PlainReply), nil
	}
	event, err := a.QueryStatus(ctx, acquiring.Lookup{Ref: ref})
	switch {
	case err != nil:
		return acquiring.Notice{}, err
	case event.State == acquiring.Absent, !event.ID.IsValid():
		return acquiring.IgnoredNotice(acquiring.PlainReply), nil // of another program with the same account
	}
	return acquiring.NewNotice(event, acquiring.PlainReply), nil
}

// refOfIntent returns the reference under which the payment of an intent is stored here: the
// reference of its page, if it has one, else the intent's own.
func (a *Acquirer) refOfIntent(ctx context.Context, ref string) (string, error) {
	if !acquiring.IsPlainRef(ref) {
		return "", callError("callback", acquiring.Invalid, "ref")
	}
	p, found, err := a.getIntent(ctx, ref)
	if err != nil || !found || p.Metadata.Via == "" {
		return ref, err
	}
	page, err := a.findListed(ctx, "/checkout/sessions", url.Values{"payment_intent": {ref}}, func(o listed) bool {
		return o.Metadata.PaymentID == p.Metadata.PaymentID
	})
	if err == nil && page == "" {
		return ref, nil
	}
	return page, err
}

// isSigned reports whether the signature header is ours and at most five minutes old:
// t=<seconds>,v1=<hex of HMAC-SHA256 of seconds.body>. While a secret is being changed there are
// two signatures, and one of them must match.
func (a *Acquirer) isSigned(header string, body []byte) bool {
	var at string
	var given [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			at = value
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				given = append(given, signature)
			}
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return false
	}
	if age := a.config.Clock.Now().Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(a.config.WebhookSecret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	found := false
	for _, signature := range given {
		found = hmac.Equal(signature, want) || found
	}
	return found
}
