package provider

import (
	"fmt"
	"slices"
	"strings"

	"servery/internal/site"
)

// Unmet is something that the content of a brand names and no provider is configured for.
type Unmet struct {
	Site string
	// Field is that of the content.
	Field string
	// Names is what it names: a way to sign in, or an acquirer's account.
	Names string
	// Remedy says what is wrong and what to write where.
	Remedy string
}

// signInField is the field of content that names ways to sign in.
const signInField = "notification_channels"

// IsSignIn reports whether it is a way to sign in.
func (u Unmet) IsSignIn() bool { return u.Field == signInField }

// String returns one line.
func (u Unmet) String() string { return fmt.Sprintf("brand %s: %s: %s", u.Site, u.Field, u.Remedy) }

// Unconfigured is the error of content that names what no provider is configured for.
type Unconfigured struct{ All []Unmet }

// Error returns a line for each.
func (e *Unconfigured) Error() string {
	lines := make([]string, len(e.All))
	for i, u := range e.All {
		lines[i] = u.String()
	}
	return strings.Join(lines, "\n")
}

// FindUnmet returns what a brand offers to its customers without a provider for it in the file of providers.
// hasSandbox says that the accounts of the test bank exist without the file.
func (b Book) FindUnmet(s *site.Site, hasSandbox bool) []Unmet {
	var unmet []Unmet
	if s.Settings.IsAuthEnabled {
		for _, c := range s.Settings.NotificationChannels {
			if !b.Offers(s.Alias, c) {
				unmet = append(unmet, Unmet{s.Alias, signInField, string(c), fmt.Sprintf(
					"no provider is configured for %s: write %s into the entry %s of the file of providers (SERVERY_PROVIDERS), or take it out of the content", c, c, s.Alias)})
			}
		}
	}
	unmet = append(unmet, b.unmetAccounts(s, hasSandbox)...)
	return append(unmet, b.unmetCities(s)...)
}

// unmetCities returns the cities that a geocoder of the brand's own entry names but the brand does not have.
func (b Book) unmetCities(s *site.Site) []Unmet {
	var unmet []Unmet
	for _, c := range b[s.Alias].Geocoders {
		for _, alias := range c.Cities {
			if !slices.ContainsFunc(s.Cities, func(city *site.City) bool { return city.Alias == alias }) {
				unmet = append(unmet, Unmet{s.Alias, "geocoders", alias, fmt.Sprintf(
					"%s serves %s in the entry %s of the file of providers (SERVERY_PROVIDERS), a city that the brand does not have", c.Service.Name(), alias, s.Alias)})
			}
		}
	}
	return unmet
}

// unmetAccounts returns the accounts that payments would go to and that are not configured.
func (b Book) unmetAccounts(s *site.Site, hasSandbox bool) []Unmet {
	var accounts []string
	paymentTypes, cities := map[string][]string{}, map[string][]string{} // by account
	for _, c := range s.Cities {
		for _, p := range site.PaymentTypes() {
			isOffered := slices.ContainsFunc(site.OrderTypes(), func(t site.OrderType) bool { return c.Sells(t) && c.Accepts(t, p) })
			account := c.Acquiring[p]
			if !isOffered || !site.IsOnline(p) || b.Site(s.Alias).Acquirers[account] != nil || hasSandbox && IsSandbox(account) {
				continue // not offered, paid on receipt, or configured
			}
			accounts = addOnce(accounts, account)
			paymentTypes[account], cities[account] = addOnce(paymentTypes[account], p), addOnce(cities[account], c.Alias)
		}
	}
	var unmet []Unmet
	for _, account := range accounts {
		unmet = append(unmet, Unmet{s.Alias, "acquiring", account, fmt.Sprintf(
			"there is no account %s for %s in %s: write it into the acquirers of the entry %s of the file of providers (SERVERY_PROVIDERS), or name another",
			account, strings.Join(paymentTypes[account], ", "), strings.Join(cities[account], ", "), s.Alias)})
	}
	return unmet
}

// addOnce appends one to the list, unless it is there already.
func addOnce(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
