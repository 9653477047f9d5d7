package cart

import (
	"servery/internal/geo"
	"servery/internal/money"
)

// DeliveryTo returns the price of delivering goods of this sum to a zone, and the minimum that the sum
// does not reach, nil when there is none. isFree says that a promocode makes the delivery free.
func DeliveryTo(zone *geo.Zone, goods money.Amount, isFree bool) (money.Amount, *Minimum) {
	price, minimum := deliveryPrice(zone, goods)
	if isFree {
		price = 0
	}
	if (isFree || zone.Delivery == 0) && minimum != nil && minimum.Kind == ForFreeDelivery {
		minimum = nil // delivery is free already
	}
	return price, minimum
}

// WithDelivery returns the prices with this price of the delivery, and the total that follows.
func (p Prices) WithDelivery(price money.Amount) Prices {
	p.Delivery = price
	p.Total = p.Subtotal.Add(p.Packages).Add(p.Delivery).Sub(p.Discount).Sub(p.Bonuses)
	return p
}

// deliveryPrice returns the price of delivery in a zone for goods of this sum. It also returns the
// minimum, of an order or of free delivery, that the sum does not reach; nil when there is none.
func deliveryPrice(z *geo.Zone, goods money.Amount) (money.Amount, *Minimum) {
	missing := func(kind MinimumKind, amount money.Amount) *Minimum {
		return &Minimum{Kind: kind, Amount: amount, Missing: amount.Sub(goods)}
	}
	switch {
	case z.HasFreeDelivery && goods < z.MinimumOrder:
		return z.Delivery, missing(ForFreeDelivery, z.MinimumOrder)
	case z.HasFreeDelivery:
		return 0, nil
	case goods < z.MinimumOrder:
		return z.Delivery, missing(ForOrder, z.MinimumOrder)
	case z.FreeFrom == nil:
		return z.Delivery, nil
	case goods < *z.FreeFrom:
		return z.Delivery, missing(ForFreeDelivery, *z.FreeFrom)
	}
	return 0, nil
}
