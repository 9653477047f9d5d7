package order

import (
	"context"
	"encoding/json"
	"fmt"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/payment"
	"servery/internal/visit"
)

func countOfCustomer(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64) (int, error) {
	n, err := q.CountCustomerOrders(ctx, gen.CountCustomerOrdersParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return 0, fmt.Errorf("count orders: %w", err)
	}
	return int(n), nil
}

// part is a part of a list.
type part struct{ skipped, most int }

// listOfCustomer returns a part of a customer's orders with their history and without their lines,
// the newest first.
func listOfCustomer(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64, p part) ([]Listed, error) {
	asked := gen.ListCustomerOrdersParams{Site: siteAlias, CustomerID: customerID, Skipped: int32(p.skipped), MaxCount: int32(p.most)}
	rows, err := q.ListCustomerOrders(ctx, asked)
	if err != nil {
		return nil, fmt.Errorf("list orders: %w", err)
	}
	list := make([]Listed, len(rows))
	at := make(map[int64]*Listed, len(rows))
	for i, row := range rows {
		if list[i].Order, err = toOrder(gen.GetOrderRow(row)); err != nil {
			return nil, err
		}
		for _, g := range list[i].Details.Gifts {
			list[i].Portions += g.Count
		}
		at[row.ID] = &list[i]
	}
	changes, err := q.ListCustomerOrderStatuses(ctx, gen.ListCustomerOrderStatusesParams(asked))
	if err != nil {
		return nil, fmt.Errorf("list states: %w", err)
	}
	for _, c := range changes {
		if o := at[c.OrderID]; o != nil {
			o.History = append(o.History, Change{ID: c.ID, State: State(c.State), Actor: c.Actor, At: c.At})
		}
	}
	counts, err := q.ListCustomerOrderCounts(ctx, gen.ListCustomerOrderCountsParams(asked))
	if err != nil {
		return nil, fmt.Errorf("count portions: %w", err)
	}
	for _, c := range counts {
		if o := at[c.OrderID]; o != nil {
			o.Portions += int(c.Portions)
		}
	}
	return list, nil
}

// moveSession moves checkouts, orders and orders that were looked up from one session to
// another. Checkouts are first: an order under way holds its own, and is found afterwards.
func moveSession(ctx context.Context, q *gen.Queries, from, to int64) error {
	if err := q.MoveCheckouts(ctx, gen.MoveCheckoutsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move checkouts: %w", err)
	}
	if err := q.MoveOrders(ctx, gen.MoveOrdersParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move orders: %w", err)
	}
	if err := q.MoveOrderGrants(ctx, gen.MoveOrderGrantsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move orders that were looked up: %w", err)
	}
	return nil
}

// assignToCustomer makes those orders of the customer's session theirs that have their phone.
func assignToCustomer(ctx context.Context, q *gen.Queries, v visit.Context) error {
	err := q.GiveOrdersToCustomer(ctx, gen.GiveOrdersToCustomerParams{
		CustomerID: v.CustomerID, SessionID: v.SessionID, Site: v.Site.Alias, Phone: v.CustomerPhone,
	})
	if err != nil {
		return fmt.Errorf("assign orders to the customer: %w", err)
	}
	return nil
}

// exported are the orders of one customer while they are read; at has each of them by its id.
type exported struct {
	all []WithPayment
	at  map[int64]*WithPayment
}

// exportOfCustomer returns all orders of a customer with lines, history and payments, the newest first.
func exportOfCustomer(ctx context.Context, at db.Snapshot, siteAlias string, customerID int64) ([]WithPayment, error) {
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

// readParts reads the lines and the history of all orders and adds each to its order.
func (e exported) readParts(ctx context.Context, q *gen.Queries, of gen.ExportOrderPartsParams) error {
	rows, err := q.ExportOrderParts(ctx, of)
	if err != nil {
		return fmt.Errorf("export lines and states: %w", err)
	}
	for _, row := range rows {
		m := e.at[row.OrderID]
		switch {
		case m == nil: // not one of these orders
		case row.Body == nil: // a change of state, not a line
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
