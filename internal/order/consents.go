package order

import (
	"slices"
	"time"

	"servery/internal/site"
)

// Consent is what a customer has agreed to when ordering, and in which words.
type Consent struct {
	Alias string `json:"alias"`
	// Version names the text that was shown.
	Version string    `json:"version"`
	At      time.Time `json:"at"`
}

// consentsOf gives those of the city's consents that the customer has given, by their
// aliases; what is not asked for here is let go. A required one that is missing is a
// problem of the field consents.
func consentsOf(city *site.City, given []string, now time.Time, wrong *problems) []Consent {
	var kept []Consent
	for _, c := range city.Country.Consents {
		switch {
		case slices.Contains(given, c.Alias):
			kept = append(kept, Consent{Alias: c.Alias, Version: c.Version, At: now})
		case c.Required:
			wrong.add("consents", "order.consent_required")
			return nil
		}
	}
	return kept
}
