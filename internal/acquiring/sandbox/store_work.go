//go:build !release

package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// dueRefund is a refund that is to be made now.
type dueRefund struct {
	refund

	site string
}

// callback is what a shop is sent, or was.
type callback struct {
	id        int64
	site, url string
	body      []byte
	tries     int
	// status is what the shop answered last, 0 for nothing.
	status int
	// isDone says that the callback is not sent again.
	isDone bool
}

// toCallback returns the callback of a row.
func toCallback(row gen.SandboxCallback) callback {
	return callback{
		id: row.ID, site: row.Site, url: row.Url, body: row.Body, tries: int(row.Tries), status: int(row.Status), isDone: !row.NextAt.Valid,
	}
}

// listDue returns the references of the payments and the refunds and callbacks that are due now,
// at most workBatch of each.
func (b *Bank) listDue(ctx context.Context) (payments []string, refunds []dueRefund, callbacks []callback, err error) {
	now, q := nullTime(b.clock.Now()), b.db.Read()
	fail := func(err error) ([]string, []dueRefund, []callback, error) {
		return nil, nil, nil, fmt.Errorf("books of the test bank: %w", err)
	}
	if payments, err = q.ListDueSandboxPayments(ctx, gen.ListDueSandboxPaymentsParams{Now: now, Most: workBatch}); err != nil {
		return fail(err)
	}
	rows, err := q.ListDueSandboxRefunds(ctx, gen.ListDueSandboxRefundsParams{Now: now, Most: workBatch})
	if err != nil {
		return fail(err)
	}
	for _, row := range rows {
		refunds = append(refunds, dueRefund{toRefund(row), row.Site})
	}
	calls, err := q.ListDueSandboxCallbacks(ctx, gen.ListDueSandboxCallbacksParams{Now: now, Most: workBatch})
	if err != nil {
		return fail(err)
	}
	for _, row := range calls {
		callbacks = append(callbacks, toCallback(row))
	}
	return payments, refunds, callbacks, nil
}

// insertCallbacks stores the callbacks to send about a payment as it is now.
func (b *Bank) insertCallbacks(ctx context.Context, tx *db.Tx, p payment) error {
	body := callbackBody(p.toEvent())
	now := b.clock.Now()
	for _, after := range p.callbackDelays() {
		err := tx.Q.InsertSandboxCallback(ctx, gen.InsertSandboxCallbackParams{
			Ref: p.ref, Site: p.site, Url: p.callbackURL, Body: body, NextAt: nullTime(now.Add(after)), Now: now,
		})
		if err != nil {
			return fmt.Errorf("books of the test bank: %w", err)
		}
	}
	return nil
}

// finishRefund completes a refund that is pending, unless another process has done so.
func (b *Bank) finishRefund(ctx context.Context, site string, r refund) error {
	err := b.inTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.FinishSandboxRefund(ctx, gen.FinishSandboxRefundParams{Site: site, ID: string(r.id)})
		if err != nil {
			return fmt.Errorf("books of the test bank: %w", err)
		}
		if rows == 0 {
			return nil // another process was faster
		}
		p, err := findByRef(ctx, tx.Q, r.ref)
		if err != nil {
			return err
		}
		before := p
		p.refunded = p.refunded.Add(r.amount)
		return b.storePayment(ctx, tx, before, p)
	})
	b.wakeLoop()
	return err
}

// deliverCallback sends a callback, unless another process does so, and stores the answer. A callback
// that was not answered with 200 is stored to be sent again, unless it was tried often enough.
func (b *Bank) deliverCallback(ctx context.Context, c callback) error {
	now := b.clock.Now()
	const lease = 2 * callbackTimeout // longer than sending it takes
	isClaimed := false
	err := b.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.TakeSandboxCallback(ctx, gen.TakeSandboxCallbackParams{ID: c.id, Tries: int64(c.tries), Until: nullTime(now.Add(lease))})
		isClaimed = rows > 0
		return err
	})
	if err != nil {
		return fmt.Errorf("books of the test bank: %w", err)
	}
	if !isClaimed {
		return nil
	}
	status := b.postCallback(ctx, c.site, c.url, c.body)
	next := time.Time{}
	if status != http.StatusOK {
		if pause, ok := pauseAfter(c.tries + 1); ok {
			next = b.clock.Now().Add(pause)
		}
	}
	err = b.db.InTx(ctx, func(tx *db.Tx) error {
		return tx.Q.PutBackSandboxCallback(ctx, gen.PutBackSandboxCallbackParams{
			ID: c.id, Tries: int64(c.tries + 1), Status: int64(status), NextAt: nullTime(next),
		})
	})
	if err != nil {
		return fmt.Errorf("books of the test bank: %w", err)
	}
	return nil
}

// listCallbacks returns all callbacks about a payment, sent or not.
func (b *Bank) listCallbacks(ctx context.Context, ref string) ([]callback, error) {
	rows, err := b.db.Read().ListSandboxCallbacks(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("books of the test bank: %w", err)
	}
	var calls []callback
	for _, row := range rows {
		calls = append(calls, toCallback(row))
	}
	return calls, nil
}
