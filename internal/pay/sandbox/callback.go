//go:build !release

package sandbox

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"

	"servery/internal/pay"
)

// SignatureHeader has the keyed hash of a callback's body, in hexadecimal.
const SignatureHeader = "X-Sandbox-Signature"

// notification is the body of a callback.
type notification struct {
	Ref      string `json:"ref"`
	ID       pay.ID `json:"id"`
	State    string `json:"state"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Refunded string `json:"refunded"`
	Reason   string `json:"reason,omitempty"`
}

func callbackBody(e pay.Event) []byte {
	body, err := json.Marshal(notification{
		Ref: e.Ref, ID: e.ID, State: e.State.String(), Amount: pay.Decimal(e.Sum.Amount), Currency: e.Sum.Currency.Code,
		Refunded: pay.Decimal(e.Refunded), Reason: e.Reason.String(),
	})
	if err != nil {
		panic(err) // texts only
	}
	return body
}

// Verify implements [pay.Acquirer]. Callbacks are signed, and read again, because they
// come in any order.
func (a *Acquirer) Verify(ctx context.Context, c pay.Callback) (pay.Notice, error) {
	const op = "callback"
	want, err := a.bank.keys.sign(ctx, op, a.site, c.Body)
	if err != nil {
		return pay.Notice{}, a.fail(op, pay.Lost, "key").Because(err)
	}
	got, err := hex.DecodeString(c.Header.Get(SignatureHeader))
	if err != nil || !hmac.Equal(got, want) || c.Method != http.MethodPost {
		return pay.Notice{}, a.fail(op, pay.Forged, "signature")
	}
	var n notification
	if err := json.Unmarshal(c.Body, &n); err != nil || !n.ID.Valid() || !pay.PlainRef(n.Ref) {
		return pay.Notice{}, a.fail(op, pay.Forged, "body")
	}
	which := pay.Lookup{Ref: n.Ref, ID: n.ID}
	p, err := a.bank.find(ctx, a.site, which)
	event, err := a.told(op, which, p, err)
	var refused *pay.Error
	switch {
	case errors.As(err, &refused) && refused.Kind != pay.Lost:
		return pay.Notice{}, a.fail(op, pay.Forged, "payment")
	case err != nil:
		return pay.Notice{}, err
	case event.State == pay.Absent:
		return pay.Notice{}, a.fail(op, pay.Forged, "payment")
	}
	return pay.NewNotice(event, nil), nil
}
