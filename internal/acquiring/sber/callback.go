package sber

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"servery/internal/acquiring"
)

// VerifyCallback returns the notice of a callback about an order, and an error of kind
// [acquiring.Forged] for one that cannot be read. The new gateway signs nothing, so its callbacks are
// claims, which take only reference and id of the order from the body. The older one does not sign the
// sum, so its event is what the API answers, and an order that the gateway does not know is Forged.
// Operations that are of no interest are ignored.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	var body struct {
		MDOrder   string       `json:"mdOrder"`
		Number    acquiring.ID `json:"orderNumber"`
		Operation string       `json:"operation"`
	}
	if a.config.Legacy {
		text := c.Query
		if text == "" {
			text = string(c.Body)
		}
		values, err := url.ParseQuery(text)
		if err != nil || !a.isSigned(values) {
			return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "checksum")
		}
		body.MDOrder, body.Operation = values.Get("mdOrder"), values.Get("operation")
	} else if json.Unmarshal(c.Body, &body) != nil {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "body")
	}
	switch body.Operation {
	case "approved", "deposited", "reversed", "refunded", "declinedByTimeout":
	case "":
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "operation")
	default:
		return acquiring.IgnoredNotice(acquiring.PlainReply), nil
	}
	if !acquiring.IsPlainRef(body.MDOrder) {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "order")
	}
	if !a.config.Legacy {
		if !body.Number.IsValid() {
			return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "order")
		}
		return acquiring.ClaimNotice(acquiring.Lookup{Ref: body.MDOrder, ID: body.Number}, acquiring.PlainReply), nil
	}
	event, err := a.QueryStatus(ctx, acquiring.Lookup{Ref: body.MDOrder})
	switch {
	case err != nil:
		return acquiring.Notice{}, err
	case event.State == acquiring.Absent, !event.ID.IsValid():
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "order")
	}
	return acquiring.NewNotice(event, acquiring.PlainReply), nil
}

// isSigned reports whether the checksum of a callback of the older gateway is right. It covers
// all other parameters, so a callback with a parameter that occurs twice is never signed.
func (a *Acquirer) isSigned(values url.Values) bool {
	for _, all := range values {
		if len(all) != 1 {
			return false // which of them was signed is not known
		}
	}
	given, err := hex.DecodeString(values.Get("checksum"))
	if err != nil || a.config.CallbackKey == "" {
		return false
	}
	return hmac.Equal(given, CallbackChecksum(values, a.config.CallbackKey))
}

// CallbackChecksum returns the checksum of a callback of the older gateway: the HMAC-SHA256 of
// all other parameters in the order of their names, each written as name;value; with the
// callback's key.
func CallbackChecksum(values url.Values, key string) []byte {
	var names []string
	for name := range values {
		if name != "checksum" && name != "sign_alias" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		text.WriteString(name + ";" + values.Get(name) + ";")
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(text.String()))
	return mac.Sum(nil)
}
