package app

import (
	"context"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/order/correct"
	"servery/internal/order/feed"
	"servery/internal/order/follow"
	"servery/internal/order/history"
	"servery/internal/order/orders"
	"servery/internal/order/search"
	"servery/internal/payment/payments"
	"servery/internal/provider"
	"servery/internal/server/operator"
	"servery/internal/site"
)

// makePayments makes the areas of payments and orders. With a held database it has no acquirers. It logs the
// payment types and requirements of the content that the acquirers' accounts do not support.
func (a *App) makePayments(ctx context.Context) {
	accounts := acquiring.Accounts{}
	if !a.held.IsHeld() { // a copy of the database must move no money
		accounts = a.withSandbox(ctx, a.readAccounts())
	}
	a.areas.Payments = payments.New(a.db, a.queue, a.clock, payments.Options{Accounts: accounts, Log: a.log})
	a.areas.Orders = orders.New(a.db, a.areas.Carts, a.areas.Addresses, a.areas.Payments, a.queue, a.clock, orders.Options{
		Sites: a.siteAliases(), PayWithin: a.cfg.PaymentDeadline, Limits: a.cfg.Limits, Announce: a.announce,
		LowestNumber: a.cfg.OrderNumbers.Lowest, HighestNumber: a.cfg.OrderNumbers.Highest,
	})
	a.areas.History = history.New(a.db, a.clock)
	a.areas.Finder, a.areas.Feed = search.New(a.db, a.clock), feed.New(a.db)
	a.areas.Delivery = feed.NewDelivery(feed.DeliveryOptions{
		DB: a.db, Clock: a.clock, Log: a.log, Sites: a.siteAliases, Hook: a.areas.Providers.ChangeHook, Encode: operator.ChangeEncoder(a.areas.Catalog),
	})
	a.areas.Correct = correct.New(a.db, a.areas.Orders, a.areas.Payments)
	a.areas.Follow = follow.New(a.db, a.areas.Orders, a.clock)
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		a.warnOfUntakenTypes(ctx, s)
	}
	a.warnOfAccounts(ctx, accounts)
}

// readAccounts returns the acquirers of all brands of the content.
func (a *App) readAccounts() acquiring.Accounts { return a.areas.Providers.Accounts(a.siteAliases()) }

// siteAliases returns the aliases of all brands of the content in use.
func (a *App) siteAliases() []string {
	var aliases []string
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		aliases = append(aliases, s.Alias)
	}
	return aliases
}

// warnOfUntakenTypes logs the online payment types that a brand's content offers but the configured account
// does not take, by account and city. Customers are not offered them.
func (a *App) warnOfUntakenTypes(ctx context.Context, s *site.Site) {
	for _, paymentType := range site.PaymentTypes() {
		cities := map[string][]string{} // by account
		for _, c := range s.Cities {
			offered := slices.ContainsFunc(site.OrderTypes(), func(t site.OrderType) bool { return c.Sells(t) && c.Accepts(t, paymentType) })
			account := c.Acquiring[paymentType]
			isConfigured := a.areas.Providers.Site(s.Alias).Acquirers[account] != nil || provider.IsSandbox(account)
			_, _, _, isTaken := a.areas.Payments.FindAccount(s, c, paymentType)
			if isConfigured && offered && !isTaken && site.IsOnline(paymentType) {
				cities[account] = append(cities[account], c.Alias)
			}
		}
		for account, where := range cities {
			a.log.WarnContext(ctx, "payment type not offered: its account does not take it",
				"site", s.Alias, "payment_type", paymentType, "account", account, "cities", where)
		}
	}
}
