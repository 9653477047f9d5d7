package payments

import (
	"cmp"
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

// refundCall is the operator's call for a refund; the zero value for a refund without one.
type refundCall struct {
	key  string
	hash []byte
}

// insertRefund stores a new refund, with the key and hash of the operator's call if there was one. A
// refund that names no bearer is borne by the restaurant.
func insertRefund(ctx context.Context, q *gen.Queries, r payment.Refund, call refundCall) error {
	lines, err := json.Marshal(r.Lines)
	if err != nil {
		return fmt.Errorf("write refund: %w", err)
	}
	if call.hash == nil {
		call.hash = []byte{} // the column is NOT NULL
	}
	err = q.InsertRefund(ctx, gen.InsertRefundParams{
		ID: string(r.ID), PaymentID: string(r.PaymentID), OrderID: r.OrderID, Amount: int64(r.Sum.Amount),
		Cause: string(r.Cause), Reason: r.Reason, Lines: lines, CallKey: call.key, CallHash: call.hash,
		Attempt: r.Attempt, ReceiptMode: storedReceiptMode(r.AfterClosing), Bearer: string(cmp.Or(r.Bearer, payment.Restaurant)), Actor: r.Actor,
		CheckAt: nullTime(r.CallAt), Now: r.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("write refund: %w", err)
	}
	return nil
}

// storedReceiptMode returns the receipt mode that is stored of a refund: full payment after the
// order's closing receipt, and empty, which stands for the mode of the payment, before it.
func storedReceiptMode(afterClosing bool) string {
	if afterClosing {
		return acquiring.FullPayment.String()
	}
	return ""
}

// loadRefund reads a refund. It returns [db.ErrNotFound] when there is none.
func loadRefund(ctx context.Context, q *gen.Queries, id acquiring.ID) (payment.Refund, error) {
	row, err := q.GetRefund(ctx, string(id))
	if err != nil {
		return payment.Refund{}, fmt.Errorf("read refund: %w", err)
	}
	return toRefund(row)
}

// listRefunds returns the refunds of an order, the oldest first.
func listRefunds(ctx context.Context, q *gen.Queries, orderID int64) ([]payment.Refund, error) {
	rows, err := q.ListRefunds(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list refunds: %w", err)
	}
	refunds := make([]payment.Refund, len(rows))
	for i, row := range rows {
		if refunds[i], err = toRefund(gen.GetRefundRow(row)); err != nil {
			return nil, err
		}
	}
	return refunds, nil
}

// toRefund returns the refund of a row. It returns an error when the currency or the lines
// cannot be read.
func toRefund(row gen.GetRefundRow) (payment.Refund, error) {
	currency, err := money.ParseCurrency(row.Currency)
	if err != nil {
		return payment.Refund{}, fmt.Errorf("read refund: %w", err)
	}
	r := payment.Refund{
		ID: acquiring.ID(row.ID), PaymentID: acquiring.ID(row.PaymentID), OrderID: row.OrderID,
		Sum:   acquiring.Sum{Amount: money.Amount(row.Amount), Currency: currency},
		State: payment.RefundState(row.State), Cause: payment.RefundCause(row.Cause), Reason: row.Reason, Code: row.Code,
		CreatedAt: row.CreatedAt, FinishedAt: row.FinishedAt.Time, Calls: row.Tries, Attempt: row.Attempt,
		AfterClosing: row.ReceiptMode == acquiring.FullPayment.String(), Bearer: payment.Bearer(row.Bearer), Actor: row.Actor,
	}
	if err := json.Unmarshal(row.Lines, &r.Lines); err != nil {
		return payment.Refund{}, fmt.Errorf("read refund: %w", err)
	}
	return r, nil
}

// listOtherRefs returns the acquirer's references of the other refunds of the attempt, as far as they are
// stored.
func listOtherRefs(ctx context.Context, q *gen.Queries, r payment.Refund) ([]string, error) {
	refs, err := q.ListOtherRefundRefs(ctx, gen.ListOtherRefundRefsParams{OrderID: r.OrderID, PaymentID: string(r.PaymentID), ID: string(r.ID)})
	if err != nil {
		return nil, fmt.Errorf("list references of refunds: %w", err)
	}
	return refs, nil
}

// hashOfCall returns the hash of the operator's call with a key, nil when there was none.
func hashOfCall(ctx context.Context, q *gen.Queries, orderID int64, key string) ([]byte, error) {
	hash, err := q.GetRefundCall(ctx, gen.GetRefundCallParams{OrderID: orderID, CallKey: key})
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read refund: %w", err)
	}
	return hash, nil
}

// leaseRefund leases a due refund to this caller until the instant. It returns false when
// another caller has the lease, the refund is over, or another refund of the attempt is open.
func leaseRefund(ctx context.Context, q *gen.Queries, id acquiring.ID, now, until time.Time) (bool, error) {
	rows, err := q.BeginRefund(ctx, gen.BeginRefundParams{ID: string(id), Now: nullTime(now), Until: nullTime(until)})
	if err != nil {
		return false, fmt.Errorf("lease refund: %w", err)
	}
	return rows > 0, nil
}

// postponeRefund stores the state of a refund and the answer of a call that has no outcome yet, and when
// the next call is due. It returns false when the outcome is already known.
func postponeRefund(ctx context.Context, q *gen.Queries, r payment.Refund, answer acquiring.Refunded, due time.Time) (bool, error) {
	rows, err := q.PostponeRefund(ctx, gen.PostponeRefundParams{
		ID: string(r.ID), State: string(r.State), Ref: answer.Ref, Code: answer.Code, CheckAt: nullTime(due),
	})
	if err != nil {
		return false, fmt.Errorf("postpone refund: %w", err)
	}
	return rows > 0, nil
}

// finishRefund stores the outcome of a refund. It returns false when the outcome was already
// known.
func finishRefund(ctx context.Context, q *gen.Queries, id acquiring.ID, state payment.RefundState, answer acquiring.Refunded, now time.Time) (bool, error) {
	rows, err := q.EndRefund(ctx, gen.EndRefundParams{
		ID: string(id), State: string(state), Ref: answer.Ref, Code: answer.Code, Now: nullTime(now),
	})
	if err != nil {
		return false, fmt.Errorf("finish refund: %w", err)
	}
	return rows > 0, nil
}

// addRefunded adds the sum of a refund to what its payment has returned.
func addRefunded(ctx context.Context, q *gen.Queries, r payment.Refund) error {
	if _, err := q.AddRefunded(ctx, gen.AddRefundedParams{ID: string(r.PaymentID), Amount: int64(r.Sum.Amount)}); err != nil {
		return fmt.Errorf("count refund: %w", err)
	}
	return nil
}

// listDueRefunds returns the refunds that are due, at most maxCount.
func listDueRefunds(ctx context.Context, q *gen.Queries, now time.Time, maxCount int) ([]acquiring.ID, error) {
	rows, err := q.ListDueRefunds(ctx, gen.ListDueRefundsParams{Now: nullTime(now), MaxCount: int32(maxCount)})
	if err != nil {
		return nil, fmt.Errorf("list due refunds: %w", err)
	}
	return toIDs(rows), nil
}

// nextWaitingRefund returns the oldest refund of the attempt for which the acquirer was not
// called yet, empty for none.
func nextWaitingRefund(ctx context.Context, q *gen.Queries, orderID int64, paymentID acquiring.ID) (acquiring.ID, error) {
	rows, err := q.ListWaitingRefunds(ctx, orderID)
	if err != nil {
		return "", fmt.Errorf("list waiting refunds: %w", err)
	}
	for _, row := range rows {
		if row.PaymentID == string(paymentID) {
			return acquiring.ID(row.ID), nil
		}
	}
	return "", nil
}
