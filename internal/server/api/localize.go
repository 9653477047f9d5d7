package api

import (
	"servery/internal/lang"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/site"
	"servery/internal/visit"
)

// localizer converts what the areas return into the contract's types, for one brand in one language.
type localizer struct{ contentwire.Localizer }

// newLocalizer returns one for the texts of a brand in a language.
func newLocalizer(st *site.Site, l lang.Lang) localizer {
	return localizer{contentwire.Localizer{Localizer: convert.Localizer{Site: st, Lang: l}}}
}

// localizerOf returns the localizer of a request.
func localizerOf(v visit.Context) localizer { return newLocalizer(v.Site, v.Lang) }
