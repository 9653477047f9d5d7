package api

import (
	"servery/internal/lang"
	"servery/internal/server/orderwire"
	"servery/internal/site"
	"servery/internal/visit"
)

// localizer converts what the areas return into the contract's types, for one brand in one language.
type localizer struct{ orderwire.Localizer }

// newLocalizer returns the localizer for a brand in a language.
func newLocalizer(st *site.Site, l lang.Lang) localizer { return localizer{orderwire.New(st, l)} }

// localizerOf returns the localizer of a request.
func localizerOf(v visit.Context) localizer { return newLocalizer(v.Site, v.Lang) }
