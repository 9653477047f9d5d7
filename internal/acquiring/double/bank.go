// Package double is what the doubles of all acquirers share: a bank that keeps payments,
// the customer's hands, and switches for everything that goes wrong on the way. Each
// adapter's own double, in the folder double beside it, speaks the acquirer's protocol
// in front of it.
package double

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"servery/internal/clock"
	"servery/internal/money"
)

// State is what a payment is in the bank.
type State uint8

// The states of a payment.
const (
	Open State = iota
	Paid
	Failed
)

// Payment is one payment as an acquirer keeps it.
type Payment struct {
	// Ref is the acquirer's name of it, ID is the merchant's.
	Ref, ID  string
	Amount   money.Amount
	Currency string
	Method   string
	State    State
	// Awaits3DS says that only 3-D Secure can go on with it, not the customer alone.
	Awaits3DS bool
	// MayTryAgain says that the customer may pay after all although a try failed, until it runs
	// out or is closed.
	MayTryAgain bool
	// Code is why it failed, in the acquirer's words.
	Code string
	// Until is when it runs out.
	Until   time.Time
	Created time.Time
	Refunds []Refund
	// Receipts are what the fiscal register has, where the double passes receipts on.
	Receipts []Receipt
	// Extra is the protocol's own.
	Extra map[string]string
}

// Refunded returns the sum of the payment's refunds without those that were canceled.
func (p Payment) Refunded() money.Amount {
	var sum money.Amount
	for _, r := range p.Refunds {
		if !r.IsCanceled {
			sum = sum.Add(r.Amount)
		}
	}
	return sum
}

// Refund is money given back.
type Refund struct {
	Ref, Key string
	Amount   money.Amount
	// ID is the merchant's, where the protocol has one.
	ID string
	// Status is the acquirer's word for its state, "" once it has succeeded.
	Status string
	// IsCanceled says that the money was not returned in the end.
	IsCanceled bool
}

// ReceiptKind is what a receipt is of. The set is closed.
type ReceiptKind string

// The kinds of receipts.
const (
	OfPayment ReceiptKind = "payment"
	OfRefund  ReceiptKind = "refund"
	Closing   ReceiptKind = "closing"
)

// Receipt is a receipt at the fiscal register.
type Receipt struct {
	Ref  string
	Kind ReceiptKind
	// Mode is that of all its items, "" when they differ.
	Mode string
	// Items are what was paid for each name.
	Items map[string]money.Amount
	// Registered is when the register has it, Refused that it refuses it then.
	Registered time.Time
	Refused    bool
}

// ItemTotal returns the sum of the items.
func (r Receipt) ItemTotal() money.Amount {
	var total money.Amount
	for _, paid := range r.Items {
		total = total.Add(paid)
	}
	return total
}

// Bank keeps payments in memory. It is safe for concurrent use.
type Bank struct {
	Clock *clock.Fake
	// ExpiredCode is the word for a payment that ran out.
	ExpiredCode string
	// KeyLife is how long an idempotency key is remembered; 0 for always.
	KeyLife time.Duration

	serial sync.Mutex // one request is carried out at a time

	mu           sync.Mutex
	count        int
	payments     []*Payment
	changeOpened func(*Payment)
	faults       map[string]Fault
	before       map[string]func()
	held         chan struct{}
	answers      map[string]kept
	log          []Entry
}

// NewBank returns an empty bank. expired is the code of payments that run out.
func NewBank(c *clock.Fake, expired string) *Bank {
	return &Bank{
		Clock: c, ExpiredCode: expired, faults: map[string]Fault{}, before: map[string]func(){},
		held: make(chan struct{}, 16), answers: map[string]kept{},
	}
}

// NextNumber returns 1, 2, 3 and so on, to make references from.
func (b *Bank) NextNumber() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	return b.count
}

// NewUUID returns a new reference of 36 characters, in the form of a UUID. Only its first eight
// differ between references.
func (b *Bank) NewUUID() string {
	return fmt.Sprintf("%08x-000f-5000-8000-126628f15141", b.NextNumber())
}

// ChangeOpened makes the bank alter each payment that is opened from now on, such as its amount
// or currency; nil ends that.
func (b *Bank) ChangeOpened(change func(*Payment)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changeOpened = change
}

// OpenPayment stores a new payment and returns it as it is stored.
func (b *Bank) OpenPayment(p Payment) Payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.Created = b.Clock.Now()
	p.Extra = maps.Clone(p.Extra)
	if p.Extra == nil {
		p.Extra = map[string]string{}
	}
	if b.changeOpened != nil {
		b.changeOpened(&p)
	}
	b.payments = append(b.payments, &p)
	return p.clonePayment()
}

// clonePayment returns a copy that shares nothing with the stored payment.
func (p *Payment) clonePayment() Payment {
	c := *p
	c.Refunds, c.Extra, c.Receipts = slices.Clone(p.Refunds), maps.Clone(p.Extra), slices.Clone(p.Receipts)
	return c
}

// FindPayment returns the payment with that reference, and false when there is none.
func (b *Bank) FindPayment(ref string) (Payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.findAndExpire(ref); p != nil {
		return p.clonePayment(), true
	}
	return Payment{}, false
}

// findAndExpire returns the stored payment with that reference, nil for none. A payment that
// has run out fails first and cannot be tried again. The lock must be held.
func (b *Bank) findAndExpire(ref string) *Payment {
	for _, p := range b.payments {
		if p.Ref == ref {
			hasRunOut := !p.Until.IsZero() && !b.Clock.Now().Before(p.Until)
			if hasRunOut && p.State == Open {
				p.State, p.Code = Failed, b.ExpiredCode
			}
			p.MayTryAgain = p.MayTryAgain && !hasRunOut
			return p
		}
	}
	return nil
}

// AnyID stands for all merchant's ids.
const AnyID = ""

// PaymentsOf returns copies of the payments with a merchant's id, the oldest first, and all
// payments for [AnyID]. Payments that have run out fail first.
func (b *Bank) PaymentsOf(id string) []Payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []Payment
	for _, p := range b.payments {
		if id == AnyID || p.ID == id {
			found = append(found, b.findAndExpire(p.Ref).clonePayment())
		}
	}
	return found
}

// ChangePayment lets change alter the payment with that reference under the bank's lock. It
// returns false when there is no such payment.
func (b *Bank) ChangePayment(ref string, change func(*Payment)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.findAndExpire(ref)
	if p == nil {
		return false
	}
	change(p)
	return true
}

// SettlePayment acts as the customer: the payment fails with the acquirer's code, or is paid when
// code is empty. It returns false, and changes nothing, when the customer can no longer pay or
// the payment waits for 3-D Secure.
func (b *Bank) SettlePayment(ref, code string) bool {
	isSettled := false
	b.ChangePayment(ref, func(p *Payment) {
		if p.State == Paid || p.State == Failed && !p.MayTryAgain || p.Awaits3DS {
			return
		}
		isSettled = true
		if p.State, p.Code = Paid, ""; code != "" {
			p.State, p.Code = Failed, code
			p.MayTryAgain = p.MayTryAgain && code != b.ExpiredCode
		}
	})
	return isSettled
}

// PayAll acts as a customer who pays every payment of the id that can still be paid.
func (b *Bank) PayAll(id string) {
	const noFailure = ""
	for _, p := range b.PaymentsOf(id) {
		b.SettlePayment(p.Ref, noFailure)
	}
}

// PayLate takes the money for the payments of the id that are open or have run out, as a bank
// does whose clock differs. Those that wait for 3-D Secure stay as they are.
func (b *Bank) PayLate(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.payments {
		if p.ID == id && !p.Awaits3DS && (p.State == Open || p.Code == b.ExpiredCode) {
			p.State, p.Code = Paid, ""
		}
	}
}

// SumCharged returns how many payments of an id were paid, their sum, and the sum of their
// refunds.
func (b *Bank) SumCharged(id string) (times int, taken, returned money.Amount) {
	for _, p := range b.PaymentsOf(id) {
		if p.State == Paid {
			times++
			taken = taken.Add(p.Amount)
			returned = returned.Add(p.Refunded())
		}
	}
	return times, taken, returned
}

// ErrRefund says that a payment cannot be refunded so.
var ErrRefund = errors.New("cannot be refunded")

// RefundPayment refunds an amount of a payment and returns the refund. It returns [ErrRefund]
// when the payment is not paid or less is left. A repeated key returns its first refund, or
// [ErrRefund] for another amount. An empty key is never a repetition.
func (b *Bank) RefundPayment(ref, key string, amount money.Amount) (Refund, error) {
	newRef := b.NewUUID()
	var r Refund
	err := ErrRefund
	b.ChangePayment(ref, func(p *Payment) {
		for _, old := range p.Refunds {
			if key != "" && old.Key == key {
				if old.Amount == amount {
					r, err = old, nil
				}
				return // another amount: ErrRefund
			}
		}
		if p.State != Paid || amount <= 0 || p.Refunded().Add(amount) > p.Amount {
			return
		}
		r, err = Refund{Ref: newRef, Key: key, Amount: amount}, nil
		p.Refunds = append(p.Refunds, r)
	})
	return r, err
}
