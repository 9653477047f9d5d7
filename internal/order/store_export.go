package order

import (
	"context"
	"encoding/json"
	"fmt"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/payment"
)

// exported are the orders of one customer while they are read. What was written of an order
// hangs on it by its id.
type exported struct {
	all []WithPayment
	at  map[int64]*WithPayment
}

// exportOwn returns all orders of a customer with lines, history and payments, the newest first.
func exportOwn(ctx context.Context, at db.Snapshot, siteAlias string, customerID int64) ([]WithPayment, error) {
	rows, err := at.Q.ExportOrders(ctx, gen.ExportOrdersParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return nil, fmt.Errorf("export orders: %w", err)
	}
	e := exported{all: make([]WithPayment, len(rows)), at: make(map[int64]*WithPayment, len(rows))}
	for i, row := range rows {
		if e.all[i].Order, err = toOrder(gen.GetOrderRow(row)); err != nil {
			return nil, err
		}
		e.at[row.ID] = &e.all[i]
	}
	if err := e.readParts(ctx, at.Q, gen.ExportOrderPartsParams{Site: siteAlias, CustomerID: customerID}); err != nil {
		return nil, err
	}
	payments, err := payment.ReadHistories(ctx, at, siteAlias, customerID)
	if err != nil {
		return nil, err
	}
	for i := range e.all {
		o := &e.all[i]
		o.Payment = payments[o.Order.ID]
		o.Payment.Bill = o.Order.Bill()
	}
	return e.all, nil
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
