package carts

import (
	"context"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/site"
	"servery/internal/stock"
	"servery/internal/visit"
)

// factLoader loads the facts of a visitor's cart in a city. It reads only what the price of that
// cart depends on, and nothing twice: a change loads facts before it decides, and again to price
// the changed cart. Each attempt of a change has a new loader.
type factLoader struct {
	q queries
	v visit.Context
	// giftsUsed returns the counts of a brand's gifts for a cart; mayHold says whether the cart may hold any.
	giftsUsed func(ctx context.Context, mayHold bool) (map[int64]int, error)

	city *site.City
	// uses is what the query loadedUses has read; both are zero before the first.
	loadedUses usesQuery
	uses       formerUses
	// hasOrdered says that session, customer or storedPhone have ordered before, and isWaiting that an order of
	// the first two waits for its payment. All are set only where hasStored says that they were read with
	// the cart.
	hasStored, hasOrdered, isWaiting bool
	storedPhone                      string

	areHoldsLoaded bool
	holds          waitingHolds

	// isInTx says that all is read in the caller's transaction.
	isInTx bool
	// slots are the used minutes of intervals that were read last.
	slots usedSlots

	isCustomerLoaded bool // whether presents and balance are known
	presents         []cart.Present
	balance          money.Amount
}

// usesQuery says what to read of orders and codes; the zero value reads nothing.
type usesQuery struct {
	orders bool   // whether there were orders before
	codeID int64  // the promocode whose uses are counted; 0 for none
	phone  string // of the cart, whose orders and uses count too; empty for none
}

// factLoader returns a loader of facts that reads the database outside of any transaction. The
// number of gifts that are used may be a second old.
func (s *Service) factLoader(v visit.Context, city *site.City) *factLoader {
	read := s.db.Read()
	counts := func(ctx context.Context, _ bool) (map[int64]int, error) {
		return s.gifts.countsAt(ctx, read, v.Site.Alias, v.Now)
	}
	return &factLoader{q: read, v: v, city: city, giftsUsed: counts}
}

// factLoaderIn returns a loader of facts that reads everything in the transaction. Only the number of gifts that are
// used may be a second old, for a cart that holds none: it is shown, and decides nothing.
func (s *Service) factLoaderIn(tx *db.Tx, v visit.Context, city *site.City) *factLoader {
	counts := func(ctx context.Context, mayHold bool) (map[int64]int, error) {
		if known, ok := s.gifts.knownCountsAt(v.Site.Alias, v.Now); ok && !mayHold {
			return known, nil
		}
		return stock.Used(ctx, tx.Q, v.Site.Alias, stock.Gift)
	}
	return &factLoader{q: tx.Q, v: v, city: city, giftsUsed: counts, isInTx: true}
}

// withStored sets what was read together with the cart, so that it is not read again, and returns
// the loader.
func (l *factLoader) withStored(s storedCart) *factLoader {
	l.hasStored, l.hasOrdered, l.isWaiting, l.storedPhone = true, s.hasOrdered, s.isWaiting, s.phone
	return l
}

// pricing is all that the price of a cart depends on besides the cart: its place, menu and facts.
type pricing struct {
	place cart.Place
	menu  *catalog.Menu
	facts cart.Facts
}

// loadPricing finds the place and the menu of a cart and loads the facts for its price.
func (l *factLoader) loadPricing(ctx context.Context, c cart.Cart) (pricing, error) {
	place := cart.PlaceOf(l.v, c, l.city)
	menu := cart.MenuAt(l.v, place)
	facts, err := l.loadFacts(ctx, c, menu)
	return pricing{place, menu, facts}, err
}

// priceCart returns the cart with its prices, without lines that content no longer has. A chosen
// interval without room for the cart is removed, with a notice.
func (l *factLoader) priceCart(ctx context.Context, c cart.Cart) (cart.Quoted, error) {
	in, err := l.loadPricing(ctx, c)
	if err != nil {
		return cart.Quoted{}, err
	}
	return l.fitInterval(ctx, cart.Quote(c.WithoutUnknownLines(in.menu), in.place, in.menu, in.facts, l.v.Lang, l.v.Now))
}

// loadFacts returns what the price of a cart depends on besides cart and content. Stock and bonuses
// that are held by the visitor's own unpaid orders of this cart count as free, because a new order
// of the cart cancels those orders first.
func (l *factLoader) loadFacts(ctx context.Context, c cart.Cart, menu *catalog.Menu) (cart.Facts, error) {
	f := cart.Facts{CustomerID: l.v.CustomerID}
	// The holds are read before the counts. The other way round, an order canceled between the two
	// reads would be in the counts, but no longer in the holds that are subtracted from them.
	if err := l.loadWaitingHolds(ctx); err != nil {
		return cart.Facts{}, err
	}
	var code *catalog.Promocode
	if c.Promocode != "" {
		code, _ = menu.Promocode(c.Promocode)
	}
	if hasLimitedStock(menu, code) {
		var err error
		if f.GiftsUsed, err = l.giftsUsedByOthers(ctx, mayHoldGifts(c)); err != nil {
			return cart.Facts{}, err
		}
	}
	if err := l.loadUses(ctx, usesQueryOf(c, menu, code)); err != nil {
		return cart.Facts{}, err
	}
	f.HasOrdered = l.hasOrdered || l.uses.HasOrdered != 0
	if code != nil {
		f.PromocodeUsed, f.PromocodeUsedByPhone = l.codeUses(code.ID, c.Phone)
	}
	if err := l.loadCustomer(ctx); err != nil {
		return cart.Facts{}, err
	}
	f.Presents, f.Balance = l.holds.presentsLeft(l.v.Site.Alias, l.presents), l.balance.Add(l.holds.bonuses)
	return f, nil
}

// mayHoldGifts reports whether the cart has gifts or a code, which may bring one.
func mayHoldGifts(c cart.Cart) bool {
	return len(c.Gifts) > 0 || len(c.Presents) > 0 || c.Promocode != ""
}

// hasLimitedStock reports whether the stock of anything that the cart may hold is limited.
func hasLimitedStock(menu *catalog.Menu, code *catalog.Promocode) bool {
	for _, g := range menu.Gifts {
		if g.Stock != nil {
			return true
		}
	}
	return code != nil && code.Gift != nil && code.Gift.Stock != nil
}

// usesQueryOf returns which former orders and uses of the code must be read to price a cart: none
// for most carts.
func usesQueryOf(c cart.Cart, menu *catalog.Menu, code *catalog.Promocode) usesQuery {
	needed := usesQuery{orders: code != nil && code.FirstOrder, phone: c.Phone}
	for _, g := range menu.Gifts {
		for i := range g.Conditions {
			needed.orders = needed.orders || g.Conditions[i].Kind == catalog.OfFirstOrder
		}
	}
	if code != nil && (code.Limit != nil || code.LimitPerPhone != nil) {
		needed.codeID = code.ID
	}
	return needed
}
