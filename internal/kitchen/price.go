package kitchen

import (
	"context"
	"maps"
	"slices"

	"servery/internal/audit"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/live"
	"servery/internal/money"
	"servery/internal/site"
)

// maxPrice is the highest price that can be set. It catches typing errors.
const maxPrice = 10_000_000 * money.Scale

// PriceChange is a request to set or remove the price of a product.
type PriceChange struct {
	live.PriceEntry

	// Remove makes the price of content hold again. It is no error when no price is set.
	Remove bool
}

// PriceInForce is a price that is set, beside the price of content.
type PriceInForce struct {
	live.PriceEntry

	// ContentPrice is what content asks there; nil where it has several prices, or none.
	ContentPrice *money.Amount
	// IsUnused says that content no longer has the product, or does not sell it there.
	IsUnused bool
}

// SetPrice sets or removes the price of a product and returns the prices of the site that are in force
// afterwards. Placed orders keep their prices. It writes a change to the audit log.
//
// Faults: catalog.unknown_site, catalog.unknown_shop and price.unknown_product (NotFound);
// price.shop_or_list, price.unknown_list and price.several_currencies at price_list, price.not_sold at
// product, price.amount at price, kitchen.until_past at until (Invalid). A price of an unknown shop can be removed while
// it is set.
func (s *Service) SetPrice(ctx context.Context, change PriceChange) ([]PriceInForce, error) {
	entry := change.PriceEntry
	entry.At, entry.Until = s.clock.Now(), clock.Cut(entry.Until)
	snapshot := s.catalog.Current()
	brand, err := snapshot.FindBrand(entry.Site, catalog.NoShop)
	if err != nil {
		return nil, err
	}
	_, shopErr := snapshot.FindBrand(entry.Site, entry.ShopID)
	if shopErr != nil && !change.Remove {
		return nil, shopErr
	}
	if entry.ShopID != 0 && entry.PriceList != "" {
		return nil, refuse("price_list", "price.shop_or_list")
	}
	if !change.Remove {
		if err := checkPrice(snapshot, brand, entry); err != nil {
			return nil, err
		}
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		before, isSet, err := live.FindPrice(ctx, tx, entry, entry.At)
		switch {
		case err != nil:
			return err
		case change.Remove && !isSet:
			return shopErr
		case !change.Remove && isSet && isSamePrice(before, entry): // nothing changes
			return nil
		}
		if err := live.SavePrice(ctx, tx, entry, change.Remove); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: entry.Site, ShopID: entry.ShopID, Subject: "price", ID: entry.Product,
			Before: priceFields(before, isSet), After: priceFields(entry, !change.Remove),
		}, entry.At)
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.catalog.Refresh(ctx); err != nil {
		return nil, err
	}
	return s.Prices(entry.Site)
}

// Prices returns the prices that are set on a site and in force, each beside the price of content. It
// returns catalog.unknown_site (NotFound) for an unknown site.
func (s *Service) Prices(siteAlias string) ([]PriceInForce, error) {
	snapshot, now := s.catalog.Current(), s.clock.Now()
	brand, err := snapshot.FindBrand(siteAlias, catalog.NoShop)
	if err != nil {
		return nil, err
	}
	inForce := []PriceInForce{}
	for _, e := range snapshot.Live(brand).Prices {
		if live.IsInForce(e.Until, now) {
			inForce = append(inForce, withContentPrice(snapshot, brand, e))
		}
	}
	return inForce, nil
}

// withContentPrice returns the set price together with the price of content that it replaces, if content
// has exactly one there.
func withContentPrice(snapshot *catalog.Snapshot, brand *site.Site, e live.PriceEntry) PriceInForce {
	set := PriceInForce{PriceEntry: e, IsUnused: true}
	product, ok := snapshot.Product(brand, e.Product)
	if !ok || !snapshot.IsSoldIn(brand, product, e.ShopID) {
		return set
	}
	types := site.OrderTypes()
	if e.OrderType != "" {
		types = []site.OrderType{e.OrderType}
	}
	prices := map[money.Amount]bool{}
	for _, list := range listsOf(snapshot, brand, e) {
		if _, isPriced := product.Prices[list]; !isPriced {
			continue
		}
		set.IsUnused = false
		for _, t := range types {
			prices[product.PriceFor(list, t)] = true
		}
	}
	if len(prices) == 1 {
		for price := range prices {
			set.ContentPrice = &price
		}
	}
	return set
}

// checkPrice returns the first fault of a price, as [Service.SetPrice] lists them; nil when there is none.
func checkPrice(snapshot *catalog.Snapshot, brand *site.Site, e live.PriceEntry) error {
	product, ok := snapshot.Product(brand, e.Product)
	if !ok {
		return fault.New(fault.NotFound, "price.unknown_product", fault.Field("product", "price.unknown_product"))
	}
	if _, isKnown := brand.PriceLists[e.PriceList]; !isKnown && e.PriceList != "" {
		return refuse("price_list", "price.unknown_list")
	}
	currencies, isSold := map[string]bool{}, false
	for _, list := range listsOf(snapshot, brand, e) {
		currency := brand.PriceLists[list]
		currencies[currency.Code] = true
		if e.Price%currency.Unit() != 0 {
			return refuse("price", "price.amount")
		}
		_, isPriced := product.Prices[list]
		isSold = isSold || isPriced
	}
	switch {
	case len(currencies) > 1:
		return refuse("price_list", "price.several_currencies")
	case !isSold || !snapshot.IsSoldIn(brand, product, e.ShopID):
		return refuse("product", "price.not_sold")
	case e.Price.IsNegative() || e.Price > maxPrice:
		return refuse("price", "price.amount")
	case !live.IsInForce(e.Until, e.At):
		return refuse("until", "kitchen.until_past")
	}
	return nil
}

// listsOf returns the price lists that a set price applies to: the one that it names, the one of its
// shop's city, or all lists of the brand.
func listsOf(snapshot *catalog.Snapshot, brand *site.Site, e live.PriceEntry) []string {
	if e.PriceList != "" {
		return []string{e.PriceList}
	}
	if shop, ok := snapshot.Atlas(brand).Shop(e.ShopID); ok {
		city, _ := brand.City(shop.CityID)
		return []string{city.PriceList}
	}
	return slices.Sorted(maps.Keys(brand.PriceLists))
}

// priceFields returns the fields of a set price for the audit log; isSet is false when none is set.
func priceFields(e live.PriceEntry, isSet bool) audit.Fields {
	if !isSet {
		return audit.Fields{"set": false}
	}
	f := audit.Fields{"set": true, "price": e.Price, "price_list": e.PriceList, "order_type": e.OrderType, "reason": e.Reason}
	if !e.Until.IsZero() {
		f["until"] = e.Until.UTC()
	}
	return f
}

// isSamePrice reports whether two prices of one place are equal apart from the time they were set.
func isSamePrice(a, b live.PriceEntry) bool {
	return a.Price == b.Price && a.Until.Equal(b.Until) && a.HasOrigin(b.Origin)
}
