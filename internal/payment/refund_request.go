package payment

import (
	"slices"

	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/visit"
)

// Bearer is who pays for a refund in the end. The set is closed; the values are stored and go over
// the wire. The zero value means [Restaurant].
type Bearer string

// Who bears a refund.
const (
	Restaurant     Bearer = "restaurant"
	CourierService Bearer = "courier_service"
	Platform       Bearer = "platform"
)

// RefundRequest is what an operator refunds: all that is left, some lines, or an amount, and only one of
// them. Key is an idempotency key.
type RefundRequest struct {
	Key    string       `json:"key"`
	Reason string       `json:"reason"`
	All    bool         `json:"all"`
	Lines  []RefundLine `json:"lines"`
	Amount money.Amount `json:"amount,omitempty"`
	Bearer Bearer       `json:"bearer,omitempty"`
	// Owed says that a person hands back the money later.
	Owed bool `json:"owed,omitempty"`
	// Collected refunds money that was collected when an order paid online was handed over.
	Collected bool `json:"collected,omitempty"`
	// Actor names who asks for it; it may be empty.
	Actor string `json:"-"`
}

// RefundLine is a number of items of a part of the order, by the key of the part. It is a share of
// the price of all items when Count is 0.
type RefundLine struct {
	Key   string `json:"key"`
	Count int    `json:"count"`
	// Amount is what is refunded for them. It is computed, never read from a request.
	Amount money.Amount `json:"amount,omitempty"`
}

// Check refuses a request that does not say what to refund, or says it twice: a field that was
// left out by mistake must not refund the whole order. Faults: common.invalid,
// order.refund_one_of (Invalid).
func (r RefundRequest) Check() error {
	if r.Key == "" {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("key", "common.required"))
	}
	return r.CheckShare()
}

// CheckShare checks that the request says what to refund and who bears it, without its key. Faults:
// order.refund_one_of at all, common.invalid with the field bearer (Invalid).
func (r RefundRequest) CheckShare() error {
	forms := 0
	for _, isThere := range [...]bool{r.All, len(r.Lines) > 0, r.Amount != 0} {
		if isThere {
			forms++
		}
	}
	switch {
	case forms != 1:
		return fault.New(fault.Invalid, "order.refund_one_of", fault.Field("all", "order.refund_one_of"))
	case !slices.Contains([]Bearer{"", Restaurant, CourierService, Platform}, r.Bearer):
		return fault.New(fault.Invalid, "common.invalid", fault.Field("bearer", "common.not_allowed"))
	}
	return nil
}

// Hash returns the hash of the request. A request without a bearer has the same hash as one with
// [Restaurant].
func (r RefundRequest) Hash() ([]byte, error) {
	if r.Bearer == Restaurant {
		r.Bearer = ""
	}
	return visit.HashRequest(r)
}
