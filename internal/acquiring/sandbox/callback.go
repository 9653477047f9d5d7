//go:build !release

package sandbox

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"

	"servery/internal/acquiring"
)

// SignatureHeader has the keyed hash of a callback's body, in hexadecimal.
const SignatureHeader = "X-Sandbox-Signature"

// notification is the body of a callback.
type notification struct {
	Ref      string       `json:"ref"`
	ID       acquiring.ID `json:"id"`
	State    string       `json:"state"`
	Amount   string       `json:"amount"`
	Currency string       `json:"currency"`
	Refunded string       `json:"refunded"`
	Reason   string       `json:"reason,omitempty"`
}

// callbackBody returns the body of a callback about an event, in JSON.
func callbackBody(e acquiring.Event) []byte {
	body, err := json.Marshal(notification{
		Ref: e.Ref, ID: e.ID, State: e.State.String(), Amount: acquiring.Decimal(e.Sum.Amount), Currency: e.Sum.Currency.Code,
		Refunded: acquiring.Decimal(e.Refunded), Reason: e.Reason.String(),
	})
	if err != nil {
		panic(err) // texts only
	}
	return body
}

// VerifyCallback returns the notice of a callback with the right signature, and an error of kind
// [acquiring.Forged] for any other. Since callbacks come in any order, the event of the notice is
// the payment as it is now, not as the callback says.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	const op = "callback"
	want, err := a.bank.keys.signText(ctx, op, a.site, c.Body)
	if err != nil {
		return acquiring.Notice{}, a.callError(op, acquiring.Lost, "key").Because(err)
	}
	got, err := hex.DecodeString(c.Header.Get(SignatureHeader))
	if err != nil || !hmac.Equal(got, want) || c.Method != http.MethodPost {
		return acquiring.Notice{}, a.callError(op, acquiring.Forged, "signature")
	}
	var n notification
	if err := json.Unmarshal(c.Body, &n); err != nil || !n.ID.IsValid() || !acquiring.IsPlainRef(n.Ref) {
		return acquiring.Notice{}, a.callError(op, acquiring.Forged, "body")
	}
	which := acquiring.Lookup{Ref: n.Ref, ID: n.ID}
	p, err := a.bank.findPayment(ctx, a.site, which)
	event, err := a.toEvent(op, which, p, err)
	var refused *acquiring.Error
	switch {
	case errors.As(err, &refused) && refused.Kind != acquiring.Lost:
		return acquiring.Notice{}, a.callError(op, acquiring.Forged, "payment")
	case err != nil:
		return acquiring.Notice{}, err
	case event.State == acquiring.Absent:
		return acquiring.Notice{}, a.callError(op, acquiring.Forged, "payment")
	}
	return acquiring.NewNotice(event, acquiring.PlainReply), nil
}
