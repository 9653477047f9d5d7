package geo

import (
	"testing"

	"servery/internal/lang"
)

var (
	samara = lang.Text{lang.RU: "Самара", lang.EN: "Samara"}
	nizhny = lang.Text{lang.RU: "Нижний Новгород", lang.EN: "Nizhny Novgorod"}
	berlin = lang.Text{lang.RU: "Берлин", lang.DE: "Berlin"}
)

func TestCutCity_cutsAPartThatOnlyNamesTheCity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		name    lang.Text
		rest    string
		isNamed bool
	}{
		{"Самара, Ленинская 5", samara, "Ленинская 5", true},
		{"г. Самара, ул. Ленинская, д. 5", samara, "ул. Ленинская, д. 5", true},
		{"SAMARA,Leninskaya 5", samara, "Leninskaya 5", true},
		{"Torstraße 1, 10119 Berlin", berlin, "Torstraße 1", true},
		{"Берлин, Torstraße 1", berlin, "Torstraße 1", true},
		{"Нижний Новгород, Ленина 3", nizhny, "Ленина 3", true},
		{"Самара", samara, "", true},
		{"Самара Ленинская 5", samara, "Самара Ленинская 5", false},
		{"Самарская, 5", samara, "Самарская, 5", false},
		{"Berliner Straße, 5", berlin, "Berliner Straße, 5", false},
		{"Новгород, Ленина 3", nizhny, "Новгород, Ленина 3", false},
		{"12, 5", samara, "12, 5", false},
		{"", samara, "", false},
	} {
		if rest, isNamed := CutCity(c.text, c.name); rest != c.rest || isNamed != c.isNamed {
			t.Errorf("%q: got %q, %t", c.text, rest, isNamed)
		}
	}
}

func TestCutCityWords_cutsTheCityFromEitherEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		name    lang.Text
		rest    string
		isNamed bool
	}{
		{"Самара Ленинская 5", samara, "Ленинская 5", true},
		{"город Самара Ленинская, 5", samara, "Ленинская, 5", true},
		{"Torstraße 1 Berlin", berlin, "Torstraße 1", true},
		{"Torstraße 1, 10119 Berlin", berlin, "Torstraße 1", true},
		{"нижний новгород ленина 3", nizhny, "ленина 3", true},
		{"Ленинская Самара 5", samara, "Ленинская Самара 5", false},
		{"улица Самара дом Ленина", samara, "улица Самара дом Ленина", false},
		{"Самара", samara, "Самара", false},
		{"Berliner Straße 5", berlin, "Berliner Straße 5", false},
	} {
		if rest, isNamed := CutCityWords(c.text, c.name); rest != c.rest || isNamed != c.isNamed {
			t.Errorf("%q: got %q, %t", c.text, rest, isNamed)
		}
	}
}

func TestLocal_FindCity_returnsTheOnlyCityWithTheHouse(t *testing.T) {
	t.Parallel()
	all := []int64{1, 2, 3, 4, 5, 77}
	for _, c := range []struct {
		text string
		want int64
	}{
		{"Friedrichstraße 5", 3},
		{"Friedrichstrasse 5, Mitte", 3},
		{"Фридрихштрассе, 5", 3},
		{"Bağdat Caddesi No: 12", 2},
		{"Friedrichstraße 900", 0}, // no such house
		{"Friedrichstraße", 0},     // no house was typed
		{"Friedrich 5", 0},         // the beginning of a name
		{"Fredrichstraße 5", 0},    // a slip
		{"проспект Арбат 5", 0},    // another kind of street
		{"", 0},
	} {
		if got, isFound := newLocal().FindCity(all, c.text); got != c.want || isFound != (c.want != 0) {
			t.Errorf("%q: got %d, %t", c.text, got, isFound)
		}
	}
	if got, isFound := newLocal().FindCity([]int64{1, 3, 3}, "Friedrichstraße 5"); isFound || got != 0 {
		t.Errorf("got %d where two cities have the house", got)
	}
}

func TestNamesStreet_needsAWordOfItsOwn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Ленинская 5": true, "ул.": true, "д. 5": false, "12": false, "": false} {
		if got := NamesStreet(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}
