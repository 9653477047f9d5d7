package order

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/site"
	"servery/internal/visit"
)

// newBonusVisitor returns a signed-in visitor of a brand with a bonus programme and with dishes
// and packages that cost less than a currency unit, exactly one, and a little more.
func newBonusVisitor(t *testing.T) visit.Context {
	t.Helper()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	h.Import(t, map[string]string{
		"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "bonus_programme: {percent: \"5\"}\n",
		"sushi/packages.yaml": carttest.Texts["sushi/packages.yaml"] +
			"- {id: 3, alias: stick, name: Палочки, price: 0.3, rule: {per_items: 2}, order_types: [delivery, takeaway]}\n" +
			"- {id: 4, alias: fork, name: Вилка, price: 1.01, rule: {per_items: 1}, order_types: [takeaway]}\n",
		"sushi/menu/03-small.yaml": `group: {id: 13, alias: small, name: Мелочи}
products:
  - {id: 1301, alias: mint, name: Мята, price: 0.5, picture: none}
  - {id: 1302, alias: gum, name: Жвачка, price: 1, picture: none}
  - {id: 1303, alias: tea, name: Чай, price: 1.01, picture: none}
  - {id: 1304, alias: water, name: Вода, price: 33.33, picture: none}
`,
	})
	return h.Again(t, visit.Context{CustomerID: 1}, "sushi")
}

// newOrderWithBonuses returns the order of a random cart that is paid with bonuses, some or all
// that the rules allow.
func newOrderWithBonuses(t *testing.T, r *rand.Rand, v visit.Context) Order {
	t.Helper()
	city, err := v.City(carttest.Moscow)
	if err != nil {
		t.Fatal(err)
	}
	c := cart.Cart{CityID: carttest.Moscow, OrderType: site.Takeaway, ShopID: carttest.Arbat, WithoutBag: r.IntN(3) == 0}
	if r.IntN(2) == 0 {
		c.OrderType, c.ZoneID = site.Delivery, carttest.Free
	}
	products := []int64{carttest.Rice, carttest.Pair, carttest.OnlyArbat, carttest.Soy, carttest.Wasabi, 1301, 1302, 1303, 1304}
	for _, i := range r.Perm(len(products))[:1+r.IntN(5)] {
		p, _ := cart.MenuOf(v, c, city).Product(products[i])
		c.Lines = append(c.Lines, cart.Line{Key: p.Key, ProductID: p.ID, Count: 1 + r.IntN(7)})
	}
	c.Bonuses = money.Major(100_000)
	if r.IntN(2) == 0 {
		c.Bonuses = money.Amount(r.IntN(500_00))
	}
	q := cart.QuoteFor(v, c, city, cart.Facts{CustomerID: 1, Balance: money.Major(100_000)})
	return FromCart(q, v, Request{PaymentType: "sbp"}, Form{})
}

// leastPaidOf returns by key what one portion of each line and one of each package must at least
// cost in money.
func leastPaidOf(o Order) map[string]money.Amount {
	least := map[string]money.Amount{DeliveryKey: 0}
	for _, l := range o.Lines {
		least[l.Key] = min(l.WithModifiers, money.Scale)
	}
	for _, p := range o.Details.Packages {
		least[p.Alias] = min(p.Price, money.Scale)
	}
	return least
}

// In 3000 random orders, each item costs at least a currency unit, or its price when that is
// less, in the bill and on the receipt. The parts add up to the total, also of the anonymized
// order.
func TestOrder_Bill_keepsAUnitOfEachItemThatBonusesPay(t *testing.T) {
	t.Parallel()
	v, r := newBonusVisitor(t), rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		o := newOrderWithBonuses(t, r, v)
		least := leastPaidOf(o)
		var paid money.Amount
		for _, part := range o.Bill().Parts {
			paid = paid.Add(part.Paid)
			if part.Paid/money.Amount(part.Count) < least[part.Key] { // what a refund of one of them returns
				t.Fatalf("%s is paid for %d %s: %+v", part.Paid, part.Count, part.Key, o)
			}
			for _, l := range acquiring.FitLines([]acquiring.Line{{Count: part.Count}}, part.Paid) {
				if l.Unit < least[part.Key] {
					t.Fatalf("the receipt sells %s for %s: %+v", part.Key, l.Unit, o)
				}
			}
		}
		if paid != o.Prices.Total {
			t.Fatalf("the parts are paid %s, the order %s: %+v", paid, o.Prices.Total, o)
		}
		kept := o
		kept.Details = o.Details.Anonymized()
		if !reflect.DeepEqual(kept.Bill().Parts, o.Bill().Parts) {
			t.Fatalf("without its customer the order was paid otherwise: %+v, %+v", kept.Bill().Parts, o.Bill().Parts)
		}
	}
}

// Bonuses pay all but one rouble of each item. The bill leaves one rouble for each.
func TestOrder_Bill_keepsAUnitOfEachItemAtTheLimit(t *testing.T) {
	t.Parallel()
	o := Order{Lines: []Line{
		{Key: "sauce", Count: 3, WithModifiers: 49_00, Total: 147_00, Bonuses: 144_00},
		{Key: "pizza", Count: 1, WithModifiers: 2190_00, Total: 2190_00, Bonuses: 2189_00},
	}}
	o.Details.Packages = []Package{{Alias: "paket", Price: 12_00, Count: 1, Bonuses: 11_00}, {Alias: "korobka", Price: 17_00, Count: 1, Bonuses: 16_00}}
	o.Prices = cart.Prices{Subtotal: 2337_00, Packages: 29_00, Bonuses: 2360_00, Total: 6_00}
	for _, part := range o.Bill().Parts {
		if want := money.Major(int64(part.Count)); part.Paid != want {
			t.Errorf("%s is paid for %s, want %s", part.Paid, part.Key, want)
		}
	}
}

// Lines without stored shares of bonuses share them in proportion to their prices.
func TestOrder_Bill_spreadsBonusesOfOlderOrdersByPrice(t *testing.T) {
	t.Parallel()
	o := Order{Lines: []Line{{Key: "a", Count: 1, Total: 100_00}, {Key: "b", Count: 1, Total: 300_00}}}
	o.Prices = cart.Prices{Subtotal: 400_00, Bonuses: 200_00, Total: 200_00}
	for _, part := range o.Bill().Parts {
		if want := map[string]money.Amount{"a": 50_00, "b": 150_00}[part.Key]; part.Paid != want {
			t.Errorf("%s is paid for %s, want %s", part.Paid, part.Key, want)
		}
	}
}

// A discount lowers what is paid for its line only.
func TestOrder_Bill_keepsADiscountWithItsLine(t *testing.T) {
	t.Parallel()
	o := Order{Lines: []Line{
		{Key: "full", Count: 1, Total: 300_00}, {Key: "half", Count: 2, Total: 200_00, Discount: 100_00},
	}}
	o.Prices.Total = 400_00
	for _, part := range o.Bill().Parts {
		if want := map[string]money.Amount{"full": 300_00, "half": 100_00}[part.Key]; part.Paid != want {
			t.Errorf("%s: %s was paid, want %s", part.Key, part.Paid, want)
		}
	}
}
