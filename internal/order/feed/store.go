package feed

import (
	"context"
	"fmt"
	"slices"

	"servery/internal/db/gen"
	"servery/internal/order/orders"
)

// listChanges returns the next changes that the query asks for, up to the one with the number last. A page
// ends earlier when as many changes were read as the limit allows, those that the query leaves out too.
func listChanges(ctx context.Context, queries *gen.Queries, q Query, last int64) (Page, error) {
	rows, err := queries.ListOrderChanges(ctx, gen.ListOrderChangesParams{After: q.After, Last: last, MaxCount: int32(q.Limit)})
	if err != nil {
		return Page{}, fmt.Errorf("list changes: %w", err)
	}
	page := Page{Last: max(q.After, last)}
	if len(rows) == q.Limit {
		page.Last, page.HasMore = rows[len(rows)-1].ID, true
	}
	for _, row := range rows {
		if q.Site != "" && row.Site != q.Site || len(q.Shops) > 0 && !slices.Contains(q.Shops, row.ShopID) {
			continue
		}
		page.Entries = append(page.Entries, Entry{
			Change: orders.ChangeFromRow(gen.ListOrderStatusesRow{
				ID: row.ID, Kind: row.Kind, State: row.State, Actor: row.Actor, Reason: row.Reason, Note: row.Note, Food: row.Food,
				Amount: row.Amount, CourierID: row.CourierID, Fields: row.Fields, PromisedFrom: row.PromisedFrom, PromisedTo: row.PromisedTo, At: row.At,
			}),
			OrderID: row.OrderID, Site: row.Site, ShopID: row.ShopID,
		})
	}
	return page, nil
}
