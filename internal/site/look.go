package site

import (
	"servery/internal/clock"
	"servery/internal/lang"
)

// Look is what documents need of the look of a brand.
type Look struct {
	// Sheet is the address of the style sheet on this server; empty for the usual look.
	Sheet string `json:"sheet,omitempty"`
	// Scheme is light, dark, or auto for what the visitor's device has.
	Scheme string `json:"scheme"`
	// Grounds are the colours behind the pages, one for each scheme that they are shown in.
	Grounds []Ground `json:"grounds"`
	// Fonts are the addresses of the font files that pages load early, by language.
	Fonts map[lang.Lang][]string `json:"fonts,omitempty"`
	// Festive are the days with other colours, in the order of content.
	Festive []Festive `json:"festive,omitempty"`
}

// Ground is the colour behind the pages in a scheme, as #rrggbb.
type Ground struct {
	Scheme string `json:"scheme"`
	Color  string `json:"color"`
}

// Festive are days with other colours.
type Festive struct {
	// Name is what the style sheet has those colours by.
	Name string `json:"name"`
	// From and To are the first and the last day.
	From clock.Day `json:"from"`
	To   clock.Day `json:"to"`
}

// FestiveOn returns the name of the festive colours of a day, empty for none. When several claim
// the day, the first wins. l may be nil, for the usual look.
func (l *Look) FestiveOn(day clock.Day) string {
	if l == nil {
		return ""
	}
	for _, f := range l.Festive {
		if !day.Before(f.From) && !f.To.Before(day) {
			return f.Name
		}
	}
	return ""
}
