package bonus

import (
	"context"
	"fmt"

	"servery/internal/db/gen"
	"servery/internal/money"
)

// listStatements returns the balance and the newest hundred movements of each account of a
// customer.
func listStatements(ctx context.Context, q queries, customerID int64) ([]Statement, error) {
	accounts, err := q.ListBonusAccounts(ctx, customerID)
	if err != nil {
		return nil, fmt.Errorf("list bonuses: %w", err)
	}
	list := make([]Statement, len(accounts))
	for i, a := range accounts {
		list[i] = Statement{Currency: a.Currency, Balance: money.Amount(a.Balance)}
		entries, err := q.ListBonusEntries(ctx, gen.ListBonusEntriesParams{AccountID: a.ID, MaxCount: maxMovements})
		if err != nil {
			return nil, fmt.Errorf("list movements: %w", err)
		}
		for _, e := range entries {
			list[i].Movements = append(list[i].Movements, movementOf(e.Key, e.CreatedAt, money.Amount(e.Amount)))
		}
	}
	return list, nil
}
