package geo

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"servery/internal/lang"
)

// textIn returns a text in the language, or else in the first other one that its readers are
// likely to understand, and the language of the result. The result is empty when the text has no
// language.
func textIn(t lang.Text, l lang.Lang) (string, lang.Lang) {
	order := []lang.Lang{l, lang.EN, lang.DE, lang.TR, lang.UZ} // in the letters of its readers
	switch l {
	case lang.RU:
		order = []lang.Lang{l, lang.UK, lang.EN}
	case lang.UK:
		order = []lang.Lang{l, lang.RU, lang.EN}
	case lang.EN, lang.TR, lang.UZ, lang.DE:
	}
	return t.Pick(l, order...)
}

// streetLine returns street and house in the order and with the signs of the language.
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

// fullLine returns the address and the city separated by a comma, in the order of the language.
func fullLine(address, city string, l lang.Lang) string {
	parts := []string{city, address}
	if l == lang.EN || l == lang.DE || l == lang.TR {
		slices.Reverse(parts)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// withPostcode returns the city with the postcode before it where addresses of the language have it.
func withPostcode(city, postcode string, l lang.Lang) string {
	if postcode == "" || l != lang.DE && l != lang.TR {
		return city
	}
	return postcode + " " + city
}

// reading is one way to interpret a typed address.
type reading struct {
	words []string // keys of the words that name the street
	kinds kind     // what kind of street they say it is
	house string   // as housePattern has it, empty when there is none
}

var (
	// flats are the words behind the house, such as flat and floor. The place does not depend on them.
	flats = regexp.MustCompile(`(?i)(?:[,\s]+|(\d))(?:(?:кв|квартира|кварт|оф|офис|подъезд|під['’ʼ]їзд|под['’ʼ]їзд|этаж|поверх|` +
		`apt|apartment|flat|daire|kat|whg|wohnung|xonadon)(?:[\s.:№]+\S|\d)|(?:под|эт)[\s.:№]*\d|d:\s*\d|\d+\.\s*(?:og|etage|stock)).*$`)
	// postcodes are numbers with more digits than a house has.
	postcodes = regexp.MustCompile(`\b\d{5,6}\b`)
	// houseLast is a house number behind the street.
	houseLast = regexp.MustCompile(`(?i)^(.*?[^\s,])[\s,.]+` + houseWord + `(` + houseNumber + `)$`)
	// houseFirst is a house number before the street.
	houseFirst = regexp.MustCompile(`(?i)^` + houseWord + `(` + houseNumber + `)[\s,]+(\S.*)$`)
	// houseInside is a house number behind the street and before a remark for the courier.
	houseInside = regexp.MustCompile(`(?i)^(.*?[^\s,])[\s,.]+` + houseWord + `(` + houseNumber + `)(?:\s*[,;(].*|\s+(?:` +
		`hinterhaus|vorderhaus|gartenhaus|quergebäude|seitenflügel|hh|vh|eg|dg|c/o|bei)(?:[\s,.].*)?)$`)
	// careOf is the person of a German address with whom the customer stays.
	careOf = regexp.MustCompile(`(?i)^\s*c/o\s[^,]*,`)
	// shortBlocks has one short form for all ways to write or shorten a word, shortKinds the whole word
	// for its short forms.
	shortBlocks = strings.NewReplacer("корпус", "к", "корп", "к", "строение", "с", "стр", "с", "block", "k", "blok", "k")
	shortKinds  = strings.NewReplacer("пр-т", "проспект", "пр-кт", "проспект", "б-р", "бульвар", "наб-я", "набережная")
)

// houseWord is a word that may stand before the number of a house.
const houseWord = `(?:(?:дом|д|house|будинок|буд|uy|haus|hausnummer|nr|no|№)[\s.:]*)?`

// houseNumber is "12", "12а", "12/3", "12 к 1", "12, корп. 1, стр. 2".
const houseNumber = `\d{1,4}(?:\s*\p{L})?(?:\s*[/-]\s*\d{1,4}\p{L}?)?(?:[\s,]*(?:корпус|корп|к|k|block|blok|строение|стр|с)[\s.]*\d{1,3})*`

// readings returns the ways to read a typed address, the likeliest first: with a house number at
// the end, without one, with one at the beginning, with one before a remark. Readings without a street are left out.
// places are the keys of words that name the city, its country or a district.
func readings(text string, places map[string]bool) []reading {
	text = postcodes.ReplaceAllString(flats.ReplaceAllString(careOf.ReplaceAllString(text, ""), "$1"), "")
	text = withoutLastPlaces(withoutPlaces(text, places), places)
	var found []reading
	if match := houseLast.FindStringSubmatch(text); match != nil {
		found = append(found, newReading(match[1], match[2], places))
	}
	found = append(found, newReading(text, "", places))
	if match := houseFirst.FindStringSubmatch(text); match != nil {
		found = append(found, newReading(match[2], match[1], places))
	}
	if match := houseInside.FindStringSubmatch(text); match != nil {
		found = append(found, newReading(match[1], match[2], places))
	}
	return slices.DeleteFunc(found, func(r reading) bool { return len(r.words) == 0 })
}

// withoutPlaces returns the text without those parts between commas that only name the city, its country
// or a district; places are the keys of such names. It returns the text as it is when nothing would
// be left.
func withoutPlaces(text string, places map[string]bool) string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		keys := wordKeys(part)
		namesStreet := func(key string) bool { return !places[key] && kinds[key] != kindOther }
		if len(keys) == 0 || slices.ContainsFunc(keys, namesStreet) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return text
	}
	return strings.Join(parts, ",")
}

// withoutLastPlaces returns the text without the places behind the house, as in "Torstraße 1 Berlin", and
// without the signs at its end. Places before the house stay, since readings leave them out themselves.
func withoutLastPlaces(text string, places map[string]bool) string {
	for {
		text = strings.TrimRight(text, " ,.")
		last := strings.LastIndexAny(text, " ,") + 1
		namesOther := func(key string) bool { return !places[key] }
		if keys := wordKeys(text[last:]); last == 0 || len(keys) == 0 || slices.ContainsFunc(keys, namesOther) {
			return text
		}
		text = text[:last]
	}
}

// namesOnlyPlaces reports whether the text names the city, its country or a district, and has nothing else but
// numbers and words that are ignored, such as "city" and "house" (kindOther). places are the keys of
// the names.
func namesOnlyPlaces(text string, places map[string]bool) bool {
	isNamed := false
	for _, key := range wordKeys(text) {
		switch {
		case places[key]:
			isNamed = true
		case !isNumber(key) && kinds[key] != kindOther:
			return false
		}
	}
	return isNamed
}

// isNumber reports whether the key begins with a digit: a house or a postcode.
func isNumber(key string) bool { return key[0] >= '0' && key[0] <= '9' }

// newReading returns the reading of a text as the name of a street, with a house number that may
// be empty. Words for a kind of street are separated, and names in places are left out.
func newReading(street, house string, places map[string]bool) reading {
	r := reading{house: strings.TrimSpace(house)}
	all := wordKeys(shortKinds.Replace(strings.ToLower(street)))
	for _, key := range all {
		if wordKinds, ok := kinds[key]; ok {
			r.kinds |= wordKinds &^ kindOther // a word such as "house" names no kind of street
		} else if !places[key] {
			r.words = append(r.words, key)
		}
	}
	if len(r.words) == 0 && house == "" {
		r.words = all // nothing but "улица": let it find streets
	}
	return r
}

// houseText returns a house number as answers have it, in lower case and without spaces: "12
// корп. 1" is "12к1".
func houseText(house string) string {
	return strings.Join(strings.FieldsFunc(shortBlocks.Replace(strings.ToLower(house)), func(r rune) bool {
		return r == '.' || r == ',' || unicode.IsSpace(r)
	}), "")
}
