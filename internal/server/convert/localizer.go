// Package convert holds what all rooms that speak the contract convert alike: texts into one
// language, optional fields, points on the map.
package convert

import (
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/site"
)

// Localizer turns a brand's texts and the program's messages into one language. Every
// converter that shows texts carries it.
type Localizer struct {
	Site *site.Site
	Lang lang.Lang
}

// Text returns the text in the language, or in the brand's own where it has none.
func (l Localizer) Text(t lang.Text) string { return t.In(l.Lang, l.Site.TextLanguage()) }

// ForeignLang returns the BCP 47 tag of the language that the text is shown in; nil when that is the
// page's own language, or there is no text.
func (l Localizer) ForeignLang(t lang.Text) *string {
	s, in := t.Pick(l.Lang, l.Site.TextLanguage())
	if s == "" || in == l.Lang {
		return nil
	}
	tag := string(in)
	return &tag
}

// Message returns a message of the program in the language.
func (l Localizer) Message(m fault.Message) string { return lang.T(l.Lang, m.Key, m.Args) }

// Optional returns nil for an empty text, so that the field stays out of the answer.
func (l Localizer) Optional(t lang.Text) *string { return OrNil(l.Text(t)) }
