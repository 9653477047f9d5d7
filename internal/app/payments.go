package app

import (
	"context"
	"slices"

	"servery/internal/order"
	"servery/internal/pay"
	"servery/internal/site"
)

// payments makes the area of orders with the acquirers that take what is paid online.
func (a *App) payments(ctx context.Context) {
	a.areas.Orders = order.New(a.db, a.areas.Carts, a.areas.Addresses, a.queue, a.clock, order.Options{
		Accounts: a.withSandbox(ctx, a.accounts()), PayWithin: a.cfg.PaymentDeadline, Log: a.log,
	})
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		a.warnOfNotTaken(ctx, s)
	}
}

// accounts gives the acquirers of all brands of the content.
func (a *App) accounts() pay.Accounts {
	var aliases []string
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		aliases = append(aliases, s.Alias)
	}
	return a.areas.Providers.Accounts(aliases)
}

// warnOfNotTaken tells what a brand's content offers and nobody takes: customers do not
// see it.
func (a *App) warnOfNotTaken(ctx context.Context, s *site.Site) {
	for _, paymentType := range site.PaymentTypes() {
		cities := map[string][]string{} // by account
		for _, c := range s.Cities {
			offered := slices.ContainsFunc(site.OrderTypes(), func(t site.OrderType) bool { return c.Sells(t) && c.Accepts(t, paymentType) })
			if _, _, _, taken := a.areas.Orders.Acquirer(s, c, paymentType); offered && !taken && site.IsOnline(paymentType) {
				cities[c.Acquiring[paymentType]] = append(cities[c.Acquiring[paymentType]], c.Alias)
			}
		}
		for account, where := range cities {
			a.log.WarnContext(ctx, "a payment type is not offered: its account is not in the file of providers, or does not take it",
				"site", s.Alias, "payment_type", paymentType, "account", account, "cities", where)
		}
	}
}
