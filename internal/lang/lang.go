// Package lang holds the server's messages to customers, in six languages.
//
// The files in messages have each message in all languages; its key starts with the area that it
// belongs to:
//
//	cart.too_many:
//	  en: No more than {max} of one item
//	  de: Höchstens {max} Stück
//	cart.items_gone:
//	  en:
//	    one: "{count} item is no longer sold"
//	    other: "{count} items are no longer sold"
//
// Values stand in {braces}. A message with forms is a plural: the form is chosen by the whole
// number given as {count}. English, German, Turkish and Uzbek have the forms one and other; Russian
// and Ukrainian have one, few and many. A test checks that all languages have the same keys, the
// same values and every form.
package lang

import (
	"slices"
	"strings"

	"golang.org/x/text/language"

	"servery/internal/cache"
)

// Lang is one of the six languages, by its ISO 639-1 code. In a [Text] it is the BCP 47 tag of any
// language.
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

// Parse reads a language code in any case, with or without a region: "ru", "de-AT". It reports false
// for a language that is not one of the six.
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
	if l, ok := findPreferred(accept, allowed); ok {
		return l
	}
	return site
}

// longestKept is the length of the longest header whose reading is kept, in bytes. Browsers send less;
// what is longer is read each time, so that headers cannot fill the memory.
const longestKept = 200

// acceptedBy caches the languages of the latest Accept-Language headers, because nearly all visitors
// send one of a few headers.
var acceptedBy = cache.OfSize[string, []Lang](1000, cache.Life{})

// findPreferred returns the first of the allowed languages by the weights of an Accept-Language header,
// and false when it names none.
func findPreferred(header string, allowed []Lang) (Lang, bool) {
	if header == "" {
		return "", false
	}
	accepted, isKept := acceptedBy.Get(header)
	if !isKept {
		accepted = readAccepted(header)
		if len(header) <= longestKept {
			acceptedBy.Set(strings.Clone(header), accepted)
		}
	}
	for _, l := range accepted {
		if slices.Contains(allowed, l) {
			return l, true
		}
	}
	return "", false
}

// readAccepted returns the languages of an Accept-Language header by their weights. Parts that cannot
// be read are left out.
func readAccepted(header string) []Lang {
	tags, _, err := language.ParseAcceptLanguage(header) // by weight, without those of weight 0
	if err != nil {
		parts := slices.DeleteFunc(strings.Split(header, ","), func(part string) bool {
			_, _, err := language.ParseAcceptLanguage(part)
			return err != nil
		})
		if tags, _, err = language.ParseAcceptLanguage(strings.Join(parts, ",")); err != nil {
			return nil
		}
	}
	accepted := make([]Lang, 0, len(tags))
	for _, tag := range tags {
		base, _ := tag.Base()
		accepted = append(accepted, Lang(base.String()))
	}
	return accepted
}
