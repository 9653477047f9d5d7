package content

import (
	"math/big"
	"slices"
	"strings"

	"servery/internal/catalog"
	"servery/internal/money"
)

// priceList is a list of prices that is written, or derived from another by a rate.
type priceList struct {
	alias    string
	currency money.Currency
	from     string       // empty for a written list
	rate     *big.Rat     // how much one unit of from is worth
	round    money.Amount // prices are whole multiples of it
}

// priceListFields is a price list of a brand.
type priceListFields struct {
	Currency currencyValue `field:"currency,required"`
	// A list above, which this one is derived from
	From wordValue `field:"from" with:"rate"`
	// What a unit of from is worth, exact
	Rate rateValue `field:"rate" with:"from"`
	// Smallest step, the currency's own when absent; prices are rounded half up to it
	RoundTo amountValue `field:"round_to" with:"from"`
}

// readPriceLists reads the price lists; the first must be a written one, and a derived one comes
// after its source.
func (b *brandReader) readPriceLists(v mapOf[priceListFields]) {
	if v.isNull() {
		return
	}
	lists := v.toObject()
	for _, k := range lists.keys {
		f, _ := readFields[priceListFields](lists.fields[k.name])
		list := priceList{alias: k.name, currency: f.Currency.readCurrency()}
		list.round = list.currency.Unit()
		if from := f.From; !from.isNull() {
			list.from = from.toText()
			if !slices.ContainsFunc(b.lists, func(l priceList) bool { return l.alias == list.from }) {
				from.addFault("price list %s is not among those above", list.from)
			}
			list.rate = f.Rate.readRate()
			if round := f.RoundTo; !round.isNull() {
				if list.round = round.toAmount(); list.round == 0 {
					round.addFault("round_to must be above zero")
					list.round = list.currency.Unit()
				}
				round.checkUnits(list.currency, list.round)
			}
		}
		b.lists = append(b.lists, list)
		b.brand.Site.PriceLists[list.alias] = list.currency
	}
	if len(b.lists) == 0 || b.lists[0].from != "" {
		v.addFault("the first price list must be a written one, without from")
	}
}

// readRate reads an exact decimal above zero; it is 1 where there is none.
func (v rateValue) readRate() *big.Rat {
	if v.isNull() {
		return big.NewRat(1, 1)
	}
	digits := v.asWritten()
	rate, ok := new(big.Rat).SetString(digits) // which also reads 1/3 and 1e9
	if !ok || rate.Sign() <= 0 || len(digits) > 20 || strings.Trim(digits, "0123456789.") != "" {
		v.addFault("must be a rate above zero like \"0.036\"")
		return big.NewRat(1, 1)
	}
	return rate
}

// derivePrice returns the price in list l for a price in the list that l is derived from. It multiplies
// by the rate and rounds half up to a multiple of l.round.
func (l priceList) derivePrice(from money.Amount) money.Amount {
	steps := new(big.Rat).Mul(l.rate, big.NewRat(int64(from), int64(l.round)))
	// A fraction n/d, rounded half up, is the whole part of (2n + d) / 2d.
	doubled := new(big.Int).Add(new(big.Int).Lsh(steps.Num(), 1), steps.Denom())
	whole := new(big.Int).Div(doubled, new(big.Int).Lsh(steps.Denom(), 1))
	return money.Amount(whole.Int64()) * l.round
}

// Which price lists must get a price from [brandReader.readPrices].
const inEveryList, whereWritten = true, false

// readPrices reads an amount for the first list, or a mapping of amounts by list. The derived lists
// follow unless they are written out. needed, inEveryList or whereWritten, says whether a list
// without a price is a fault.
func (b *brandReader) readPrices(v pricesValue, needed bool) catalog.Prices {
	prices := catalog.Prices{}
	if len(b.lists) == 0 {
		return prices // a fault was added already
	}
	if v.isMap() {
		o := v.toObject()
		if len(o.keys) == 0 {
			v.addFault("there is no amount")
		}
		for _, k := range o.keys {
			currency, known := b.brand.Site.PriceLists[k.name]
			if !known {
				k.addFault("unknown price list %s", k.name)
				continue
			}
			prices[k.name] = o.fields[k.name].toAmount()
			k.checkUnits(currency, prices[k.name])
		}
	} else {
		first := b.lists[0]
		prices[first.alias] = v.toAmount()
		v.checkUnits(first.currency, prices[first.alias])
	}
	for _, list := range b.lists {
		if _, written := prices[list.alias]; written {
			continue
		}
		from, known := prices[list.from]
		switch {
		case list.from != "" && known:
			prices[list.alias] = list.derivePrice(from)
		case needed:
			v.addFault("the price is missing in price list %s", list.alias)
		}
	}
	return prices
}

// needPrices reads amounts for all price lists. It returns nil when the field is absent.
func (b *brandReader) needPrices(v pricesValue) catalog.Prices {
	if v.isNull() {
		return nil
	}
	return b.readPrices(v, inEveryList)
}

// readOtherPrices reads an optional second price of a product, such as the price before a discount. It
// returns nil when the field is absent. For the first list whose two prices isAllowed refuses, it adds
// a fault that consists of name, problem and the list.
func (b *brandReader) readOtherPrices(v pricesValue, name string, price catalog.Prices, isAllowed func(price, other money.Amount) bool, problem string) catalog.Prices {
	if v.isNull() {
		return nil
	}
	others := b.readPrices(v, whereWritten)
	for _, list := range b.lists {
		other, written := others[list.alias]
		if written && !isAllowed(price[list.alias], other) {
			v.addFault("%s %s in price list %s", name, problem, list.alias)
			break
		}
	}
	return others
}
