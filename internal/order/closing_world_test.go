package order_test

import (
	"context"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/order"
)

// CloseReceipt keeps each closing receipt, once for each id, and answers as the test has set it.
func (b *till) CloseReceipt(_ context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := c.Check("till"); err != nil {
		b.broken = append(b.broken, err.Error())
	}
	b.closings = append(b.closings, c)
	if b.onClose != nil {
		b.onClose()
	}
	if len(b.closes) == 0 {
		return acquiring.Closed{State: acquiring.ClosingDone, Ref: "rt-" + string(c.ID)}, nil
	}
	said := b.closes[0]
	b.closes = b.closes[1:]
	if said.State == acquiring.ClosingUnknown {
		return acquiring.Closed{}, &acquiring.Error{Acquirer: "till", Op: "close", Kind: acquiring.Busy}
	}
	return said, nil
}

// closed returns the calls for closing receipts so far.
func (b *till) closed() []acquiring.Closing {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]acquiring.Closing(nil), b.closings...)
}

// withoutClosing is a till that registers receipts, but closes none.
type withoutClosing struct{ acquiring.Acquirer }

func (withoutClosing) Receipts() acquiring.ReceiptSupport { return acquiring.WithoutClosing }

// withoutReceipts is a till that registers no receipts.
type withoutReceipts struct{ acquiring.Acquirer }

func (withoutReceipts) Receipts() acquiring.ReceiptSupport { return acquiring.NoReceipts }

// handOver brings an order to its customer.
func (c *counter) handOver(t *testing.T, o order.Order) {
	t.Helper()
	c.move(t, o, order.Cooking, order.Sent, order.Done)
}

// say replaces what was reported to the acquirer with the payments of an order.
func (c *counter) say(t *testing.T, id int64, asked string) {
	t.Helper()
	err := c.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE payment SET asked = $1 WHERE order_id = $2", []byte(asked), id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// closing returns the only closing receipt of an order.
func (c *counter) closing(t *testing.T, id int64) order.ClosingReceipt {
	t.Helper()
	all := c.money(t, id).Closings
	if len(all) != 1 {
		t.Fatalf("%d closing receipts: %+v", len(all), all)
	}
	return all[0]
}

// linesOf adds up the lines of a receipt by name.
func linesOf(r acquiring.Receipt) map[string]money.Amount {
	lines := map[string]money.Amount{}
	for _, l := range r.Lines {
		lines[l.Name] = lines[l.Name].Add(l.Total())
	}
	return lines
}

// seconds lets time pass, with a sweep each second.
func (c *counter) seconds(t *testing.T, n int) {
	t.Helper()
	for range n {
		c.Clock.Advance(time.Second)
		c.sweep(t)
	}
}
