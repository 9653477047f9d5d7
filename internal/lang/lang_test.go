package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
)

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// placeholdersOf returns the names of the values of a message, over all its forms.
func placeholdersOf(t message) []string {
	found := map[string]bool{}
	for _, pattern := range t {
		for _, m := range placeholder.FindAllStringSubmatch(pattern, -1) {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func TestMessages_areTheSameInEveryLanguage(t *testing.T) {
	t.Parallel()
	all, err := loadMessages(files)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, texts := range all {
		for key := range texts {
			keys[key] = true
		}
	}
	for key := range keys {
		want := placeholdersOf(all[EN][key])
		plural := len(all[EN][key]) > 1
		for _, l := range All() {
			got, ok := all[l][key]
			if !ok {
				t.Errorf("%s: %s is missing", l, key)
				continue
			}
			if !slices.Equal(placeholdersOf(got), want) {
				t.Errorf("%s: %s has the values %v, English has %v", l, key, placeholdersOf(got), want)
			}
			wantForms := []string{other}
			if plural {
				wantForms = slices.Sorted(slices.Values(pluralForms(l)))
			}
			if gotForms := slices.Sorted(maps.Keys(got)); !slices.Equal(gotForms, wantForms) {
				t.Errorf("%s: %s has the forms %v, want %v", l, key, gotForms, wantForms)
			}
			for form, pattern := range got {
				// The specification dictates one text, with its mark.
				shouts := strings.Contains(pattern, "!") && pattern != "Слишком много попыток! Повторите позже"
				if strings.TrimSpace(pattern) == "" || shouts {
					t.Errorf("%s: %s (%s) is empty or shouts: %q", l, key, form, pattern)
				}
			}
		}
	}
}

// Every string of the program that looks like the key of a message has a message. That covers all keys, because
// each is written in one literal: as a whole, or up to an underscore where the rest is appended.
func TestMessages_areThereForEveryKeyInTheProgram(t *testing.T) {
	t.Parallel()
	areas := map[string]bool{}
	for key := range catalog()[EN] {
		area, _, _ := strings.Cut(key, ".")
		areas[area] = true
	}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			key, err := strconv.Unquote(lit.Value)
			if err != nil || !messageKey.MatchString(key) || fileName.MatchString(key) || otherKeys[key] {
				return true
			}
			area, _, _ := strings.Cut(key, ".")
			if !areas[area] {
				return true // no key: no area has messages under that name
			}
			if !hasMessage(key) {
				t.Errorf("%s: no message %s", set.Position(lit.Pos()), lit.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	messageKey = regexp.MustCompile(`^[a-z0-9]+\.[a-z0-9_]+$`)
	fileName   = regexp.MustCompile(`\.(go|yaml|yml|json|sql|txt|html|db)$`)
)

// otherKeys look like keys of messages: kinds of jobs, calls and events of acquirers, and rights.
var otherKeys = map[string]bool{
	"login.send": true, "push.message": true, "order.check_payment": true, "order.close_receipt": true, "order.release_hold": true, "order.refund": true, "order.cancel_unpaid": true,
	"refund.do": true, "payment.waiting_for_capture": true, "payment.succeeded": true, "payment.canceled": true, "refund.succeeded": true,
	"feedback.read": true, "kitchen.read": true, "kitchen.set": true,
}

// hasMessage reports whether there is a message of the key; for a key that ends with an underscore, whether
// the key of any message begins with it.
func hasMessage(key string) bool {
	if !strings.HasSuffix(key, "_") {
		return Has(key)
	}
	for k := range catalog()[EN] {
		if strings.HasPrefix(k, key) {
			return true
		}
	}
	return false
}

// A customer never reads a key or a code in place of words.
func TestMessages_haveNoRawCodes(t *testing.T) {
	t.Parallel()
	for l, texts := range catalog() {
		for key, forms := range texts {
			for form, text := range forms {
				for word := range strings.FieldsSeq(text) {
					if word = strings.Trim(word, ".,:;“”«»\"()"); rawCode.MatchString(word) || Has(word) {
						t.Errorf("%s: %s (%s) has the code %q: %q", l, key, form, word, text)
					}
				}
			}
		}
	}
}

var rawCode = regexp.MustCompile(`^([a-z]+_[a-z_]+|[a-z0-9]+\.[a-z0-9_]+_[a-z0-9_]+|[A-Z]+_[A-Z_]+|[45]\d\d)$`)

// The page has a list of its own, of what it knows of each language. The six are written out, so that a language
// cannot leave both lists unnoticed.
func TestLanguages_areThoseOfThePage(t *testing.T) {
	t.Parallel()
	if want := []Lang{"ru", "en", "tr", "uz", "de", "uk"}; !slices.Equal(All(), want) {
		t.Errorf("lang.All has %v, want %v", All(), want)
	}
	const page = "../../web/src/lib/languages.ts"
	source, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, facts, _ := strings.Cut(string(source), "languageFacts = {")
	var listed []Lang
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]{2}): \{$`).FindAllStringSubmatch(facts, -1) {
		listed = append(listed, Lang(m[1]))
	}
	if !slices.Equal(listed, All()) {
		t.Errorf("%s has the languages %v, lang.All %v", page, listed, All())
	}
}

func TestT_fillsInValues(t *testing.T) {
	t.Parallel()
	args := map[string]any{"max": 100}
	if got, want := T(DE, "common.too_long", args), "Höchstens 100 Zeichen"; got != want {
		t.Errorf("T = %q, want %q", got, want)
	}
	if got, want := T("xx", "common.too_long", args), "No more than 100 characters"; got != want {
		t.Errorf("unknown language: %q, want %q", got, want)
	}
	if got := T(RU, "no.such", nil); got != "no.such" {
		t.Errorf("unknown key: %q", got)
	}
	if got := fillValues(EN, "{a} {b", map[string]any{"b": 1}); got != "{a} {b" {
		t.Errorf("a name without a value: %q", got)
	}
	promise := map[string]any{"date": clock.Day{Year: 2027, Month: time.March, Day: 5}, "from": "18:00", "to": "18:30"}
	for l, want := range map[Lang]string{
		RU: "Привезём 5 марта с 18:00 до 18:30.", EN: "We will bring it on March 5 between 18:00 and 18:30.",
		DE: "Wir sind am 5. März zwischen 18:00 und 18:30 Uhr bei Ihnen.", TR: "5 Mart günü 18:00 ile 18:30 arasında getireceğiz.",
		UZ: "5-mart kuni soat 18:00 dan 18:30 gacha olib boramiz.", UK: "Привеземо 5 березня з 18:00 до 18:30.",
	} {
		if got := T(l, "order.promise_delivery_day", promise); got != want {
			t.Errorf("a day in %s: %q, want %q", l, got, want)
		}
	}
}

func TestT_hasThePluralFormOfTheLanguage(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]string{0: many, 1: one, 2: few, 4: few, 5: many, 11: many, 12: many, 21: one, 22: few, 111: many, 101: one} {
		if got := pluralForm(RU, count); got != want {
			t.Errorf("plural(ru, %d) = %s, want %s", count, got, want)
		}
	}
	for _, l := range []Lang{EN, DE, TR, UZ} {
		if pluralForm(l, 1) != one || pluralForm(l, 2) != other || pluralForm(l, 21) != other {
			t.Errorf("%s has wrong forms", l)
		}
	}
	if got := pluralForm(RU, nil); got != other {
		t.Errorf("no count returns %s", got)
	}
}

func TestNegotiate_prefersTheChoiceOfTheVisitor(t *testing.T) {
	t.Parallel()
	site := []Lang{RU, EN, TR}
	for _, c := range []struct {
		chosen, accept string
		want           Lang
	}{
		{"tr", "en", TR},
		{"de", "en", EN},
		{"", "de-AT,de;q=0.9,en-GB;q=0.8,tr;q=0.85", TR},
		{"", "TR-tr", TR},
		{"", "en;q=0,tr;q=x,*", RU},
		{"", "", RU},
	} {
		for range 2 { // the second time by what is kept
			if got := Negotiate(c.chosen, c.accept, site, RU); got != c.want {
				t.Errorf("Negotiate(%q, %q) = %s, want %s", c.chosen, c.accept, got, c.want)
			}
		}
	}
}

func TestNegotiate_keepsNoLongHeader(t *testing.T) {
	t.Parallel()
	long := "de" + strings.Repeat(", de;q=0.5", 40)
	if got := Negotiate("", long, []Lang{RU, DE}, RU); got != DE {
		t.Errorf("got %s", got)
	}
	if _, isKept := acceptedBy.Get(long); isKept {
		t.Error("a long header is kept")
	}
}

func TestText_fallsBackToAnotherLanguage(t *testing.T) {
	t.Parallel()
	text := Text{RU: "Суши", TR: "Suşi"}
	for _, c := range []struct {
		want string
		got  string
	}{
		{"Суши", text.In(RU)},
		{"Suşi", text.In(DE, TR)},
		{"Суши", text.In(DE)},
		{"Sushi", Text{EN: "Sushi", RU: "Суши"}.In(DE, UK)},
		{"", Text{}.In(DE)},
		{"Zupa", Text{"pl": "Zupa", EN: "Soup"}.In(DE, "pl")},
		{"Zupa", Text{"pl": "Zupa", "sr-Latn": "Supa"}.In(DE)},
		{"Topfen", Text{"de-AT": "Topfen", RU: "Творог"}.In(DE, RU)},
	} {
		if c.got != c.want {
			t.Errorf("In = %q, want %q", c.got, c.want)
		}
	}
}

// pluralForms returns the forms that a plural message must have in the language.
func pluralForms(l Lang) []string {
	if l == RU || l == UK {
		return []string{one, few, many}
	}
	return []string{one, other}
}
