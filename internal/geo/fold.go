package geo

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words are compared by a key in plain Latin letters. Both the index and the query go
// through the same fold, so that «Ленина», "lenina" and "LENINA" meet, as do
// "Hauptstraße" and "hauptstrasse", "Kadıköy" and "kadikoy", «Халқлар» and "halqlar".

// apostrophes belong to the letter before them, in Uzbek and Ukrainian.
const apostrophes = "'ʻʼ‘’`´′ʹ"

// letters are written in Latin after marks were taken off.
var letters = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ж': "zh", 'з': "z", 'и': "i", 'к': "k",
	'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f",
	'х': "h", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "sh", 'ъ': "", 'ы': "i", 'ь': "", 'э': "e", 'ю': "iu",
	'я': "ia", 'і': "i", 'є': "e", 'ґ': "g", 'ў': "o", 'ғ': "g", 'қ': "k", 'ҳ': "h", 'ә': "a", 'ө': "o",
	'ұ': "u", 'ү': "u", 'ң': "n", 'һ': "h",
	'ı': "i", 'ß': "ss", 'ø': "o", 'ł': "l", 'đ': "d", 'æ': "ae", 'œ': "oe",
}

// spellings maps the ways of writing one sound in Latin to one. A longer one stands before its
// beginnings; "ch" stays, so that its c does not become k.
var spellings = strings.NewReplacer(
	"shch", "sh", "sch", "sh", "ch", "ch", "kh", "h", "ph", "f", "tz", "ts",
	"ae", "a", "oe", "o", "ue", "u", "ye", "e", "yo", "e",
	"c", "k", "q", "k", "w", "v", "y", "i", "j", "i", "x", "ks",
)

// foldWord returns the key by which a word is compared: plain Latin letters in lower case.
// Spellings of one word in other scripts or languages have the same key.
func foldWord(word string) string { return dropDoubles(spellings.Replace(toLatin(word))) }

// toLatin returns a word with its letters written in lower-case Latin, without accents and
// apostrophes.
func toLatin(word string) string {
	var b strings.Builder
	// Letters are looked up as a whole before their accents are removed: ў is another letter than у.
	for _, r := range strings.ToLower(norm.NFC.String(word)) {
		if s, ok := letters[r]; ok {
			b.WriteString(s)
			continue
		}
		for _, part := range norm.NFD.String(string(r)) {
			if s, ok := letters[part]; ok {
				b.WriteString(s)
			} else if !unicode.Is(unicode.Mn, part) && !strings.ContainsRune(apostrophes, part) {
				b.WriteRune(part)
			}
		}
	}
	return b.String()
}

// dropDoubles returns the word with doubled letters written once. Doubled digits stay.
func dropDoubles(word string) string {
	var b strings.Builder
	var last rune
	for _, r := range word {
		if r != last || !unicode.IsLetter(r) {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// wordKeys returns the keys of the words of a text, by which words are compared. Anything but
// letters, digits and apostrophes separates words.
func wordKeys(text string) []string {
	var keys []string
	isSeparator := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !strings.ContainsRune(apostrophes, r)
	}
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		if key := foldWord(word); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// kind is a set of kinds of street, one bit for each. A kind is written in many ways and often left
// out, so it makes a street a better match but is never required.
type kind uint16

const (
	kindStreet kind = 1 << iota
	kindAvenue
	kindLane
	kindSquare
	kindBoulevard
	kindHighway
	kindEmbankment
	kindDrive
	kindOther // words such as "city" and "house", which are ignored
)

// kinds are the kinds by the keys of their words.
var kinds = func() map[string]kind {
	all := map[string]kind{}
	for k, text := range map[kind]string{
		kindStreet:     "улица ул вулиця вул street str st straße sokak sokağı sok sk cadde caddesi cad cd koʻcha koʻchasi улочка",
		kindAvenue:     "проспект просп пр avenue ave av allee shoh cadde caddesi",
		kindLane:       "переулок пер провулок пров lane ln gasse tor",
		kindSquare:     "площадь пл площа square sq platz meydan meydanı maydon maydoni",
		kindBoulevard:  "бульвар бул boulevard blvd bulvar bulvarı xiyobon xiyoboni",
		kindHighway:    "шоссе ш шосе highway yolu yol дорога road rd chaussee",
		kindEmbankment: "набережная наб набережна embankment ufer",
		kindDrive:      "проезд проїзд тупик passage drive weg узвіз",
		kindOther:      "город г місто м city shahar şehir дом д будинок буд house uy haus no nr mahalle mahallesi mah",
	} {
		for _, word := range wordKeys(text) {
			all[word] |= k
		}
	}
	return all
}()
