package order

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// UseNumbers makes the next orders have these numbers instead of random ones.
func (s *Service) UseNumbers(numbers ...int64) {
	s.number = func() int64 {
		n := numbers[0]
		numbers = numbers[1:]
		return n
	}
}

// Advance moves an order in a transaction that the test ends.
func Advance(ctx context.Context, tx *db.Tx, id int64, to State, now time.Time) error {
	o, err := loadOrder(ctx, tx.Q, id)
	if err != nil {
		return err
	}
	_, err = moveOrder(ctx, tx, &o, to, string(Operator), now)
	return err
}

// Poll is how far a process that looks for changes has come.
type Poll = poll

// LookForChanges is one of the looks of Run.
func LookForChanges(ctx context.Context, s *Service, p *Poll) error { return s.pollChanges(ctx, p) }

// ExportOwn reads a customer's orders with the queries of a test.
func ExportOwn(ctx context.Context, q *gen.Queries, site string, customerID int64) ([]WithPayment, error) {
	return exportOfCustomer(ctx, db.Snapshot{Q: q}, site, customerID)
}
