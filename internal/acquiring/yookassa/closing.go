package yookassa

import (
	"context"
	"net/http"
	"net/url"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/money"
)

// settledByPrepayment is the kind of settlement that a closing receipt has and no other.
const settledByPrepayment = "prepayment"

// receiptObject is a receipt of the API, or the error in its place.
type receiptObject struct {
	ID          string       `json:"id"`
	Type        string       `json:"type"`
	PaymentID   string       `json:"payment_id"`
	Status      string       `json:"status"`
	Settlements []settlement `json:"settlements"`
	Code        string       `json:"code"`
	Parameter   string       `json:"parameter"`
}

type settlement struct {
	Type   string `json:"type"`
	Amount amount `json:"amount"`
}

// isClosing reports whether this is a closing receipt of the payment: a receipt that is settled
// by the prepayment alone.
func (o receiptObject) isClosing(payment string) bool {
	if o.Type != "payment" || o.PaymentID != payment || len(o.Settlements) == 0 {
		return false
	}
	for _, s := range o.Settlements {
		if s.Type != settledByPrepayment {
			return false
		}
	}
	return true
}

// settledTotal returns the sum of the settlements, and false when one cannot be read or is in
// another currency.
func (o receiptObject) settledTotal(currency string) (money.Amount, bool) {
	var total money.Amount
	for _, s := range o.Settlements {
		value, err := acquiring.ParseDecimal(s.Amount.Value)
		if err != nil || s.Amount.Currency != currency {
			return 0, false
		}
		total = total.Add(value)
	}
	return total, true
}

// toClosed returns what became of the closing receipt c by this answer. A receipt of another sum than
// requested has failed. An answer that is about another receipt or cannot be read is unknown.
func (o receiptObject) toClosed(c acquiring.Closing) acquiring.Closed {
	total, readable := o.settledTotal(c.Sum.Currency.Code)
	if !acquiring.IsPlainRef(o.ID) || !o.isClosing(c.Of.Ref) || !readable {
		return acquiring.Closed{State: acquiring.ClosingUnknown}
	}
	if total != c.Sum.Amount {
		return acquiring.Closed{State: acquiring.ClosingFailed, Ref: o.ID, Code: "other_sum"}
	}
	switch o.Status {
	case "succeeded":
		return acquiring.Closed{State: acquiring.ClosingDone, Ref: o.ID}
	case "pending":
		return acquiring.Closed{State: acquiring.ClosingPending, Ref: o.ID}
	case "canceled":
		return acquiring.Closed{State: acquiring.ClosingFailed, Ref: o.ID, Code: o.Status}
	}
	return acquiring.Closed{State: acquiring.ClosingUnknown, Ref: o.ID}
}

// CloseReceipt registers a closing receipt, once for each id, and returns its state. A receipt
// whose reference is known is only read. A repeated request first searches for the receipt,
// because idempotency keys are forgotten. An outcome that is not clear is
// [acquiring.ClosingUnknown]; an error means that this call registered nothing.
func (a *Acquirer) CloseReceipt(ctx context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	if err := c.Check(Name); err != nil {
		return acquiring.Closed{}, err
	}
	if c.Ref != "" {
		return a.readReceipt(ctx, c)
	}
	if c.Repeated {
		if known, isCertain := a.findClosing(ctx, c); known.Ref != "" || !isCertain {
			return known, nil
		}
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "close", Path: "/receipts", JSON: closingBody(c), Header: idempotenceKey(string(c.ID))})
	switch {
	case call.IsUnclear(err):
		return acquiring.Closed{State: acquiring.ClosingUnknown}, nil
	case err != nil:
		return acquiring.Closed{}, err
	}
	var o receiptObject
	if answer.ReadJSON(&o) != nil {
		return acquiring.Closed{State: acquiring.ClosingUnknown}, nil //nolint:nilerr // it may have been registered
	}
	if !answer.OK() {
		return a.readClosingRefusal(ctx, c, o), nil
	}
	return o.toClosed(c), nil
}

// readClosingRefusal returns the outcome of a closing receipt that was answered with a status
// 4xx. It has failed only when no earlier request registered it, since another body under a used
// key is refused as well.
func (a *Acquirer) readClosingRefusal(ctx context.Context, c acquiring.Closing, o receiptObject) acquiring.Closed {
	known, isCertain := a.findClosing(ctx, c)
	if known.Ref != "" || !isCertain {
		return known
	}
	code := o.Code
	if o.Parameter != "" {
		code = o.Parameter // it names the field that was refused
	}
	return acquiring.Closed{State: acquiring.ClosingFailed, Code: acquiring.CleanCode(code)}
}

// readReceipt returns the state of a receipt by its reference, unknown when the answer cannot be
// read.
func (a *Acquirer) readReceipt(ctx context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	answer, err := a.callAPI(ctx, call.Request{Op: "receipt", Method: http.MethodGet, Path: "/receipts/" + c.Ref})
	var o receiptObject
	switch {
	case err != nil && !call.IsUnclear(err):
		return acquiring.Closed{}, err
	case err != nil || !answer.OK() || answer.ReadJSON(&o) != nil || o.ID != c.Ref:
		return acquiring.Closed{State: acquiring.ClosingUnknown, Ref: c.Ref}, nil //nolint:nilerr // it is asked again
	}
	return o.toClosed(c), nil
}

// findClosing searches for the closing receipt among the payment's receipts, which include one
// that a person made in the cabinet. A canceled receipt is the result only when there is no other.
// The result has no Ref when there is none. findClosing returns false when the list cannot be read
// or says too little.
func (a *Acquirer) findClosing(ctx context.Context, c acquiring.Closing) (acquiring.Closed, bool) {
	answer, err := a.callAPI(ctx, call.Request{
		Op: "receipts", Method: http.MethodGet, Path: "/receipts", Query: url.Values{"payment_id": {c.Of.Ref}, "limit": {"100"}},
	})
	var list struct {
		Items *[]receiptObject `json:"items"`
	}
	if err != nil || !answer.OK() || answer.ReadJSON(&list) != nil || list.Items == nil {
		return acquiring.Closed{}, false
	}
	var canceled acquiring.Closed
	for _, o := range *list.Items {
		switch {
		case !o.isClosing(c.Of.Ref):
		case o.Status == "canceled":
			canceled = o.toClosed(c)
		default:
			known := o.toClosed(c)
			return known, known.Ref != ""
		}
	}
	return canceled, true
}

// closingBody returns the JSON body of the call that registers a closing receipt.
func closingBody(c acquiring.Closing) map[string]any {
	body := receiptBody(c.Receipt, c.Sum.Currency.Code)
	body["type"], body["payment_id"], body["send"] = "payment", c.Of.Ref, true
	body["settlements"] = []settlement{{Type: settledByPrepayment, Amount: amountOf(c.Sum)}}
	return body
}
