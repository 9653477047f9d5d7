package sber

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
)

// ordered is the answer of paymentOrder.do and of the methods of 3-D Secure.
type ordered struct {
	result

	Redirect   string `json:"redirect"`
	ACSURL     string `json:"acsUrl"`
	PaReq      string `json:"paReq"`
	TermURL    string `json:"termUrl"`
	CReq       string `json:"cReq"`
	MethodURL  string `json:"threeDSMethodUrl"`
	MethodData string `json:"threeDSMethodData"`
	TransID    string `json:"threeDSServerTransId"`
}

// chargeCard pays a registered order with a card, and returns the outcome or the first step of
// 3-D Secure. Our page has encrypted the card together with the order's reference, so it fits no
// other order. An order that already has an outcome, or whose card was refused, is not charged again.
func (a *Acquirer) chargeCard(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if !acquiring.IsPlainRef(in.VerifyParam) {
		return acquiring.Next{}, a.callError("order", acquiring.Invalid, "verify_param")
	}
	event, err := a.QueryStatus(ctx, in.Lookup(in.VerifyParam))
	switch {
	case err != nil && acquiring.KindOf(err) == acquiring.Lost:
		return acquiring.Next{Kind: acquiring.Unknown, Ref: in.VerifyParam}, nil
	case err != nil:
		return acquiring.Next{}, err
	case event.State == acquiring.Absent:
		return acquiring.Next{}, a.callError("order", acquiring.Foreign, "verify_param")
	case event.State != acquiring.Pending || event.Reason != acquiring.NoReason: // it is over, or a card was refused
		return a.cardOutcome(ctx, event), nil
	}
	params := map[string]any{
		"MDORDER": event.Ref, "seToken": in.Token.Reveal(), "language": in.Language, "termUrl": in.TermURL,
		"threeDSMethodNotificationUrl": in.TermURL, "bindingNotNeeded": true,
	}
	for name, value := range map[string]string{"TEXT": in.Customer.Name, "ip": in.Customer.Address, "email": in.Customer.Email} {
		if value != "" {
			params[name] = value
		}
	}
	return a.requestStep(ctx, in.Lookup(event.Ref), "order", "paymentOrder.do", params)
}

// requestStep makes a call of a card payment and returns what comes next: a step of 3-D Secure,
// or else the outcome that the order's status says. op names the call in errors; method is the
// last part of its path. When the outcome is not clear, requestStep returns [acquiring.Unknown].
func (a *Acquirer) requestStep(ctx context.Context, which acquiring.Lookup, op, method string, params map[string]any) (acquiring.Next, error) {
	var o ordered
	err := a.callMethod(ctx, op, method, params, &o)
	switch {
	case err != nil && call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown, Ref: which.Ref}, nil
	case err != nil:
		return acquiring.Next{}, err
	case o.isOK() && o.MethodURL != "" && o.MethodData != "":
		return acquiring.Next{Kind: acquiring.ThreeDS2, Ref: which.Ref, ThreeDS: acquiring.ThreeDS{
			MethodURL: o.MethodURL, MethodData: o.MethodData, TransID: o.TransID,
		}}, nil
	case o.isOK() && o.ACSURL != "" && o.CReq != "":
		return acquiring.Next{Kind: acquiring.ThreeDS2, Ref: which.Ref, ThreeDS: acquiring.ThreeDS{ACSURL: o.ACSURL, CReq: o.CReq, TransID: o.TransID}}, nil
	case o.isOK() && o.ACSURL != "" && o.PaReq != "":
		return acquiring.Next{Kind: acquiring.ThreeDS1, Ref: which.Ref, ThreeDS: acquiring.ThreeDS{
			ACSURL: o.ACSURL, MD: which.Ref, PaReq: o.PaReq, TermURL: o.TermURL,
		}}, nil
	}
	// Whether it was paid or refused, the order says so best.
	event, err := a.QueryStatus(ctx, which)
	if err != nil {
		return acquiring.Next{Kind: acquiring.Unknown, Ref: which.Ref}, nil //nolint:nilerr // it will be polled
	}
	return a.cardOutcome(ctx, event), nil
}

// cardOutcome returns the outcome of a card payment on our own form. After a refusal it cancels the
// gateway's order, because the customer pays again under a new id. The refusal is final even when
// the gateway does not cancel its order: the customer never saw the bank's page, where another card
// could be tried. The outcome is unknown when the cancellation fails.
func (a *Acquirer) cardOutcome(ctx context.Context, event acquiring.Event) acquiring.Next {
	if event.State == acquiring.Pending && event.Reason != acquiring.NoReason {
		closed, err := a.CancelPayment(ctx, acquiring.Lookup{Ref: event.Ref, ID: event.ID})
		switch {
		case err != nil:
			return acquiring.Next{Kind: acquiring.Unknown, Ref: event.Ref}
		case closed.State != acquiring.Pending:
			event = closed
		case closed.Reason != acquiring.NoReason:
			event.State = acquiring.Failed
		}
	}
	return acquiring.NextOfEvent(event)
}

// Finish3DS submits a result of 3-D Secure, or ends the hidden step of version 2 when the result is
// empty, and returns what comes next. For an order that has an outcome already, it submits nothing.
// It returns an error of kind [acquiring.Foreign] for a result of another order, and of kind
// [acquiring.Unsent] when the order could not be read before: the result is still good.
func (a *Acquirer) Finish3DS(ctx context.Context, submitted acquiring.ThreeDSResult) (acquiring.Next, error) {
	if !acquiring.IsPlainRef(submitted.Ref) {
		return acquiring.Next{}, a.callError("finish 3ds", acquiring.Invalid, "proof")
	}
	// The name comes from a form in the customer's browser: first see whose it is.
	event, err := a.QueryStatus(ctx, submitted.Lookup)
	switch {
	case err != nil && acquiring.KindOf(err) == acquiring.Foreign:
		return acquiring.Next{}, err
	case err != nil: // the result was not sent, so it is still good
		return acquiring.Next{}, a.callError("finish 3ds", acquiring.Unsent, "status")
	case event.State == acquiring.Absent:
		return acquiring.Next{}, a.callError("finish 3ds", acquiring.Foreign, "")
	case event.State != acquiring.Pending || event.Reason != acquiring.NoReason: // it is over, or a card was refused
		return a.cardOutcome(ctx, event), nil
	}
	params := map[string]any{"mdOrder": submitted.Ref}
	method := "finish3dsPayment.do"
	switch {
	case submitted.CRes != "":
		params["cRes"] = submitted.CRes.Reveal()
	case submitted.PaRes != "":
		params["paRes"] = submitted.PaRes.Reveal()
	default:
		method = "finish3dsMethod.do"
		params["threeDSServerTransId"] = submitted.TransID
		params["threeDSCompInd"] = "N"
		if submitted.MethodDone {
			params["threeDSCompInd"] = "Y"
		}
	}
	return a.requestStep(ctx, submitted.Lookup, "finish 3ds", method, params)
}
