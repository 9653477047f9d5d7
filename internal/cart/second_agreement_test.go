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

// cartsVariable is how many carts the two models are compared on.
const cartsVariable = "SERVERY_CARTS"

const worldSeed, matterSeed = 3, 4

// enough is how many carts must have come to all rules; fewer may miss the rare ones. Of more,
// every fifth is enough about fingerprints, which take as long as all else.
const enough = 20_000

// The program and the second model, which was written from docs/pricing.md alone, have the same
// sums, gifts and refusals for thousands of random carts, and equal fingerprints mean that the
// same is agreed to. In 20,000 carts every rule must come up.
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
				m := w.newMatter(matterSeed, n)
				q, a := w.quoteFirst(m), answerOf(m)
				if !reflect.DeepEqual(a, firstAnswer(q)) {
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
func (w *plainWorld) modelsAgree(m matter) bool {
	return reflect.DeepEqual(answerOf(m), firstAnswer(w.quoteFirst(m)))
}

// describeDisagreement returns both answers to the smallest case that it finds by leaving parts
// out of m while the models still disagree.
func (w *plainWorld) describeDisagreement(m matter) string {
	for again := true; again; {
		again = false
		for _, less := range listSmaller(m) {
			if !w.modelsAgree(less) {
				m, again = less, true
				break
			}
		}
	}
	return fmt.Sprintf("%sthe page says: %s\nthe program:   %s", m, jsonText(answerOf(m)), jsonText(firstAnswer(w.quoteFirst(m))))
}

// firstAnswer returns a quote of the program in the form of the second model's answers.
func firstAnswer(q cart.Quoted) answer {
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
	var all []answeredGift
	for _, g := range list {
		one := answeredGift{ID: g.ID, Kind: string(g.Kind), Count: g.Count, Max: g.MaxCount, Earned: g.IsEarned()}
		for _, c := range g.Conditions {
			if c.Message.Key != "cart.gift_dish" {
				one.Conditions += plusOrMinus(c.Validated)
			}
		}
		all = append(all, one)
	}
	return all
}

// The bounds that have another name than their message, "cart.promocode_<name>".
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
func (w *plainWorld) checkFingerprints(t *testing.T, n uint64, m matter, fingerprint string, a answer) {
	d := dice{rand.New(rand.NewPCG(matterSeed+1, n))}
	options := listSmaller(m)
	if len(options) == 0 {
		return
	}
	other := chooseOne(d, options)
	agreed, otherwise := agreementText(m, a), agreementText(other, answerOf(other))
	same := agreed == otherwise
	if got := fingerprint == w.quoteFirst(other).Fingerprint; got != same {
		t.Errorf("cart %d: the same is agreed to: %t, the same fingerprint: %t\n%s\n%s\n%s\n%s", n, same, got, m, other, agreed, otherwise)
	}
}

// agreementText returns, as text, all that the customer agrees to by ordering the cart of m; a
// is the answer to m.
func agreementText(m matter, a answer) string {
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
func countRules(seen map[string]int, m matter, a answer) {
	add := func(name string, happened bool) {
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
	add("lines: one cannot be sold", unsold > 0)
	add("lines: none can be sold", unsold > 0 && unsold == len(a.Lines))
	add("discount: on several lines", discounted > 1)
	add("discount: on some lines only", discounted > 0 && discounted < len(a.Lines))
	add("discount: all of the subtotal", a.Cells["discount"] > 0 && a.Cells["discount"] == a.Cells["subtotal"])
	if a.Code == "active" {
		add("code: "+string(m.house.codes[m.cart.Promocode].Kind), true)
	} else if a.Code != "" {
		add("code fails: "+a.Code, true)
	}
	for _, g := range a.Gifts {
		add("gift: taken", g.Kind == "gift" && g.Count > 0)
		add("gift: earned, none left", g.Earned && g.Max == 0)
		add("gift: given by the code", g.Kind == "promocodeGift")
	}
	lost := len(m.cart.Gifts) - len(a.Kept["gifts"])
	add("gift: lost", lost > 0)
	add("gift: fewer than wanted", slices.ContainsFunc(m.cart.Gifts, func(g cart.Given) bool {
		return a.Kept["gifts"][g.ID] > 0 && a.Kept["gifts"][g.ID] < g.Count
	}))
	for _, p := range a.Presents {
		add("present: taken", p.Count > 0)
		add("present: none left", p.Max == 0)
	}
	add("present: over", len(a.Presents) < len(m.facts.Presents))
	add("packages: refused", m.cart.WithoutBag && len(a.Packages) > 0)
	add("packages: several", len(a.Packages) > 1)
	add("delivery: paid", a.Cells["delivery"] > 0)
	add("delivery: free by its sum", m.zone != nil && a.Cells["delivery"] == 0 && m.zone.Delivery > 0 && a.Cells["subtotal"] > 0 && a.Code != "active")
	add("minimum: of the order", strings.HasPrefix(a.Minimum, string(cart.ForOrder)))
	add("minimum: of free delivery", strings.HasPrefix(a.Minimum, string(cart.ForFreeDelivery)))
	add("bonuses: spent", a.Cells["bonuses"] > 0)
	add("bonuses: up to the room", a.Cells["bonuses"] > 0 && a.Cells["bonuses"] == a.Cells["limit"] && a.Cells["limit"] < int64(m.facts.Balance))
	add("bonuses: held back by a discount", a.BonusShown && a.Cells["discount"] > 0 && m.cart.Bonuses > 0 && m.facts.Balance > 0)
	add("bonuses: upcoming", a.Cells["upcoming"] > 0)
	add("takeaway", m.cart.OrderType == site.Takeaway)
	for _, l := range m.cart.Lines {
		add("modifiers: chosen", len(l.Modifiers) > 0)
		if p := m.house.products[l.ProductID]; p != nil {
			for _, set := range m.house.Prices {
				isHere := set.Product == p.Alias && (set.OrderType == "" || set.OrderType == m.cart.OrderType)
				isOver := !set.Until.IsZero() && !m.now.Before(set.Until)
				add("price: set in the shop", isHere && !isOver && set.ShopID != 0 && set.ShopID == m.shop)
				add("price: set in the price list", isHere && !isOver && set.PriceList == m.city.PriceList)
				add("price: set everywhere", isHere && !isOver && set.ShopID == 0 && set.PriceList == "")
				add("price: set for one order type", isHere && !isOver && set.OrderType != "")
				add("price: no longer set", isHere && isOver)
			}
		}
	}
	if code := m.house.codes[m.cart.Promocode]; code != nil && code.When != nil {
		_, before := m.now.Add(-time.Hour).In(m.city.Location).Zone()
		_, offset := m.now.In(m.city.Location).Zone()
		add("time: clocks were put back within the hour", offset < before)
		add("time: clocks were put forward within the hour", offset > before)
		add("time: a night that began the day before", m.now.In(m.city.Location).Hour() < 4 && len(code.When.Hours) > 0 && code.When.Hours[0].To > 24*60)
	}
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
