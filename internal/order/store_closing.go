package order

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
)

// insertClosing writes a closing receipt down, and returns false when the payment has one.
func insertClosing(ctx context.Context, q *gen.Queries, c ClosingReceipt) (bool, error) {
	rows, err := q.InsertClosingReceipt(ctx, gen.InsertClosingReceiptParams{
		PaymentID: string(c.PaymentID), ID: string(c.ID), OrderID: c.OrderID, Lines: []byte("[]"), CheckAt: at(c.CreatedAt), Now: c.CreatedAt,
	})
	if err != nil {
		return false, fmt.Errorf("write closing receipt: %w", err)
	}
	return rows > 0, nil
}

// closingOf returns the closing receipt of a payment, nil when it has none.
func closingOf(ctx context.Context, q *gen.Queries, payment acquiring.ID) (*ClosingReceipt, error) {
	row, err := q.GetClosingReceipt(ctx, string(payment))
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read closing receipt: %w", err)
	}
	c, err := toClosing(row)
	return &c, err
}

// closingsOf returns the closing receipts of an order.
func closingsOf(ctx context.Context, q *gen.Queries, orderID int64) ([]ClosingReceipt, error) {
	rows, err := q.ListClosingReceipts(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list closing receipts: %w", err)
	}
	closings := make([]ClosingReceipt, len(rows))
	for i, row := range rows {
		if closings[i], err = toClosing(gen.GetClosingReceiptRow(row)); err != nil {
			return nil, err
		}
	}
	return closings, nil
}

func toClosing(row gen.GetClosingReceiptRow) (ClosingReceipt, error) {
	c := ClosingReceipt{
		ID: acquiring.ID(row.ID), PaymentID: acquiring.ID(row.PaymentID), OrderID: row.OrderID, State: ClosingState(row.State),
		Ref: row.Ref, Code: row.Code, CreatedAt: row.CreatedAt, FinishedAt: row.FinishedAt.Time, tries: row.Tries, checkAt: row.CheckAt.Time,
	}
	c.Sum.Amount = money.Amount(row.Amount)
	var err error
	if c.Sum.Currency, err = money.ParseCurrency(row.Currency); err != nil {
		return ClosingReceipt{}, fmt.Errorf("read closing receipt: %w", err)
	}
	if err := json.Unmarshal(row.Lines, &c.Lines); err != nil {
		return ClosingReceipt{}, fmt.Errorf("read closing receipt: %w", err)
	}
	return c, nil
}

// beginClosing takes a closing receipt that is due, until the instant, with its lines. It
// returns false when another has it or it is not due.
func beginClosing(ctx context.Context, q *gen.Queries, c ClosingReceipt, now, until time.Time) (bool, error) {
	lines, err := json.Marshal(c.Lines)
	if err != nil {
		return false, fmt.Errorf("begin closing receipt: %w", err)
	}
	rows, err := q.BeginClosingReceipt(ctx, gen.BeginClosingReceiptParams{
		PaymentID: string(c.PaymentID), Amount: int64(c.Sum.Amount), Lines: lines, Now: at(now), Until: at(until),
	})
	if err != nil {
		return false, fmt.Errorf("begin closing receipt: %w", err)
	}
	return rows > 0, nil
}

func postponeClosing(ctx context.Context, q *gen.Queries, payment acquiring.ID, said acquiring.Closed, until time.Time) (bool, error) {
	rows, err := q.PostponeClosingReceipt(ctx, gen.PostponeClosingReceiptParams{
		PaymentID: string(payment), Ref: said.Ref, Code: said.Code, CheckAt: at(until),
	})
	if err != nil {
		return false, fmt.Errorf("postpone closing receipt: %w", err)
	}
	return rows > 0, nil
}

// endClosing writes down what a closing receipt certainly is, and returns false when that is
// known already.
func endClosing(ctx context.Context, q *gen.Queries, payment acquiring.ID, state ClosingState, said acquiring.Closed, now time.Time) (bool, error) {
	rows, err := q.EndClosingReceipt(ctx, gen.EndClosingReceiptParams{
		PaymentID: string(payment), State: string(state), Ref: said.Ref, Code: said.Code, Now: at(now),
	})
	if err != nil {
		return false, fmt.Errorf("end closing receipt: %w", err)
	}
	return rows > 0, nil
}

func dueClosings(ctx context.Context, q *gen.Queries, now time.Time, most int) ([]acquiring.ID, error) {
	rows, err := q.ListDueClosingReceipts(ctx, gen.ListDueClosingReceiptsParams{Now: at(now), MaxCount: int32(most)})
	if err != nil {
		return nil, fmt.Errorf("list due closing receipts: %w", err)
	}
	ids := make([]acquiring.ID, len(rows))
	for i, id := range rows {
		ids[i] = acquiring.ID(id)
	}
	return ids, nil
}
