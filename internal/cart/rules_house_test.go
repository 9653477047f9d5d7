package cart_test

import (
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
	"servery/internal/visit"
)

// The products and modifiers that the rules are shown on, beside those of carttest.
const (
	bowl  = carttest.Bowl  // 200, with toppings of 60, 40 and 40, two of which are free
	mint  = carttest.Mint  // 0.50, less than one currency unit
	third = carttest.Third // 33.33

	toppings = carttest.Toppings
	truffle  = carttest.Truffle
	cheese   = carttest.Cheese

	onion int64 = 34
)

const berlin int64 = 3

// The zones of Moscow where delivery costs nothing anyway.
const (
	gratis     int64 = 103
	gratisHard int64 = 104 // from 700
)

// soySauce is the usual sauce of the salmon.
var soySauce = cart.Chosen{ID: carttest.SoySauce, GroupID: carttest.Sauce, Count: 1}

// keyOf returns the key of a product in Moscow.
func keyOf(product int64) string { return carttest.KeyOf(product) }

// newRulesHouse returns the brand of [carttest] on its own database, with an offer for each rule.
func newRulesHouse(t testing.TB) *carttest.Restaurant {
	t.Helper()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	h.Import(t, carttest.RuleTexts)
	return h
}

// quoteInput is a cart that is quoted, and all that its price depends on.
type quoteInput struct {
	place cart.PlaceRequest
	cart  cart.Cart
	facts cart.Facts
	at    time.Time // carttest.Noon when zero
	lang  lang.Lang // English when empty
}

// quote returns the cart with its prices by this input. The zero place is a delivery in Moscow.
func (a quoteInput) quote(t interface{ Fatal(...any) }, v visit.Context) cart.Quoted {
	if a.place == (cart.PlaceRequest{}) {
		a.place = carttest.Delivery()
	}
	v.Lang = lang.EN
	if a.lang != "" {
		v.Lang = a.lang
	}
	if !a.at.IsZero() {
		v.Now = a.at
	}
	city, err := v.City(a.place.CityID)
	if err != nil {
		t.Fatal(err)
	}
	a.cart.CityID = a.place.CityID
	c, err := cart.MoveTo(v, a.cart, a.place, city)
	if err != nil {
		t.Fatal(err)
	}
	return cart.QuoteFor(v, c, city, a.facts)
}

// lineOf returns a line of a product; its key does not matter to a price.
func lineOf(product int64, count int, chosen ...cart.Chosen) cart.Line {
	return cart.Line{Key: keyOf(product), ProductID: product, Count: count, Modifiers: chosen}
}

// cartOf returns a cart of these lines.
func cartOf(lines ...cart.Line) cart.Cart { return cart.Cart{Lines: lines} }

// withOffers returns the cart with a promocode, empty for none, and with gifts.
func withOffers(c cart.Cart, code string, gifts ...cart.Given) cart.Cart {
	c.Promocode, c.Gifts = code, gifts
	return c
}

// knownCustomer returns the facts of a signed-in customer with this balance of bonuses.
func knownCustomer(balance money.Amount) cart.Facts {
	return cart.Facts{CustomerID: 1, Balance: balance}
}

// berlinPlace returns a takeaway in the shop of Berlin, where bonuses are switched off.
func berlinPlace() cart.PlaceRequest {
	return cart.PlaceRequest{CityID: berlin, OrderType: site.Takeaway, ShopID: 41}
}
