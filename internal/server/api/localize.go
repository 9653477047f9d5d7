package api

import (
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/site"
	"servery/internal/visit"
)

// Localizer turns a brand's texts and the program's messages into one language. Every
// converter that shows texts carries it.
type Localizer struct {
	site *site.Site
	lang lang.Lang
}

// NewLocalizer returns one for the texts of a brand in a language.
func NewLocalizer(st *site.Site, l lang.Lang) Localizer { return Localizer{st, l} }

// localizerOf returns the localizer of a request.
func localizerOf(v visit.Context) Localizer { return NewLocalizer(v.Site, v.Lang) }

// Text returns the text in the language, or in the brand's own where it has none.
func (s Localizer) Text(t lang.Text) string { return t.In(s.lang, s.site.DefaultLanguage) }

// Message returns a message of the program in the language.
func (s Localizer) Message(m fault.Message) string { return lang.T(s.lang, m.Key, m.Args) }

// optional returns nil for an empty text, so that the field stays out of the answer.
func (s Localizer) optional(t lang.Text) *string { return orNil(s.Text(t)) }

// orNil returns nil for the zero value, so that the field stays out of the answer.
func orNil[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
