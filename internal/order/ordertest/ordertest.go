// Package ordertest holds what tests of orders and payments share: a brand with its services
// ([Restaurant]), and acquirers that do what the test sets. At [Desk] customers pay, a [Cashier] is a
// restaurant with it; [Till] refunds and closes receipts, a [Counter] is a restaurant with it.
package ordertest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/follow"
	"servery/internal/order/history"
	"servery/internal/order/orders"
	"servery/internal/order/repeat"
	"servery/internal/payment/payments"
	"servery/internal/queue"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/stock"
	"servery/internal/visit"
)

// RiceKey is the product that Request puts into each cart.
const RiceKey = "1-1002"

// The gifts of [Offers].
const (
	SoyGiftID   = int64(1)
	FirstGiftID = int64(2)
	RollGiftID  = int64(3)
)

// What is limited in [Offers].
var (
	CodeThree = stock.Item{Site: "sushi", Kind: stock.Promocode, ID: 1}
	SoyGift   = stock.Item{Site: "sushi", Kind: stock.Gift, ID: 1}
)

// Restaurant is a brand with a database and the services that take its orders.
type Restaurant struct {
	*carttest.Restaurant
	Carts     *carts.Service
	Addresses *geo.Addresses
	Orders    *orders.Service
	History   *history.Service
	Follow    *follow.Service
	Payments  *payments.Service
}

// New returns a restaurant on the database, with a clock that the test moves and without offers and
// bonuses.
func New(t testing.TB, d *db.DB) *Restaurant {
	t.Helper()
	h := &Restaurant{Restaurant: carttest.New(t, d), Carts: carts.New(d)}
	h.Addresses = geo.NewAddresses(d, h.Clock)
	h.StartProcess(t, orders.Options{}, payments.Options{})
	return h
}

// SaveAddress saves the address Arbat Street 10 at the point for the visitor and returns it.
func (h *Restaurant) SaveAddress(t testing.TB, v visit.Context, at geo.Point) geo.Address {
	t.Helper()
	a, err := h.Addresses.Save(t.Context(), geo.Owner{SessionID: v.SessionID, Site: v.Site.Alias}, geo.Address{
		CityID: carttest.Moscow, Precision: geo.AtHouse, Address: "улица Арбат, 10", FullAddress: "Москва, улица Арбат, 10",
		Street: "улица Арбат", House: "10", Room: "5", Point: at,
	}, (&site.Country{}).AddressForm())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Delivery adds two dishes to the visitor's cart, saves an address, begins a checkout and
// returns a valid request to have the cart delivered at the interval.
func (h *Restaurant) Delivery(t testing.TB, v visit.Context, intervalID string) order.Request {
	t.Helper()
	a := h.SaveAddress(t, v, carttest.InFree)
	if _, err := h.Carts.SetAddress(t.Context(), v, a); err != nil {
		t.Fatal(err)
	}
	r := h.Request(t, v, carttest.Delivery(), intervalID)
	r.Address = &order.AddressInput{ID: a.ID}
	return r
}

// Takeaway adds a dish to the visitor's cart, begins a checkout and returns a valid request for
// takeaway from the shop at the interval.
func (h *Restaurant) Takeaway(t testing.TB, v visit.Context, shop int64, intervalID string) order.Request {
	t.Helper()
	r := h.Request(t, v, carttest.Takeaway(shop), intervalID)
	r.ShopID = shop
	return r
}

// Request adds one dish, for delivery two, to the visitor's cart at a place, chooses the
// interval unless it is empty, and begins a checkout. It returns a valid request to order the
// cart, paid in cash.
func (h *Restaurant) Request(t testing.TB, v visit.Context, p cart.PlaceRequest, intervalID string) order.Request {
	t.Helper()
	rice := cart.Addition{ProductKey: RiceKey, Count: 1}
	salmon := cart.Addition{ProductKey: "1-1001", Count: 1, Modifiers: []cart.Chosen{
		{ID: carttest.SpicySauce, GroupID: carttest.Sauce, Count: 1},
	}}
	additions := []cart.Addition{rice}
	if p.OrderType == site.Delivery {
		additions = append(additions, salmon)
	}
	var q cart.Quoted
	var err error
	for _, a := range additions {
		if q, err = h.Carts.Add(t.Context(), v, p, a); err != nil {
			t.Fatal(err)
		}
	}
	if intervalID != "" {
		if q, err = h.Carts.SetInterval(t.Context(), v, carttest.Moscow, intervalID); err != nil {
			t.Fatal(err)
		}
	}
	checkout, err := h.Orders.Begin(t.Context(), v, p)
	if err != nil {
		t.Fatal(err)
	}
	return order.Request{
		CityID: carttest.Moscow, OrderType: p.OrderType, CacheKey: checkout.Key,
		Phone: "+7 916 123-45-67", Username: "Анна", PaymentType: site.Cash, IntervalID: intervalID, SeenTotal: q.Prices.Total,
	}
}

// NewVisitorWithCart returns a new visitor whose cart has a product, to be fetched from the shop Pokrovka at
// half past two.
func (h *Restaurant) NewVisitorWithCart(t testing.TB) visit.Context {
	t.Helper()
	v := h.Visitor(t, "sushi")
	rice := cart.Addition{ProductKey: RiceKey, Count: 1}
	if _, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), rice); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Carts.SetInterval(t.Context(), v, carttest.Moscow, HalfPast(14)); err != nil {
		t.Fatal(err)
	}
	return v
}

// Place places the order of the request. An error ends the test.
func (h *Restaurant) Place(t testing.TB, v visit.Context, r order.Request) order.Order {
	t.Helper()
	o, err := h.Orders.Create(t.Context(), v, r)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Move moves an order into the states one after the other as the operator, each a minute later.
func (h *Restaurant) Move(t testing.TB, o order.Order, states ...order.State) {
	t.Helper()
	const noName = ""
	for _, to := range states {
		if _, err := h.Orders.SetState(t.Context(), o.ID, to, noName, h.Clock.Advance(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
}

// HalfPast returns the id of the interval that begins at the hour and a half, today in Moscow.
func HalfPast(hour int) string {
	moscow, err := time.LoadLocation("Europe/Moscow")
	if err != nil {
		panic(err)
	}
	return schedule.IDOf(clock.At(clock.DayOf(carttest.Noon, moscow), hour*60+30, moscow))
}

// StartProcess replaces the services by those of a new process on the same database, with these
// options and a queue that is not started.
func (h *Restaurant) StartProcess(t testing.TB, forOrders orders.Options, forPayments payments.Options) {
	t.Helper()
	h.StartProcessOn(NewQueue(t, h.DB), forOrders, forPayments)
}

// StartProcessOn replaces the services by those of a new process on the same database, with
// these options and the queue.
func (h *Restaurant) StartProcessOn(q *queue.Queue, forOrders orders.Options, forPayments payments.Options) {
	h.Payments = payments.New(h.DB, q, h.Clock, forPayments)
	h.Orders = orders.New(h.DB, h.Carts, h.Addresses, h.Payments, q, h.Clock, forOrders)
	h.History, h.Follow = history.New(h.DB, h.Clock), follow.New(h.DB, h.Orders, h.Clock)
}

// NewProcess returns another process on the same database, which shares the clock.
func (h *Restaurant) NewProcess(t testing.TB) *Restaurant {
	t.Helper()
	other := *h
	other.StartProcess(t, orders.Options{}, payments.Options{})
	return &other
}

// NewSignedInVisitor returns a new visitor who has signed in with the phone. It creates the
// customer when there is none.
func (h *Restaurant) NewSignedInVisitor(t testing.TB, phone string) visit.Context {
	t.Helper()
	c, err := customer.NewCustomers(h.DB, h.Clock).FindOrCreateByPhone(t.Context(), "sushi", phone)
	if err != nil {
		t.Fatal(err)
	}
	return h.SignInAs(t, h.Visitor(t, "sushi"), c)
}

// Repeats returns a service that repeats the orders of the restaurant.
func (h *Restaurant) Repeats() *repeat.Service { return repeat.New(h.Orders, h.Carts, h.Addresses) }

// NewQueue returns a queue that is not started.
func NewQueue(t testing.TB, d *db.DB) *queue.Queue {
	t.Helper()
	q, err := queue.New(d, queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// SignInAs makes the visitor's session the customer's, without moving carts or orders, and
// returns the visitor.
func (h *Restaurant) SignInAs(t testing.TB, v visit.Context, c customer.Customer) visit.Context {
	t.Helper()
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET customer_id = $1 WHERE id = $2", c.ID, v.SessionID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	v.CustomerID, v.CustomerPhone = c.ID, c.Phone
	return v
}

// Offers are the files with the gifts and promocodes of a restaurant of [NewWithOffers].
var Offers = map[string]string{
	"sushi/gifts.yaml": `- {id: 1, alias: soy-gift, product: soy, name: {ru: Соус в подарок, en: Soy on us}, stock: 3, conditions: [{subtotal: {ru: 50, tr: 1}}]}
- {id: 2, alias: first-gift, product: wasabi, name: {ru: Васаби новичку, en: Wasabi to begin with}, conditions: [{first_order: true}]}
- {id: 3, alias: roll-gift, product: rice-roll, name: {ru: Ролл в подарок, en: A roll on us}, personal: true}
`,
	"sushi/promocodes.yaml": `- {id: 1, code: THREE, percent: 10, limit: 3}
- {id: 2, code: ONCE, sum: {ru: 20, tr: 1}, limit_per_phone: 1}
- {id: 3, code: HELLO, percent: 50, first_order: true}
`,
}

// NewWithOffers returns a restaurant as [New] does, with gifts and promocodes ([Offers]) and a bonus
// programme.
func NewWithOffers(t testing.TB, d *db.DB) *Restaurant {
	t.Helper()
	h := New(t, d)
	changed := map[string]string{"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "bonus_programme: {percent: \"5\"}\n"}
	for name, text := range Offers {
		changed[name] = text
	}
	h.Import(t, changed)
	return h
}

// SignInWithBonuses signs the visitor in with the phone, adds the bonuses to the account, unless
// they are 0, and returns the visitor.
func (h *Restaurant) SignInWithBonuses(t testing.TB, v visit.Context, phone string, bonuses money.Amount) visit.Context {
	t.Helper()
	c, err := customer.NewCustomers(h.DB, h.Clock).FindOrCreateByPhone(t.Context(), v.Site.Alias, phone)
	if err != nil {
		t.Fatal(err)
	}
	v = h.SignInAs(t, v, c)
	if bonuses == 0 {
		return v
	}
	err = h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := bonus.Adjust(t.Context(), tx, Roubles(c.ID), "a present of the test", bonuses, v.Now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Roubles returns the bonus account of a customer in the currency of Moscow.
func Roubles(customerID int64) bonus.Account {
	return bonus.Account{CustomerID: customerID, Currency: money.Currency{Code: "RUB"}}
}

// Balance returns the bonuses that the visitor can spend.
func (h *Restaurant) Balance(t testing.TB, v visit.Context) money.Amount {
	t.Helper()
	balance, err := bonus.Balance(t.Context(), h.DB.Read(), Roubles(v.CustomerID))
	if err != nil {
		t.Fatal(err)
	}
	return balance
}

// WantUsed fails the test unless want of a limited item are used or reserved.
func (h *Restaurant) WantUsed(t testing.TB, item stock.Item, want int) {
	t.Helper()
	if got := h.CountUsed(t, item); got != want {
		t.Errorf("%v: %d used, want %d", item, got, want)
	}
}

// CountUsed returns how many of a limited item are used or reserved.
func (h *Restaurant) CountUsed(t testing.TB, item stock.Item) int {
	t.Helper()
	var used int
	err := h.DB.Reader().QueryRowContext(t.Context(),
		`SELECT COALESCE(SUM(used), 0) - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
			WHERE s.site = $1 AND s.kind = $2 AND s.thing_id = $3 AND $4 = ''), 0)
		FROM stock_count WHERE site = $1 AND kind = $2 AND thing_id = $3 AND scope = $4`,
		item.Site, item.Kind, item.ID, item.Scope).Scan(&used)
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// WantBalance fails the test unless the visitor has the bonuses want.
func (h *Restaurant) WantBalance(t testing.TB, v visit.Context, want money.Amount) {
	t.Helper()
	if got := h.Balance(t, v); got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
}

// WantBalanced fails the test unless all entries of the bonus ledger add up to zero and none is
// reserved for an order.
func (h *Restaurant) WantBalanced(t testing.TB) {
	t.Helper()
	var all, held int64
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.SQL.QueryRowContext(t.Context(),
			"SELECT COALESCE(SUM(e.amount), 0), COALESCE(SUM(CASE WHEN a.kind = 'held' THEN e.amount ELSE 0 END), 0) "+
				"FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id").Scan(&all, &held)
	})
	if err != nil || all != 0 || held != 0 {
		t.Errorf("the ledger sums to %d, and %d are held: %v", all, held, err)
	}
}

// Agree returns the request with the total and the fingerprint of the cart, as if the customer
// had agreed to that.
func Agree(r order.Request, q cart.Quoted) order.Request {
	r.SeenTotal, r.Fingerprint = q.Prices.Total, q.Fingerprint
	return r
}

// ApplyCode applies a promocode to the cart of a takeaway request, and returns the request with
// the new total. An error ends the test.
func (h *Restaurant) ApplyCode(t testing.TB, v visit.Context, r order.Request, code string) order.Request {
	t.Helper()
	q, err := h.Carts.ApplyPromocode(t.Context(), v, carttest.Takeaway(r.ShopID), code)
	if err != nil {
		t.Fatal(err)
	}
	return Agree(r, q)
}

// AddGift adds a gift to the cart of a takeaway request, and returns the request with the new
// total. An error ends the test.
func (h *Restaurant) AddGift(t testing.TB, v visit.Context, r order.Request, gift int64) order.Request {
	t.Helper()
	q, err := h.Carts.AddGift(t.Context(), v, carttest.Takeaway(r.ShopID), gift)
	if err != nil {
		t.Fatal(err)
	}
	return Agree(r, q)
}

// PayWithBonuses spends bonuses in the cart of a takeaway request, and returns the request with
// the new total. An error ends the test.
func (h *Restaurant) PayWithBonuses(t testing.TB, v visit.Context, r order.Request, bonuses money.Amount) order.Request {
	t.Helper()
	q, err := h.Carts.ApplyBonuses(t.Context(), v, carttest.Takeaway(r.ShopID), bonuses)
	if err != nil {
		t.Fatal(err)
	}
	return Agree(r, q)
}

// TakeawayFromPhone adds a dish to the visitor's cart and returns a valid request for takeaway
// as soon as possible, with another phone for each n.
func (h *Restaurant) TakeawayFromPhone(t testing.TB, v visit.Context, n int) order.Request {
	t.Helper()
	r := h.Takeaway(t, v, carttest.Arbat, schedule.ASAP)
	r.Phone = fmt.Sprintf("+7916123%04d", n)
	return r
}

// WantRefused ends the test unless err is a Conflict with one of the keys and has a fresh cart.
// It returns that cart.
func WantRefused(t testing.TB, err error, keys ...string) cart.Quoted {
	t.Helper()
	f, ok := fault.Of(err)
	if !ok || f.Code != fault.Conflict || !slices.Contains(keys, f.Message.Key) {
		t.Fatalf("got %v, want one of %v", err, keys)
	}
	q, ok := cart.FreshCart(err)
	if !ok {
		t.Fatalf("no fresh cart beside %v", err)
	}
	return q
}

// PlaceTakeaway places an order of the visitor for takeaway from Arbat as soon as possible.
func (h *Restaurant) PlaceTakeaway(t testing.TB, v visit.Context) order.Order {
	t.Helper()
	v = h.Again(t, v, "sushi")
	return h.Place(t, v, h.Takeaway(t, v, carttest.Arbat, schedule.ASAP))
}
