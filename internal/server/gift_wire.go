package server

import (
	"strings"

	"servery/internal/cart"
	"servery/internal/fault"
	"servery/internal/server/wire"
)

// gifts converts what is given. A gift costs nothing; its basic price is what the product
// costs otherwise.
func (s Localizer) gifts(list []cart.PricedGift) []wire.Gift {
	out := make([]wire.Gift, len(list))
	for i, g := range list {
		p := g.Gift.Product
		w := wire.Gift{
			ID: g.ID, Name: s.Text(g.Gift.Name), Description: s.optional(g.Gift.Description), BasicPrice: p.Price,
			Quantity: p.Quantity, Weight: s.weight(p.Weight), Count: g.Count, MaxCount: g.MaxCount,
			IsAvailable: g.IsEarned() && g.Alert == nil && g.Count < g.MaxCount, Type: wire.GiftType(g.Kind),
			Images: wire.Images{Small: smallPicture(g.Gift.Picture)}, Conditions: make([]wire.GiftCondition, len(g.Conditions)),
			Allergens: s.allergens(g.Allergens()),
		}
		if g.Alert != nil {
			w.Alert = orNil(s.Message(*g.Alert))
		}
		if !g.ExpiresAt.IsZero() {
			w.ExpiresAt = &g.ExpiresAt
		}
		for n, c := range g.Conditions {
			w.Conditions[n] = wire.GiftCondition{Message: s.Message(c.Message), Validated: c.Validated, Missing: orNil(c.Missing)}
		}
		out[i] = w
	}
	return out
}

func (s Localizer) promocode(p *cart.PricedCode) *wire.CartPromocode {
	if p == nil {
		return nil
	}
	return &wire.CartPromocode{Code: p.Code, IsActive: p.IsActive, Text: s.Message(p.Text)}
}

func cartBonus(q cart.Quoted) *wire.CartBonus {
	b := q.Bonus
	if b == nil {
		return nil
	}
	w := &wire.CartBonus{Balance: b.Balance, Limit: b.Limit, Wanted: b.Wanted, IsAvailable: b.IsAvailable}
	if programme := q.Spot.City.Bonus; programme != nil {
		w.SpendUntil = dayOrNil(programme.SpendUntil)
	}
	return w
}

// cartMessages are the notices of a cart, each where it belongs.
func (s Localizer) cartMessages(q cart.Quoted) []wire.CartMessage {
	out := make([]wire.CartMessage, 0, len(q.Notices)+len(q.BonusNotices))
	for _, notice := range q.Notices {
		out = append(out, wire.CartMessage{Position: wire.Top, Icon: orNil(iconOf(notice)), Text: s.Message(notice)})
	}
	for _, notice := range q.BonusNotices {
		out = append(out, wire.CartMessage{Position: wire.BonusDescription, Text: s.Message(notice)})
	}
	return out
}

// iconOf names the sign that stands beside a notice, empty for the usual one.
func iconOf(notice fault.Message) string {
	switch {
	case notice.Key == "cart.last_hour":
		return "clock"
	case strings.HasPrefix(notice.Key, "cart.gift_"), strings.HasPrefix(notice.Key, "cart.present_"):
		return "gift"
	}
	return ""
}
