package geo

import (
	"slices"

	"servery/internal/lang"
)

// Parts are what a geocoder's service has found of a place, each empty where it has not.
type Parts struct {
	Locality, District string
	Street, House      string
	Point              Point
}

// Answer returns the parts as an answer, with lines in the order of the language. Its precision is
// AtHouse when the parts have street and house, AtStreet when they have a street, AtLocality when they
// have only a town, else Unknown.
func (p Parts) Answer(l lang.Lang) Answer {
	if p.Street == "" {
		return atLocality(p.Locality, p.Point)
	}
	address := streetLine(p.Street, p.House, l)
	a := Answer{
		Precision: AtStreet, Address: address, FullAddress: fullLine(address, p.Locality, l), Locality: p.Locality,
		District: p.District, Street: p.Street, House: p.House, Point: p.Point,
	}
	if p.House != "" {
		a.Precision = AtHouse
	}
	return a
}

// atLocality returns the answer for a town of which no street is known; the zero answer without a name.
func atLocality(name string, point Point) Answer {
	if name == "" {
		return Answer{}
	}
	return Answer{Precision: AtLocality, FullAddress: name, Locality: name, Point: point}
}

// Suggestion returns the parts as a line of suggestions, with texts in the order of the language.
func (p Parts) Suggestion(l lang.Lang) Suggestion {
	address := streetLine(p.Street, p.House, l)
	return Suggestion{
		Title: address, Subtitle: joinNonEmpty(p.District, p.Locality), Address: address, HasHouse: p.House != "", Point: p.Point,
	}
}

// HouseIn returns the house number of a typed address, written as in answers; empty when it has
// none.
func HouseIn(text string) string {
	for _, r := range readings(text, nil) {
		if r.house != "" {
			return houseText(r.house)
		}
	}
	return ""
}

// SameHouse reports whether two house numbers are the same, however they are written: "12 корп. 1"
// is "12к1".
func SameHouse(a, b string) bool { return foldWord(houseText(a)) == foldWord(houseText(b)) }

// SameName reports whether two names are the same but for case, accents and script. Names without a
// letter or digit are never the same.
func SameName(a, b string) bool {
	keys := wordKeys(a)
	return len(keys) > 0 && slices.Equal(keys, wordKeys(b))
}
