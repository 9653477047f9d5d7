package cart_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/site"
)

// cartsVariable is the environment variable with the number of carts to compare the two models on.
const cartsVariable = "SERVERY_CARTS"

const worldSeed, caseSeed = 3, 4

// enough is the number of carts from which on all rules must have come up; fewer carts may miss rare
// rules. With more carts, fingerprints are compared for every fifth cart only, because that takes as
// long as all else.
const enough = 20_000

// The program and the second model, which was written from docs/pricing.md alone, have the same
// sums, gifts and refusals for thousands of random carts. Two carts have equal fingerprints exactly
// when the customer agrees to the same. In 20,000 carts every rule must come up.
func TestTwoModels_agreeOnThePriceOfEveryCart(t *testing.T) {
	t.Parallel()
	count := uint64(20_000)
	if testing.Short() || underRace {
		count = 4_000
	}
	if text := os.Getenv(cartsVariable); text != "" {
		var err error
		if count, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorld(t, worldSeed, 60)
	workers := uint64(runtime.GOMAXPROCS(0))
	seen := make([]map[string]int, workers)
	var all sync.WaitGroup
	for i := range workers {
		seen[i] = map[string]int{}
		all.Go(func() {
			for n := i; n < count && !t.Failed(); n += workers {
				m := w.newCase(caseSeed, n)
				q, a := w.quoteByProgram(m), answerOf(m)
				if !reflect.DeepEqual(a, answerOfQuote(q)) {
					t.Errorf("cart %d:\n%s", n, w.describeDisagreement(m))
					return
				}
				countRules(seen[i], m, a)
				if count <= enough || n%5 == 0 {
					w.checkFingerprints(t, n, m, q.Fingerprint, a)
				}
			}
		})
	}
	all.Wait()
	checkCoverage(t, count, seen)
}

// modelsAgree reports whether both models have the same answer.
func (w *plainWorld) modelsAgree(m priceCase) bool {
	return reflect.DeepEqual(answerOf(m), answerOfQuote(w.quoteByProgram(m)))
}

// describeDisagreement returns both answers to the smallest case that it finds by leaving parts
// out of m while the models still disagree.
func (w *plainWorld) describeDisagreement(m priceCase) string {
	for again := true; again; {
		again = false
		for _, less := range listSmaller(m) {
			if !w.modelsAgree(less) {
				m, again = less, true
				break
			}
		}
	}
	return fmt.Sprintf("%sthe page says: %s\nthe program:   %s", m, jsonText(answerOf(m)), jsonText(answerOfQuote(w.quoteByProgram(m))))
}

// answerOfQuote returns a quote of the program in the form of the second model's answers.
func answerOfQuote(q cart.Quoted) answer {
	a := answer{
		Cells: map[string]int64{
			"subtotal": int64(q.Prices.Subtotal), "packages": int64(q.Prices.Packages), "delivery": int64(q.Prices.Delivery),
			"discount": int64(q.Prices.Discount), "bonuses": int64(q.Prices.Bonuses), "upcoming": int64(q.Prices.UpcomingBonuses),
			"total": int64(q.Prices.Total), "portions": int64(q.Count), "limit": 0, deliveryShare: int64(q.DeliveryBonuses),
		},
		Packages: map[int64]int{}, PackageBonuses: map[int64]int64{}, BonusShown: q.Bonus != nil,
		Kept: map[string]map[int64]int{"gifts": countsOf(q.Cart.Gifts), "presents": countsOf(q.Cart.Presents)},
	}
	if q.Bonus != nil {
		a.Cells["limit"], a.BonusSpendable = int64(q.Bonus.Limit), q.Bonus.IsAvailable
	}
	for _, l := range q.Lines {
		line := answeredLine{
			Key: l.Key, Count: l.Count, Sold: l.IsSold(),
			Portion: int64(l.WithModifiers), Total: int64(l.Total), Discount: int64(l.Discount), Bonuses: int64(l.Bonuses),
		}
		a.Lines = append(a.Lines, line)
	}
	for _, p := range q.Packages {
		if p.Count > 0 {
			a.Packages[p.ID] = p.Count
		}
		if p.Bonuses != 0 {
			a.PackageBonuses[p.ID] = int64(p.Bonuses)
		}
	}
	a.Gifts, a.Presents = answeredGifts(q.Gifts), answeredGifts(q.Presents)
	if q.Promocode != nil {
		a.Code = codeOf(q.Promocode)
	}
	if q.Minimum != nil {
		a.Minimum = minimumText(q.Minimum.Kind, int64(q.Minimum.Amount), int64(q.Minimum.Missing))
	}
	return a
}

// countsOf returns how many there are of each gift, by id.
func countsOf(list []cart.Given) map[int64]int {
	counts := map[int64]int{}
	for _, g := range list {
		counts[g.ID] += g.Count
	}
	return counts
}

// answeredGifts returns gifts of the program in the form of the second model's answers.
func answeredGifts(list []cart.PricedGift) []answeredGift {
	var answered []answeredGift
	for _, g := range list {
		gift := answeredGift{ID: g.ID, Kind: string(g.Kind), Count: g.Count, Max: g.MaxCount, Earned: g.IsEarned()}
		for _, c := range g.Conditions {
			if c.Message().Key != "cart.gift_dish" {
				gift.Conditions += plusOrMinus(c.Validated)
			}
		}
		answered = append(answered, gift)
	}
	return answered
}

// boundOfMessage has the name of each bound whose message, "cart.promocode_<name>", has another one.
var boundOfMessage = map[string]string{
	"city": "cities", "delivery": "order_types", "takeaway": "order_types", "dish": "products", "items": "products",
	"phone_limit": "limit_per_phone",
}

// codeOf returns the state of the promocode in the words of the second model: unknown, active,
// or the bound that fails first.
func codeOf(p *cart.PricedCode) string {
	switch {
	case p.Content == nil:
		return "unknown"
	case p.IsActive:
		return "active"
	}
	name, isBound := strings.CutPrefix(p.Text.Key, "cart.promocode_")
	if !isBound {
		return "gift" // it says why the gift cannot be had
	}
	return cmp.Or(boundOfMessage[name], name)
}

// checkFingerprints leaves a random part out of m and checks that the fingerprint changes
// exactly when what the customer agrees to does (section 8).
func (w *plainWorld) checkFingerprints(t *testing.T, n uint64, m priceCase, fingerprint string, a answer) {
	d := dice{rand.New(rand.NewPCG(caseSeed+1, n))}
	options := listSmaller(m)
	if len(options) == 0 {
		return
	}
	other := chooseOne(d, options)
	agreed, otherwise := agreementText(m, a), agreementText(other, answerOf(other))
	same := agreed == otherwise
	if got := fingerprint == w.quoteByProgram(other).Fingerprint; got != same {
		t.Errorf("cart %d: the same is agreed to: %t, the same fingerprint: %t\n%s\n%s\n%s\n%s", n, same, got, m, other, agreed, otherwise)
	}
}

// agreementText returns, as text, all that the customer agrees to by ordering the cart of m; a
// is the answer to m.
func agreementText(m priceCase, a answer) string {
	held := map[string]int{}
	for _, g := range slices.Concat(a.Gifts, a.Presents) {
		if g.Count > 0 {
			held[fmt.Sprint(g.Kind, g.ID)] = g.Count
		}
	}
	var lines []answeredLine
	for _, l := range a.Lines {
		l.Discount, l.Bonuses = 0, 0
		lines = append(lines, l)
	}
	code := ""
	if a.Code == "active" {
		code = m.cart.Promocode
	}
	cells := maps.Clone(a.Cells)
	delete(cells, "limit")
	delete(cells, "portions")
	delete(cells, deliveryShare)
	return jsonText([]any{m.city.ID, m.cart.OrderType, m.cart.ShopID, m.cart.ZoneID, lines, held, a.Packages, code, cells})
}

// jsonText returns a value as JSON, or the error why that is not possible.
func jsonText(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// countRules adds to seen, by name, the rules that have changed the answer a to m.
func countRules(seen map[string]int, m priceCase, a answer) {
	countIf := func(name string, happened bool) {
		if happened {
			seen[name]++
		}
	}
	unsold, discounted := 0, 0
	for _, l := range a.Lines {
		if !l.Sold {
			unsold++
		}
		if l.Discount > 0 {
			discounted++
		}
	}
	countIf("lines: one cannot be sold", unsold > 0)
	countIf("lines: none can be sold", unsold > 0 && unsold == len(a.Lines))
	countIf("discount: on several lines", discounted > 1)
	countIf("discount: on some lines only", discounted > 0 && discounted < len(a.Lines))
	countIf("discount: all of the subtotal", a.Cells["discount"] > 0 && a.Cells["discount"] == a.Cells["subtotal"])
	if a.Code == "active" {
		countIf("code: "+string(m.house.codes[m.cart.Promocode].Kind), true)
	} else if a.Code != "" {
		countIf("code fails: "+a.Code, true)
	}
	for _, g := range a.Gifts {
		countIf("gift: taken", g.Kind == "gift" && g.Count > 0)
		countIf("gift: earned, none left", g.Earned && g.Max == 0)
		countIf("gift: given by the code", g.Kind == "promocodeGift")
	}
	lost := len(m.cart.Gifts) - len(a.Kept["gifts"])
	countIf("gift: lost", lost > 0)
	countIf("gift: fewer than wanted", slices.ContainsFunc(m.cart.Gifts, func(g cart.Given) bool {
		return a.Kept["gifts"][g.ID] > 0 && a.Kept["gifts"][g.ID] < g.Count
	}))
	for _, p := range a.Presents {
		countIf("present: taken", p.Count > 0)
		countIf("present: none left", p.Max == 0)
	}
	countIf("present: over", len(a.Presents) < len(m.facts.Presents))
	countIf("packages: refused", m.cart.WithoutBag && len(a.Packages) > 0)
	countIf("packages: several", len(a.Packages) > 1)
	countIf("delivery: paid", a.Cells["delivery"] > 0)
	countIf("delivery: free by its sum", m.zone != nil && a.Cells["delivery"] == 0 && m.zone.Delivery > 0 && a.Cells["subtotal"] > 0 && a.Code != "active")
	countIf("minimum: of the order", strings.HasPrefix(a.Minimum, string(cart.ForOrder)))
	countIf("minimum: of free delivery", strings.HasPrefix(a.Minimum, string(cart.ForFreeDelivery)))
	countIf("bonuses: spent", a.Cells["bonuses"] > 0)
	countIf("bonuses: up to the room", a.Cells["bonuses"] > 0 && a.Cells["bonuses"] == a.Cells["limit"] && a.Cells["limit"] < int64(m.facts.Balance))
	countIf("bonuses: held back by a discount", a.BonusShown && a.Cells["discount"] > 0 && m.cart.Bonuses > 0 && m.facts.Balance > 0)
	countIf("bonuses: upcoming", a.Cells["upcoming"] > 0)
	countDeposits(countIf, m, a)
	countIf("takeaway", m.cart.OrderType == site.Takeaway)
	for _, l := range m.cart.Lines {
		countIf("modifiers: chosen", len(l.Modifiers) > 0)
		if p := m.house.products[l.ProductID]; p != nil {
			for _, set := range m.house.Prices {
				isHere := set.Product == p.Alias && (set.OrderType == "" || set.OrderType == m.cart.OrderType)
				isOver := !set.Until.IsZero() && !m.now.Before(set.Until)
				countIf("price: set in the shop", isHere && !isOver && set.ShopID != 0 && set.ShopID == m.shop)
				countIf("price: set in the price list", isHere && !isOver && set.PriceList == m.city.PriceList)
				countIf("price: set everywhere", isHere && !isOver && set.ShopID == 0 && set.PriceList == "")
				countIf("price: set for one order type", isHere && !isOver && set.OrderType != "")
				countIf("price: no longer set", isHere && isOver)
			}
		}
	}
	if code := m.house.codes[m.cart.Promocode]; code != nil && code.When != nil {
		_, before := m.now.Add(-time.Hour).In(m.city.Location).Zone()
		_, offset := m.now.In(m.city.Location).Zone()
		countIf("time: clocks were put back within the hour", offset < before)
		countIf("time: clocks were put forward within the hour", offset > before)
		countIf("time: a night that began the day before", m.now.In(m.city.Location).Hour() < 4 && len(code.When.Hours) > 0 && code.When.Hours[0].To > 24*60)
	}
}

// countDeposits counts what deposits have changed in the answer a to m: lines that cannot be sold, and all that
// would be otherwise if deposits were prices.
func countDeposits(countIf func(string, bool), m priceCase, a answer) {
	taken := false
	lines := slices.DeleteFunc(slices.Clone(m.cart.Lines), func(l cart.Line) bool { return m.house.products[l.ProductID] == nil })
	for i, l := range lines {
		deposit, ok := m.house.singles[m.house.products[l.ProductID].Deposit]
		if !ok {
			continue
		}
		isChosen := tallyOf(l.Modifiers)[[2]int64{0, deposit.ID}] > 0
		countIf("deposit: left out where it is shown", m.showsDeposits() && !isChosen)
		countIf("deposit: chosen where none is shown", !m.showsDeposits() && isChosen)
		countIf("deposit: none where none is shown", !m.showsDeposits() && a.Lines[i].Sold)
		taken = taken || m.showsDeposits() && a.Lines[i].Sold
	}
	if !taken {
		return
	}
	countIf("deposit: taken", true)
	other := answerWithDeposits(m)
	differs := func(name string) bool { return a.Cells[name] != other.Cells[name] }
	isFor := func(a answer, kind cart.MinimumKind) bool { return strings.HasPrefix(a.Minimum, string(kind)) }
	countIf("deposit: a condition of a gift", slices.ContainsFunc(a.Gifts, func(g answeredGift) bool {
		return slices.ContainsFunc(other.Gifts, func(o answeredGift) bool {
			return g.ID == o.ID && g.Kind == o.Kind && g.Conditions != o.Conditions
		})
	}))
	countIf("deposit: the minimum of a code", a.Code != other.Code)
	countIf("deposit: the discount", a.Code == "active" && differs("discount"))
	isSameDiscount := func(l, o answeredLine) bool { return l.Discount == o.Discount }
	countIf("deposit: the spread of a sum", a.Code == other.Code && !differs("discount") && !slices.EqualFunc(a.Lines, other.Lines, isSameDiscount))
	countIf("deposit: the minimum order", isFor(a, cart.ForOrder) != isFor(other, cart.ForOrder))
	countIf("deposit: the delivery price", a.Code == other.Code && differs("delivery"))
	countIf("deposit: the limit of bonuses", a.Code == other.Code && differs("limit"))
	countIf("deposit: upcoming bonuses", a.Cells["discount"] == 0 && a.Cells["bonuses"] == 0 && differs("upcoming"))
}

// listRules returns the names of all rules that must come up in a large enough number of carts.
func listRules() []string {
	all := []string{
		"lines: one cannot be sold", "lines: none can be sold", "discount: on several lines", "discount: on some lines only",
		"discount: all of the subtotal", "code fails: unknown", "gift: taken", "gift: earned, none left", "gift: given by the code",
		"gift: lost", "gift: fewer than wanted", "present: taken", "present: none left", "present: over", "packages: refused",
		"packages: several", "delivery: paid", "delivery: free by its sum", "minimum: of the order", "minimum: of free delivery",
		"time: clocks were put back within the hour", "time: clocks were put forward within the hour",
		"time: a night that began the day before", "bonuses: spent", "bonuses: up to the room", "bonuses: held back by a discount", "bonuses: upcoming", "takeaway", "modifiers: chosen",
		"deposit: taken", "deposit: left out where it is shown", "deposit: chosen where none is shown", "deposit: none where none is shown",
		"deposit: a condition of a gift", "deposit: the minimum of a code", "deposit: the discount", "deposit: the spread of a sum",
		"deposit: the minimum order", "deposit: the delivery price", "deposit: the limit of bonuses", "deposit: upcoming bonuses",
		"price: set in the shop", "price: set in the price list", "price: set everywhere", "price: set for one order type", "price: no longer set",
	}
	for _, kind := range []catalog.PromocodeKind{catalog.PercentOff, catalog.SumOff, catalog.GiftGiven, catalog.FreeDelivery} {
		all = append(all, "code: "+string(kind))
	}
	for _, b := range bounds {
		all = append(all, "code fails: "+b.name)
	}
	return all
}

// checkCoverage logs how often each rule came up in count carts. With enough carts it fails the test
// for a rule that came up in less than one of 10,000.
func checkCoverage(t *testing.T, count uint64, seen []map[string]int) {
	t.Helper()
	total := map[string]int{}
	for _, part := range seen {
		for name, times := range part {
			total[name] += times
		}
	}
	for _, name := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%8d %s", total[name], name)
	}
	if count < enough {
		return
	}
	for _, name := range listRules() {
		if uint64(total[name]) < count/10_000 || total[name] == 0 {
			t.Errorf("%q came up %d times in %d carts", name, total[name], count)
		}
	}
}
