package ozan

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"servery/internal/pay"
)

// Verify implements [pay.Acquirer]. The checksum joins its fields without a mark between
// them, so it is only a reason to look: the payment is read through the API.
func (a *Acquirer) Verify(ctx context.Context, c pay.Callback) (pay.Notice, error) {
	values, err := url.ParseQuery(string(c.Body))
	if err != nil || !a.signed(values) {
		return pay.Notice{}, fail("callback", pay.Forged, "checksum")
	}
	which := pay.Lookup{Ref: values.Get("transactionId"), ID: pay.ID(values.Get("referenceNo"))}
	if !pay.PlainRef(which.Ref) || !which.ID.Valid() {
		return pay.Notice{}, fail("callback", pay.Forged, "payment")
	}
	event, err := a.Status(ctx, which)
	switch {
	case err != nil:
		return pay.Notice{}, err
	case event.State == pay.Absent:
		return pay.Notice{}, fail("callback", pay.Forged, "payment")
	}
	return pay.NewNotice(event, nil), nil
}

func (a *Acquirer) signed(values url.Values) bool {
	for _, all := range values {
		if len(all) != 1 {
			return false // which of them was signed cannot be told
		}
	}
	given, err := hex.DecodeString(values.Get("checksum"))
	return err == nil && hmac.Equal(given, Checksum(values, a.config.SecretKey))
}

// Checksum is that of a callback's fields.
func Checksum(values url.Values, secret string) []byte {
	text := sha256.New()
	for _, name := range []string{"referenceNo", "amount", "currency", "status", "message", "code"} {
		text.Write([]byte(values.Get(name)))
	}
	text.Write([]byte(secret))
	return text.Sum(nil)
}
