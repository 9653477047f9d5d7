package carts

import (
	"context"
	"fmt"
	"slices"

	"servery/internal/cart"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/stock"
)

// waitingHolds are gifts, promocodes, presents and bonuses that orders of a cart hold while they
// wait for their payment. The facts of the cart do not count them, because a new order of the cart
// cancels those orders first. The zero value holds nothing.
type waitingHolds struct {
	items map[stock.Item]int
	// bonuses are the customer's own, in the currency of the city.
	bonuses money.Amount
}

// loadWaitingHolds reads the holds of the visitor's unpaid orders in this city into l.holds, once.
// It reads nothing when the query of the cart has already found no such order.
func (l *factLoader) loadWaitingHolds(ctx context.Context) error {
	hasNoWaitingOrder := l.hasStored && !l.isWaiting
	if l.areHoldsLoaded || hasNoWaitingOrder || l.v.SessionID == 0 {
		return nil
	}
	rows, err := l.q.ListWaitingHolds(ctx, gen.ListWaitingHoldsParams{
		Site: l.v.Site.Alias, CityID: l.city.ID, SessionID: l.v.SessionID, CustomerID: l.v.CustomerID,
	})
	if err != nil {
		return fmt.Errorf("read holds of waiting orders: %w", err)
	}
	held := waitingHolds{items: map[stock.Item]int{}}
	for _, row := range rows {
		items, err := stock.ParseHold(row.Things)
		if err != nil {
			return err
		}
		for item, count := range items {
			held.items[item] += count
		}
		// Bonuses count only from the customer's own account in this currency.
		if l.v.CustomerID != 0 && row.CustomerID == l.v.CustomerID && row.Currency == l.city.Currency.Code {
			held.bonuses = held.bonuses.Add(money.Amount(row.Bonuses))
		}
	}
	l.areHoldsLoaded, l.holds = true, held
	return nil
}

// withoutOwnUses returns how many of an item others use: the count of all uses, less those of the
// cart's own waiting orders. It is never below 0, as the uses may have been counted before the holds.
func (h waitingHolds) withoutOwnUses(used int, item stock.Item) int {
	return max(used-h.items[item], 0)
}

// giftsUsedByOthers returns how many of each gift are used, without the cart's own waiting orders.
// The count may be a second old; in a transaction only for a cart that holds no gifts. When a waiting order holds a gift, it is read now, because an older
// count might not include that order.
func (l *factLoader) giftsUsedByOthers(ctx context.Context, mayHold bool) (map[int64]int, error) {
	if !l.holds.hasGift() {
		return l.giftsUsed(ctx, mayHold)
	}
	used, err := stock.Used(ctx, l.q, l.v.Site.Alias, stock.Gift)
	if err != nil {
		return nil, err
	}
	for id, count := range used {
		used[id] = l.holds.withoutOwnUses(count, stock.Item{Site: l.v.Site.Alias, Kind: stock.Gift, ID: id})
	}
	return used, nil
}

// hasGift reports whether a gift is held.
func (h waitingHolds) hasGift() bool {
	for item := range h.items {
		if item.Kind == stock.Gift {
			return true
		}
	}
	return false
}

// presentsLeft returns the presents without the uses by the cart's own waiting orders. It does not
// change the list.
func (h waitingHolds) presentsLeft(site string, presents []cart.Present) []cart.Present {
	if len(h.items) == 0 {
		return presents
	}
	others := slices.Clone(presents)
	for i := range others {
		others[i].Used = h.withoutOwnUses(others[i].Used, stock.Item{Site: site, Kind: stock.Present, ID: others[i].ID})
	}
	return others
}

// codeUses returns how often a promocode is used, without the cart's own waiting orders: all is the
// number over all customers, byPhone the higher number of two phones, the given and the customer's.
func (l *factLoader) codeUses(code int64, phone string) (all, byPhone int) {
	all, byPhone, byOther := int(l.uses.CodeUsed), int(l.uses.CodeUsedByPhone), int(l.uses.CodeUsedByOtherPhone)
	if len(l.holds.items) > 0 {
		item := stock.Item{Site: l.v.Site.Alias, Kind: stock.Promocode, ID: code}
		all = l.holds.withoutOwnUses(all, item)
		item.Kind, item.Scope = stock.PromocodePhone, l.v.MarkPhone(phone)
		byPhone = l.holds.withoutOwnUses(byPhone, item)
		item.Scope = l.v.MarkPhone(l.v.CustomerPhone)
		byOther = l.holds.withoutOwnUses(byOther, item)
	}
	return all, max(byPhone, byOther)
}
