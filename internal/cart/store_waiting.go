package cart

import (
	"context"
	"fmt"
	"slices"

	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/stock"
)

// waitingHolds is what is held by orders that were made of a cart and wait for their payment. The
// facts of the cart leave it out, because a new order of the cart cancels them first. The zero
// value holds nothing.
type waitingHolds struct {
	items map[stock.Item]int
	// bonuses are the customer's own, in the currency of the city.
	bonuses money.Amount
}

// loadWaitingHolds reads what waiting orders of the cart hold, once.
func (l *factLoader) loadWaitingHolds(ctx context.Context) error {
	if l.isHeldLoaded || l.hasStored && !l.waiting || l.v.SessionID == 0 {
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
		if l.v.CustomerID != 0 && row.CustomerID == l.v.CustomerID && row.Currency == l.city.Currency.Code {
			held.bonuses = held.bonuses.Add(money.Amount(row.Bonuses))
		}
	}
	l.isHeldLoaded, l.held = true, held
	return nil
}

// usedByOthers returns how many of an item are used by others.
func (h waitingHolds) usedByOthers(used int, item stock.Item) int {
	return max(used-h.items[item], 0)
}

// giftsUsedByOthers returns how many of each gift others use. It may be a second old, except where
// a waiting order holds a gift: what is left out must have been counted.
func (l *factLoader) giftsUsedByOthers(ctx context.Context) (map[int64]int, error) {
	if !l.held.hasGift() {
		return l.giftsUsed(ctx)
	}
	used, err := stock.Used(ctx, l.q, l.v.Site.Alias, stock.Gift)
	if err != nil {
		return nil, err
	}
	for id, count := range used {
		used[id] = l.held.usedByOthers(count, stock.Item{Site: l.v.Site.Alias, Kind: stock.Gift, ID: id})
	}
	return used, nil
}

func (h waitingHolds) hasGift() bool {
	for item := range h.items {
		if item.Kind == stock.Gift {
			return true
		}
	}
	return false
}

// presentsLeft returns the presents with how many of each others use. It does not change presents.
func (h waitingHolds) presentsLeft(site string, presents []Present) []Present {
	if len(h.items) == 0 {
		return presents
	}
	others := slices.Clone(presents)
	for i := range others {
		others[i].Used = h.usedByOthers(others[i].Used, stock.Item{Site: site, Kind: stock.Present, ID: others[i].ID})
	}
	return others
}

// codeUses returns how often others use a promocode, in all and at most by one of the two phones:
// phone and the customer's.
func (l *factLoader) codeUses(code int64, phone string) (all, byPhone int) {
	all, byPhone, byOther := int(l.uses.CodeUsed), int(l.uses.CodeUsedByPhone), int(l.uses.CodeUsedByOtherPhone)
	if len(l.held.items) > 0 {
		item := stock.Item{Site: l.v.Site.Alias, Kind: stock.Promocode, ID: code}
		all = l.held.usedByOthers(all, item)
		item.Kind, item.Scope = stock.PromocodePhone, l.v.MarkPhone(phone)
		byPhone = l.held.usedByOthers(byPhone, item)
		item.Scope = l.v.MarkPhone(l.v.CustomerPhone)
		byOther = l.held.usedByOthers(byOther, item)
	}
	return all, max(byPhone, byOther)
}
