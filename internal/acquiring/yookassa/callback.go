package yookassa

import (
	"context"
	"encoding/json"
	"net/netip"

	"servery/internal/acquiring"
)

// VerifyCallback returns the notice of a notification about a payment that the API knows. It
// returns an error of kind [acquiring.Forged] for any other, and for a sender outside of the
// networks that the settings allow. Notifications are not signed, so only the payment's reference
// is taken from the body; the event is what the API answers. Notifications of other kinds than
// payments and refunds are ignored.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	if len(a.config.Senders) > 0 && !isFrom(a.config.Senders, c.Sender) {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "sender")
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
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "body")
	}
	ref := body.Object.ID
	switch body.Event {
	case "payment.waiting_for_capture", "payment.succeeded", "payment.canceled":
	case "refund.succeeded":
		ref = body.Object.PaymentID
	default:
		return acquiring.IgnoredNotice(acquiring.PlainReply), nil
	}
	if !acquiring.IsPlainRef(ref) {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "ref")
	}
	event, err := a.QueryStatus(ctx, acquiring.Lookup{Ref: ref})
	switch {
	case err != nil:
		return acquiring.Notice{}, err
	case event.State == acquiring.Absent, event.ID == "":
		// Of another program of the same shop, or made up.
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "payment")
	}
	return acquiring.NewNotice(event, acquiring.PlainReply), nil
}

// isFrom reports whether the sender is in one of the networks.
func isFrom(networks []netip.Prefix, sender netip.Addr) bool {
	for _, n := range networks {
		if sender.IsValid() && n.Contains(sender.Unmap()) {
			return true
		}
	}
	return false
}
