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
	// Guarded says that only 3-D Secure can go on with it, not the customer alone.
	Guarded bool
	// Retry says that the customer may pay after all although a try failed, until it runs
	// out or is closed.
	Retry bool
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

// Refunded is how much was given back.
func (p Payment) Refunded() money.Amount {
	var sum money.Amount
	for _, r := range p.Refunds {
		sum = sum.Add(r.Amount)
	}
	return sum
}

// Refund is money given back.
type Refund struct {
	Ref, Key string
	Amount   money.Amount
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

// ItemTotal is what the items come to.
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

	serial sync.Mutex // one request is carried out at a time

	mu       sync.Mutex
	count    int
	payments []*Payment
	twist    func(*Payment)
	faults   map[string]Fault
	before   map[string]func()
	held     chan struct{}
	answers  map[string]kept
	log      []Entry
}

// NewBank makes an empty bank.
func NewBank(c *clock.Fake, expired string) *Bank {
	return &Bank{
		Clock: c, ExpiredCode: expired, faults: map[string]Fault{}, before: map[string]func(){},
		held: make(chan struct{}, 16), answers: map[string]kept{},
	}
}

// NextNumber returns the next number, for names.
func (b *Bank) NextNumber() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	return b.count
}

// NewUUID returns a new name of 36 characters.
func (b *Bank) NewUUID() string {
	return fmt.Sprintf("%08x-000f-5000-8000-%012x", b.NextNumber(), 0x126628f15141)
}

// ChangeOpened changes each payment that is opened from now on, for the wrong amount or
// currency; nil stops that.
func (b *Bank) ChangeOpened(twist func(*Payment)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.twist = twist
}

// OpenPayment keeps a new payment and returns it as it is kept.
func (b *Bank) OpenPayment(p Payment) Payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.Created = b.Clock.Now()
	p.Extra = maps.Clone(p.Extra)
	if p.Extra == nil {
		p.Extra = map[string]string{}
	}
	if b.twist != nil {
		b.twist(&p)
	}
	b.payments = append(b.payments, &p)
	return p.clonePayment()
}

func (p *Payment) clonePayment() Payment {
	c := *p
	c.Refunds, c.Extra, c.Receipts = slices.Clone(p.Refunds), maps.Clone(p.Extra), slices.Clone(p.Receipts)
	return c
}

// FindPayment returns the payment of that name.
func (b *Bank) FindPayment(ref string) (Payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.lookUp(ref); p != nil {
		return p.clonePayment(), true
	}
	return Payment{}, false
}

func (b *Bank) lookUp(ref string) *Payment {
	for _, p := range b.payments {
		if p.Ref == ref {
			if p.State == Open && !p.Until.IsZero() && !b.Clock.Now().Before(p.Until) {
				p.State, p.Code = Failed, b.ExpiredCode
			}
			if !p.Until.IsZero() && !b.Clock.Now().Before(p.Until) {
				p.Retry = false
			}
			return p
		}
	}
	return nil
}

// PaymentsOf returns the payments of a merchant's id, and all for "", the oldest first.
func (b *Bank) PaymentsOf(id string) []Payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []Payment
	for _, p := range b.payments {
		if id == "" || p.ID == id {
			found = append(found, b.lookUp(p.Ref).clonePayment())
		}
	}
	return found
}

// ChangePayment changes one payment under the bank's lock; false when there is none.
func (b *Bank) ChangePayment(ref string, change func(*Payment)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.lookUp(ref)
	if p == nil {
		return false
	}
	change(p)
	return true
}

// SettlePayment is the customer who pays, or fails with the acquirer's code. A payment that is
// no longer open stays as it is; false then.
func (b *Bank) SettlePayment(ref, code string) bool {
	done := false
	b.ChangePayment(ref, func(p *Payment) {
		if p.State == Paid || p.State == Failed && !p.Retry || p.Guarded {
			return
		}
		done = true
		if p.State, p.Code = Paid, ""; code != "" {
			p.State, p.Code = Failed, code
			p.Retry = p.Retry && code != b.ExpiredCode
		}
	})
	return done
}

// PayAll is the customer who pays wherever a payment of the id is still open, in whatever
// window: the worst customer for a merchant who opened two.
func (b *Bank) PayAll(id string) {
	for _, p := range b.PaymentsOf(id) {
		b.SettlePayment(p.Ref, "")
	}
}

// PayLate pays a payment although it ran out here: the bank's clock is another.
func (b *Bank) PayLate(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.payments {
		if p.ID == id && !p.Guarded && (p.State == Open || p.Code == b.ExpiredCode) {
			p.State, p.Code = Paid, ""
		}
	}
}

// SumCharged says how often money was taken for an id, and how much was given back.
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

// RefundPayment refunds an amount. The same key returns the same refund, and an error for another
// amount; an empty key is always a new one.
func (b *Bank) RefundPayment(ref, key string, amount money.Amount) (Refund, error) {
	name := b.NewUUID()
	var r Refund
	err := ErrRefund
	b.ChangePayment(ref, func(p *Payment) {
		for _, old := range p.Refunds {
			if key != "" && old.Key == key {
				if old.Amount == amount {
					r, err = old, nil
				}
				return
			}
		}
		if p.State != Paid || amount <= 0 || p.Refunded().Add(amount) > p.Amount {
			return
		}
		r, err = Refund{Ref: name, Key: key, Amount: amount}, nil
		p.Refunds = append(p.Refunds, r)
	})
	return r, err
}
