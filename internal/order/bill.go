package order

import (
	"context"
	"slices"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/site"
	"servery/internal/visit"
)

// DeliveryKey is the key of the delivery among the parts of a bill.
const DeliveryKey = "delivery"

// bills implement [payments.Orders].
type bills struct{ *Service }

var _ payments.Orders = bills{}

// FindBill returns the bill of an order that the visitor placed and that is paid online. It
// returns order.not_found (NotFound) for any other order, also for one that the visitor has only
// looked up, and when cacheKey is not empty and not that of its checkout.
func (b bills) FindBill(ctx context.Context, v visit.Context, id int64, cacheKey string) (payment.Bill, error) {
	o, err := Load(ctx, b.db.Read(), id)
	switch {
	case err != nil:
		return payment.Bill{}, hideNotFound(err)
	case !o.belongsTo(v), cacheKey != "" && cacheKey != o.CacheKey, o.isPaidOnReceipt():
		return payment.Bill{}, NotFound()
	}
	return o.Bill(), nil
}

// Bill returns the bill of an order, read with the queries of the caller. It returns
// [db.ErrNotFound] when there is no such order.
func (b bills) Bill(ctx context.Context, q *payments.Queries, id int64) (payment.Bill, error) {
	o, err := Load(ctx, q, id)
	return o.Bill(), err
}

// Lock makes other transactions that lock the order wait until this one ends. It returns
// [db.ErrNotFound] when there is no such order.
func (b bills) Lock(ctx context.Context, tx *db.Tx, id int64) error { return lockOrder(ctx, tx.Q, id) }

// SetPaymentType stores how the order is going to be paid.
func (b bills) SetPaymentType(ctx context.Context, tx *db.Tx, id int64, paymentType string) error {
	return setPaymentType(ctx, tx.Q, id, paymentType)
}

// Accept accepts an order that waits for its payment: it stores the attempt that has paid,
// confirms the reservations and removes from the cart what was bought. It returns
// [payments.ErrChanged] when the order is no longer waiting.
func (b bills) Accept(ctx context.Context, tx *db.Tx, id int64, paid payment.Attempt, now time.Time) error {
	return b.accept(ctx, tx, id, paid, now)
}

// StoreRefund stores among the changes of the order, which must be locked, that the amount was
// refunded. Once nothing of its money is left with us, it marks the order as refunded and reverses
// what it did to bonuses, once.
func (b bills) StoreRefund(ctx context.Context, tx *db.Tx, id int64, amount money.Amount, now time.Time) error {
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return err
	}
	c := Change{Kind: Refunded, State: o.State, Actor: string(Acquirer), At: now, Amount: amount}
	if err := b.StoreChange(ctx, tx, &o, c); err != nil {
		return err
	}
	isRefunded, err := setRefunded(ctx, tx.Q, id, now)
	if err != nil || !isRefunded {
		return err
	}
	return refundBonuses(ctx, tx, o, now)
}

// Expire cancels an order whose deadline for paying is over and releases all that it has
// reserved. One that turns out to be paid stays. It must not be called in a transaction.
func (b bills) Expire(ctx context.Context, id int64, now time.Time) error {
	_, err := b.cancelUnpaidOrder(ctx, id, Deadline, now)
	return err
}

// Bill returns what payments read of the order, with the prices that were paid. One that was read without its lines has no parts.
func (o Order) Bill() payment.Bill {
	total, _ := o.paidPrices()
	bill := payment.Bill{
		OrderID: o.ID, Site: o.Site, CityID: o.CityID, Type: o.Type, CacheKey: o.CacheKey, Link: o.Link, CreatedAt: o.CreatedAt,
		State: payment.BillAccepted, OrderState: string(o.State), Sum: acquiring.Sum{Amount: total, Currency: o.Currency},
		Deadline: o.PayUntil, PaymentType: o.PaymentType, PaidBy: o.PaidBy, Kept: o.Kept,
		Payer: payment.Payer{Name: o.Details.Username, Phone: o.Phone, Email: o.Details.Email},
	}
	switch o.State {
	case WaitingForPayment:
		bill.State = payment.BillDue
	case Canceled:
		bill.State = payment.BillCanceled
	case Accepted, Cooking, Sent, Done:
	}
	if len(o.Lines) > 0 {
		bill.Parts = o.parts()
	}
	return bill
}

// parts returns what was sold, each part with what was paid for it: its price without its shares
// of discount and bonuses. Together that is the total. In old orders, which have no stored
// shares, bonuses are divided over all parts by price, as on their receipts.
func (o Order) parts() []payment.Part {
	parts := make([]payment.Part, 0, len(o.Lines)+len(o.Details.Packages)+1)
	weights := make([]money.Amount, 0, cap(parts))
	add := func(part payment.Part, price money.Amount) {
		parts = append(parts, part)
		weights = append(weights, max(0, price))
	}
	for _, l := range o.Lines {
		part := payment.Part{Key: l.Key, Name: l.Name, Count: l.Count}
		for _, m := range l.Modifiers {
			part.Modifiers = append(part.Modifiers, payment.Modifier{Name: m.Name, Count: m.Count})
		}
		add(part, l.Total.Sub(l.Discount).Sub(l.Bonuses))
	}
	for _, p := range o.Details.Packages {
		add(payment.Part{Key: p.Alias, Name: p.Name, Count: p.Count}, p.Price.Times(p.Count).Sub(p.Bonuses))
	}
	total, delivery := o.paidPrices()
	if delivery > 0 {
		name := lang.Text{}
		for _, l := range lang.All() {
			name[l] = lang.T(l, "refund.delivery", nil)
		}
		add(payment.Part{Key: DeliveryKey, Name: name, Count: 1, IsService: true}, delivery.Sub(o.Details.DeliveryBonuses))
	}
	// The weights add up to the total, so they stay as they are, except in old orders.
	for i, paid := range total.ProrateUnits(o.Currency.Unit(), weights) {
		parts[i].Paid = paid
	}
	return parts
}

// isPaidOnReceipt reports whether the money is handed over with the order.
func (o Order) isPaidOnReceipt() bool {
	return slices.Contains([]string{site.Cash, site.Card}, o.PaymentType)
}

// WithPayment is an order with all that happened to its payment, as of one instant.
type WithPayment struct {
	Order   Order
	Payment payment.History
}

// ReadPayment returns an order with all that happened to its payment, both as of one instant. One
// that is paid online is read again for that, so it may be newer than o. The caller must be
// allowed to see o.
func (s *Service) ReadPayment(ctx context.Context, o Order) (WithPayment, error) {
	if !site.IsOnline(o.PaymentType) {
		return WithPayment{Order: o, Payment: payment.History{Bill: o.Bill()}}, nil
	}
	return s.readWithPayment(ctx, o.ID)
}

// FindWithPayment returns an order for an operator, with all that happened to its payment.
// Fault: order.not_found (NotFound).
func (s *Service) FindWithPayment(ctx context.Context, id int64) (WithPayment, error) {
	found, err := s.readWithPayment(ctx, id)
	if err != nil {
		return WithPayment{}, hideNotFound(err)
	}
	return found, nil
}

// readWithPayment returns an order with its payment, both as of one instant. It returns
// [db.ErrNotFound] when there is no such order.
func (s *Service) readWithPayment(ctx context.Context, id int64) (WithPayment, error) {
	var found WithPayment
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		if found.Order, err = Load(ctx, at.Q, id); err != nil {
			return err
		}
		found.Payment, err = payments.ReadHistory(ctx, at, found.Order.Bill())
		return err
	})
	return found, err
}
