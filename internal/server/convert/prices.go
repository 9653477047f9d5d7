package convert

import (
	"servery/internal/cart"
	"servery/internal/server/wire"
)

// Prices returns the sums of a cart or an order as the contract has them.
func Prices(p cart.Prices) wire.Prices {
	return wire.Prices{
		Subtotal: p.Subtotal, Delivery: p.Delivery, Packages: p.Packages, Discount: p.Discount,
		Bonuses: p.Bonuses, UpcomingBonuses: p.UpcomingBonuses, Total: p.Total,
	}
}
