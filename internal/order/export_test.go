package order

import (
	"context"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// TakeRefund is a process that takes a refund and dies before it asks for it.
func TakeRefund(ctx context.Context, s *Service, id acquiring.ID) (bool, error) {
	_, _, _, took, err := s.takeRefund(ctx, id)
	return took, err
}

// TakeClosing is a process that takes a closing receipt and dies before it asks for it.
func TakeClosing(ctx context.Context, s *Service, payment acquiring.ID) (bool, error) {
	c, _, _, err := s.beginClosing(ctx, payment)
	return c != nil, err
}

// ReceiptOf is the receipt that came with a payment.
func ReceiptOf(p Payment, o Order) acquiring.Receipt { return p.receipt(o) }

// RefundReceiptOf is the receipt that came with a refund.
func RefundReceiptOf(p Payment, o Order, r Refund) acquiring.Receipt { return p.refundReceipt(o, r) }

// UseNumbers gives the next orders these numbers instead of random ones.
func (s *Service) UseNumbers(numbers ...int64) {
	s.number = func() int64 {
		n := numbers[0]
		numbers = numbers[1:]
		return n
	}
}

// Hear brings what an acquirer says of a try into the books.
func Hear(ctx context.Context, s *Service, id acquiring.ID, e acquiring.Event) error {
	_, err := s.apply(ctx, id, e, true)
	return err
}

// Advance moves an order in a transaction that the test ends.
func Advance(ctx context.Context, tx *db.Tx, id int64, to State, now time.Time) error {
	o, err := load(ctx, tx.Q, id)
	if err != nil {
		return err
	}
	_, err = advance(ctx, tx, &o, to, string(Operator), now)
	return err
}

// Poll is how far a process that looks for changes has come.
type Poll = poll

// LookForChanges is one of the looks of Run.
func LookForChanges(ctx context.Context, s *Service, p *Poll) error { return s.look(ctx, p) }

// ExportOwn reads a customer's orders with the queries of a test.
func ExportOwn(ctx context.Context, q *gen.Queries, site string, customerID int64) ([]Money, error) {
	return exportOwn(ctx, q, site, customerID)
}
