package sber

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// sessionMargin is how much later than by our clock the bank may end a session.
const sessionMargin = 2 * time.Minute

// The states of an order at the gateway.
const (
	statusRegistered = 0 // not paid yet
	statusHeld       = 1
	statusPaid       = 2
	statusReversed   = 3 // held money was released
	statusRefunded   = 4 // in full or in part
	statusInACS      = 5 // in 3-D Secure
	statusDeclined   = 6 // the last card was refused
)

// status is the answer of getOrderStatusExtended.do.
type status struct {
	result

	OrderNumber string     `json:"orderNumber"`
	OrderStatus *int       `json:"orderStatus"`
	ActionCode  int        `json:"actionCode"`
	Amount      int64      `json:"amount"`
	Currency    word       `json:"currency"`
	Date        instant    `json:"date"`
	Attributes  attributes `json:"attributes"`
	Info        *struct {
		Refunded int64 `json:"refundedAmount"`
	} `json:"paymentAmountInfo"`
	Operations []struct {
		Type       string `json:"type"`
		ActionCode int    `json:"actionCode"`
		RefundID   string `json:"externalRefundId"`
	} `json:"operations"`
}

// instant is a time in seconds or in milliseconds since 1970: gateways differ. What is
// neither is the zero time.
type instant struct{ time.Time }

// UnmarshalJSON reads the whole part of a number as seconds or milliseconds since 1970, whichever fits its
// size. It ignores any other value.
func (i *instant) UnmarshalJSON(data []byte) error {
	whole, _, _ := strings.Cut(string(data), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	const seconds = 1e11 // in seconds that is the year 5138, in milliseconds 1973
	switch {
	case err != nil || n <= 0:
	case n < seconds:
		i.Time = time.Unix(n, 0)
	default:
		i.Time = time.UnixMilli(n)
	}
	return nil //nolint:nilerr // an order without its date is still one
}

// attributes are an object with the new gateway, and a list of names and values with the
// older one.
type attributes struct{ MDOrder string }

// UnmarshalJSON reads attributes that are an object or a list of names and values, and ignores
// any other value.
func (a *attributes) UnmarshalJSON(data []byte) error {
	var object struct {
		MDOrder string `json:"mdOrder"`
	}
	if json.Unmarshal(data, &object) == nil {
		a.MDOrder = object.MDOrder
		return nil
	}
	var list []struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	if json.Unmarshal(data, &list) != nil {
		return nil //nolint:nilerr // an order without attributes is still one
	}
	for _, l := range list {
		if text, ok := l.Value.(string); ok && l.Name == "mdOrder" {
			a.MDOrder = text
		}
	}
	return nil
}

// QueryStatus reads the order by its reference, or by our id while that is not known. An order
// that the gateway does not know is [acquiring.Absent]. An answer about another order is an
// error of kind [acquiring.Foreign]; one that cannot be read is of kind [acquiring.Lost].
func (a *Acquirer) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, _, err := a.getStatus(ctx, which)
	return event, err
}

// getStatus returns the event of an order and the gateway's whole answer. An order whose card
// was refused stays Pending while the bank's page may still be used. An order that the gateway
// does not know is [acquiring.Absent]; an answer about another order is an error of kind
// [acquiring.Foreign].
func (a *Acquirer) getStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, status, error) {
	params := map[string]any{"orderNumber": string(which.ID)}
	if which.Ref != "" {
		params = map[string]any{"orderId": which.Ref}
	}
	var s status
	if err := a.callMethod(ctx, "status", "getOrderStatusExtended.do", params, &s); err != nil {
		return acquiring.Event{}, s, err
	}
	switch {
	case s.errorCode() == codeUnknown:
		return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, s, nil
	case !s.isOK() || s.OrderStatus == nil:
		return acquiring.Event{}, s, a.callError("status", acquiring.Lost, s.errorCode())
	case which.ID != "" && s.OrderNumber != string(which.ID):
		return acquiring.Event{}, s, a.callError("status", acquiring.Foreign, "")
	case which.Ref != "" && s.Attributes.MDOrder != "" && s.Attributes.MDOrder != which.Ref:
		return acquiring.Event{}, s, a.callError("status", acquiring.Foreign, "")
	}
	event, ok := s.toEvent(which)
	if !ok {
		return acquiring.Event{}, s, a.callError("status", acquiring.Lost, "order")
	}
	if *s.OrderStatus == statusDeclined && !a.hasSessionEnded(s, which) {
		// On the bank's page another card can still be tried.
		event.State = acquiring.Pending
	}
	return event, s, nil
}

// hasSessionEnded reports whether the session of a refused order is over, so that it cannot be
// paid any more: the gateway says so, or it is two minutes past the longest session.
func (a *Acquirer) hasSessionEnded(s status, which acquiring.Lookup) bool {
	begun := which.Started
	if !s.Date.IsZero() {
		begun = s.Date.Time
	}
	if s.ActionCode == timedOut {
		return true
	}
	return !begun.IsZero() && a.config.Clock.Now().After(begun.Add(a.config.Session+sessionMargin))
}

// toEvent returns the event of an order, and false when the answer lacks something or has an
// unknown state. OrderStatus must not be nil.
func (s *status) toEvent(which acquiring.Lookup) (acquiring.Event, bool) {
	e := acquiring.Event{Ref: s.Attributes.MDOrder, ID: acquiring.ID(s.OrderNumber)}
	if e.Ref == "" {
		e.Ref = which.Ref
	}
	for code, number := range currencies {
		if number == string(s.Currency) {
			e.Sum.Currency, _ = money.ParseCurrency(code)
		}
	}
	e.Sum.Amount = money.Amount(s.Amount)
	if !acquiring.IsPlainRef(e.Ref) || e.Sum.Currency.Code == "" || s.Amount <= 0 {
		return acquiring.Event{}, false
	}
	if s.Info != nil {
		e.Refunded = money.Amount(s.Info.Refunded)
	}
	switch *s.OrderStatus {
	case statusRegistered, statusInACS:
		e.State = acquiring.Pending
	case statusHeld:
		e.State = acquiring.Held
	case statusPaid:
		e.State = acquiring.Paid
	case statusReversed:
		e.State, e.Reason = acquiring.Failed, acquiring.Canceled
	case statusRefunded:
		e.State = acquiring.Paid
		if s.Info == nil { // how much was refunded is not known
			return acquiring.Event{}, false
		}
	case statusDeclined:
		e.State, e.Reason, e.Code = acquiring.Failed, reasonOf(s.ActionCode), strconv.Itoa(s.ActionCode)
	default:
		return acquiring.Event{}, false
	}
	return e, true
}

// CancelPayment declines an order that is pending, or releases its held money, and returns its
// state afterwards. Declining an order that has no card yet certainly ends it. After a card
// failed the bank may refuse to decline the order, which then stays pending until its session is
// over.
func (a *Acquirer) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.QueryStatus(ctx, which)
	if err != nil || event.State != acquiring.Pending && event.State != acquiring.Held {
		return event, err
	}
	method := "decline.do"
	if event.State == acquiring.Held {
		method = "reverse.do"
	}
	var r result
	if err := a.callMethod(ctx, "cancel", method, map[string]any{"orderId": event.Ref}, &r); err != nil {
		return acquiring.Event{}, err
	}
	if !r.isOK() {
		return a.QueryStatus(ctx, which) // it has just been paid, or the bank refuses to decline it
	}
	event.State = acquiring.Failed
	if event.Reason == acquiring.NoReason {
		event.Reason = acquiring.Canceled
	}
	return event, nil
}

// RefundPayment refunds a part or all of a payment, once for each refund id. The new gateway stores
// our refund's id. The older one does not: there only the refunded sum shows whether the refund
// was made before. An outcome that is not clear is [acquiring.RefundUnknown]; an error means
// that this call refunded nothing.
func (a *Acquirer) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	if err := r.Check(a.name); err != nil {
		return acquiring.Refunded{}, err
	}
	isMade, err := a.wasRefunded(ctx, r)
	switch {
	case err != nil:
		return acquiring.Refunded{}, err // nothing was sent yet
	case isMade:
		return acquiring.Refunded{State: acquiring.RefundDone}, nil
	}
	params := map[string]any{"orderId": r.Of.Ref, "amount": int64(r.Sum.Amount)}
	if !a.config.Legacy {
		params["jsonParams"] = map[string]any{"externalRefundId": string(r.ID)}
		if len(r.Receipt.Lines) > 0 {
			params["orderBundle"] = a.orderBundle(r.Receipt, "sell_refund", a.config.Clock.Now())
		}
	}
	var answer result
	if err := a.callMethod(ctx, "refund", "refund.do", params, &answer); err != nil {
		if acquiring.KindOf(err) == acquiring.Lost {
			return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
		}
		return acquiring.Refunded{}, err
	}
	if answer.isOK() {
		return acquiring.Refunded{State: acquiring.RefundDone}, nil
	}
	if isMade, err = a.wasRefunded(ctx, r); err != nil || answer.errorCode() == codeSystem && !isMade {
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil //nolint:nilerr // to be tried again
	}
	if isMade {
		return acquiring.Refunded{State: acquiring.RefundDone}, nil
	}
	return acquiring.Refunded{State: acquiring.RefundFailed, Code: answer.errorCode()}, nil
}

// wasRefunded reports whether the refund was made before: the order has an operation with its
// id, or the refunded sum includes it.
func (a *Acquirer) wasRefunded(ctx context.Context, r acquiring.Refund) (bool, error) {
	event, s, err := a.getStatus(ctx, r.Of)
	if err != nil {
		return false, err
	}
	for _, o := range s.Operations {
		if o.Type == "REFUND" && o.ActionCode == 0 && o.RefundID == string(r.ID) {
			return true, nil
		}
	}
	return event.Refunded >= r.Before.Add(r.Sum.Amount), nil
}
