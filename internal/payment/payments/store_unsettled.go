package payments

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/money"
)

// refundLateAfter is how long a refund may take: acquirers that answer make it within minutes.
const refundLateAfter = time.Hour

// Unsettled is what is open with one acquirer's account.
type Unsettled struct {
	// IsRefund is set for refunds that are still to be made; the others are attempts that are
	// still to be polled.
	IsRefund                bool
	Site, Account, Currency string
	Count                   int64
	// Late is how many of them are over their time: an attempt whose deadline has passed without
	// an answer, and a refund that was decided more than an hour ago.
	Late   int64
	Amount money.Amount
}

// ListUnsettled returns the open payments and refunds that jobs are going to call acquirers
// for, summed by account.
func ListUnsettled(ctx context.Context, d *db.DB, now time.Time) ([]Unsettled, error) {
	var unsettled []Unsettled
	payments, err := d.Read().CountOpenPayments(ctx, now)
	if err != nil {
		return nil, fmt.Errorf("list open payments: %w", err)
	}
	for _, p := range payments {
		unsettled = append(unsettled, Unsettled{
			Site: p.Site, Account: p.Acquirer, Currency: p.Currency, Count: p.Count, Amount: money.Amount(p.Amount), Late: p.Late,
		})
	}
	refunds, err := d.Read().CountOpenRefunds(ctx, now.Add(-refundLateAfter))
	if err != nil {
		return nil, fmt.Errorf("list open refunds: %w", err)
	}
	for _, r := range refunds {
		unsettled = append(unsettled, Unsettled{
			IsRefund: true, Site: r.Site, Account: r.Acquirer, Currency: r.Currency, Count: r.Count, Amount: money.Amount(r.Amount), Late: r.Late,
		})
	}
	return unsettled, nil
}
