package order

import (
	"context"
	"fmt"

	"servery/internal/db/gen"
	"servery/internal/visit"
)

func countGuestOrders(ctx context.Context, q *gen.Queries, v visit.Context, phone string) (guestOrders, error) {
	row, err := q.CountGuestOrders(ctx, gen.CountGuestOrdersParams{
		Site: v.Site.Alias, Phone: phone, SessionID: v.SessionID, Address: v.Caller.Address,
		PromisedAfter: v.Now.Add(-openFor), Hour: v.Now.Add(-countedFor),
	})
	if err != nil {
		return guestOrders{}, fmt.Errorf("count orders of a guest: %w", err)
	}
	return guestOrders{
		openOfPhone: int(row.OpenOfPhone), openOfSession: int(row.OpenOfSession), fromAddress: int(row.PlacedFromAddress),
		portions: int(max(row.PortionsOfPhone, row.PortionsOfSession)), isKnownPhone: row.IsKnownPhone != 0,
	}, nil
}

// countDelivered returns how many orders from the visitor's address were delivered in the last
// days, but no more than most.
func countDelivered(ctx context.Context, q *gen.Queries, v visit.Context, most int) (int, error) {
	count, err := q.CountDeliveredOrders(ctx, gen.CountDeliveredOrdersParams{
		Site: v.Site.Alias, Address: v.Caller.Address, After: v.Now.Add(-originLife), Most: int32(most),
	})
	if err != nil {
		return 0, fmt.Errorf("count delivered orders: %w", err)
	}
	return int(count), nil
}

// insertOrigin writes down where an order came from, where that is known.
func insertOrigin(ctx context.Context, q *gen.Queries, v visit.Context, o Order, isCounted bool) error {
	if v.Caller.Address == "" {
		return nil
	}
	err := q.InsertOrderOrigin(ctx, gen.InsertOrderOriginParams{
		OrderID: o.ID, Site: o.Site, Address: v.Caller.Address, IsCounted: isCounted, Now: o.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("write where an order came from: %w", err)
	}
	return nil
}
