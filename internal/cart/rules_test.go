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
	"servery/internal/catalog"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/visit"
)

// ruleCase shows one rule of docs/pricing.md, by its number there.
type ruleCase struct {
	rule string
	quoteInput
	// gifts are the ids of gifts that are written to the golden file even when the cart has none.
	gifts []int64
}

// moscowTime returns an instant of 2026 by the clock of Moscow.
func moscowTime(month time.Month, day, hour, minute int) time.Time {
	moscow := time.FixedZone("Moscow", 3*60*60)
	return time.Date(2026, month, day, hour, minute, 0, 0, moscow)
}

// chooseModifier returns the choice of a modifier of a group, 0 for one that belongs to none.
func chooseModifier(group, id int64, count int) cart.Chosen {
	return cart.Chosen{GroupID: group, ID: id, Count: count}
}

// lineRules returns the cases of section 1, about lines and modifiers.
func lineRules() []ruleCase {
	soyed := chooseModifier(carttest.Sauce, carttest.SoySauce, 1)
	show := func(rule string, lines ...cart.Line) ruleCase {
		return ruleCase{rule: rule, quoteInput: quoteInput{cart: cartOf(lines...)}}
	}
	return []ruleCase{
		show("1.1 a modifier of another product", lineOf(bowl, 1, chooseModifier(0, carttest.Ginger, 1)), lineOf(carttest.Rice, 1)),
		show("1.1 a single modifier over its max", lineOf(carttest.Salmon, 1, soyed, chooseModifier(0, carttest.Ginger, 4))),
		show("1.1 a modifier of a group over its max", lineOf(bowl, 1, chooseModifier(toppings, truffle, 4))),
		show("1.1 a group below its min", lineOf(carttest.Salmon, 1)),
		show("1.1 a group over its max", lineOf(bowl, 1, chooseModifier(toppings, truffle, 3), chooseModifier(toppings, cheese, 3))),
		show("1.1 a related product is sold", lineOf(carttest.Wasabi, 1)),
		show("1.1 a stopped product is not", lineOf(carttest.Soy, 1), lineOf(carttest.Rice, 1)),
		{rule: "1.1 a product of another shop is not", quoteInput: quoteInput{place: carttest.Takeaway(carttest.Pokrovka), cart: cartOf(lineOf(carttest.OnlyArbat, 1), lineOf(carttest.Rice, 1))}},
		show("1.2 modifiers by their counts", lineOf(carttest.Salmon, 2, soyed, chooseModifier(0, carttest.Ginger, 3), chooseModifier(0, carttest.ExtraRice, 1))),
		show("1.2 free 2, one chosen", lineOf(bowl, 1, chooseModifier(toppings, cheese, 1))),
		show("1.2 free 2 of 60 and twice 40: 40 is paid", lineOf(bowl, 1, chooseModifier(toppings, truffle, 1), chooseModifier(toppings, cheese, 2))),
		show("1.2 free 2 of twice 60 and 40: 40 is paid", lineOf(bowl, 1, chooseModifier(toppings, truffle, 2), chooseModifier(toppings, onion, 1))),
		show("1.2 free 2 of three times 60 and 40: 100 is paid", lineOf(bowl, 1, chooseModifier(toppings, truffle, 3), chooseModifier(toppings, onion, 1))),
		show("1.2 free 2 of two prices alike: 80 is paid", lineOf(bowl, 3, chooseModifier(toppings, cheese, 2), chooseModifier(toppings, onion, 2))),
		show("1.3 what cannot be sold is in no sum", lineOf(carttest.Soy, 5), lineOf(third, 3)),
		{rule: "1.4 a gift is in no sum", quoteInput: quoteInput{cart: withOffers(cartOf(lineOf(carttest.Rice, 5)), "", cart.Given{ID: 1, Count: 1})}},
	}
}

// giftRules returns the cases of section 2, about gifts and presents.
func giftRules() []ruleCase {
	rice := func(count int) cart.Cart { return cartOf(lineOf(carttest.Rice, count)) }
	show := func(rule string, a quoteInput, gifts ...int64) ruleCase { return ruleCase{rule, a, gifts} }
	withGift := func(c cart.Cart, id int64, count int) quoteInput {
		return quoteInput{cart: withOffers(c, "", cart.Given{ID: id, Count: count})}
	}
	at := func(t time.Time) quoteInput { return quoteInput{cart: rice(1), at: t} }
	withPresent := func(p cart.Present, count int) quoteInput {
		p.ID = 7
		c := rice(1)
		c.Presents = []cart.Given{{ID: 7, Count: count}}
		return quoteInput{cart: c, facts: cart.Facts{CustomerID: 1, Presents: []cart.Present{p}}}
	}
	expired := withPresent(cart.Present{GiftID: 10, MaxCount: 1, ExpiresAt: carttest.Noon}, 1)
	alive := withPresent(cart.Present{GiftID: 10, MaxCount: 1, ExpiresAt: carttest.Noon.Add(time.Millisecond)}, 1)
	strangers := withPresent(cart.Present{GiftID: 10, MaxCount: 1}, 1)
	strangers.facts = cart.Facts{CustomerID: 2}
	stopped := withPresent(cart.Present{GiftID: 12, MaxCount: 1}, 1)
	noDish := withPresent(cart.Present{GiftID: 10, MaxCount: 1}, 1)
	noDish.cart.Lines = nil
	soldOut := withPresent(cart.Present{GiftID: 10, MaxCount: 2, Used: 1}, 1)
	soldOut.facts.GiftsUsed = map[int64]int{10: 5}
	mugsUsed := func(count int) cart.Facts { return cart.Facts{GiftsUsed: map[int64]int{10: count}} }
	withMugs := func(count, used int) quoteInput {
		a := withGift(rice(1), 10, count)
		a.facts = mugsUsed(used)
		return a
	}
	withMugCode := func(c cart.Cart, used int, gifts ...cart.Given) quoteInput {
		return quoteInput{cart: withOffers(c, "MUG", gifts...), facts: mugsUsed(used)}
	}
	return []ruleCase{
		show("2.1 offered in another city only, and personal", quoteInput{cart: rice(1)}, 12, 13),
		show("2.1 subtotal: one unit is missing", quoteInput{cart: cartOf(lineOf(carttest.Rice, 4), lineOf(third, 3))}, 1),
		show("2.1 subtotal: exactly", quoteInput{cart: rice(5)}, 1),
		show("2.1 products: none", quoteInput{cart: rice(1)}, 2, 3),
		show("2.1 products: one of them", quoteInput{cart: cartOf(lineOf(mint, 1))}, 2, 3),
		show("2.1 products: that of a line which cannot be sold counts for nothing", quoteInput{cart: cartOf(lineOf(bowl, 1, chooseModifier(toppings, truffle, 4)), lineOf(carttest.Rice, 1))}, 2),
		show("2.1 groups: none", quoteInput{cart: rice(1)}, 4),
		show("2.1 groups: one of it", quoteInput{cart: cartOf(lineOf(third, 1))}, 4),
		show("2.1 hours and days: a Friday noon", at(moscowTime(11, 20, 12, 0)), 5),
		show("2.1 hours and days: the end is no part", at(moscowTime(11, 20, 16, 0)), 5),
		show("2.1 hours and days: a Saturday", at(moscowTime(11, 21, 13, 0)), 5, 17),
		show("2.1 the night belongs to the day it began on: Sunday 01:59", at(moscowTime(11, 22, 1, 59)), 6),
		show("2.1 the night ends: Sunday 02:00", at(moscowTime(11, 22, 2, 0)), 6),
		show("2.1 the night of an unnamed day: Friday 01:00", at(moscowTime(11, 20, 1, 0)), 6),
		show("2.1 days without hours: a Friday", at(moscowTime(11, 20, 13, 0)), 17),
		show("2.1 an hour that the clock skips", quoteInput{place: berlinPlace(), cart: rice(1), at: time.Date(2026, 3, 29, 1, 15, 0, 0, time.UTC)}, 16),
		show("2.1 an hour that comes twice, the second time", quoteInput{place: berlinPlace(), cart: rice(1), at: time.Date(2026, 10, 25, 1, 15, 0, 0, time.UTC)}, 16),
		show("2.1 order type: delivery", quoteInput{cart: rice(1)}, 7, 8),
		show("2.1 order type: takeaway", quoteInput{place: carttest.Takeaway(carttest.Arbat), cart: rice(1)}, 7, 8),
		show("2.1 first order of a stranger", quoteInput{cart: rice(1)}, 9),
		show("2.1 first order of one who has ordered", quoteInput{cart: rice(1), facts: cart.Facts{HasOrdered: true}}, 9),
		show("2.2 two conditions, none holds", quoteInput{cart: rice(1)}, 11),
		show("2.2 two conditions, one holds", quoteInput{cart: rice(10)}, 11),
		show("2.2 before any discount", quoteInput{cart: withOffers(cartOf(lineOf(carttest.Rice, 5)), "ALL100")}, 1),
		show("2.3 so many as the stock has left", withMugs(0, 3), 10),
		show("2.3 none is left", withMugs(0, 5), 10),
		show("2.3 its product is stopped", quoteInput{cart: rice(1)}, 14),
		show("2.3 its product is of another shop", quoteInput{place: carttest.Takeaway(carttest.Pokrovka), cart: rice(1)}, 15),
		show("2.4 no longer earned", withGift(rice(4), 1, 2)),
		show("2.4 no longer offered", withGift(rice(4), 13, 1)),
		show("2.4 not known any more", withGift(rice(4), 99, 1)),
		show("2.4 over what may be held", withGift(rice(5), 1, 9)),
		show("2.4 the stock is used up since, in part", withMugs(3, 4)),
		show("2.4 the stock is used up since", withMugs(3, 5)),
		show("2.4 its product is stopped in between", withGift(rice(1), 14, 1)),
		show("2.4 its product is not sold here", quoteInput{place: carttest.Takeaway(carttest.Pokrovka), cart: withOffers(rice(1), "", cart.Given{ID: 15, Count: 1})}),
		show("2.5 a present of an offered gift whose stock is used up", soldOut),
		show("2.5 more than there are", withPresent(cart.Present{GiftID: 10, MaxCount: 4, Used: 2}, 3)),
		show("2.5 it was used since", withPresent(cart.Present{GiftID: 10, MaxCount: 2, Used: 2}, 1)),
		show("2.5 it expires at the instant", expired),
		show("2.5 it expires after the instant", alive),
		show("2.5 it is another customer's", strangers),
		show("2.5 its product is stopped", stopped),
		show("2.6 without a dish nothing leaves for that alone", quoteInput{cart: cart.Cart{Gifts: []cart.Given{{ID: 10, Count: 1}, {ID: 1, Count: 1}}}}, 9),
		show("2.6 nor a present", noDish),
		show("2.7 a code adds one, and one more may be taken", withMugCode(rice(1), 3), 10),
		show("2.7 the one of the code comes first", withMugCode(rice(1), 4, cart.Given{ID: 10, Count: 1}), 10),
		show("2.7 its product is stopped", quoteInput{cart: withOffers(rice(1), "CAKE")}),
	}
}

// zonePlace returns a delivery to a zone of Moscow, 0 for none.
func zonePlace(zone int64) cart.PlaceRequest {
	p := carttest.Delivery()
	p.ZoneID = zone
	return p
}

// sumRules returns the cases of sections 3, 5 and 7, about packages, delivery and the total.
func sumRules() []ruleCase {
	rice := func(count int) cart.Cart { return cartOf(lineOf(carttest.Rice, count)) }
	show := func(rule string, a quoteInput) ruleCase { return ruleCase{rule: rule, quoteInput: a} }
	withoutBag := rice(5)
	withoutBag.WithoutBag = true
	hard, nowhere := zonePlace(carttest.Hard), zonePlace(0)
	return []ruleCase{
		show("3 one an order, and one for every four begun", quoteInput{cart: rice(5)}),
		show("3 without the refusable ones", quoteInput{cart: withoutBag}),
		show("3 gifts do not count", quoteInput{cart: withOffers(rice(4), "", cart.Given{ID: 10, Count: 3})}),
		show("3 none without a sold line", quoteInput{cart: cartOf(lineOf(carttest.Soy, 5))}),
		show("3 those of takeaway", quoteInput{place: carttest.Takeaway(carttest.Arbat), cart: rice(5)}),
		show("5 takeaway", quoteInput{place: carttest.Takeaway(carttest.Arbat), cart: rice(1)}),
		show("5 no zone yet", quoteInput{place: nowhere, cart: rice(1)}),
		show("5 no sold line", quoteInput{cart: cart.Cart{}}),
		show("5 goods below the minimum of free delivery", quoteInput{cart: rice(6)}),
		show("5 goods at it, before the discount", quoteInput{cart: withOffers(cartOf(lineOf(carttest.Rice, 6), lineOf(carttest.Wasabi, 4)), "TEN")}),
		show("5 a minimum that must be reached", quoteInput{place: hard, cart: rice(1)}),
		show("5 it is reached", quoteInput{place: hard, cart: rice(7)}),
		show("5 free from another sum", quoteInput{place: hard, cart: rice(15)}),
		show("5 nothing is missing where delivery costs nothing anyway", quoteInput{place: zonePlace(gratis), cart: rice(1)}),
		show("5 but for the minimum order", quoteInput{place: zonePlace(gratisHard), cart: rice(1)}),
		show("5 and nothing from there on", quoteInput{place: zonePlace(gratisHard), cart: rice(7)}),
		show("5 free by a code", quoteInput{cart: withOffers(rice(1), "FREEWAY")}),
		show("5 free by a code, the minimum stays", quoteInput{place: hard, cart: withOffers(rice(1), "FREEWAY")}),
		show("7 everything at once", quoteInput{
			cart: cart.Cart{
				Lines: []cart.Line{lineOf(bowl, 2, chooseModifier(toppings, truffle, 2), chooseModifier(toppings, cheese, 1)), lineOf(third, 3), lineOf(carttest.Soy, 1)},
				Gifts: []cart.Given{{ID: 1, Count: 1}, {ID: 4, Count: 1}}, Promocode: "BOWLS33", Bonuses: money.Major(50),
			},
			facts: knownCustomer(money.Major(100)),
		}),
	}
}

// promocodeRules returns the cases of section 4, about promocodes.
func promocodeRules() []ruleCase {
	rice := func(count int) cart.Cart { return cartOf(lineOf(carttest.Rice, count)) }
	show := func(rule string, c cart.Cart, code string) ruleCase {
		return ruleCase{rule: rule, quoteInput: quoteInput{cart: withOffers(c, code)}}
	}
	knowing := func(rule, code string, f cart.Facts) ruleCase {
		return ruleCase{rule: rule, quoteInput: quoteInput{cart: withOffers(rice(1), code), facts: f}}
	}
	when := func(rule, code string, t time.Time) ruleCase {
		return ruleCase{rule: rule, quoteInput: quoteInput{cart: withOffers(rice(1), code), at: t}}
	}
	fetched := show("4.1 order types: takeaway, and it is", rice(1), "PICKUP")
	fetched.place = carttest.Takeaway(carttest.Arbat)
	brought := show("4.1 order types: delivery, and it is not", rice(1), "BRING")
	brought.place = carttest.Takeaway(carttest.Arbat)
	elsewhere := show("4.1 the gift is not sold here", rice(1), "ROLL")
	elsewhere.place = carttest.Takeaway(carttest.Pokrovka)
	return []ruleCase{
		show("4.1 a code that does not exist", rice(1), "NOPE"),
		show("4.1 cities", rice(1), "ANKARA"),
		when("4.1 from: the day before", "DECEMBER", moscowTime(11, 30, 23, 59)),
		when("4.1 from: the day", "DECEMBER", moscowTime(12, 1, 0, 0)),
		when("4.1 until: the day", "AUTUMN", moscowTime(11, 19, 23, 59)),
		when("4.1 until: the day after", "AUTUMN", moscowTime(11, 20, 0, 0)),
		when("4.1 one day only, and that it is", "TODAY", moscowTime(11, 20, 23, 59)),
		when("4.1 hours and days: too early", "NIGHT", moscowTime(11, 20, 21, 59)),
		when("4.1 hours and days: Saturday 01:59 is still Friday's", "NIGHT", moscowTime(11, 21, 1, 59)),
		when("4.1 hours and days: Saturday 22:00 is not", "NIGHT", moscowTime(11, 21, 22, 0)),
		when("4.1 hours of a single night: its first hours are of the night before", "ONENIGHT", moscowTime(11, 20, 1, 59)),
		when("4.1 hours of a single night: they last past midnight", "ONENIGHT", moscowTime(11, 21, 1, 59)),
		when("4.1 hours of a single night: not on the next evening", "ONENIGHT", moscowTime(11, 21, 22, 0)),
		show("4.1 order types: takeaway, and it is not", rice(1), "PICKUP"),
		fetched, brought,
		show("4.1 an empty cart", cart.Cart{}, "TEN"),
		show("4.1 nothing that can be sold", cartOf(lineOf(carttest.Soy, 1)), "TEN"),
		show("4.1 groups: none of it", rice(1), "BOWLS33"),
		show("4.1 products: only one that cannot be sold", cartOf(lineOf(carttest.Soy, 1), lineOf(carttest.Wasabi, 1)), "SAUCE10"),
		show("4.1 minimum: below", rice(9), "THOUSAND"),
		show("4.1 minimum: at", rice(10), "THOUSAND"),
		knowing("4.1 first order", "WELCOME", cart.Facts{HasOrdered: true}),
		knowing("4.1 limit per phone: once more", "TWICE", cart.Facts{PromocodeUsedByPhone: 1}),
		knowing("4.1 limit per phone", "TWICE", cart.Facts{PromocodeUsedByPhone: 2}),
		knowing("4.1 limit: the last one", "HUNDRED", cart.Facts{PromocodeUsed: 99}),
		knowing("4.1 limit", "HUNDRED", cart.Facts{PromocodeUsed: 100}),
		knowing("4.1 the gift is used up", "MUG", cart.Facts{GiftsUsed: map[int64]int{10: 5}}),
		elsewhere,
		show("4.1 all bounds at once", cartOf(lineOf(bowl, 1)), "EVERY"),
		{rule: "4.1 the first of several that fail is named", quoteInput: quoteInput{cart: withOffers(rice(1), "EVERY"), at: time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)}},
		show("4.2 percent, half up on each line", cartOf(lineOf(third, 1), lineOf(third, 3), lineOf(carttest.Rice, 1)), "TEN"),
		show("4.2 percent of some lines", cartOf(lineOf(third, 1), lineOf(bowl, 1), lineOf(carttest.Rice, 1)), "BOWLS33"),
		show("4.2 all of it", cartOf(lineOf(third, 2)), "ALL100"),
		show("4.2 a sum over all lines", cartOf(lineOf(third, 1), lineOf(carttest.Rice, 1), lineOf(third, 2)), "SUM100"),
		show("4.2 a sum over lines alike: the earlier gets the unit", cartOf(lineOf(carttest.Rice, 1), lineOf(carttest.Rice, 1), lineOf(carttest.Rice, 1)), "SUM100"),
		show("4.2 a sum over some lines, one of which cannot be sold", cartOf(lineOf(carttest.Soy, 1), lineOf(carttest.Wasabi, 1), lineOf(third, 1), lineOf(carttest.Rice, 2)), "SAUCE10"),
		show("4.2 no more than the lines cost", cartOf(lineOf(carttest.Rice, 1)), "SUM9999"),
		show("4.2 a gift", rice(1), "MUG"),
		show("4.2 free delivery", rice(1), "FREEWAY"),
		show("4.3 nothing for lines that cannot be sold", cartOf(lineOf(carttest.Soy, 1), lineOf(third, 1)), "TEN"),
	}
}

// bonusRules returns the cases of section 6, about bonuses.
func bonusRules() []ruleCase {
	show := func(rule string, c cart.Cart, bonuses money.Amount, f cart.Facts) ruleCase {
		c.Bonuses = bonuses
		return ruleCase{rule: rule, quoteInput: quoteInput{cart: c, facts: f}}
	}
	when := func(rule string, c cart.Cart, t time.Time) ruleCase {
		c.Bonuses = money.Major(10)
		return ruleCase{rule: rule, quoteInput: quoteInput{cart: c, facts: knownCustomer(money.Major(100)), at: t}}
	}
	rice := cartOf(lineOf(carttest.Rice, 2))
	off := show("6.1 switched off in the city", rice, money.Major(10), knownCustomer(money.Major(100)))
	off.place = berlinPlace()
	poor := show("6.1 switched off in the city, without a balance", rice, 0, knownCustomer(0))
	poor.place = berlinPlace()
	hungry := show("6.4 they were held back by an empty cart, and come again", cartOf(lineOf(carttest.Rice, 9)), money.Major(500), knownCustomer(money.Major(1000)))
	return []ruleCase{
		show("6.1 a guest", rice, money.Major(10), cart.Facts{Balance: money.Major(100)}),
		off, poor,
		when("6.1 the last day of accrual", rice, moscowTime(12, 31, 23, 59)),
		when("6.1 the day after", rice, time.Date(2027, 1, 1, 0, 0, 0, 0, time.FixedZone("Moscow", 3*60*60))),
		when("6.1 the last day to spend", rice, time.Date(2027, 1, 31, 23, 59, 0, 0, time.FixedZone("Moscow", 3*60*60))),
		when("6.1 the day after that", rice, time.Date(2027, 2, 1, 0, 0, 0, 0, time.FixedZone("Moscow", 3*60*60))),
		show("6.2 minor units too", rice, 1234, knownCustomer(money.Major(100))),
		show("6.3 no more than the balance", rice, money.Major(50), knownCustomer(4999)),
		show("6.3 each portion and package pays one unit", rice, money.Major(1000), knownCustomer(money.Major(1000))),
		show("6.3 what costs less than a unit pays its price", cartOf(lineOf(mint, 3)), money.Major(1000), knownCustomer(money.Major(1000))),
		show("6.3 not together with a discount", withOffers(rice, "TEN"), money.Major(50), knownCustomer(money.Major(100))),
		show("6.3 together with free delivery", withOffers(rice, "FREEWAY"), money.Major(1000), knownCustomer(money.Major(1000))),
		show("6.3 together with a code that is not active", withOffers(rice, "PICKUP"), money.Major(50), knownCustomer(money.Major(100))),
		show("6.4 what the customer asks for", rice, money.Major(50), knownCustomer(money.Major(100))),
		show("6.4 nothing in an empty cart", cart.Cart{}, money.Major(500), knownCustomer(money.Major(1000))),
		hungry,
		show("6.5 by what each part adds to the limit", cartOf(lineOf(carttest.Rice, 3), lineOf(bowl, 1)), money.Major(100), knownCustomer(money.Major(1000))),
		show("6.5 a unit of each portion and package is paid", cartOf(lineOf(carttest.Salmon, 2, cart.Chosen{ID: carttest.SoySauce, GroupID: carttest.Sauce, Count: 1}), lineOf(third, 3)), money.Major(9999), knownCustomer(money.Major(9999))),
		show("6.5 what costs less than a unit gets none", cartOf(lineOf(mint, 2), lineOf(carttest.Rice, 1)), money.Major(50), knownCustomer(money.Major(1000))),
		show("6.5 of parts alike the earlier gets the unit left over", cartOf(lineOf(carttest.Rice, 1), lineOf(carttest.Rice, 1), lineOf(carttest.Rice, 1)), 100, knownCustomer(money.Major(1000))),
		show("6.6 of what is paid for products, half up", cartOf(lineOf(third, 1)), 0, knownCustomer(0)),
		show("6.6 less the bonuses of the lines", rice, money.Major(50), knownCustomer(money.Major(100))),
		show("6.6 not less the bonuses that pay for delivery", cartOf(lineOf(carttest.Rice, 1)), money.Major(240), knownCustomer(money.Major(1000))),
		show("6.6 less the discount", withOffers(rice, "SUM100"), 0, knownCustomer(0)),
		show("6.6 of a dish that bonuses cannot pay", cartOf(lineOf(mint, 1)), money.Major(1000), knownCustomer(money.Major(1000))),
	}
}

// The lines, gifts, notices and sums of a cart for each rule of docs/pricing.md are as in
// testdata/rules.txt, which people read.
func TestQuote_followsTheRules(t *testing.T) {
	t.Parallel()
	h := newRulesHouse(t)
	h.Stop(t, catalog.StopProduct, "soy")
	v := h.Again(t, visit.Context{}, "sushi")
	var text strings.Builder
	for _, c := range slices.Concat(lineRules(), giftRules(), sumRules(), promocodeRules(), bonusRules()) {
		writeRule(&text, c, c.quote(t, v), v)
	}
	const golden = "testdata/rules.txt"
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

// compareGolden fails the test with the first case, of those separated by empty lines, in which
// got differs from want, the text of a file.
func compareGolden(t *testing.T, file, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	wantCases, gotCases := strings.Split(want, "\n\n"), strings.Split(got, "\n\n")
	for i := range max(len(wantCases), len(gotCases)) {
		var wantCase, gotCase string
		if i < len(wantCases) {
			wantCase = wantCases[i]
		}
		if i < len(gotCases) {
			gotCase = gotCases[i]
		}
		if wantCase != gotCase {
			t.Fatalf("not what %s says (UPDATE=1 writes it again); it has\n%s\n\nand now there is\n%s", file, wantCase, gotCase)
		}
	}
}

// writeRule writes a rule's case as text: its lines, the gifts that it names or has, code,
// bonuses, notices and sums. Packages and shares of bonuses are written only for the rules about
// them.
func writeRule(w *strings.Builder, c ruleCase, q cart.Quoted, v visit.Context) {
	fmt.Fprintf(w, "%s\n", c.rule)
	for _, l := range q.Lines {
		fmt.Fprintf(w, "  %s: %d × %s", v.Site.Text(l.Product.Name, lang.EN), l.Count, l.WithModifiers)
		switch {
		case !l.IsSold():
			fmt.Fprintf(w, ", not sold: %s", lang.T(lang.EN, l.Alert.Key, l.Alert.Args))
		case l.Discount != 0:
			fmt.Fprintf(w, " = %s, less %s", l.Total, l.Discount)
		default:
			fmt.Fprintf(w, " = %s", l.Total)
		}
		w.WriteByte('\n')
	}
	for _, g := range slices.Concat(q.Gifts, q.Presents) {
		if g.Count == 0 && !slices.Contains(c.gifts, g.ID) {
			continue
		}
		fmt.Fprintf(w, "  %s %s: %d of %d", g.Kind, v.Site.Text(g.Gift.Name, lang.EN), g.Count, g.MaxCount)
		for _, condition := range g.Conditions {
			mark := map[bool]string{true: "yes", false: "no"}[condition.Validated]
			fmt.Fprintf(w, "; %s: %s", mark, lang.T(lang.EN, condition.Message().Key, condition.Message().Args))
		}
		if g.Alert != nil {
			fmt.Fprintf(w, "; alert: %s", lang.T(lang.EN, g.Alert.Key, g.Alert.Args))
		}
		w.WriteByte('\n')
	}
	for _, p := range q.Packages {
		if p.Count > 0 && strings.HasPrefix(c.rule, "3") {
			fmt.Fprintf(w, "  package %s: %d × %s\n", p.Alias, p.Count, p.Price)
		}
	}
	if strings.HasPrefix(c.rule, "6.5") {
		writeShares(w, q)
	}
	if p := q.Promocode; p != nil {
		state := map[bool]string{true: "active", false: "not active"}[p.IsActive]
		fmt.Fprintf(w, "  code %s %s: %s\n", p.Code, state, lang.T(lang.EN, p.Text.Key, p.Text.Args))
	}
	if b := q.Bonus; b != nil {
		fmt.Fprintf(w, "  bonuses: balance %s, limit %s, wanted %s, available %t\n", b.Balance, b.Limit, b.Wanted, b.IsAvailable)
	}
	for _, m := range slices.Concat(q.Notices, q.BonusNotices) {
		fmt.Fprintf(w, "  notice: %s\n", lang.T(lang.EN, m.Key, m.Args))
	}
	p := q.Prices
	fmt.Fprintf(w, "  subtotal %s", p.Subtotal)
	for _, sum := range []struct {
		name   string
		amount money.Amount
	}{
		{"packages", p.Packages}, {"delivery", p.Delivery}, {"discount", p.Discount}, {"bonuses", p.Bonuses}, {"upcoming", p.UpcomingBonuses},
	} {
		if sum.amount != 0 {
			fmt.Fprintf(w, ", %s %s", sum.name, sum.amount)
		}
	}
	fmt.Fprintf(w, ", total %s", p.Total)
	if m := q.Minimum; m != nil && (strings.HasPrefix(c.rule, "5") || m.Kind == cart.ForOrder) {
		fmt.Fprintf(w, "; for %s from %s: %s missing", m.Kind, m.Amount, m.Missing)
	}
	w.WriteString("\n\n")
}

// writeShares writes what bonuses pay of each line, package and of the delivery.
func writeShares(w *strings.Builder, q cart.Quoted) {
	w.WriteString("  shares of bonuses:")
	for _, l := range q.Lines {
		fmt.Fprintf(w, " %s", l.Bonuses)
	}
	for _, p := range q.Packages {
		fmt.Fprintf(w, ", %s %s", p.Alias, p.Bonuses)
	}
	fmt.Fprintf(w, ", delivery %s\n", q.DeliveryBonuses)
}
