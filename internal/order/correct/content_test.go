package correct_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order/correct"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
)

// importOver imports the kitchen's content with these texts in place of its own.
func (k *kitchen) importOver(t *testing.T, texts map[string]string) {
	t.Helper()
	all := maps.Clone(k.texts)
	maps.Copy(all, texts)
	k.Import(t, all)
}

// A code has made the delivery of an order free. The delivery stays free in a dearer zone, also once
// content has dropped the code or the code brings something else. A code that took something off the dishes
// makes no delivery free.
func TestCorrect_keepsTheDeliveryFreeThatACodeMadeFree(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		const codes = "sushi/promocodes.yaml"
		for name, c := range map[string]struct {
			ordered, now string
			delivery     money.Amount
		}{
			"known":         {"free_delivery: true", "free_delivery: true", 0},
			"dropped":       {"free_delivery: true", "", 0},
			"another one":   {"free_delivery: true", "percent: 10", 0},
			"a percentage":  {"percent: 10", "percent: 10", money.Major(199)},
			"free only now": {"percent: 10", "free_delivery: true", money.Major(199)},
		} {
			k.importOver(t, map[string]string{codes: "- {id: 8, code: WAY, " + c.ordered + "}\n"})
			v := k.Visitor(t, "sushi")
			r := k.Delivery(t, v, schedule.ASAP)
			q, err := k.Carts.ApplyPromocode(t.Context(), v, carttest.Delivery(), "WAY")
			if err != nil {
				t.Fatal(err)
			}
			o := k.Place(t, v, ordertest.Agree(r, q))
			now := "- {id: 9, code: OTHER, percent: 10}\n"
			if c.now != "" {
				now += "- {id: 8, code: WAY, " + c.now + "}\n"
			}
			k.importOver(t, map[string]string{codes: now})
			got, effect := k.correct(t, o.ID, moveTo("a", inSouth))
			if got.Prices.Delivery != c.delivery || effect.TotalAfter != effect.TotalBefore-o.Prices.Delivery+c.delivery {
				t.Errorf("%s: the delivery costs %s, was %s", name, got.Prices.Delivery, o.Prices.Delivery)
			}
		}
		k.CheckBooks(t)
	})
}

// Content has dropped the shop in which an order is cooked. Whom the order goes to, the details of its
// address and a house in its zone are corrected all the same. Another time is refused for that reason;
// another zone, because another shop delivers there.
func TestCorrect_worksOnOrdersOfAShopThatContentHasDropped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		_, o := k.deliver(t)
		name, number, room, late := "Boris", "8 916 765-43-21", "12", ordertest.HalfPast(18)
		k.importOver(t, map[string]string{
			"sushi/shops.yaml": strings.Replace(k.texts["sushi/shops.yaml"], "id: 11, alias: arbat", "id: 14, alias: arbat", 1),
		})
		got, effect := k.correct(t, o.ID, correct.Request{Key: "a", Name: &name, Phone: &number, Address: &correct.AddressInput{Room: &room}})
		if len(effect.Fields) != 3 || got.Details.Username != name || got.Phone != "79167654321" || got.Details.Address.Room != room {
			t.Errorf("corrected %v: %+v", effect.Fields, got)
		}
		if got, effect = k.correct(t, o.ID, moveTo("b", inCenter)); got.ZoneID != o.ZoneID || effect.TotalAfter != effect.TotalBefore || got.Details.Address.House != "7" {
			t.Errorf("another house of the zone: %+v", effect)
		}
		for refused, r := range map[string]correct.Request{
			"order.correct_shop_gone":  {Key: "c", IntervalID: &late},
			"order.correct_other_shop": moveTo("d", inSouth),
		} {
			if _, _, err := k.tryCorrect(t, o.ID, r); fault.KeyOf(err) != refused {
				t.Errorf("want %s: %v", refused, err)
			}
		}
		k.CheckBooks(t)
	})
}

// An order of salmon, which has a deposit by now, is moved to a zone whose minimum it reaches only with the
// deposit, and to one whose minimum it reaches without.
func TestCorrect_countsNoDepositForAMinimum(t *testing.T) {
	t.Parallel()
	k := newKitchen(t, dbtest.Open(t, db.SQLite))
	_, o := k.deliver(t)
	const deposit = 50
	texts := maps.Clone(k.texts)
	texts["countries.yaml"] = strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000", "cash_limit: 5000, product_facts: [deposit]", 1)
	texts["sushi/modifiers.yaml"] = strings.Replace(carttest.Texts["sushi/modifiers.yaml"], "singles:\n", "singles:\n  - {id: 39, alias: bottle, name: Залог, price: 50, min: 1, max: 1, count: 1}\n", 1)
	texts["sushi/menu/01-rolls.yaml"] = strings.Replace(carttest.Texts["sushi/menu/01-rolls.yaml"], "make_minutes: 4,", "make_minutes: 4, deposit: bottle,", 1)
	goods := int(o.Prices.Subtotal.Add(o.Prices.Packages) / money.Scale)
	for i, minimum := range []int{goods, goods - deposit*o.Lines[0].Count} {
		texts["sushi/cities.yaml"] = strings.Replace(k.texts["sushi/cities.yaml"], "minimum_order: 5000", fmt.Sprintf("minimum_order: %d", minimum), 1)
		k.Import(t, texts)
		_, _, err := k.tryCorrect(t, o.ID, moveTo(fmt.Sprint("k", i), inNorth))
		if isReached := err == nil; isReached != (minimum < goods) {
			t.Errorf("goods of %d reach a minimum of %d: %v, %v", goods, minimum, isReached, err)
		}
	}
}
