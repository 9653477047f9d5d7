package cart

import (
	"context"
	"fmt"
	"slices"

	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/stock"
)

// waitingHolds is what the orders hold that were made of a cart and wait for their payment.
// The facts of the cart leave it out: a new order of the cart comes after these are canceled,
// and has all of it again. The zero value holds nothing.
type waitingHolds struct {
	things map[stock.Thing]int
	// bonuses are the customer's own, in the currency of the city.
	bonuses money.Amount
}

// askHeld reads what waiting orders of the cart hold, once.
func (i *inquiry) askHeld(ctx context.Context) error {
	if i.isHeldKnown || i.heard && !i.waiting || i.v.SessionID == 0 {
		return nil
	}
	rows, err := i.q.ListWaitingHolds(ctx, gen.ListWaitingHoldsParams{
		Site: i.v.Site.Alias, CityID: i.city.ID, SessionID: i.v.SessionID, CustomerID: i.v.CustomerID,
	})
	if err != nil {
		return fmt.Errorf("read holds of waiting orders: %w", err)
	}
	held := waitingHolds{things: map[stock.Thing]int{}}
	for _, row := range rows {
		things, err := stock.ParseHold(row.Things)
		if err != nil {
			return err
		}
		for thing, count := range things {
			held.things[thing] += count
		}
		if i.v.CustomerID != 0 && row.CustomerID == i.v.CustomerID && row.Currency == i.city.Currency.Code {
			held.bonuses = held.bonuses.Add(money.Amount(row.Bonuses))
		}
	}
	i.isHeldKnown, i.held = true, held
	return nil
}

// without returns how many of a thing are used by others.
func (h waitingHolds) without(used int, thing stock.Thing) int { return max(used-h.things[thing], 0) }

// othersGifts returns how many of each gift others use. It may be a second old, except where
// a waiting order holds a gift: what is left out must have been counted.
func (i *inquiry) othersGifts(ctx context.Context) (map[int64]int, error) {
	if !i.held.hasGift() {
		return i.giftsUsed(ctx)
	}
	used, err := stock.Used(ctx, i.q, i.v.Site.Alias, stock.Gift)
	if err != nil {
		return nil, err
	}
	for id, count := range used {
		used[id] = i.held.without(count, stock.Thing{Site: i.v.Site.Alias, Kind: stock.Gift, ID: id})
	}
	return used, nil
}

func (h waitingHolds) hasGift() bool {
	for thing := range h.things {
		if thing.Kind == stock.Gift {
			return true
		}
	}
	return false
}

// withoutPresents returns the presents with how many of each others use. It does not change
// presents.
func (h waitingHolds) withoutPresents(site string, presents []Present) []Present {
	if len(h.things) == 0 {
		return presents
	}
	others := slices.Clone(presents)
	for i := range others {
		others[i].Used = h.without(others[i].Used, stock.Thing{Site: site, Kind: stock.Present, ID: others[i].ID})
	}
	return others
}

// codeUsed returns how often others use a promocode, in all and at most by one of the phones
// that are known: phone and the customer's.
func (i *inquiry) codeUsed(code int64, phone string) (all, byPhone int) {
	all, byPhone, byOther := int(i.uses.CodeUsed), int(i.uses.CodeUsedByPhone), int(i.uses.CodeUsedByOtherPhone)
	if len(i.held.things) > 0 {
		thing := stock.Thing{Site: i.v.Site.Alias, Kind: stock.Promocode, ID: code}
		all = i.held.without(all, thing)
		thing.Kind, thing.Scope = stock.PromocodePhone, i.v.MarkPhone(phone)
		byPhone = i.held.without(byPhone, thing)
		thing.Scope = i.v.MarkPhone(i.v.CustomerPhone)
		byOther = i.held.without(byOther, thing)
	}
	return all, max(byPhone, byOther)
}
