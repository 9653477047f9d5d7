package yookassa

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
)

// refund is a refund of the API, or the error in its place.
type refund struct {
	ID      string  `json:"id"`
	Status  string  `json:"status"`
	Payment string  `json:"payment_id"`
	Amount  amount  `json:"amount"`
	Code    string  `json:"code"`
	Details details `json:"cancellation_details"`
}

// toRefunded returns what became of the refund r. A refund of another payment is unknown.
func (o refund) toRefunded(r acquiring.Refund) acquiring.Refunded {
	if o.Payment == r.Of.Ref {
		switch o.Status {
		case "succeeded":
			return acquiring.Refunded{State: acquiring.RefundDone, Ref: o.ID}
		case "pending":
			return acquiring.Refunded{State: acquiring.RefundPending, Ref: o.ID}
		case "canceled":
			return acquiring.Refunded{State: acquiring.RefundFailed, Ref: o.ID, Code: acquiring.CleanCode(o.Details.Reason)}
		}
	}
	return acquiring.Refunded{State: acquiring.RefundUnknown}
}

// repeatLimit is how old a refund may be when it is sent again without looking for it: the API forgets
// idempotence keys after a day.
const repeatLimit = 23 * time.Hour

// RefundPayment refunds a part or all of a payment, once for each refund id. An outcome that is
// not clear is [acquiring.RefundUnknown]; an error means that this call refunded nothing. A refund
// that is older than repeatLimit is sent again only when it is certainly not in the list of the
// payment's refunds. When that is not certain either, the error is of kind [acquiring.Late].
func (a *Acquirer) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	if err := r.Check(Name); err != nil {
		return acquiring.Refunded{}, err
	}
	if r.IsOlderThan(repeatLimit, a.config.Clock.Now()) {
		switch found, result, err := a.findRefund(ctx, r); {
		case err != nil:
			return acquiring.Refunded{}, err
		case result == acquiring.ListUnclear:
			return acquiring.Refunded{}, a.callError("refund", acquiring.Late, "idempotence_key")
		case result == acquiring.ListFound:
			return found, nil
		}
	}
	body := map[string]any{
		"payment_id": r.Of.Ref, "amount": amountOf(r.Sum), "description": acquiring.CutText(r.Description, 250),
	}
	if len(r.Receipt.Lines) > 0 {
		body["receipt"] = receiptBody(r.Receipt, r.Sum.Currency.Code)
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "refund", Path: "/refunds", JSON: body, Header: idempotenceKey(string(r.ID))})
	switch {
	case call.IsUnclear(err):
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
	case err != nil:
		return acquiring.Refunded{}, err
	}
	var o refund
	if answer.ReadJSON(&o) != nil {
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil //nolint:nilerr // it may have been made
	}
	if !answer.OK() {
		return a.readRefundRefusal(ctx, r, o.Code), nil
	}
	if o.Status == "pending" && acquiring.IsPlainRef(o.ID) {
		// A repeated request gets the first answer again, however old: ask for today's.
		answer, err := a.callAPI(ctx, call.Request{Op: "refund status", Method: http.MethodGet, Path: "/refunds/" + o.ID})
		var current refund
		if err == nil && answer.OK() && answer.ReadJSON(&current) == nil && current.ID == o.ID {
			o = current
		}
	}
	return o.toRefunded(r), nil
}

// readRefundRefusal returns the outcome of a refused refund. The refund may have been made before,
// since another body under a used key is refused as well; the list of refunds or the refunded sum
// shows that.
func (a *Acquirer) readRefundRefusal(ctx context.Context, r acquiring.Refund, code string) acquiring.Refunded {
	found, result, err := a.findRefund(ctx, r)
	switch {
	case err != nil:
		return acquiring.Refunded{State: acquiring.RefundUnknown}
	case result == acquiring.ListFound:
		return found
	case result == acquiring.ListNotFound:
		return acquiring.Refunded{State: acquiring.RefundFailed, Code: acquiring.CleanCode(code)}
	}
	event, err := a.QueryStatus(ctx, r.Of)
	if err == nil && event.Refunded >= r.Before.Add(r.Sum.Amount) {
		return acquiring.Refunded{State: acquiring.RefundDone}
	}
	return acquiring.Refunded{State: acquiring.RefundUnknown}
}

// findRefund looks for a refund in the list of the payment's refunds; see [acquiring.Refund.FindIn]. It
// returns an error of kind [acquiring.Lost] when the list cannot be read to its end.
func (a *Acquirer) findRefund(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, acquiring.ListResult, error) {
	query := url.Values{"payment_id": {r.Of.Ref}, "limit": {"100"}}
	var refunds []acquiring.ListedRefund
	const pages = 20
	for range pages {
		answer, err := a.callAPI(ctx, call.Request{Op: "find refund", Method: http.MethodGet, Path: "/refunds", Query: query})
		if err != nil {
			return acquiring.Refunded{}, acquiring.ListUnclear, err
		}
		var list struct {
			Items  *[]refund `json:"items"`
			Cursor string    `json:"next_cursor"`
		}
		if answer.ReadJSON(&list) != nil || !answer.OK() || list.Items == nil {
			return acquiring.Refunded{}, acquiring.ListUnclear, answer.LostError("list")
		}
		for _, o := range *list.Items {
			sum, err := o.Amount.toSum()
			if err != nil || !acquiring.IsPlainRef(o.ID) || o.Payment != r.Of.Ref {
				return acquiring.Refunded{}, acquiring.ListUnclear, answer.LostError("list")
			}
			refunds = append(refunds, acquiring.ListedRefund{Refunded: o.toRefunded(r), Sum: sum})
		}
		if list.Cursor == "" {
			found, result := r.FindIn(refunds)
			return found, result, nil
		}
		query.Set("cursor", list.Cursor)
	}
	return acquiring.Refunded{}, acquiring.ListUnclear, a.callError("find refund", acquiring.Lost, "too many refunds")
}
