package cart_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/visit"
)

// listMessages returns all messages, in a language, that a set of carts shows: about conditions of
// gifts, whether they hold or not, codes, bonuses, and gifts that are removed.
func listMessages(t *testing.T, v visit.Context, l lang.Lang) []string {
	t.Helper()
	var words []string
	addMessage := func(m fault.Message) {
		if text := lang.T(l, m.Key, m.Args); !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	rice := cartOf(lineOf(carttest.Rice, 1))
	rich := cartOf(lineOf(bowl, 2), lineOf(mint, 1), lineOf(carttest.Rice, 1234))
	for _, a := range []quoteInput{
		{cart: rice, facts: cart.Facts{HasOrdered: true}},
		{cart: rich},
		{place: carttest.Takeaway(carttest.Arbat), cart: rich},
		{},
		{cart: withOffers(rice, "", cart.Given{ID: 1, Count: 1}, cart.Given{ID: 10, Count: 9}, cart.Given{ID: 13, Count: 1})},
		{place: berlinPlace(), cart: cartOf(lineOf(third, 1)), facts: knownCustomer(1)},
		{cart: rice, facts: knownCustomer(1), at: carttest.Noon.AddDate(1, 0, 0)},
	} {
		a.lang = l
		q := a.quote(t, v)
		for _, g := range q.Gifts {
			for _, c := range g.Conditions {
				addMessage(c.Message())
			}
		}
		for _, m := range slices.Concat(q.Notices, q.BonusNotices) {
			addMessage(m)
		}
	}
	for _, code := range []string{
		"NOPE", "ANKARA", "DECEMBER", "AUTUMN", "NIGHT", "PICKUP", "BOWLS33", "SAUCE10", "THOUSAND", "WELCOME", "TWICE", "HUNDRED",
		"CAKE", "MUG", "TEN", "SUM100", "FREEWAY",
	} {
		facts := cart.Facts{HasOrdered: true, PromocodeUsed: 100, PromocodeUsedByPhone: 2, GiftsUsed: map[int64]int{10: 5}}
		for _, c := range []cart.Cart{cartOf(lineOf(carttest.Wasabi, 1)), rich} {
			addMessage(quoteInput{cart: withOffers(c, code), facts: facts, lang: l}.quote(t, v).Promocode.Text)
		}
	}
	return words
}

// The messages of offers in all six languages are as in testdata/words.txt, which people read,
// and have all their values.
func TestMessages_ofOffersExistInSixLanguages(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	var text strings.Builder
	for _, l := range lang.All() {
		fmt.Fprintf(&text, "%s\n", l)
		for _, words := range listMessages(t, v, l) {
			fmt.Fprintf(&text, "  %s\n", words)
			if strings.ContainsAny(words, "{}") {
				t.Errorf("%s: a value is missing: %s", l, words)
			}
		}
		text.WriteByte('\n')
	}
	const golden = "testdata/words.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, golden, string(want), text.String())
}

// Language, interval, time and other things that the customer does not agree to leave the
// fingerprint as it is. Each change of lines, gifts, place or sums makes another one.
func TestFingerprint_isTheSameForTheSameCartOnly(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	same := func() quoteInput {
		a := newThirtyLines("", money.Major(10))
		a.cart.Lines = a.cart.Lines[:4]
		a.cart.IntervalID = ""
		a.cart.Gifts[1].Count = 1
		return a
	}
	first := same().quote(t, v).Fingerprint
	if len(first) != 16 {
		t.Errorf("%q is not short", first)
	}
	for name, change := range map[string]func(*quoteInput){
		"the language":                 func(a *quoteInput) { a.lang = lang.TR },
		"the interval":                 func(a *quoteInput) { a.cart.IntervalID = "asap" },
		"a minute":                     func(a *quoteInput) { a.at = carttest.Noon.Add(time.Minute) },
		"an unearned gift that leaves": func(a *quoteInput) { a.cart.Gifts = append(a.cart.Gifts, cart.Given{ID: 13, Count: 1}) },
		"a code that is not active":    func(a *quoteInput) { a.cart.Promocode = "ANKARA" },
		"a wish that changes nothing":  func(a *quoteInput) { a.cart.Phone = "1" },
	} {
		a := same()
		change(&a)
		if a.quote(t, v).Fingerprint != first {
			t.Errorf("%s makes another", name)
		}
	}
	seen := map[string]string{first: "nothing"}
	for name, change := range map[string]func(*quoteInput){
		"the zone":         func(a *quoteInput) { a.place.ZoneID = carttest.Hard },
		"the order type":   func(a *quoteInput) { a.place = carttest.Takeaway(carttest.Arbat) },
		"the shop":         func(a *quoteInput) { a.place = carttest.Takeaway(carttest.Pokrovka) },
		"a line's key":     func(a *quoteInput) { a.cart.Lines[0].Key += "0" },
		"a count":          func(a *quoteInput) { a.cart.Lines[3].Count++ },
		"a line less":      func(a *quoteInput) { a.cart.Lines = a.cart.Lines[:3] },
		"the order of two": func(a *quoteInput) { slices.Reverse(a.cart.Lines) },
		"what is not sold": func(a *quoteInput) { a.cart.Lines[2].Modifiers = []cart.Chosen{{ID: 999, Count: 1}} },
		"a gift's count":   func(a *quoteInput) { a.cart.Gifts[0].Count = 1 },
		"a present less":   func(a *quoteInput) { a.cart.Presents = nil },
		"the bag":          func(a *quoteInput) { a.cart.WithoutBag = true },
		"a gift that left": func(a *quoteInput) { a.facts.GiftsUsed[10] = 5 },
		"an active code":   func(a *quoteInput) { a.cart.Promocode = "FREEWAY" },
		"a discount":       func(a *quoteInput) { a.cart.Promocode = "TEN" },
		"bonuses":          func(a *quoteInput) { a.cart.Bonuses++ },
		"what is accrued": func(a *quoteInput) {
			a.facts.CustomerID = 0
			a.facts.Presents = nil
			a.cart.Presents = nil
			a.cart.Bonuses = 0
		},
		"nothing to accrue": func(a *quoteInput) { a.cart.Bonuses = 0 },
	} {
		a := same()
		a.place = carttest.Delivery()
		change(&a)
		got := a.quote(t, v).Fingerprint
		if other, ok := seen[got]; ok {
			t.Errorf("%s is like %s", name, other)
		}
		seen[got] = name
	}
}
