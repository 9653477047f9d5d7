package guestlimit

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/visit"
)

// countOrders returns the orders that count against the guest, by the phone of the order and by
// the session and address of the visitor.
func countOrders(ctx context.Context, q *gen.Queries, v visit.Context, phone string) (counts, error) {
	row, err := q.CountGuestOrders(ctx, gen.CountGuestOrdersParams{
		Site: v.Site.Alias, Phone: phone, SessionID: v.SessionID, Address: v.Caller.Address,
		PromisedAfter: v.Now.Add(-openFor), Hour: v.Now.Add(-countedFor),
	})
	if err != nil {
		return counts{}, fmt.Errorf("count orders of a guest: %w", err)
	}
	return counts{
		openOfPhone: int(row.OpenOfPhone), openOfSession: int(row.OpenOfSession),
		fromAddress: int(row.PlacedFromAddress), withPhone: int(row.PlacedWithPhone),
		portions: int(max(row.PortionsOfPhone, row.PortionsOfSession)), isKnownPhone: row.IsKnownPhone != 0,
	}, nil
}

// countCustomerOrders returns how many orders of the customer are open, and how many were placed in the last hour,
// canceled ones too.
func countCustomerOrders(ctx context.Context, q *gen.Queries, v visit.Context) (open, placed int, err error) {
	row, err := q.CountRecentOrdersOfCustomer(ctx, gen.CountRecentOrdersOfCustomerParams{
		Site: v.Site.Alias, CustomerID: v.CustomerID, PromisedAfter: v.Now.Add(-openFor), Hour: v.Now.Add(-countedFor),
	})
	if err != nil {
		return 0, 0, fmt.Errorf("count orders of a customer: %w", err)
	}
	return int(row.Open), int(row.Placed), nil
}

// countDelivered returns how many orders from the visitor's address were delivered in the last
// seven days, but no more than most.
func countDelivered(ctx context.Context, q *gen.Queries, v visit.Context, most int) (int, error) {
	count, err := q.CountDeliveredOrders(ctx, gen.CountDeliveredOrdersParams{
		Site: v.Site.Alias, Address: v.Caller.Address, After: v.Now.Add(-originLife), Most: int32(most),
	})
	if err != nil {
		return 0, fmt.Errorf("count delivered orders: %w", err)
	}
	return int(count), nil
}

// Origin is an order with its network address to be stored.
type Origin struct {
	OrderID int64
	Site    string
	// IsCounted says that the order counts among those of its address, as [Check] reports.
	IsCounted bool
	At        time.Time
}

// InsertOrigin stores the network address that an order came from. It does nothing where that is
// unknown. It must be called in the transaction of the order.
func InsertOrigin(ctx context.Context, tx *db.Tx, v visit.Context, o Origin) error {
	if v.Caller.Address == "" {
		return nil
	}
	err := tx.Later().InsertOrderOrigin(ctx, gen.InsertOrderOriginParams{
		OrderID: o.OrderID, Site: o.Site, Address: v.Caller.Address, IsCounted: o.IsCounted, Now: o.At,
	})
	if err != nil {
		return fmt.Errorf("write where an order came from: %w", err)
	}
	return nil
}

// DeleteOld deletes a batch of the origins that are older than seven days at now, and returns
// how many.
func DeleteOld(ctx context.Context, tx *db.Tx, now time.Time) (int64, error) {
	return tx.Q.DeleteOldOrderOrigins(ctx, now.Add(-originLife))
}
