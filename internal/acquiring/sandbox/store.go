//go:build !release

package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
)

// errStale is returned when the row was changed concurrently. The caller has to start again.
var errStale = errors.New("the payment was changed concurrently")

// toPayment returns the payment of a row. It takes the results of a query and returns the error
// of that query as it is.
func toPayment(row gen.SandboxPayment, err error) (payment, error) {
	if err != nil {
		return payment{}, err
	}
	currency, err := money.ParseCurrency(row.Currency)
	if err != nil {
		return payment{}, fmt.Errorf("payment of the test bank: %w", err)
	}
	method, err := acquiring.ParseMethod(row.Method)
	if err != nil {
		return payment{}, fmt.Errorf("payment of the test bank: %w", err)
	}
	reason, err := acquiring.ParseReason(row.Reason)
	if err != nil {
		return payment{}, fmt.Errorf("payment of the test bank: %w", err)
	}
	outcome, _ := outcomeOf(row.Outcome)
	return payment{
		ref: row.Ref, site: row.Site, id: acquiring.ID(row.ID), requestHash: row.Asked, method: method,
		sum:         acquiring.Sum{Amount: money.Amount(row.Amount), Currency: currency},
		description: row.Description, language: row.Language, returnURL: row.ReturnUrl, failURL: row.FailUrl,
		callbackURL: row.CallbackUrl, termURL: row.TermUrl, state: state(row.State), step: step(row.Step), outcome: outcome,
		reason: reason, card: row.Card, transID: row.TransID, reserved: money.Amount(row.Reserved), refunded: money.Amount(row.Refunded),
		deadline: row.Deadline, due: row.DueAt.Time, createdAt: row.CreatedAt, version: row.Version,
	}, nil
}

// findByRef returns a payment by the bank's reference, or [db.ErrNotFound].
func findByRef(ctx context.Context, q *gen.Queries, ref string) (payment, error) {
	return toPayment(q.GetSandboxPayment(ctx, ref))
}

// findByID returns a payment by the shop's id, or [db.ErrNotFound].
func findByID(ctx context.Context, q *gen.Queries, site string, id acquiring.ID) (payment, error) {
	return toPayment(q.GetSandboxPaymentByID(ctx, gen.GetSandboxPaymentByIDParams{Site: site, ID: string(id)}))
}

// findByTransID returns a payment by its id of 3-D Secure, or [db.ErrNotFound].
func findByTransID(ctx context.Context, q *gen.Queries, transID string) (payment, error) {
	return toPayment(q.GetSandboxPaymentByTrans(ctx, transID))
}

// insertPayment stores a new payment. It returns errStale when the id already has one.
func insertPayment(ctx context.Context, q *gen.Queries, p payment) error {
	rows, err := q.InsertSandboxPayment(ctx, gen.InsertSandboxPaymentParams{
		Ref: p.ref, Site: p.site, ID: string(p.id), Asked: p.requestHash, Method: p.method.String(), Amount: int64(p.sum.Amount),
		Currency: p.sum.Currency.Code, Description: p.description, Language: p.language, ReturnUrl: p.returnURL, FailUrl: p.failURL,
		CallbackUrl: p.callbackURL, TermUrl: p.termURL, State: string(p.state), Step: string(p.step), Outcome: p.outcome.Key,
		Reason: p.reason.String(), Card: p.card, TransID: p.transID, Deadline: p.deadline, DueAt: nullTime(p.due), CreatedAt: p.createdAt,
	})
	return checkOneRow(rows, err)
}

// savePayment stores a payment over the version that was read. It returns errStale when that
// version was changed.
func savePayment(ctx context.Context, q *gen.Queries, p payment) error {
	rows, err := q.UpdateSandboxPayment(ctx, gen.UpdateSandboxPaymentParams{
		Ref: p.ref, Version: p.version, Asked: p.requestHash, Method: p.method.String(), Amount: int64(p.sum.Amount),
		Currency: p.sum.Currency.Code, Description: p.description, Language: p.language, ReturnUrl: p.returnURL, FailUrl: p.failURL,
		CallbackUrl: p.callbackURL, TermUrl: p.termURL, State: string(p.state), Step: string(p.step), Outcome: p.outcome.Key,
		Reason: p.reason.String(), Card: p.card, TransID: p.transID, Reserved: int64(p.reserved), Refunded: int64(p.refunded),
		Deadline: p.deadline, DueAt: nullTime(p.due),
	})
	return checkOneRow(rows, err)
}

// checkOneRow returns errStale unless a statement has changed a row.
func checkOneRow(rows int64, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("books of the test bank: %w", err)
	case rows == 0:
		return errStale
	}
	return nil
}

// nullTime returns an instant as it is stored: NULL for the zero time.
func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// listLatest returns the newest payments, at most maxCount, newest first. With an id it returns
// only payments with that id, of the newest 500.
func (b *Bank) listLatest(ctx context.Context, id string, maxCount int) ([]payment, error) {
	const maxSearched = 500
	limit := int64(maxCount)
	if id != "" {
		limit = maxSearched
	}
	rows, err := b.db.Read().ListSandboxPayments(ctx, limit)
	if err != nil {
		return nil, fmt.Errorf("books of the test bank: %w", err)
	}
	var found []payment
	for _, row := range rows {
		var noError error
		p, err := toPayment(row, noError)
		if err != nil {
			return nil, err
		}
		if id == "" || string(p.id) == id {
			p.applyTime(b.clock.Now())
			found = append(found, p)
		}
	}
	return found, nil
}

// insertRefund stores a new refund. It returns errStale when the id already has one.
func insertRefund(ctx context.Context, q *gen.Queries, site string, r refund, now time.Time) error {
	return checkOneRow(q.InsertSandboxRefund(ctx, gen.InsertSandboxRefundParams{
		Site: site, ID: string(r.id), Ref: r.ref, Amount: int64(r.amount), State: r.state.String(), DueAt: nullTime(r.due), CreatedAt: now,
	}))
}

// toRefund returns the refund of a row. An unknown state is read as failed.
func toRefund(row gen.SandboxRefund) refund {
	r := refund{id: acquiring.ID(row.ID), ref: row.Ref, amount: money.Amount(row.Amount), due: row.DueAt.Time, state: acquiring.RefundFailed}
	switch row.State {
	case acquiring.RefundDone.String():
		r.state = acquiring.RefundDone
	case acquiring.RefundPending.String():
		r.state = acquiring.RefundPending
	}
	return r
}

// findRefund returns a refund by its id, and false when there is none.
func findRefund(ctx context.Context, q *gen.Queries, site string, id acquiring.ID) (refund, bool, error) {
	row, err := q.GetSandboxRefund(ctx, gen.GetSandboxRefundParams{Site: site, ID: string(id)})
	switch {
	case errors.Is(err, db.ErrNotFound):
		return refund{}, false, nil
	case err != nil:
		return refund{}, false, fmt.Errorf("books of the test bank: %w", err)
	}
	return toRefund(row), true, nil
}

// insertReceipt stores a receipt. It changes nothing when the id already has one.
func insertReceipt(ctx context.Context, q *gen.Queries, site string, r receipt, now time.Time) error {
	items, err := json.Marshal(r.items)
	if err != nil {
		return fmt.Errorf("books of the test bank: %w", err)
	}
	_, err = q.InsertSandboxReceipt(ctx, gen.InsertSandboxReceiptParams{
		Site: site, ID: string(r.id), Ref: r.ref, Kind: string(r.kind), Mode: r.mode, Amount: int64(r.amount), Items: items,
		RegisteredAt: r.registered, Now: now,
	})
	if err != nil {
		return fmt.Errorf("books of the test bank: %w", err)
	}
	return nil
}

// listReceipts returns the receipts of a payment, the oldest first.
func listReceipts(ctx context.Context, q *gen.Queries, ref string) ([]receipt, error) {
	rows, err := q.ListSandboxReceipts(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("books of the test bank: %w", err)
	}
	receipts := make([]receipt, len(rows))
	for i, row := range rows {
		receipts[i] = receipt{
			id: acquiring.ID(row.ID), ref: row.Ref, kind: receiptKind(row.Kind), mode: row.Mode, amount: money.Amount(row.Amount),
			registered: row.RegisteredAt,
		}
		if err := json.Unmarshal(row.Items, &receipts[i].items); err != nil {
			return nil, fmt.Errorf("books of the test bank: %w", err)
		}
	}
	return receipts, nil
}

// takeFault returns the fault that was set for a call of a brand, and counts it as used;
// NoFault when there is none.
func (b *Bank) takeFault(ctx context.Context, site, call string) (Fault, error) {
	row, err := b.db.Read().GetSandboxFault(ctx, gen.GetSandboxFaultParams{Site: site, Call: call})
	switch {
	case errors.Is(err, db.ErrNotFound):
		return NoFault, nil
	case err != nil:
		return NoFault, fmt.Errorf("books of the test bank: %w", err)
	}
	var rows int64
	err = b.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		rows, err = tx.Q.TakeSandboxFault(ctx, gen.TakeSandboxFaultParams{Site: row.Site, Call: call, Kind: row.Kind})
		return err
	})
	if err != nil {
		return NoFault, fmt.Errorf("books of the test bank: %w", err)
	}
	if rows == 0 {
		return NoFault, nil
	}
	return Fault(row.Kind), nil
}

// SetFault makes the next calls of a kind go wrong, as many as times says; 0 ends the fault. It
// applies to one brand, or to all brands when site is empty.
func (b *Bank) SetFault(ctx context.Context, site, call string, f Fault, times int) error {
	return b.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Q.SetSandboxFault(ctx, gen.SetSandboxFaultParams{Site: site, Call: call, Kind: string(f), LeftOver: int64(times)})
		if err != nil {
			return fmt.Errorf("books of the test bank: %w", err)
		}
		return nil
	})
}
