package lang

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Text is a text of content in one or more languages, which may be any: its keys are BCP 47 tags. A
// Text is never changed once it is in use, so it may be shared.
type Text map[Lang]string

// OneLine returns a text that somebody has typed on one line, with a space between its words and none around them.
func OneLine(typed string) string { return strings.Join(strings.Fields(typed), " ") }

// ParseTag reads a BCP 47 tag of any language. It reports false for a tag that is not written in its
// usual form, as "eng" and "PL" for "en" and "pl".
func ParseTag(tag string) (Lang, bool) {
	parsed, err := language.Parse(tag)
	return Lang(tag), err == nil && parsed.String() == tag
}

// In returns the text in the language, else in the first fallback that has one, else in English,
// else in any other language. It is empty only when no language has a text.
func (t Text) In(l Lang, fallbacks ...Lang) string {
	s, _ := t.Pick(l, fallbacks...)
	return s
}

// Pick returns the text that [Text.In] returns, and the language that it is in. A text of a region,
// such as "de-AT", is used when the language itself has no text.
func (t Text) Pick(l Lang, fallbacks ...Lang) (string, Lang) {
	if s := t[l]; s != "" {
		return s, l
	}
	for tag, s := range t.sorted() {
		if s != "" && strings.HasPrefix(string(tag), string(l)+"-") {
			return s, tag
		}
	}
	for _, order := range [...][]Lang{fallbacks, {EN}, All()} {
		for _, other := range order {
			if s := t[other]; s != "" {
				return s, other
			}
		}
	}
	for tag, s := range t.sorted() {
		if s != "" {
			return s, tag
		}
	}
	return "", l
}

// sorted returns the texts in the order of their tags.
func (t Text) sorted() iter.Seq2[Lang, string] {
	return func(yield func(Lang, string) bool) {
		for _, tag := range slices.Sorted(maps.Keys(t)) {
			if !yield(tag, t[tag]) {
				return
			}
		}
	}
}

// IsZero reports whether no language has a text.
func (t Text) IsZero() bool { return t.In(EN) == "" } // In falls back to every language
