package carts

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"servery/internal/bonus"
	"servery/internal/cache"
	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/db/gen"
	"servery/internal/stock"
)

// queries are those of the database or of the caller's transaction.
type queries = *gen.Queries

// formerUses is what is stored of former orders and uses of a code.
type formerUses = gen.ReadUsesRow

// loadUses reads the needed former orders and uses of the code into l.uses. It reads nothing
// that came with the cart or was read by the last call.
func (l *factLoader) loadUses(ctx context.Context, needed usesQuery) error {
	if l.hasStored && (l.hasOrdered || needed.phone == "" || needed.phone == l.storedPhone) {
		needed.orders = false // it was read with the cart, except for another phone that the cart names
	}
	if !needed.orders && needed.codeID == 0 {
		needed = usesQuery{} // the phone alone asks for nothing
	}
	if needed == l.loadedUses {
		return nil
	}
	l.loadedUses, l.uses = usesQuery{}, formerUses{}
	if needed == (usesQuery{}) {
		return nil
	}
	params := gen.ReadUsesParams{
		SessionID: l.v.SessionID, CustomerID: l.v.CustomerID, Site: l.v.Site.Alias, CityID: l.city.ID,
		Phone: needed.phone, OtherPhone: l.v.CustomerPhone, Mark: l.v.MarkPhone(needed.phone), OtherMark: l.v.MarkPhone(l.v.CustomerPhone),
		CodeID: needed.codeID,
	}
	if needed.orders {
		params.AsksOrders = 1
	}
	uses, err := l.q.ReadUses(ctx, params)
	if err != nil {
		return fmt.Errorf("read former orders: %w", err)
	}
	l.loadedUses, l.uses = needed, uses
	return nil
}

// loadCustomer reads the customer's presents and, where there is a bonus programme, the number
// of bonuses into the loader, once. For a guest it does nothing.
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
		p := cart.Present{ID: row.ID, GiftID: row.GiftID, MaxCount: int(row.Count), Used: int(row.Used)}
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
	site   string
	second int64
}

// giftCounts caches how many of a brand's gifts are used. A count serves the carts that are priced in
// the same second.
type giftCounts struct {
	counts *cache.Cache[countKey, map[int64]int]
}

// cachedSeconds is the most counts in the cache, one for each brand and second: more than there are
// brands.
const cachedSeconds = 256

// newGiftCounts returns an empty cache.
func newGiftCounts() giftCounts {
	return giftCounts{cache.OfSize[countKey, map[int64]int](cachedSeconds, cache.Life{})}
}

// knownCountsAt returns what countsAt has returned in the second of now; false when it was not called.
func (g giftCounts) knownCountsAt(site string, now time.Time) (map[int64]int, bool) {
	return g.counts.Get(countKey{site, now.Unix()})
}

// countsAt returns how many of each gift of a brand are used, counted in the second of now. The
// caller must not change the map.
func (g giftCounts) countsAt(ctx context.Context, q *gen.Queries, site string, now time.Time) (map[int64]int, error) {
	return g.counts.Load(ctx, countKey{site, now.Unix()}, func(ctx context.Context) (map[int64]int, error) {
		// Other calls wait for the same count, so it goes on when the first caller is canceled.
		return stock.Used(context.WithoutCancel(ctx), q, site, stock.Gift)
	})
}
