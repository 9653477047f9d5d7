package cart

import (
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
)

// PricedCode is the cart's promocode and its effect.
type PricedCode struct {
	Code string
	// Content is nil when content no longer has the code.
	Content  *catalog.Promocode
	IsActive bool
	// Text is the benefit of the code, or which bound fails and what is missing.
	Text fault.Message
}

// ApplyPromocode returns the cart with a code in place of its former one, when all bounds of the
// code hold. facts must be loaded for a cart with this code. Faults, all Invalid at the field
// promocode: cart.promocode_empty, cart.promocode_unknown, and for each bound a message that
// says what is missing.
func (c Cart) ApplyPromocode(code string, place Place, menu *catalog.Menu, facts Facts, l lang.Lang, now time.Time) (Cart, error) {
	changed := c
	changed.Promocode = catalog.NormalCode(code)
	if changed.Promocode == "" {
		return c, refuseAt("promocode", fault.Message{Key: "cart.promocode_empty"})
	}
	q := Quoted{Cart: changed, Spot: place, Menu: menu, Facts: facts, At: now}
	q.priceLines(l)
	q.pricePromocode(l)
	if !q.Promocode.IsActive {
		return c, refuseAt("promocode", q.Promocode.Text)
	}
	return changed, nil
}

// ForgetPromocode returns the cart without a code.
func (c Cart) ForgetPromocode() Cart {
	c.Promocode = ""
	return c
}

// pricePromocode sets q.Promocode to the cart's code, with its benefit or the reason why it is not
// active; without a code it does nothing. The discount of an active code is set in the lines that
// the code is for, and their sum is added to q.Prices.Discount. The lines must be priced before.
func (q *Quoted) pricePromocode(l lang.Lang) {
	if q.Cart.Promocode == "" {
		return
	}
	q.Promocode = &PricedCode{Code: q.Cart.Promocode}
	p, ok := q.Menu.Promocode(q.Cart.Promocode)
	if !ok {
		q.Promocode.Text = fault.Message{Key: "cart.promocode_unknown"}
		return
	}
	q.Promocode.Content = p
	if refusal := q.promocodeRefusal(p, l); refusal != nil {
		q.Promocode.Text = *refusal
		return
	}
	q.Promocode.IsActive, q.Promocode.Text = true, q.promocodeBenefit(p, l)
	switch p.Kind {
	case catalog.PercentOff:
		q.takePercent(p)
	case catalog.SumOff:
		q.takeSum(p)
	case catalog.GiftGiven, catalog.FreeDelivery:
	}
	for i := range q.Lines {
		q.Prices.Discount = q.Prices.Discount.Add(q.Lines[i].Discount)
	}
}

// promocodeBenefit returns the message that says what the customer gets by a code.
func (q *Quoted) promocodeBenefit(p *catalog.Promocode, l lang.Lang) fault.Message {
	switch p.Kind {
	case catalog.PercentOff:
		if isForSome(p) {
			return fault.Message{Key: "cart.promocode_percent_of", Args: fault.Args{"percent": p.Percent, "names": q.namesOf(p.Products, p.Groups, l)}}
		}
		return fault.Message{Key: "cart.promocode_percent", Args: fault.Args{"percent": p.Percent}}
	case catalog.SumOff:
		if isForSome(p) {
			return fault.Message{Key: "cart.promocode_sum_of", Args: fault.Args{"sum": q.formatMoney(p.Sum, l), "names": q.namesOf(p.Products, p.Groups, l)}}
		}
		return fault.Message{Key: "cart.promocode_sum", Args: fault.Args{"sum": q.formatMoney(p.Sum, l)}}
	case catalog.GiftGiven:
		return fault.Message{Key: "cart.promocode_gift", Args: fault.Args{"name": q.NameOf(p.Gift, l)}}
	case catalog.FreeDelivery:
	}
	return fault.Message{Key: "cart.promocode_free_delivery"}
}

// takePercent sets the discount of each line that the code is for to a percentage of its total without the deposit.
func (q *Quoted) takePercent(p *catalog.Promocode) {
	for i := range q.Lines {
		if q.isEligible(i, p) {
			q.Lines[i].Discount = q.Lines[i].withoutDeposit().Percent(p.Percent, q.Spot.City.Currency.Unit())
		}
	}
}

// takeSum distributes the sum of a code over the lines that it is for, in proportion to their
// totals without deposits. Together they are discounted by no more than these totals.
func (q *Quoted) takeSum(p *catalog.Promocode) {
	totals := make([]money.Amount, len(q.Lines)) // 0 for a line that the code is not for
	var sum money.Amount
	for i := range q.Lines {
		if q.isEligible(i, p) {
			totals[i] = q.Lines[i].withoutDeposit()
			sum = sum.Add(totals[i])
		}
	}
	if sum == 0 {
		return
	}
	for i, part := range min(p.Sum, sum).ProrateUnits(q.Spot.City.Currency.Unit(), totals) {
		q.Lines[i].Discount = part
	}
}

// isEligible reports whether the line at an index can be ordered and is one that the code is for.
func (q *Quoted) isEligible(index int, p *catalog.Promocode) bool {
	return q.Lines[index].IsSold() && p.Covers(q.Lines[index].Product)
}

// isForSome reports whether the code is for some products or groups only.
func isForSome(p *catalog.Promocode) bool { return len(p.Products)+len(p.Groups) > 0 }

// isFreeDelivery reports whether an active code makes delivery free; p may be nil.
func (p *PricedCode) isFreeDelivery() bool {
	return p != nil && p.IsActive && p.Content.Kind == catalog.FreeDelivery
}

// activeGift returns the gift that an active code puts into the cart; nil when there is none. p may
// be nil.
func (p *PricedCode) activeGift() *catalog.Gift {
	if p == nil || !p.IsActive || p.Content.Kind != catalog.GiftGiven {
		return nil
	}
	return p.Content.Gift
}
