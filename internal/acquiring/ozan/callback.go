package ozan

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"servery/internal/acquiring"
)

// VerifyCallback returns the notice of a callback whose checksum is right and whose payment the
// API knows. It returns an error of kind [acquiring.Forged] for any other. The checksum joins
// the fields without a separator, so it proves little: the event is what the API answers about
// the payment.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	values, err := url.ParseQuery(string(c.Body))
	if err != nil || !a.isSigned(values) {
		return acquiring.Notice{}, callError("callback", acquiring.Forged, "checksum")
	}
	which := acquiring.Lookup{Ref: values.Get("transactionId"), ID: acquiring.ID(values.Get("referenceNo"))}
	if !acquiring.IsPlainRef(which.Ref) || !which.ID.IsValid() {
		return acquiring.Notice{}, callError("callback", acquiring.Forged, "payment")
	}
	event, err := a.QueryStatus(ctx, which)
	switch {
	case err != nil:
		return acquiring.Notice{}, err
	case event.State == acquiring.Absent:
		return acquiring.Notice{}, callError("callback", acquiring.Forged, "payment")
	}
	return acquiring.NewNotice(event, acquiring.PlainReply), nil
}

// isSigned reports whether the checksum of a callback is right. A callback with a field that
// occurs twice is never signed.
func (a *Acquirer) isSigned(values url.Values) bool {
	for _, all := range values {
		if len(all) != 1 {
			return false // which of them was signed is not known
		}
	}
	given, err := hex.DecodeString(values.Get("checksum"))
	return err == nil && hmac.Equal(given, CallbackChecksum(values, a.config.SecretKey))
}

// CallbackChecksum returns the SHA-256 of a callback's fields and the secret, one after the
// other.
func CallbackChecksum(values url.Values, secret string) []byte {
	text := sha256.New()
	for _, name := range []string{"referenceNo", "amount", "currency", "status", "message", "code"} {
		text.Write([]byte(values.Get(name)))
	}
	text.Write([]byte(secret))
	return text.Sum(nil)
}
