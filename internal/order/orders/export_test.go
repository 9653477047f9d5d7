package orders

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/order"
	"servery/internal/queue"
)

// NewNumber draws the number of an order from a range.
var NewNumber = newNumber

// UseNumbers makes the next orders try these numbers, in place of random ones. It panics when
// more numbers are needed.
func (s *Service) UseNumbers(numbers ...int64) {
	s.number = func() int64 {
		n := numbers[0]
		numbers = numbers[1:]
		return n
	}
}

// Advance moves an order in the caller's transaction as the operator. It does not check that the
// move is allowed.
func Advance(ctx context.Context, tx *db.Tx, id int64, to order.State, now time.Time) error {
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return err
	}
	_, err = storeChange(ctx, tx, &o, order.Change{Kind: order.Moved, State: to, Actor: string(order.Operator), At: now})
	return err
}

// EnqueueRelease enqueues the job that the release before has stored for a checkout.
func EnqueueRelease(ctx context.Context, tx *db.Tx, q *queue.Queue, key string) error {
	return q.Enqueue(ctx, tx, releaseHold{key})
}
