package app

import (
	"context"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/provider"
	"servery/internal/site"
)

// payments makes payments, with the acquirers that take what is paid online, and the orders that are
// paid.
func (a *App) payments(ctx context.Context) {
	accounts := acquiring.Accounts{}
	if !a.held.Is() {
		accounts = a.withSandbox(ctx, a.accounts())
	}
	a.areas.Payments = payment.New(a.db, a.queue, a.clock, payment.Options{Accounts: accounts, Log: a.log})
	a.areas.Orders = order.New(a.db, a.areas.Carts, a.areas.Addresses, a.areas.Payments, a.queue, a.clock, order.Options{
		PayWithin: a.cfg.PaymentDeadline, Limits: a.cfg.Limits,
	})
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		a.warnOfNotTaken(ctx, s)
	}
	a.warnOfAccounts(ctx, accounts)
}

// accounts returns the acquirers of all brands of the content.
func (a *App) accounts() acquiring.Accounts {
	var aliases []string
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		aliases = append(aliases, s.Alias)
	}
	return a.areas.Providers.Accounts(aliases)
}

// warnOfNotTaken logs what a brand's content offers and its account does not take:
// customers do not see it.
func (a *App) warnOfNotTaken(ctx context.Context, s *site.Site) {
	for _, paymentType := range site.PaymentTypes() {
		cities := map[string][]string{} // by account
		for _, c := range s.Cities {
			offered := slices.ContainsFunc(site.OrderTypes(), func(t site.OrderType) bool { return c.Sells(t) && c.Accepts(t, paymentType) })
			account := c.Acquiring[paymentType]
			there := a.areas.Providers.Site(s.Alias).Acquirers[account] != nil || provider.IsSandbox(account)
			if _, _, _, taken := a.areas.Payments.FindAccount(s, c, paymentType); there && offered && !taken && site.IsOnline(paymentType) {
				cities[account] = append(cities[c.Acquiring[paymentType]], c.Alias)
			}
		}
		for account, where := range cities {
			a.log.WarnContext(ctx, "payment type not offered: its account does not take it",
				"site", s.Alias, "payment_type", paymentType, "account", account, "cities", where)
		}
	}
}
