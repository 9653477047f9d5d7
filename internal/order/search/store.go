package search

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// listPromised returns the orders of the query after the position from, promised since the instant: at
// most one more than the limit of the query. The caller must check the day of the query.
func listPromised(ctx context.Context, q *gen.Queries, query Query, since time.Time, from position) ([]promised, error) {
	days := gen.SearchOrdersOfDaysParams{
		Site: query.Site.Alias, Since: since, Before: from.at, BeforeID: from.id,
		Shops: db.ListOf(query.Shops), State: string(query.State), MaxCount: int32(query.Limit + 1),
	}
	var rows []gen.SearchOrdersOfDaysRow
	var err error
	if query.Phone == "" {
		rows, err = q.SearchOrdersOfDays(ctx, days)
	} else {
		var ofPhone []gen.SearchOrdersOfPhoneRow
		ofPhone, err = q.SearchOrdersOfPhone(ctx, gen.SearchOrdersOfPhoneParams{
			Site: days.Site, Phone: query.Phone, Since: since, Before: from.at, BeforeID: from.id,
			Shops: days.Shops, State: days.State, MaxCount: days.MaxCount,
		})
		for _, row := range ofPhone {
			rows = append(rows, gen.SearchOrdersOfDaysRow(row))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("search orders: %w", err)
	}
	found := make([]promised, len(rows))
	for i, row := range rows {
		found[i] = promised{position{row.PromisedFrom, row.ID}, row.CityID}
	}
	return found, nil
}
