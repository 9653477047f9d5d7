package history

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/order/orders"
	"servery/internal/payment/payments"
)

// countOfCustomer returns how many orders the customer has at the site.
func countOfCustomer(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64) (int, error) {
	n, err := q.CountCustomerOrders(ctx, gen.CountCustomerOrdersParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return 0, fmt.Errorf("count orders: %w", err)
	}
	archived, err := archive.CountOfCustomer(ctx, q, siteAlias, customerID)
	return int(n) + archived, err
}

// part is a part of a list: at most most entries, after the first skipped ones.
type part struct{ skipped, most int }

// listOfCustomer returns a part of a customer's orders with their history and without their lines,
// the newest first.
func listOfCustomer(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64, p part) ([]Listed, error) {
	params := gen.ListCustomerOrdersParams{Site: siteAlias, CustomerID: customerID, Skipped: int32(p.skipped), MaxCount: int32(p.most)}
	rows, err := q.ListCustomerOrders(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list orders: %w", err)
	}
	list := make([]Listed, len(rows))
	byID := make(map[int64]*Listed, len(rows))
	for i, row := range rows {
		if list[i].Order, err = orders.FromRow(gen.GetOrderRow(row)); err != nil {
			return nil, err
		}
		for _, g := range list[i].Details.Gifts { // stored with the order; sold portions are counted below
			list[i].Portions += g.Count
		}
		byID[row.ID] = &list[i]
	}
	changes, err := q.ListCustomerOrderStatuses(ctx, gen.ListCustomerOrderStatusesParams(params))
	if err != nil {
		return nil, fmt.Errorf("list states: %w", err)
	}
	for _, c := range changes {
		if o := byID[c.OrderID]; o != nil {
			o.History = append(o.History, orders.ChangeFromRow(gen.ListOrderStatusesRow{ID: c.ID, Kind: c.Kind, State: c.State, Actor: c.Actor, Reason: c.Reason, At: c.At}))
		}
	}
	counts, err := q.ListCustomerOrderCounts(ctx, gen.ListCustomerOrderCountsParams(params))
	if err != nil {
		return nil, fmt.Errorf("count portions: %w", err)
	}
	for _, c := range counts {
		if o := byID[c.OrderID]; o != nil {
			o.Portions += int(c.Portions)
		}
	}
	return list, nil
}

// exported are the orders of one customer while they are read. byID points into orders.
type exported struct {
	orders []order.WithPayment
	byID   map[int64]*order.WithPayment
}

// exportOfCustomer returns all orders of a customer with lines, history and payments, the newest first.
func exportOfCustomer(ctx context.Context, at db.Snapshot, siteAlias string, customerID int64) ([]order.WithPayment, error) {
	rows, err := at.Q.ExportOrders(ctx, gen.ExportOrdersParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return nil, fmt.Errorf("export orders: %w", err)
	}
	e := exported{orders: make([]order.WithPayment, len(rows)), byID: make(map[int64]*order.WithPayment, len(rows))}
	for i, row := range rows {
		if e.orders[i].Order, err = orders.FromRow(gen.GetOrderRow(row)); err != nil {
			return nil, err
		}
		e.byID[row.ID] = &e.orders[i]
	}
	if err := e.readParts(ctx, at.Q, gen.ExportOrderPartsParams{Site: siteAlias, CustomerID: customerID}); err != nil {
		return nil, err
	}
	payments, err := payments.ReadHistories(ctx, at, siteAlias, customerID)
	if err != nil {
		return nil, err
	}
	for i := range e.orders {
		o := &e.orders[i]
		o.Payment = payments[o.Order.ID]
		o.Payment.Bill = o.Order.Bill()
	}
	return e.orders, nil
}

// readParts reads the lines and the history of the customer's orders in one query and adds each
// to its order in e.
func (e exported) readParts(ctx context.Context, q *gen.Queries, params gen.ExportOrderPartsParams) error {
	rows, err := q.ExportOrderParts(ctx, params)
	if err != nil {
		return fmt.Errorf("export lines and states: %w", err)
	}
	for _, row := range rows {
		m := e.byID[row.OrderID]
		switch {
		case m == nil: // not one of these orders
		case row.Body == nil: // a change of state, not a line
			m.Order.History = append(m.Order.History, orders.ChangeFromRow(gen.ListOrderStatusesRow{ID: row.Number, Kind: row.Kind, State: row.State, Actor: row.Actor, At: row.At}))
		default:
			var line order.Line
			if err := json.Unmarshal(row.Body, &line); err != nil {
				return fmt.Errorf("export line: %w", err)
			}
			m.Order.Lines = append(m.Order.Lines, line)
		}
	}
	return nil
}

// listOrderTexts returns the stored JSON of details and lines of the next count orders whose ids
// are above after, and the last of these ids.
func listOrderTexts(ctx context.Context, q *gen.Queries, after int64, count int32) (texts [][]byte, last int64, err error) {
	rows, err := q.ListOrderDetailsAfter(ctx, gen.ListOrderDetailsAfterParams{ID: after, Count: count})
	if err != nil {
		return nil, 0, fmt.Errorf("read orders: %w", err)
	}
	if len(rows) == 0 {
		return nil, after, nil
	}
	last = rows[len(rows)-1].ID
	lines, err := q.ListLineBodiesBetween(ctx, gen.ListLineBodiesBetweenParams{After: after, Last: last})
	if err != nil {
		return nil, 0, fmt.Errorf("read lines: %w", err)
	}
	for _, row := range rows {
		texts = append(texts, row.Details)
	}
	return append(texts, lines...), last, nil
}

// listMostOrdered returns the ids of the products that were ordered most in a city since the
// instant, the most ordered first and at most maxMostOrdered.
func listMostOrdered(ctx context.Context, q *gen.Queries, siteAlias string, cityID int64, since time.Time) ([]int64, error) {
	ids, err := q.MostOrdered(ctx, gen.MostOrderedParams{Site: siteAlias, CityID: cityID, Since: since, MaxCount: maxMostOrdered})
	if err != nil {
		return nil, fmt.Errorf("read what is often ordered: %w", err)
	}
	return ids, nil
}

// maxMostOrdered is enough to fill the row of often ordered products, even when some
// of them cannot be had.
const maxMostOrdered = 50
