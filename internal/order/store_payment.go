package order

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/pay"
)

// keptNext is [pay.Next] as it is stored.
type keptNext struct {
	Kind        string       `json:"kind"`
	URL         string       `json:"url,omitempty"`
	QR          string       `json:"qr,omitempty"`
	VerifyParam string       `json:"verify_param,omitempty"`
	ThreeDS     *pay.ThreeDS `json:"three_ds,omitempty"`
}

func writeNext(next pay.Next) ([]byte, error) {
	kept := keptNext{Kind: next.Kind.String(), URL: next.URL, QR: next.QR, VerifyParam: next.VerifyParam}
	if next.ThreeDS != (pay.ThreeDS{}) {
		kept.ThreeDS = &next.ThreeDS
	}
	body, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("write what comes next: %w", err)
	}
	return body, nil
}

func readNext(body []byte, ref string) (pay.Next, error) {
	var kept keptNext
	if err := json.Unmarshal(body, &kept); err != nil {
		return pay.Next{}, fmt.Errorf("read what comes next: %w", err)
	}
	next := pay.Next{Ref: ref, URL: kept.URL, QR: kept.QR, VerifyParam: kept.VerifyParam}
	if kept.ThreeDS != nil {
		next.ThreeDS = *kept.ThreeDS
	}
	for _, kind := range []pay.Kind{pay.Redirect, pay.MobileLink, pay.ThreeDS1, pay.ThreeDS2, pay.Push, pay.Prepared} {
		if kind.String() == kept.Kind {
			next.Kind = kind
		}
	}
	return next, nil
}

// insertPayment writes a try down, before its acquirer is called.
func insertPayment(ctx context.Context, q *gen.Queries, p Payment) error {
	askedBody, err := json.Marshal(p.asked)
	if err != nil {
		return fmt.Errorf("write payment: %w", err)
	}
	nextBody, err := writeNext(p.Next)
	if err != nil {
		return err
	}
	err = q.InsertPayment(ctx, gen.InsertPaymentParams{
		ID: string(p.ID), OrderID: p.OrderID, Site: p.Site, Acquirer: p.Account, Method: p.Method.String(),
		Amount: int64(p.Sum.Amount), Currency: p.Sum.Currency.Code, Asked: askedBody, Next: nextBody, CallKey: p.callKey,
		Now: p.StartedAt, Deadline: p.Deadline, BusyUntil: at(p.busyUntil), CheckAt: at(p.checkAt),
	})
	if err != nil {
		return fmt.Errorf("write payment: %w", err)
	}
	return nil
}

// at gives an instant to store; the zero one is none.
func at(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// loadPayment reads a try. It gives [db.ErrNotFound] when there is none.
func loadPayment(ctx context.Context, q *gen.Queries, id pay.ID) (Payment, error) {
	row, err := q.GetPayment(ctx, string(id))
	if err != nil {
		return Payment{}, fmt.Errorf("read payment: %w", err)
	}
	return toPayment(row)
}

// paymentsOf gives the tries to pay an order, the first one first.
func paymentsOf(ctx context.Context, q *gen.Queries, orderID int64) ([]Payment, error) {
	rows, err := q.ListPayments(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list payments: %w", err)
	}
	payments := make([]Payment, len(rows))
	for i, row := range rows {
		if payments[i], err = toPayment(row); err != nil {
			return nil, err
		}
	}
	return payments, nil
}

func toPayment(row gen.Payment) (Payment, error) {
	p := Payment{
		ID: pay.ID(row.ID), OrderID: row.OrderID, Site: row.Site, Account: row.Acquirer,
		Sum: pay.Sum{Amount: money.Amount(row.Amount)}, State: PaymentState(row.State), Ref: row.Ref, Code: row.Code,
		Refunded: money.Amount(row.Refunded), StartedAt: row.StartedAt, Deadline: row.Deadline, FinishedAt: row.FinishedAt.Time,
		proof: proofStage(row.Proof), callKey: row.CallKey,
		busyUntil: row.BusyUntil.Time, checkAt: row.CheckAt.Time, checks: int(row.Checks),
	}
	var method, currency, reason, next error
	p.Method, method = pay.ParseMethod(row.Method)
	p.Sum.Currency, currency = money.ParseCurrency(row.Currency)
	p.Reason, reason = pay.ParseReason(row.Reason)
	p.Next, next = readNext(row.Next, row.Ref)
	if err := errors.Join(method, currency, reason, next, json.Unmarshal(row.Asked, &p.asked)); err != nil {
		return Payment{}, fmt.Errorf("read payment: %w", err)
	}
	return p, nil
}

// lockOrder makes whoever else does something about the money of the order wait for the
// end of the transaction. It gives [db.ErrNotFound] when there is no such order.
func lockOrder(ctx context.Context, q *gen.Queries, id int64) error {
	rows, err := q.LockOrder(ctx, id)
	if err != nil {
		return fmt.Errorf("lock order: %w", err)
	}
	if rows == 0 {
		return db.ErrNotFound
	}
	return nil
}
