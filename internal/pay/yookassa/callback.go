package yookassa

import (
	"context"
	"encoding/json"
	"net/netip"

	"servery/internal/pay"
)

// Verify implements [pay.Acquirer]. Nothing in the body is believed but the name of the
// payment, which is then read through the API.
func (a *Acquirer) Verify(ctx context.Context, c pay.Callback) (pay.Notice, error) {
	if len(a.config.Senders) > 0 && !from(a.config.Senders, c.Sender) {
		return pay.Notice{}, a.fail("callback", pay.Forged, "sender")
	}
	var body struct {
		Type   string `json:"type"`
		Event  string `json:"event"`
		Object struct {
			ID        string `json:"id"`
			PaymentID string `json:"payment_id"`
		} `json:"object"`
	}
	if json.Unmarshal(c.Body, &body) != nil || body.Type != "notification" {
		return pay.Notice{}, a.fail("callback", pay.Forged, "body")
	}
	ref := body.Object.ID
	switch body.Event {
	case "payment.waiting_for_capture", "payment.succeeded", "payment.canceled":
	case "refund.succeeded":
		ref = body.Object.PaymentID
	default:
		return pay.IgnoredNotice(nil), nil
	}
	if !pay.PlainRef(ref) {
		return pay.Notice{}, a.fail("callback", pay.Forged, "ref")
	}
	event, err := a.Status(ctx, pay.Lookup{Ref: ref})
	switch {
	case err != nil:
		return pay.Notice{}, err
	case event.State == pay.Absent, event.ID == "":
		// Of another program of the same shop, or made up.
		return pay.Notice{}, a.fail("callback", pay.Forged, "payment")
	}
	return pay.NewNotice(event, nil), nil
}

func from(networks []netip.Prefix, sender netip.Addr) bool {
	for _, n := range networks {
		if sender.IsValid() && n.Contains(sender.Unmap()) {
			return true
		}
	}
	return false
}
