package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/db/gen"
)

// exported are the orders of one customer while they are read. What was written of an order
// hangs on it by its id.
type exported struct {
	all []Money
	at  map[int64]*Money
}

// exportOwn returns all orders of a customer with lines, history and money, the newest first.
// It must be called in a snapshot.
func exportOwn(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64) ([]Money, error) {
	rows, err := q.ExportOrders(ctx, gen.ExportOrdersParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return nil, fmt.Errorf("export orders: %w", err)
	}
	e := exported{all: make([]Money, len(rows)), at: make(map[int64]*Money, len(rows))}
	for i, row := range rows {
		if e.all[i].Order, err = toOrder(gen.GetOrderRow(row)); err != nil {
			return nil, err
		}
		e.at[row.ID] = &e.all[i]
	}
	err = errors.Join(
		e.readParts(ctx, q, gen.ExportOrderPartsParams{Site: siteAlias, CustomerID: customerID}),
		e.readPayments(ctx, q, gen.ExportPaymentsParams{Site: siteAlias, CustomerID: customerID}),
		e.readRefunds(ctx, q, gen.ExportRefundsParams{Site: siteAlias, CustomerID: customerID}))
	return e.all, err
}

// readParts reads the lines and the history.
func (e exported) readParts(ctx context.Context, q *gen.Queries, of gen.ExportOrderPartsParams) error {
	rows, err := q.ExportOrderParts(ctx, of)
	if err != nil {
		return fmt.Errorf("export lines and states: %w", err)
	}
	for _, row := range rows {
		m := e.at[row.OrderID]
		switch {
		case m == nil:
		case row.Body == nil:
			m.Order.History = append(m.Order.History, Change{ID: row.Number, State: State(row.State), Actor: row.Actor, At: row.At})
		default:
			var line Line
			if err := json.Unmarshal(row.Body, &line); err != nil {
				return fmt.Errorf("export line: %w", err)
			}
			m.Order.Lines = append(m.Order.Lines, line)
		}
	}
	return nil
}

// readPayments reads the payments with their closing receipts.
func (e exported) readPayments(ctx context.Context, q *gen.Queries, of gen.ExportPaymentsParams) error {
	rows, err := q.ExportPayments(ctx, of)
	if err != nil {
		return fmt.Errorf("export payments: %w", err)
	}
	for _, row := range rows {
		m := e.at[row.Payment.OrderID]
		if m == nil {
			continue
		}
		p, err := toPayment(row.Payment)
		if err != nil {
			return err
		}
		m.Payments = append(m.Payments, p)
		if !row.ClosingID.Valid {
			continue
		}
		c, err := toClosing(gen.GetClosingReceiptRow{
			PaymentID: row.Payment.ID, ID: row.ClosingID.String, OrderID: row.Payment.OrderID, Amount: row.ClosingAmount.Int64,
			Currency: row.Payment.Currency, Lines: row.ClosingLines, State: row.ClosingState.String, Ref: row.ClosingRef.String,
			Code: row.ClosingCode.String, Tries: row.ClosingTries.Int64, CheckAt: row.ClosingCheckAt,
			CreatedAt: row.ClosingCreatedAt.Time, FinishedAt: row.ClosingFinishedAt,
		})
		if err != nil {
			return err
		}
		m.Closings = append(m.Closings, c)
	}
	return nil
}

func (e exported) readRefunds(ctx context.Context, q *gen.Queries, of gen.ExportRefundsParams) error {
	rows, err := q.ExportRefunds(ctx, of)
	if err != nil {
		return fmt.Errorf("export refunds: %w", err)
	}
	for _, row := range rows {
		r, err := toRefund(gen.GetRefundRow(row))
		if err != nil {
			return err
		}
		if m := e.at[r.OrderID]; m != nil {
			m.Refunds = append(m.Refunds, r)
		}
	}
	return nil
}
