package stripe

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
)

// refund is a refund of the API. Its metadata has our id of it.
type refund struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Intent   string `json:"payment_intent"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Reason   string `json:"failure_reason"`
	Metadata struct {
		RefundID string `json:"refund_id"`
	} `json:"metadata"`
}

// toRefunded returns what became of a refund of the intent. A refund of another intent is
// unknown.
func (o refund) toRefunded(intent string) acquiring.Refunded {
	if o.Intent == intent {
		switch o.Status {
		case "succeeded":
			return acquiring.Refunded{State: acquiring.RefundDone, Ref: o.ID}
		case "pending", "requires_action":
			return acquiring.Refunded{State: acquiring.RefundPending, Ref: o.ID}
		case "failed", "canceled":
			return acquiring.Refunded{State: acquiring.RefundFailed, Ref: o.ID, Code: acquiring.CleanCode(o.Reason)}
		}
	}
	return acquiring.Refunded{State: acquiring.RefundUnknown}
}

// repeatLimit is how old a refund may be when it is sent again without looking for it: the API may forget
// idempotency keys after a day.
const repeatLimit = 23 * time.Hour

// RefundPayment refunds a part or all of a payment, once for each refund id. An outcome that is
// not clear is [acquiring.RefundUnknown]; an error means that this call refunded nothing. A refund
// that is older than repeatLimit is sent again only when it is certainly not in the list of the
// payment's refunds. When that is not certain either, the error is of kind [acquiring.Late].
func (a *Acquirer) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	if err := r.Check(Name); err != nil {
		return acquiring.Refunded{}, err
	}
	p, err := a.getIntentToRefund(ctx, r.Of)
	if err != nil {
		return acquiring.Refunded{}, err // nothing was sent yet
	}
	if r.IsOlderThan(repeatLimit, a.config.Clock.Now()) {
		switch found, result, err := a.findRefund(ctx, r, p.ID); {
		case err != nil:
			return acquiring.Refunded{}, err
		case result == acquiring.ListUnclear:
			return acquiring.Refunded{}, callError("refund", acquiring.Late, "idempotency_key")
		case result == acquiring.ListFound:
			return found, nil
		}
	}
	form := url.Values{}
	form.Set("payment_intent", p.ID)
	form.Set("amount", formatMinor(r.Sum.Amount))
	form.Set("metadata[refund_id]", string(r.ID))
	answer, err := a.callAPI(ctx, "refund", http.MethodPost, "/refunds", form, string(r.ID))
	switch {
	case call.IsUnclear(err):
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
	case err != nil:
		return acquiring.Refunded{}, err
	case answer.Status == http.StatusConflict:
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
	case !answer.OK():
		return a.readRefundRefusal(ctx, r, p.ID, answer), nil
	}
	var o refund
	if answer.ReadJSON(&o) != nil {
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil //nolint:nilerr // it may have been made
	}
	if o.Status == "pending" && acquiring.IsPlainRef(o.ID) {
		// A repeated request gets the first answer again, however old: ask for today's.
		answer, err := a.callAPI(ctx, "refund status", http.MethodGet, "/refunds/"+o.ID, url.Values{}, noKey)
		var current refund
		if err == nil && answer.OK() && answer.ReadJSON(&current) == nil && current.ID == o.ID {
			o = current
		}
	}
	return o.toRefunded(p.ID), nil
}

// readRefundRefusal returns the outcome of a refused refund of an intent. The refund may have been made
// before, since another form under a used key is refused as well; the list of refunds or the refunded
// sum shows that.
func (a *Acquirer) readRefundRefusal(ctx context.Context, r acquiring.Refund, intent string, answer call.Answer) acquiring.Refunded {
	found, result, err := a.findRefund(ctx, r, intent)
	switch {
	case err != nil:
		return acquiring.Refunded{State: acquiring.RefundUnknown}
	case result == acquiring.ListFound:
		return found
	case result == acquiring.ListNotFound:
		return acquiring.Refunded{State: acquiring.RefundFailed, Code: errorCode(answer)}
	}
	event, err := a.QueryStatus(ctx, r.Of)
	if err == nil && event.Refunded >= r.Before.Add(r.Sum.Amount) {
		return acquiring.Refunded{State: acquiring.RefundDone}
	}
	return acquiring.Refunded{State: acquiring.RefundUnknown}
}

// findRefund looks for a refund in the list of the refunds of an intent; see [acquiring.Refund.FindIn]. It
// returns an error of kind [acquiring.Lost] when the list cannot be read to its end.
func (a *Acquirer) findRefund(ctx context.Context, r acquiring.Refund, intent string) (acquiring.Refunded, acquiring.ListResult, error) {
	query := url.Values{"payment_intent": {intent}, "limit": {"100"}}
	var refunds []acquiring.ListedRefund
	const pages = 20
	for range pages {
		answer, err := a.callAPI(ctx, "find refund", http.MethodGet, "/refunds", query, noKey)
		if err != nil {
			return acquiring.Refunded{}, acquiring.ListUnclear, err
		}
		var page struct {
			Data *[]refund `json:"data"`
			More bool      `json:"has_more"`
		}
		if answer.ReadJSON(&page) != nil || !answer.OK() || page.Data == nil {
			return acquiring.Refunded{}, acquiring.ListUnclear, answer.LostError("list")
		}
		for _, o := range *page.Data {
			sum, err := readSum(o.Amount, o.Currency)
			if err != nil || !acquiring.IsPlainRef(o.ID) || o.Intent != intent {
				return acquiring.Refunded{}, acquiring.ListUnclear, answer.LostError("list")
			}
			refunds = append(refunds, acquiring.ListedRefund{Refunded: o.toRefunded(intent), ID: acquiring.ID(o.Metadata.RefundID), Sum: sum})
		}
		if !page.More {
			found, result := r.FindIn(refunds)
			return found, result, nil
		}
		if len(*page.Data) == 0 {
			return acquiring.Refunded{}, acquiring.ListUnclear, answer.LostError("list")
		}
		query.Set("starting_after", (*page.Data)[len(*page.Data)-1].ID)
	}
	return acquiring.Refunded{}, acquiring.ListUnclear, callError("find refund", acquiring.Lost, "too many refunds")
}
