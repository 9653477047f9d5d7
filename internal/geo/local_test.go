package geo

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"servery/internal/fault"
	"servery/internal/lang"
)

// The streets of the test stand for six alphabets.
var towns = map[int64]Place{
	1: {Name: lang.Text{lang.RU: "Москва", lang.EN: "Moscow", lang.TR: "Moskova"}, Country: lang.Text{lang.RU: "Россия"}, Streets: []Street{
		newStreet(1, 54, lang.Text{lang.RU: "улица Арбат", lang.EN: "Arbat Street"}, "Арбат"),
		newStreet(1, 90, lang.Text{lang.RU: "улица Ленина"}, ""),
		newStreet(1, 90, lang.Text{lang.RU: "проспект Ленина"}, ""),
		newStreet(1, 90, lang.Text{lang.RU: "Ленинский проспект", lang.EN: "Leninsky Avenue"}, ""),
		newStreet(1, 40, lang.Text{lang.RU: "улица Королёва"}, ""),
		newStreet(1, 40, lang.Text{lang.RU: "улица 8 Марта"}, ""),
		newStreet(1, 40, lang.Text{lang.RU: "Щёлковское шоссе"}, ""),
		newStreet(1, 240, lang.Text{lang.RU: "Тверская улица", lang.EN: "Tverskaya Street"}, "Тверской"),
	}},
	2: {Name: lang.Text{lang.TR: "İstanbul", lang.EN: "Istanbul", lang.RU: "Стамбул"}, Streets: []Street{
		newStreet(1, 90, lang.Text{lang.TR: "Bağdat Caddesi", lang.EN: "Bagdat Avenue"}, "Kadıköy"),
		newStreet(1, 90, lang.Text{lang.TR: "Işıklar Sokağı"}, ""),
		newStreet(1, 80, lang.Text{lang.TR: "100. Yıl Bulvarı"}, ""),
	}},
	3: {Name: lang.Text{lang.DE: "Berlin"}, Country: lang.Text{lang.DE: "Deutschland", lang.RU: "Германия"}, Streets: []Street{
		newStreet(1, 246, lang.Text{lang.DE: "Friedrichstraße", lang.RU: "Фридрихштрассе"}, "Mitte"),
		newStreet(1, 100, lang.Text{lang.DE: "Müllerstraße"}, ""),
		newStreet(1, 100, lang.Text{lang.DE: "Schönhauser Allee"}, ""),
	}},
	4: {Name: lang.Text{lang.UK: "Київ", lang.EN: "Kyiv"}, Streets: []Street{
		newStreet(1, 60, lang.Text{lang.UK: "вулиця Хрещатик", lang.EN: "Khreshchatyk Street"}, ""),
		newStreet(1, 60, lang.Text{lang.UK: "вулиця Їжакевича"}, ""),
		newStreet(1, 60, lang.Text{lang.UK: "вулиця Солом'янська"}, ""),
	}},
	5: {Name: lang.Text{lang.UZ: "Toshkent", lang.RU: "Ташкент"}, Streets: []Street{
		newStreet(1, 60, lang.Text{lang.UZ: "Xalqlar doʻstligi koʻchasi", lang.RU: "улица Дружбы Народов"}, ""),
		newStreet(1, 60, lang.Text{lang.UZ: "Gʻafur Gʻulom koʻchasi"}, ""),
	}},
}

// newStreet returns a street with houses from first to last along a line of 1.2 km in Moscow. An
// empty district is none.
func newStreet(first, last int, name lang.Text, district string) Street {
	s := Street{Name: name, Line: []Point{{55.75, 37.60}, {55.75, 37.62}}, Houses: [2]int{first, last}}
	if district != "" {
		s.District = lang.Text{lang.RU: district}
	}
	return s
}

// newLocal returns a geocoder over the streets of the test.
func newLocal() *Local {
	return NewLocal(func(cityID int64) (Place, bool) {
		p, ok := towns[cityID]
		return p, ok
	})
}

// suggestTitles returns the titles that Suggest returns for the text in a city of the test.
func suggestTitles(t *testing.T, city int64, text string, in lang.Lang) []string {
	t.Helper()
	suggestions, err := newLocal().Suggest(t.Context(), city, text, in)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for _, s := range suggestions {
		all = append(all, s.Title)
	}
	return all
}

// Each case has a typed text, with another alphabet, abbreviations or typing errors, and the
// title that has to come first.
func TestLocal_Suggest_putsTheStreetMeantFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		city int64
		in   lang.Lang
		text string
		want string
	}{
		{1, lang.RU, "ар", "улица Арбат"},
		{1, lang.RU, "улица ар", "улица Арбат"},
		{1, lang.RU, "ул. Арбат", "улица Арбат"},
		{1, lang.RU, "Арбад", "улица Арбат"},
		{1, lang.RU, "арабт", "улица Арбат"},
		{1, lang.EN, "arb", "Arbat Street"},
		{1, lang.DE, "арбат", "Arbat Street"},
		{1, lang.RU, "lenina", "улица Ленина"},
		{1, lang.RU, "пр. Ленина", "проспект Ленина"},
		{1, lang.RU, "пр-т Ленина", "проспект Ленина"},
		{1, lang.RU, "королева", "улица Королёва"},
		{1, lang.RU, "korolyova", "улица Королёва"},
		{1, lang.RU, "8 мар", "улица 8 Марта"},
		{1, lang.RU, "schelkovskoe", "Щёлковское шоссе"},
		{1, lang.RU, "shchyolkovskoye", "Щёлковское шоссе"},
		{1, lang.RU, "Москва, Тверская", "Тверская улица"},
		{1, lang.RU, "Тверская 1", "Тверская улица, 1"},
		{1, lang.RU, "Тверская, д. 12к1", "Тверская улица, 12к1"},
		{1, lang.EN, "12 Tverskaya", "12 Tverskaya Street"},
		{2, lang.TR, "bağdat", "Bağdat Caddesi"},
		{2, lang.TR, "BAGDAT", "Bağdat Caddesi"},
		{2, lang.TR, "isiklar", "Işıklar Sokağı"},
		{2, lang.TR, "IŞIKLAR", "Işıklar Sokağı"},
		{2, lang.TR, "100. yıl", "100. Yıl Bulvarı"},
		{2, lang.TR, "Bağdat Cad. No: 12", "Bağdat Caddesi No: 12"},
		{3, lang.DE, "friedrichstr", "Friedrichstraße"},
		{3, lang.DE, "FRIEDRICHSTRASSE", "Friedrichstraße"},
		{3, lang.DE, "mueller", "Müllerstraße"},
		{3, lang.DE, "muller", "Müllerstraße"},
		{3, lang.DE, "schoenhauser", "Schönhauser Allee"},
		{3, lang.RU, "фридрих", "Фридрихштрассе"},
		{3, lang.DE, "Friedrichstraße 5a", "Friedrichstraße 5a"},
		{4, lang.UK, "хрещ", "вулиця Хрещатик"},
		{4, lang.EN, "khresh", "Khreshchatyk Street"},
		{4, lang.UK, "їжак", "вулиця Їжакевича"},
		{4, lang.UK, "Соломʼянська", "вулиця Солом'янська"},
		{4, lang.UK, "соломянська", "вулиця Солом'янська"},
		{5, lang.UZ, "xalqlar", "Xalqlar doʻstligi koʻchasi"},
		{5, lang.UZ, "do'stligi", "Xalqlar doʻstligi koʻchasi"},
		{5, lang.UZ, "g‘afur", "Gʻafur Gʻulom koʻchasi"},
		{5, lang.RU, "дружбы", "улица Дружбы Народов"},
		{5, lang.UZ, "ғулом", "Gʻafur Gʻulom koʻchasi"},
	} {
		if got := suggestTitles(t, c.city, c.text, c.in); len(got) == 0 || got[0] != c.want {
			t.Errorf("%q in %s: got %q, want %q", c.text, c.in, got, c.want)
		}
	}
}

// There is nothing for one character or an unknown city, and never more than seven suggestions.
func TestLocal_Suggest_fromTwoCharactersAndUpToSeven(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "а": 0, " а ": 0, "тверская 2": 7, "улица": 5, "zzzz": 0, "№": 0, "ленинградская": 0} {
		if got := suggestTitles(t, 1, text, lang.RU); len(got) != want {
			t.Errorf("%q: got %d: %q", text, len(got), got)
		}
	}
	if got := suggestTitles(t, 77, "арбат", lang.RU); len(got) != 0 {
		t.Errorf("an unknown city has %q", got)
	}
}

// After a street and the digit 5 the houses 5 and 50 to 54 are suggested.
func TestLocal_Suggest_completesHouseNumbers(t *testing.T) {
	t.Parallel()
	got := strings.Join(suggestTitles(t, 1, "арбат 5", lang.RU), "; ")
	if want := "улица Арбат, 5; улица Арбат, 50; улица Арбат, 51; улица Арбат, 52; улица Арбат, 53; улица Арбат, 54"; got != want {
		t.Errorf("got %q", got)
	}
}

// Each case has a text and the precision, house number and full address that Find returns. An
// unknown number leads to the street.
func TestLocal_Find_returnsTheHouseOrTheStreet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		city      int64
		text      string
		precision Precision
		house     string
		full      string
	}{
		{1, "Арбат 12", AtHouse, "12", "Москва, улица Арбат, 12"},
		{1, "Москва, ул. Арбат, д. 12, кв. 5", AtHouse, "12", "Москва, улица Арбат, 12"},
		{1, "Арбат, 12 корп. 1", AtHouse, "12к1", "Москва, улица Арбат, 12к1"},
		{1, "ул. Арбат, д. 12, стр. 1", AtHouse, "12с1", "Москва, улица Арбат, 12с1"},
		{1, "Арбат, дом 12, корпус 2, строение 3, кв. 4", AtHouse, "12к2с3", "Москва, улица Арбат, 12к2с3"},
		{1, "Арбат 12а, стр.1", AtHouse, "12ас1", "Москва, улица Арбат, 12ас1"},
		{1, "Арбат 12/3", AtHouse, "12/3", "Москва, улица Арбат, 12/3"},
		{1, "Арбат", AtStreet, "", "Москва, улица Арбат"},
		{1, "Арбат 400", AtStreet, "", "Москва, улица Арбат"},
		{1, "улица 8 Марта 5", AtHouse, "5", "Москва, улица 8 Марта, 5"},
		{1, "Неведомая 5", Unknown, "", ""},
		{1, "Москва", AtLocality, "", "Москва"},
		{1, "г. Москва, Тверской", AtLocality, "", "Москва"},
		{1, "125009, Москва, 5", AtLocality, "", "Москва"},
		{1, "Москва, Неведомая 5", Unknown, "", ""},
		{1, "5", Unknown, "", ""},
		{1, "", Unknown, "", ""},
		{3, "Friedrichstraße 5 a, Berlin", AtHouse, "5a", "Фридрихштрассе, 5a"},
		{1, "ul. Arbat, d. 12", AtHouse, "12", "Москва, улица Арбат, 12"},
		{1, "Арбат 12 кв5", AtHouse, "12", "Москва, улица Арбат, 12"},
		{1, "ул.Арбат д.12кв.5", AtHouse, "12", "Москва, улица Арбат, 12"},
		{1, "Арбат 12, под. 2, эт.3", AtHouse, "12", "Москва, улица Арбат, 12"},
		{2, "Bağdat Caddesi No:5 D:3", AtHouse, "5", "5 Bagdat Avenue, Стамбул"},
		{2, "Bağdat Caddesi No:5 daire3", AtHouse, "5", "5 Bagdat Avenue, Стамбул"},
		{3, "Friedrichstraße 5, 2. Etage", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße 5 3. OG", AtHouse, "5", "Фридрихштрассе, 5"},
		{4, "Хрещатик 1 під’їзд 2", AtHouse, "1", "вулиця Хрещатик, 1"},
		{3, "Friedrichstraße 5, 10117 Berlin", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße 5, 10117 Berlin, Deutschland", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße 5 10117 Berlin", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße 5 Berlin", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstr.5", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "10117 Berlin", AtLocality, "", "Berlin"},
		{3, "Deutschland", AtLocality, "", "Berlin"},
		{2, "Bağdat Cd. No:5, 34710 Kadıköy/İstanbul", AtHouse, "5", "5 Bagdat Avenue, Стамбул"},
		{1, "Россия, Москва, Тверская улица, 1", AtHouse, "1", "Москва, Тверская улица, 1"},
		{1, "125009, Москва, Тверская ул., 1", AtHouse, "1", "Москва, Тверская улица, 1"},
		{1, "Тверская 1 Москва", AtHouse, "1", "Москва, Тверская улица, 1"},
		{1, "Тверская, 1, вход со двора", AtHouse, "1", "Москва, Тверская улица, 1"},
		{1, "Арбат 12 (домофон 45В)", AtHouse, "12", "Москва, улица Арбат, 12"},
		{1, "улица 8 Марта, 5, код 8 или 12", AtHouse, "5", "Москва, улица 8 Марта, 5"},
		{1, "д. 1, Тверская", AtHouse, "1", "Москва, Тверская улица, 1"},
		{3, "Friedrichstraße 5, Hinterhaus, bei Schmidt klingeln", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße 5a Hinterhaus", AtHouse, "5a", "Фридрихштрассе, 5a"},
		{3, "Friedrichstraße 5 VH EG links, 10117 Berlin", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "c/o Schmidt, Friedrichstraße 5", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße 5 c/o Schmidt", AtHouse, "5", "Фридрихштрассе, 5"},
		{3, "Friedrichstraße, Hinterhaus", Unknown, "", ""},
		{77, "Арбат 12", Unknown, "", ""},
	} {
		a, err := newLocal().Find(t.Context(), c.city, c.text, lang.RU)
		if err != nil {
			t.Fatal(err)
		}
		if a.Precision != c.precision || a.House != c.house || !strings.HasSuffix(a.FullAddress, c.full) || a.Found() != (c.precision != Unknown) {
			t.Errorf("%q: got %+v", c.text, a)
		}
	}
}

// In every language, the short and the full address of an answer are found again as the same
// answer.
func TestLocal_Find_readsItsOwnAnswers(t *testing.T) {
	t.Parallel()
	for city, place := range towns {
		for i := range place.Streets {
			for _, in := range lang.All() {
				name, _ := textIn(place.Streets[i].Name, in)
				first, err := newLocal().Find(t.Context(), city, name+" 12", in)
				if err != nil || first.Precision != AtHouse || first.Street != name {
					t.Errorf("%s: got %+v, %v", name, first, err)
					continue
				}
				for _, text := range []string{first.Address, first.FullAddress} {
					again, err := newLocal().Find(t.Context(), city, text, in)
					if err != nil || again != first {
						t.Errorf("%q in %s: got %+v, want %+v", text, in, again, first)
					}
				}
			}
		}
	}
}

// On a street with a corner the first and last house stand at its ends. The point of each house
// is on the line and leads back to its number.
func TestStreet_hasItsHousesAtEqualDistances(t *testing.T) {
	t.Parallel()
	s := Street{Line: []Point{{55, 37}, {55, 37.01}, {55.01, 37.01}}, Houses: [2]int{11, 31}}
	for number, want := range map[int]Point{11: {55, 37}, 31: {55.01, 37.01}} {
		if got, ok := s.houseNumbered(number); !ok || DistanceMetres(got, want) > 1 {
			t.Errorf("%d: got %v, %v", number, got, ok)
		}
	}
	for _, number := range []int{0, 10, 32} {
		if _, ok := s.houseNumbered(number); ok {
			t.Errorf("there is no house %d", number)
		}
	}
	for number := 11; number <= 31; number++ {
		at, _ := s.houseNumbered(number)
		metres, _, share := closestPoint(s.Line, at)
		if metres > 1 || s.houseAt(share) != number {
			t.Errorf("house %d: %v m off the street, found as %d", number, metres, s.houseAt(share))
		}
	}
}

// A point 20 or 140 m north of a street gets a house, one 300 m away the street, one 5 km away
// the city.
func TestLocal_At_returnsHouseStreetOrCity(t *testing.T) {
	t.Parallel()
	const degree = 1 / 111_195.0 // of one metre northwards
	for _, c := range []struct {
		metres    float64
		precision Precision
		full      string
	}{
		{20, AtHouse, "Москва, улица Арбат, 28"},
		{140, AtHouse, "Москва, улица Арбат, 28"},
		{300, AtStreet, "Москва, улица Арбат"},
		{5000, AtPoint, "Москва"},
	} {
		at := Point{55.75 + c.metres*degree, 37.61}
		a, err := newLocal().At(t.Context(), 1, at, lang.RU)
		if err != nil || a.Precision != c.precision || a.FullAddress != c.full || a.Point != at {
			t.Errorf("%v m: got %+v, %v", c.metres, a, err)
		}
	}
}

// A geocoder whose source returns other streets does not find the former ones any more.
func TestLocal_usesTheStreetsOfANewRevision(t *testing.T) {
	t.Parallel()
	place := towns[1]
	l := NewLocal(func(int64) (Place, bool) { return place, true })
	if a, _ := l.Find(t.Context(), 1, "Арбат 1", lang.RU); !a.Found() {
		t.Fatal("not found")
	}
	place = towns[4]
	if a, _ := l.Find(t.Context(), 1, "Арбат 1", lang.RU); a.Found() {
		t.Errorf("got %+v of the old revision", a)
	}
}

// Addresses in any alphabet are returned without spaces around them. Empty, long and unreadable
// texts are refused at the field address with a fault that has a text.
func TestCleanText_allowsLettersAndNoControlCharacters(t *testing.T) {
	t.Parallel()
	for _, text := range []string{" вул. Солом'янська, 5 ", "Oʻzbekiston koʻchasi №5 (hovli)", `Straße „Am Ring“ 5`} {
		if got, err := CleanText(text); err != nil || got != strings.TrimSpace(text) {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	for text, key := range map[string]string{
		"  ": "geo.address_missing", strings.Repeat("я", 201): "geo.address_too_long", "a\x00b": "geo.address_unreadable", "a\xff": "geo.address_unreadable",
	} {
		_, err := CleanText(text)
		var f *fault.Error
		if !errors.As(err, &f) || f.Message.Key != key || len(f.Fields["address"]) != 1 || !lang.Has(key) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// countAlone returns the errors between two words, at most two, else noMatch.
func countAlone(typed, word string, isWhole bool) int {
	for _, typos := range typosIn([]string{word}, typed, isWhole, 2) {
		return typos
	}
	return noMatch
}

// Each case has a typed and a right word and the number of errors between them, noMatch above
// two.
func TestTyposIn_countsErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, word string
		whole       bool
		want        int
	}{
		{"arbat", "arbat", true, 0},
		{"arabt", "arbat", true, 1},
		{"abat", "arbat", true, 1},
		{"arbbat", "arbat", true, 1},
		{"arbad", "arbat", true, 1},
		{"lenn", "leninskii", false, 1},
		{"lenn", "leninskii", true, noMatch},
		{"xyz", "arbat", false, noMatch},
		{strings.Repeat("a", 100), strings.Repeat("a", 100), true, noMatch},
	} {
		if got := countAlone(c.typed, c.word, c.whole); got != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.typed, c.word, got, c.want)
		}
	}
}

func TestTyposIn_countsAmongManyWordsAsForEachAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{1,7}`)
		words := rapid.SliceOfDistinct(word, rapid.ID[string]).Draw(t, "words")
		slices.Sort(words)
		typed, isWhole := word.Draw(t, "typed"), rapid.Bool().Draw(t, "whole")
		found := map[int]int{}
		for i, typos := range typosIn(words, typed, isWhole, 2) {
			found[i] = typos
		}
		for i, w := range words {
			want := countAlone(typed, w, isWhole)
			if got, ok := found[i]; ok && got != want || !ok && want != noMatch {
				t.Fatalf("%q, %q whole %t: got %d (%t), want %d", typed, w, isWhole, got, ok, want)
			}
		}
	})
}

// For any text, Suggest and Find return no error, not too many suggestions and no invalid point.
func FuzzLocal_takesAnyText(f *testing.F) {
	for _, seed := range []string{"Арбат 12", "12 Arbat", "ʼʼ", "100. Yıl No: 5", strings.Repeat("1/", 90), "кв 5", "İ́"} {
		f.Add(seed)
	}
	l := newLocal()
	f.Fuzz(func(t *testing.T, text string) {
		for city := int64(1); city <= 5; city++ {
			suggestions, err := l.Suggest(t.Context(), city, text, lang.TR)
			if err != nil || len(suggestions) > MaxSuggestions {
				t.Fatal(len(suggestions), err)
			}
			a, err := l.Find(t.Context(), city, text, lang.TR)
			if err != nil || a.Found() && !a.Point.Valid() || math.IsNaN(a.Point.Latitude) {
				t.Fatal(a, err)
			}
		}
	})
}

// It measures Suggest among 500 streets of 40 houses, with exact, partial and mistyped texts.
func BenchmarkLocal_Suggest(b *testing.B) {
	// 500 streets of 40 houses: 20 000 houses.
	syllables := []string{"бо", "ка", "ле", "ми", "ро", "ста", "три", "щу", "яз", "ёл"}
	var streets []Street
	for i := range 500 {
		name := syllables[i%10] + syllables[i/10%10] + syllables[i/100] + "вская"
		streets = append(streets, newStreet(1, 40, lang.Text{lang.RU: fmt.Sprintf("улица %s", name)}, ""))
	}
	place := Place{Name: lang.Text{lang.RU: "Город"}, Streets: streets}
	l := NewLocal(func(int64) (Place, bool) { return place, true })
	for _, text := range []string{"бо", "улица бока", "бокаловская 1", "bokabovskaya", "бокоблевскоя 12"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Suggest(b.Context(), 1, text, lang.RU); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
