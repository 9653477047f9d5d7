package yookassa

import (
	"context"
	"encoding/json"
	"net/netip"

	"servery/internal/acquiring"
)

// VerifyCallback returns the notice of a notification about a payment. Notifications are not signed. When
// the settings name networks, it returns an error of kind [acquiring.Forged] for a sender outside of them
// and for a payment that the API does not know, and otherwise the event that the API answers. Without
// networks it returns a claim, which takes only reference and id from the body, and ignores refunds,
// because their notifications have no id of ours. Notifications of other kinds than payments and refunds
// are ignored.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	isSenderKnown := len(a.config.Senders) > 0
	if isSenderKnown && !isFrom(a.config.Senders, c.Sender) {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "sender")
	}
	var body struct {
		Type   string `json:"type"`
		Event  string `json:"event"`
		Object struct {
			ID        string `json:"id"`
			PaymentID string `json:"payment_id"`
			Metadata  struct {
				PaymentID string `json:"payment_id"`
			} `json:"metadata"`
		} `json:"object"`
	}
	if json.Unmarshal(c.Body, &body) != nil || body.Type != "notification" {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "body")
	}
	ref := body.Object.ID
	switch body.Event {
	case "payment.waiting_for_capture", "payment.succeeded", "payment.canceled":
	case "refund.succeeded":
		if !isSenderKnown {
			return acquiring.IgnoredNotice(acquiring.PlainReply), nil
		}
		ref = body.Object.PaymentID
	default:
		return acquiring.IgnoredNotice(acquiring.PlainReply), nil
	}
	if !acquiring.IsPlainRef(ref) {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "ref")
	}
	if !isSenderKnown {
		which := acquiring.Lookup{Ref: ref, ID: acquiring.ID(body.Object.Metadata.PaymentID)}
		if !which.ID.IsValid() { // of another program of the same shop, or made up
			return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "payment")
		}
		return acquiring.ClaimNotice(which, acquiring.PlainReply), nil
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
