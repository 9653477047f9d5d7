package payments

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/payment"
)

// insertHandRefund stores a refund by hand of the order. One that names no bearer is borne by the
// restaurant.
func insertHandRefund(ctx context.Context, q *gen.Queries, orderID int64, h payment.HandRefund) error {
	lines, err := json.Marshal(h.Lines)
	if err != nil {
		return fmt.Errorf("write refund by hand: %w", err)
	}
	err = q.InsertHandRefund(ctx, gen.InsertHandRefundParams{
		OrderID: orderID, CallKey: h.Key, CallHash: h.Hash, Amount: int64(h.Amount), Lines: lines, Bearer: string(cmp.Or(h.Bearer, payment.Restaurant)),
		Reason: h.Reason, Actor: h.Actor, Now: h.CreatedAt, HandedBackBy: h.HandedBackBy, HandedBackAt: nullTime(h.HandedBackAt),
	})
	if err != nil {
		return fmt.Errorf("write refund by hand: %w", err)
	}
	return nil
}

// listHandRefunds returns the refunds by hand of an order, the oldest first.
func listHandRefunds(ctx context.Context, q *gen.Queries, orderID int64) ([]payment.HandRefund, error) {
	rows, err := q.ListHandRefunds(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list refunds by hand: %w", err)
	}
	refunds := make([]payment.HandRefund, len(rows))
	for i, row := range rows {
		refunds[i] = payment.HandRefund{
			Key: row.CallKey, Hash: row.CallHash, Amount: money.Amount(row.Amount), Bearer: payment.Bearer(row.Bearer), Reason: row.Reason,
			Actor: row.Actor, CreatedAt: row.CreatedAt, HandedBackBy: row.HandedBackBy, HandedBackAt: row.HandedBackAt.Time,
		}
		if err := json.Unmarshal(row.Lines, &refunds[i].Lines); err != nil {
			return nil, fmt.Errorf("read refund by hand: %w", err)
		}
	}
	return refunds, nil
}

// setHandedBack stores who handed back the refund with the key. It reports false when no refund with
// the key is owed.
func setHandedBack(ctx context.Context, q *gen.Queries, orderID int64, key, actor string, now time.Time) (bool, error) {
	rows, err := q.HandBackRefund(ctx, gen.HandBackRefundParams{OrderID: orderID, CallKey: key, Actor: actor, Now: nullTime(now)})
	if err != nil {
		return false, fmt.Errorf("hand back refund: %w", err)
	}
	return rows > 0, nil
}
