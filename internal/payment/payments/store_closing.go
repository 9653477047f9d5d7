package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/payment"
)

// insertClosing stores a closing receipt without lines, to be made at once. It returns false
// when the attempt already has one.
func insertClosing(ctx context.Context, q *gen.Queries, c payment.ClosingReceipt) (bool, error) {
	rows, err := q.InsertClosingReceipt(ctx, gen.InsertClosingReceiptParams{
		PaymentID: string(c.PaymentID), ID: string(c.ID), OrderID: c.OrderID, Lines: []byte("[]"), CheckAt: nullTime(c.CreatedAt), Now: c.CreatedAt,
	})
	if err != nil {
		return false, fmt.Errorf("write closing receipt: %w", err)
	}
	return rows > 0, nil
}

// findClosing returns the closing receipt of an attempt, nil when it has none.
func findClosing(ctx context.Context, q *gen.Queries, paymentID acquiring.ID) (*payment.ClosingReceipt, error) {
	row, err := q.GetClosingReceipt(ctx, string(paymentID))
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read closing receipt: %w", err)
	}
	c, err := toClosing(row)
	return &c, err
}

// listClosings returns the closing receipts of an order.
func listClosings(ctx context.Context, q *gen.Queries, orderID int64) ([]payment.ClosingReceipt, error) {
	rows, err := q.ListClosingReceipts(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list closing receipts: %w", err)
	}
	closings := make([]payment.ClosingReceipt, len(rows))
	for i, row := range rows {
		if closings[i], err = toClosing(gen.GetClosingReceiptRow(row)); err != nil {
			return nil, err
		}
	}
	return closings, nil
}

// toClosing returns the closing receipt of a row. It returns an error when the currency or the
// lines cannot be read.
func toClosing(row gen.GetClosingReceiptRow) (payment.ClosingReceipt, error) {
	c := payment.ClosingReceipt{
		ID: acquiring.ID(row.ID), PaymentID: acquiring.ID(row.PaymentID), OrderID: row.OrderID, State: payment.ClosingState(row.State),
		Ref: row.Ref, Code: row.Code, CreatedAt: row.CreatedAt, FinishedAt: row.FinishedAt.Time, Calls: row.Tries, CallAt: row.CheckAt.Time,
	}
	c.Sum.Amount = money.Amount(row.Amount)
	var err error
	if c.Sum.Currency, err = money.ParseCurrency(row.Currency); err != nil {
		return payment.ClosingReceipt{}, fmt.Errorf("read closing receipt: %w", err)
	}
	if err := json.Unmarshal(row.Lines, &c.Lines); err != nil {
		return payment.ClosingReceipt{}, fmt.Errorf("read closing receipt: %w", err)
	}
	return c, nil
}

// leaseClosing leases a due closing receipt to this caller until the instant and stores its
// lines. It returns false when another caller has the lease, or the receipt is not due.
func leaseClosing(ctx context.Context, q *gen.Queries, c payment.ClosingReceipt, now, until time.Time) (bool, error) {
	lines, err := json.Marshal(c.Lines)
	if err != nil {
		return false, fmt.Errorf("lease closing receipt: %w", err)
	}
	rows, err := q.BeginClosingReceipt(ctx, gen.BeginClosingReceiptParams{
		PaymentID: string(c.PaymentID), Amount: int64(c.Sum.Amount), Lines: lines, Now: nullTime(now), Until: nullTime(until),
	})
	if err != nil {
		return false, fmt.Errorf("lease closing receipt: %w", err)
	}
	return rows > 0, nil
}

// postponeClosing stores the answer of a call that has no outcome yet, and when the next call
// is due. It returns false when the outcome is already known.
func postponeClosing(ctx context.Context, q *gen.Queries, paymentID acquiring.ID, answer acquiring.Closed, due time.Time) (bool, error) {
	rows, err := q.PostponeClosingReceipt(ctx, gen.PostponeClosingReceiptParams{
		PaymentID: string(paymentID), Ref: answer.Ref, Code: answer.Code, CheckAt: nullTime(due),
	})
	if err != nil {
		return false, fmt.Errorf("postpone closing receipt: %w", err)
	}
	return rows > 0, nil
}

// finishClosing stores the outcome of a closing receipt. It returns false when the outcome was
// already known.
func finishClosing(ctx context.Context, q *gen.Queries, paymentID acquiring.ID, state payment.ClosingState, answer acquiring.Closed, now time.Time) (bool, error) {
	rows, err := q.EndClosingReceipt(ctx, gen.EndClosingReceiptParams{
		PaymentID: string(paymentID), State: string(state), Ref: answer.Ref, Code: answer.Code, Now: nullTime(now),
	})
	if err != nil {
		return false, fmt.Errorf("finish closing receipt: %w", err)
	}
	return rows > 0, nil
}

// listDueClosings returns the payments whose closing receipt is due, at most maxCount.
func listDueClosings(ctx context.Context, q *gen.Queries, now time.Time, maxCount int) ([]acquiring.ID, error) {
	rows, err := q.ListDueClosingReceipts(ctx, gen.ListDueClosingReceiptsParams{Now: nullTime(now), MaxCount: int32(maxCount)})
	if err != nil {
		return nil, fmt.Errorf("list due closing receipts: %w", err)
	}
	return toIDs(rows), nil
}
