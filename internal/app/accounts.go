package app

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/site"
)

// AccountFault is something that content requires of an acquirer's account and that the account does
// not support.
type AccountFault struct {
	Site, Account string
	Cities        []string
	Message       string
	// Warning says that customers can order nevertheless.
	Warning bool
}

// String returns the fault in one line that names brand, account and cities.
func (f AccountFault) String() string {
	warning := ""
	if f.Warning {
		warning = "warning: "
	}
	return fmt.Sprintf("%s: account %s (%s): %s%s", f.Site, f.Account, strings.Join(f.Cities, ", "), warning, f.Message)
}

// CheckAccounts returns the requirements of the content that the accounts do not support. It skips
// payment types that a city does not offer and accounts that are not in accounts.
func CheckAccounts(sites []*site.Site, accounts acquiring.Accounts) []AccountFault {
	var found []AccountFault
	for _, s := range sites {
		for _, c := range s.Cities {
			for _, paymentType := range site.PaymentTypes() {
				account := c.Acquiring[paymentType]
				acquirer, ok := accounts.FindAcquirer(s.Alias, account)
				if !ok || !c.Offers(paymentType) {
					continue
				}
				for _, f := range findUnsupported(acquirer, c, paymentType) {
					f.Site, f.Account = s.Alias, account
					found = addAccountFault(found, f, c.Alias)
				}
			}
		}
	}
	return found
}

// findUnsupported returns the requirements of a city that the acquirer does not support. The caller adds
// site, account and city to the faults.
func findUnsupported(a acquiring.Acquirer, c *site.City, paymentType string) []AccountFault {
	var found []AccountFault
	if paymentType == site.CardOnline && c.CardForm && !a.SupportsMethod(acquiring.CardForm) {
		found = append(found, AccountFault{Message: "card_form is true, and " + a.Name() + " has no card form: cards are entered on its own page"})
	}
	switch {
	case c.Fiscal == nil:
	case a.ReceiptSupport() == acquiring.NoReceipts:
		found = append(found, AccountFault{Warning: true, Message: "fiscal is set, and " + a.Name() + " registers no receipts"})
	case a.ReceiptSupport() == acquiring.WithoutClosing && c.Fiscal.IsPrepayment():
		found = append(found, AccountFault{Warning: true, Message: "receipts say full_prepayment, and " + a.Name() +
			" registers no closing receipts: make them yourselves at hand-over, or choose fiscal: {mode: full_payment}"})
	}
	return found
}

// addAccountFault returns the faults with the fault f of a city. When another city has the same fault with
// the same account, it adds the city to that fault instead.
func addAccountFault(faults []AccountFault, f AccountFault, city string) []AccountFault {
	i := slices.IndexFunc(faults, func(known AccountFault) bool {
		return known.Site == f.Site && known.Account == f.Account && known.Message == f.Message
	})
	if i < 0 {
		f.Cities = []string{city}
		return append(faults, f)
	}
	if !slices.Contains(faults[i].Cities, city) {
		faults[i].Cities = append(faults[i].Cities, city)
	}
	return faults
}

// warnOfAccounts logs the requirements of the content that the accounts do not support.
func (a *App) warnOfAccounts(ctx context.Context, accounts acquiring.Accounts) {
	for _, f := range CheckAccounts(a.areas.Catalog.Current().Sites.All(), accounts) {
		a.log.WarnContext(ctx, f.Message, slog.String("site", f.Site), slog.String("account", f.Account), slog.Any("cities", f.Cities))
	}
}
