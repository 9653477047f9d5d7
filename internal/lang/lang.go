// Package lang holds the server's messages to customers, in six languages.
//
// Each area keeps its messages in messages/<area>/<language>.yaml, and every key
// there starts with the area:
//
//	cart.too_many: No more than {max} of one item
//	cart.items_gone:
//	  one: "{count} item is no longer sold"
//	  other: "{count} items are no longer sold"
//
// Values stand in {braces}. A message with forms is a plural: the form is chosen by the whole
// number given as {count}. English, German, Turkish and Uzbek have the forms one and other; Russian
// and Ukrainian have one, few and many. A test checks that all languages have the same keys, the
// same values and every form.
package lang

import (
	"slices"
	"strconv"
	"strings"
)

// Lang is one of the six languages, by its ISO 639-1 code.
type Lang string

// The languages, and there are no others.
const (
	RU Lang = "ru"
	EN Lang = "en"
	TR Lang = "tr"
	UZ Lang = "uz"
	DE Lang = "de"
	UK Lang = "uk"
)

// All returns the languages in the order in which they are offered.
func All() []Lang { return []Lang{RU, EN, TR, UZ, DE, UK} }

// Parse reads a language code in any case, with or without a region: "ru", "de-AT".
func Parse(code string) (Lang, bool) {
	primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(code)), "-")
	l := Lang(primary)
	return l, slices.Contains(All(), l)
}

// Negotiate picks the language for a visitor among those that a site allows: the
// chosen one (a cookie) if there is any, else the best of an Accept-Language header,
// else the site's own.
func Negotiate(chosen, accept string, allowed []Lang, site Lang) Lang {
	if l, ok := Parse(chosen); ok && slices.Contains(allowed, l) {
		return l
	}
	if l, ok := mostWanted(accept, allowed); ok {
		return l
	}
	return site
}

// mostWanted gives that of the allowed languages which an Accept-Language header wants
// most; of equals the first. What cannot be read is passed over.
func mostWanted(header string, allowed []Lang) (best Lang, found bool) {
	most := 0.0
	for part := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(part, ";")
		l, ok := Parse(tag)
		if !ok || !slices.Contains(allowed, l) {
			continue
		}
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			var err error
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		if weight > most {
			best, most, found = l, weight, true
		}
	}
	return best, found
}
