package geo

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"servery/internal/lang"
)

// textIn returns a text in the language if there is one, else in one that its reader likely reads,
// and which language that is.
func textIn(t lang.Text, l lang.Lang) (string, lang.Lang) {
	order := []lang.Lang{l, lang.EN}
	switch l {
	case lang.RU:
		order = []lang.Lang{l, lang.UK, lang.EN}
	case lang.UK:
		order = []lang.Lang{l, lang.RU, lang.EN}
	case lang.EN, lang.TR, lang.UZ, lang.DE:
	}
	for _, spoken := range append(order, lang.All()...) {
		if s := t[spoken]; s != "" {
			return s, spoken
		}
	}
	return "", l
}

// streetLine writes street and house as the language does.
func streetLine(street, house string, l lang.Lang) string {
	switch {
	case house == "":
		return street
	case l == lang.EN:
		return house + " " + street
	case l == lang.DE:
		return street + " " + house
	case l == lang.TR:
		return street + " No: " + house
	}
	return street + ", " + house
}

// fullLine writes the address with its city.
func fullLine(address, city string, l lang.Lang) string {
	parts := []string{city, address}
	if l == lang.EN || l == lang.DE || l == lang.TR {
		slices.Reverse(parts)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// reading is one way to interpret what was typed.
type reading struct {
	words []string // keys of the words that name the street
	kinds kind     // what kind of street they say it is
	house string   // as housePattern has it, empty when there is none
}

var (
	// flats follow the house and do not matter for its place.
	flats = regexp.MustCompile(`(?i)[,\s]+(кв|квартира|кварт|оф|офис|подъезд|под'їзд|під'їзд|этаж|поверх|apt|apartment|flat|daire|kat|whg|wohnung|xonadon)[\s.:№]+\S.*$`)
	// houseLast is a house number behind the street.
	houseLast = regexp.MustCompile(`(?i)^(.*?[^\s,])[\s,]+(?:(?:дом|д|house|будинок|буд|uy|haus|hausnummer|nr|no|№)[\s.:]*)?(` + houseNumber + `)$`)
	// houseFirst is a house number before the street.
	houseFirst = regexp.MustCompile(`(?i)^(` + houseNumber + `)[\s,]+(\S.*)$`)
	// shortBlocks and shortKinds bring the ways to shorten a word together.
	shortBlocks = strings.NewReplacer("корпус", "к", "корп", "к", "строение", "с", "стр", "с", "block", "k", "blok", "k")
	shortKinds  = strings.NewReplacer("пр-т", "проспект", "пр-кт", "проспект", "б-р", "бульвар", "наб-я", "набережная")
)

// houseNumber is "12", "12а", "12/3", "12 к 1", "12, корп. 1, стр. 2".
const houseNumber = `\d{1,4}(?:\s*\p{L})?(?:\s*[/-]\s*\d{1,4}\p{L}?)?(?:[\s,]*(?:корпус|корп|к|k|block|blok|строение|стр|с)[\s.]*\d{1,3})*`

// readings returns the ways to interpret what was typed, the likeliest first. City are the keys of
// words that only say where the street is.
func readings(text string, city map[string]bool) []reading {
	text = strings.TrimRight(withoutPlaces(flats.ReplaceAllString(text, ""), city), " ,.")
	var all []reading
	if m := houseLast.FindStringSubmatch(text); m != nil {
		all = append(all, newReading(m[1], m[2], city))
	}
	all = append(all, newReading(text, "", city))
	if m := houseFirst.FindStringSubmatch(text); m != nil {
		all = append(all, newReading(m[2], m[1], city))
	}
	return slices.DeleteFunc(all, func(t reading) bool { return len(t.words) == 0 })
}

// withoutPlaces removes the parts between commas that are all names of places.
func withoutPlaces(text string, city map[string]bool) string {
	var kept []string
	for part := range strings.SplitSeq(text, ",") {
		keys := wordKeys(part)
		known := func(key string) bool { return city[key] || kinds[key] == kindOther }
		if len(keys) == 0 || slices.ContainsFunc(keys, func(key string) bool { return !known(key) }) {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, ",")
}

// newReading returns the reading of a text as a street, with its words of kinds and places set
// apart.
func newReading(street, house string, city map[string]bool) reading {
	t := reading{house: strings.TrimSpace(house)}
	all := wordKeys(shortKinds.Replace(strings.ToLower(street)))
	for _, key := range all {
		if k, ok := kinds[key]; ok {
			t.kinds |= k &^ kindOther
		} else if !city[key] {
			t.words = append(t.words, key)
		}
	}
	if len(t.words) == 0 && house == "" {
		t.words = all // nothing but "улица": let it find streets
	}
	return t
}

// houseText returns a house number as it is written in answers: "12 корп. 1" is "12к1".
func houseText(house string) string {
	return strings.Join(strings.FieldsFunc(shortBlocks.Replace(strings.ToLower(house)), func(r rune) bool {
		return r == '.' || r == ',' || unicode.IsSpace(r)
	}), "")
}
