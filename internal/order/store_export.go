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
		e.readLines(ctx, q, gen.ExportOrderLinesParams{Site: siteAlias, CustomerID: customerID}),
		e.readHistory(ctx, q, gen.ExportOrderStatusesParams{Site: siteAlias, CustomerID: customerID}),
		e.readPayments(ctx, q, gen.ExportPaymentsParams{Site: siteAlias, CustomerID: customerID}),
		e.readRefunds(ctx, q, gen.ExportRefundsParams{Site: siteAlias, CustomerID: customerID}),
		e.readClosings(ctx, q, gen.ExportClosingReceiptsParams{Site: siteAlias, CustomerID: customerID}))
	return e.all, err
}

func (e exported) readLines(ctx context.Context, q *gen.Queries, of gen.ExportOrderLinesParams) error {
	rows, err := q.ExportOrderLines(ctx, of)
	if err != nil {
		return fmt.Errorf("export lines: %w", err)
	}
	for _, row := range rows {
		m := e.at[row.OrderID]
		if m == nil {
			continue
		}
		var line Line
		if err := json.Unmarshal(row.Body, &line); err != nil {
			return fmt.Errorf("export line: %w", err)
		}
		m.Order.Lines = append(m.Order.Lines, line)
	}
	return nil
}

func (e exported) readHistory(ctx context.Context, q *gen.Queries, of gen.ExportOrderStatusesParams) error {
	rows, err := q.ExportOrderStatuses(ctx, of)
	if err != nil {
		return fmt.Errorf("export states: %w", err)
	}
	for _, c := range rows {
		if m := e.at[c.OrderID]; m != nil {
			m.Order.History = append(m.Order.History, Change{ID: c.ID, State: State(c.State), Actor: c.Actor, At: c.At})
		}
	}
	return nil
}

func (e exported) readPayments(ctx context.Context, q *gen.Queries, of gen.ExportPaymentsParams) error {
	rows, err := q.ExportPayments(ctx, of)
	if err != nil {
		return fmt.Errorf("export payments: %w", err)
	}
	for _, row := range rows {
		p, err := toPayment(row)
		if err != nil {
			return err
		}
		if m := e.at[p.OrderID]; m != nil {
			m.Payments = append(m.Payments, p)
		}
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

func (e exported) readClosings(ctx context.Context, q *gen.Queries, of gen.ExportClosingReceiptsParams) error {
	rows, err := q.ExportClosingReceipts(ctx, of)
	if err != nil {
		return fmt.Errorf("export closing receipts: %w", err)
	}
	for _, row := range rows {
		c, err := toClosing(gen.GetClosingReceiptRow(row))
		if err != nil {
			return err
		}
		if m := e.at[c.OrderID]; m != nil {
			m.Closings = append(m.Closings, c)
		}
	}
	return nil
}
