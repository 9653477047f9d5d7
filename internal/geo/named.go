package geo

import (
	"slices"
	"strings"

	"servery/internal/lang"
)

// CutCity returns a typed address without those parts between commas that only name the city, such as
// "г. Самара" or "10119 Berlin", in any of its languages. It reports false, and returns the text as it is,
// when there is no such part.
func CutCity(text string, name lang.Text) (rest string, isNamed bool) {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if isCity(part, name) {
			isNamed = true
		} else if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	if !isNamed {
		return text, false
	}
	return strings.Join(parts, ", "), true
}

// CutCityWords returns a typed address without the name of the city at its beginning or end, where no
// comma divides them: "Самара Ленинская 5", "Torstraße 1 Berlin". It reports false, and returns the text as
// it is, when the name is not there. Such a text may also name a street, so it is weaker than [CutCity].
func CutCityWords(text string, name lang.Text) (rest string, isNamed bool) {
	words := strings.Fields(text)
	for i := 1; i < len(words); i++ {
		before, after := strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		switch {
		case isCity(before, name):
			return strings.Trim(after, " ,"), true
		case isCity(after, name):
			return strings.Trim(before, " ,"), true
		}
	}
	return text, false
}

// NamesStreet reports whether the text has a word that may be of a street: one that is neither a number
// nor a word such as "house".
func NamesStreet(text string) bool {
	return slices.ContainsFunc(wordKeys(text), func(key string) bool { return !isNumber(key) && kinds[key] != kindOther })
}

// minPostcode is the length of the shortest postcode; a shorter number is of a house.
const minPostcode = 4

// isCity reports whether the text is the name of the city in any language, with words such as "city" or a
// postcode beside it.
func isCity(text string, name lang.Text) bool {
	isBeside := func(key string) bool { return isNumber(key) && len(key) >= minPostcode || kinds[key] == kindOther }
	keys := slices.DeleteFunc(wordKeys(text), isBeside)
	for _, own := range name {
		if len(keys) > 0 && slices.Equal(keys, slices.DeleteFunc(wordKeys(own), isBeside)) {
			return true
		}
	}
	return false
}
