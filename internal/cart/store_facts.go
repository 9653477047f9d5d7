package cart

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"servery/internal/bonus"
	"servery/internal/clock"
	"servery/internal/db/gen"
	"servery/internal/stock"
)

// queries are those of the database or of the caller's transaction.
type queries = *gen.Queries

// formerUses is what is stored of former orders and uses of a code.
type formerUses = gen.ReadUsesRow

// loadUses reads former orders and uses of the code, unless the same was read before or came with
// the cart.
func (l *factLoader) loadUses(ctx context.Context, asks usesQuery) error {
	if l.hasStored && (l.ordered || asks.phone == "") {
		asks.orders = false
	}
	if !asks.orders && asks.codeID == 0 {
		asks = usesQuery{}
	}
	if asks == l.loadedUses {
		return nil
	}
	l.loadedUses, l.uses = usesQuery{}, formerUses{}
	if asks == (usesQuery{}) {
		return nil
	}
	params := gen.ReadUsesParams{
		SessionID: l.v.SessionID, CustomerID: l.v.CustomerID, Site: l.v.Site.Alias, CityID: l.city.ID,
		Phone: asks.phone, OtherPhone: l.v.CustomerPhone, Mark: l.v.MarkPhone(asks.phone), OtherMark: l.v.MarkPhone(l.v.CustomerPhone),
		CodeID: asks.codeID,
	}
	if asks.orders {
		params.AsksOrders = 1
	}
	uses, err := l.q.ReadUses(ctx, params)
	if err != nil {
		return fmt.Errorf("read former orders: %w", err)
	}
	l.loadedUses, l.uses = asks, uses
	return nil
}

// loadCustomer reads the customer's presents and balance, once.
func (l *factLoader) loadCustomer(ctx context.Context) error {
	if l.isCustomerLoaded || l.v.CustomerID == 0 {
		return nil
	}
	rows, err := l.q.ListCustomerPresents(ctx, gen.ListCustomerPresentsParams{
		CustomerID: l.v.CustomerID, Site: l.v.Site.Alias, Now: sql.NullTime{Time: clock.Cut(l.v.Now), Valid: true},
	})
	if err != nil {
		return fmt.Errorf("read presents: %w", err)
	}
	for _, row := range rows {
		p := Present{ID: row.ID, GiftID: row.GiftID, MaxCount: int(row.Count), Used: int(row.Used)}
		if row.ExpiresAt.Valid {
			p.ExpiresAt = row.ExpiresAt.Time
		}
		l.presents = append(l.presents, p)
	}
	if l.v.Site.Bonus != nil || l.city.Bonus != nil {
		if l.balance, err = bonus.Balance(ctx, l.q, bonus.Account{CustomerID: l.v.CustomerID, Currency: l.city.Currency}); err != nil {
			return err
		}
	}
	l.isCustomerLoaded = true
	return nil
}

// countKey is a brand and the second in which its gifts were counted.
type countKey struct {
	site string
	at   int64
}

// giftCounts caches how many of a brand's gifts are used for the rest of a second: what a cart
// shows may be that old.
type giftCounts struct {
	cache *otter.Cache[countKey, map[int64]int]
}

// cachedSeconds is enough for all brands.
const cachedSeconds = 256

func newGiftCounts() giftCounts {
	return giftCounts{otter.Must(&otter.Options[countKey, map[int64]int]{MaximumSize: cachedSeconds})}
}

// countsAt returns the counts of a brand, which the caller may not change.
func (g giftCounts) countsAt(ctx context.Context, q *gen.Queries, site string, now time.Time) (map[int64]int, error) {
	load := func(ctx context.Context, s countKey) (map[int64]int, error) {
		return stock.Used(context.WithoutCancel(ctx), q, s.site, stock.Gift) // others may wait for it
	}
	return g.cache.Get(ctx, countKey{site, now.Unix()}, otter.LoaderFunc[countKey, map[int64]int](load))
}
