// Package order is what was ordered, what a request must have to become an order, and who may move it
// next. It is pure: it reads and writes nothing. Package orders places and moves orders by these rules.
//
// What was sold never changes: an order keeps the names, prices and pictures of its lines, whatever content
// says later. Its state moves, along the table in state.go. Until it is sent, package correct may change whom
// and where it goes to, and when, and with the address the zone and the price of the delivery.
package order

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Order is an order as it was placed, and where it stands.
type Order struct {
	// ID is random, unique over all brands, and short to be read out: eight digits, unless the settings have another range.
	ID             int64
	Site           string
	CityID, ShopID int64
	// ZoneID is 0 for takeaway.
	ZoneID    int64
	Type      site.OrderType
	State     State
	ChangedAt time.Time
	// ChangeID is the number of the last change of the order, of its state or another; it goes up over all orders.
	ChangeID  int64
	CreatedAt time.Time
	// Link opens the order without typing. It is shown to those who may see all of the order.
	Link        string
	Phone       string // digits with the country code
	PaymentType string
	IntervalID  string
	// PromisedFrom and PromisedTo are when it is handed over.
	PromisedFrom, PromisedTo time.Time
	Currency                 money.Currency
	Prices                   cart.Prices
	// Promocode is the code that was active; empty for none.
	Promocode string
	// AgreedFrom and AgreedTo are the promise that the customer has agreed to; both are zero until the
	// restaurant promises another time.
	AgreedFrom, AgreedTo time.Time
	// Outcome is how it ended when it is canceled.
	Outcome Outcome
	// TakenAt is when the restaurant has taken it, and TakenBy who did; zero and empty before.
	TakenAt time.Time
	TakenBy string
	// RefundedAt is when it was paid back; zero when it never was.
	RefundedAt time.Time
	// Surcharge and Reduction are of an order that was corrected after it was paid online. Surcharge is
	// what is collected at the hand-over; Reduction is how much less the order costs than was paid.
	Surcharge, Reduction money.Amount
	// Courier brings it; the zero value while nobody does.
	Courier Courier
	// Kept is what of its money the restaurant keeps although the order is canceled.
	Kept money.Amount
	// CacheKey is that of the checkout that it was made of.
	CacheKey string
	// PayUntil is when an order that is paid online and still not paid is canceled; zero
	// for one paid on receipt.
	PayUntil time.Time
	// PaidBy is the payment that it was accepted for, empty for none.
	PaidBy acquiring.ID
	// Revision is the content that prices and names are from.
	Revision int64
	Details  Details
	Lines    []Line
	// History are its changes, the first one first.
	History []Change
	// View is how much of it the visitor may see and do.
	View View

	// SessionID is that of the browser that placed it.
	SessionID  int64
	CustomerID int64 // 0 for a guest's
	// RequestHash is the hash of the request that placed it.
	RequestHash []byte
}

// IsRefunded reports whether all of the order was refunded.
func (o Order) IsRefunded() bool { return !o.RefundedAt.IsZero() }

// ToCollect returns what the counter or the courier still collects: the total of an order paid on
// receipt, and the surcharge of one paid online, until the order is done or canceled.
func (o Order) ToCollect() money.Amount {
	switch {
	case o.State.IsFinal():
		return 0
	case o.IsPaidOnReceipt():
		return o.Prices.Total
	}
	return o.Surcharge
}

// ShownPrices returns the prices as they are shown: an order that is canceled, or of which all was refunded,
// brings no bonuses.
func (o Order) ShownPrices() cart.Prices {
	shown := o.Prices
	if o.State == Canceled || o.IsRefunded() {
		shown.UpcomingBonuses = 0
	}
	return shown
}

// paidPrices returns the total and the price of the delivery as they were paid, before corrections.
func (o Order) paidPrices() (total, delivery money.Amount) {
	return o.Prices.Total.Sub(o.Surcharge).Add(o.Reduction), o.Prices.Delivery.Sub(o.Surcharge).Add(o.Reduction)
}

// HasFreeDeliveryCode reports whether the order's promocode made its delivery free, whatever content says of the
// code by now: it took nothing off the dishes and gave no gift.
func (o Order) HasFreeDeliveryCode() bool {
	isFromCode := func(g Gift) bool { return g.Kind == cart.FromPromocode }
	return o.Promocode != "" && o.Prices.Discount == 0 && !slices.ContainsFunc(o.Details.Gifts, isFromCode)
}

// Ticket returns the messages for kitchen and courier about what they must mind, with names in the
// language: the allergens that the customer does not eat, and an address of which no house is known. It
// is empty for most orders.
func (o Order) Ticket(l lang.Lang) []fault.Message {
	var ticket []fault.Message
	if len(o.Details.Allergens) > 0 {
		names := make([]string, len(o.Details.Allergens))
		for i, a := range o.Details.Allergens {
			m := a.Message()
			names[i] = lang.T(l, m.Key, m.Args)
		}
		ticket = append(ticket, fault.Message{Key: "order.ticket_allergens", Args: fault.Args{"allergens": strings.Join(names, ", ")}})
	}
	if a := o.Details.Address; a != nil {
		switch a.Precision {
		case geo.AtPoint:
			ticket = append(ticket, fault.Message{Key: "order.ticket_point"})
		case geo.AtStreet:
			ticket = append(ticket, fault.Message{Key: "order.ticket_street"})
		case geo.Unknown, geo.AtLocality, geo.AtHouse:
		}
	}
	return ticket
}

// IsASAP reports whether the order was wanted as soon as possible.
func (o Order) IsASAP() bool { return o.IntervalID == schedule.ASAP }

// Name returns the name of a state as customers read it. A delivery and a takeaway that are done have
// different names.
func (s State) Name(t site.OrderType) fault.Message {
	key := "order.status_" + string(s)
	if s == Done {
		key += "_" + string(t)
	}
	return fault.Message{Key: key}
}

// AgreedEnd returns the end of the promise that the customer has agreed to: of the present one, unless
// the restaurant has changed it since.
func (o Order) AgreedEnd() time.Time {
	if o.AgreedTo.IsZero() {
		return o.PromisedTo
	}
	return o.AgreedTo
}

// Description returns sentences for the customer, to be joined by a space: how the order stands, and why
// it was canceled if the restaurant has chosen a reason other than "other". While the order is under way
// they also say that it was corrected, and the promised time by the clock of loc.
func (o Order) Description(loc *time.Location, now time.Time) []fault.Message {
	key := "order.text_" + string(o.State)
	if o.State == Done {
		key += "_" + string(o.Type)
	}
	sentences := []fault.Message{{Key: key}}
	if reason := o.reason(); o.State == Canceled && reason != "" && reason != "other" {
		sentences = append(sentences, fault.Message{Key: "order.reason_" + string(reason)})
	}
	if o.State.IsFinal() || o.State == WaitingForPayment {
		return sentences
	}
	if o.isCorrected() {
		sentences = append(sentences, fault.Message{Key: "order.corrected"})
	}
	from, to := o.PromisedFrom.In(loc), o.PromisedTo.In(loc)
	args := fault.Args{"from": from.Format("15:04"), "to": to.Format("15:04"), "date": clock.DayOf(from, loc)}
	promise := "order.promise_" + string(o.Type)
	switch {
	case o.IsLate():
		agreed, today := o.AgreedTo.In(loc), clock.DayOf(now, loc)
		promise = "order.late_" + string(o.Type)
		args["agreed"] = agreed.Format("15:04")
		if clock.DayOf(to, loc) != today || clock.DayOf(agreed, loc) != today {
			promise += "_day"
			args["date"], args["agreed_date"] = clock.DayOf(to, loc), clock.DayOf(agreed, loc)
		}
	case clock.DayOf(from, loc) != clock.DayOf(now, loc):
		promise += "_day"
	case o.IsASAP():
		promise += "_by"
	default:
		promise += "_slot"
	}
	return append(sentences, fault.Message{Key: promise, Args: args})
}

// IsByPhone reports whether staff placed the order for a customer who called.
func (o Order) IsByPhone() bool {
	// The first change is the placing of the order.
	return len(o.History) > 0 && strings.HasPrefix(o.History[0].Actor, string(Operator))
}

// NotFound returns the fault order.not_found (NotFound) at the field order_id.
func NotFound() error {
	return fault.New(fault.NotFound, "order.not_found", fault.Field("order_id", "order.not_found"))
}

// Holder returns the name under which an order reserves its interval and limited stock.
func Holder(id int64) string { return fmt.Sprintf("order:%d", id) }

// NewSecret returns 128 random bits as text.
func NewSecret() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}
