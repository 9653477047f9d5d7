package races_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"testing"
)

var statusOfEvent = regexp.MustCompile(`"alias":\s*"(\w+)"`)

// witness is what customers and staff have before the moves and must have after each of them.
type witness struct {
	moving *moving
	guest, customer,
	repeating *payer
	// answers are those of the calls by which the guest and the customer look at what is theirs.
	answers []string
	// key is that of two calls that are sent again after each move: the order with the body, and a dish that the guest
	// has added.
	key  string
	body []byte
	// archived are orders that will be in the archive, as staff see them.
	archived map[int64]map[string]any
	// ofCustomer is one of them, former is its customer.
	ofCustomer int64
	former     *payer
}

// newWitness notes how some orders look that are archived next.
func (m *moving) newWitness(t *testing.T) *witness {
	t.Helper()
	w := &witness{moving: m, archived: map[int64]map[string]any{}}
	m.settle(t)
	for _, p := range m.payers[:min(len(m.payers), 12)] {
		w.archived[p.order] = w.readOrder(t, p.order)
		if p.bonuses > 0 {
			w.ofCustomer, w.former = p.order, p
		}
	}
	return w
}

// readOrder returns an order as the restaurant reads it, without can_step_back, which changes with time alone.
func (w *witness) readOrder(t *testing.T, id int64) map[string]any {
	t.Helper()
	var answer struct{ Order map[string]any }
	w.moving.callJSON(t, http.MethodGet, fmt.Sprint("/operator/orders/", id), nil, &answer)
	delete(answer.Order, "can_step_back")
	return answer.Order
}

// begin lets a guest and a customer with bonuses fill their carts, and another guest place an order.
func (w *witness) begin(t *testing.T) {
	t.Helper()
	w.guest, w.customer, w.repeating = w.moving.newPayer(kinds[0]), w.moving.newPayer(kinds[0]), w.moving.newPayer(kind{name: "repeats", paymentType: "cash"})
	w.customer.bonuses = 70
	w.customer.signIn(t.Context())
	w.customer.addBonuses(t.Context(), 500)
	w.key = "the-same-after-each-move"
	w.guest.fillCart(t.Context())
	w.addDish(t)
	w.customer.fillCart(t.Context())
	w.answers = w.readOwn(t)
	c := w.repeating.fillCart(t.Context())
	_, begun := w.repeating.call(t.Context(), http.MethodPost, "/order/create-order-cache", w.repeating.at(nil))
	w.repeating.key = begun.OrderCacheKey
	var err error
	if w.body, err = json.Marshal(w.repeating.orderBody(begun.OrderCacheKey, c)); err != nil {
		t.Fatal(err)
	}
	w.repeating.order = w.order(t, w.key)
	w.repeating.recordConfirmed(c)
	for _, p := range []*payer{w.guest, w.customer, w.repeating} {
		if p.fault != nil || p.cookie == "" {
			t.Fatalf("%s: %q, %v", p.name, p.cookie, p.fault)
		}
	}
}

// addDish adds a dish to the guest's cart, by the same call each time.
func (w *witness) addDish(t *testing.T) {
	t.Helper()
	w.guest.read(t, http.MethodPut, "/cart/add", w.key, w.guest.at(object{"product_key": "1-102", "count": 1}))
}

// readOwn returns the cart of the guest, and cart, bonuses, data and sessions of the customer, each as its call answers.
func (w *witness) readOwn(t *testing.T) []string {
	t.Helper()
	return []string{
		w.guest.read(t, http.MethodPut, "/cart", "", w.guest.at(nil)), w.customer.read(t, http.MethodPut, "/cart", "", w.customer.at(nil)),
		w.customer.read(t, http.MethodGet, "/user/balance", "", nil), w.customer.read(t, http.MethodGet, "/user/get", "", nil),
	}
}

// read makes a call that must succeed and returns the text of its answer. key is the idempotency key, empty for none.
func (p *payer) read(t *testing.T, method, path, key string, body object) string {
	t.Helper()
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	status, answer, err := p.send(t.Context(), method, p.base+"/api"+path, "application/json", key, text)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", path, status, answer, err)
	}
	return string(answer)
}

// order sends the order of the witness with an idempotency key and returns the number of the answer.
func (w *witness) order(t *testing.T, key string) int64 {
	t.Helper()
	status, text, err := w.repeating.send(t.Context(), http.MethodPost, w.repeating.base+"/api/order/create", "application/json", key, w.body)
	var a paying
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil || status != http.StatusOK || a.OrderID == 0 {
		t.Fatalf("the order is answered %d %s, %v", status, text, err)
	}
	return a.OrderID
}

// check checks that cookies, carts and bonuses are as before, also when a call is sent again, that the repeated order is
// the same one and no other was placed, and that an archived order comes back to staff and another one to its customer.
func (w *witness) check(t *testing.T) {
	t.Helper()
	w.addDish(t) // the call was made before, so it adds nothing
	if answers := w.readOwn(t); !slices.Equal(w.answers, answers) {
		t.Errorf("before the move the customers see\n%s\nafter it\n%s", w.answers, answers)
	}
	const all = "SELECT (SELECT COUNT(*) FROM orders) + (SELECT COUNT(*) FROM order_archive)"
	before := w.moving.count(t, all)
	// The first key is that of the order, with the second one only the checkout is the same.
	for _, key := range []string{w.key, fmt.Sprintf("another-%d", before)} {
		if id := w.order(t, key); id != w.repeating.order {
			t.Errorf("the order %d, sent again with %s, is %d", w.repeating.order, key, id)
		}
	}
	if after := w.moving.count(t, all); after != before {
		t.Errorf("%d orders were placed by repeated calls", after-before)
	}
	w.checkArchive(t)
}

// checkArchive checks that an archived order is read by staff as it was before, and one by its customer once. It
// forgets the order, so that the next check reads another one.
func (w *witness) checkArchive(t *testing.T) {
	t.Helper()
	if w.former != nil {
		w.former.cookie = ""
		w.former.signIn(t.Context())
		w.former.read(t, http.MethodGet, fmt.Sprint("/order/", w.ofCustomer), "", nil)
		delete(w.archived, w.ofCustomer)
		w.former = nil
	}
	for id, want := range w.archived {
		isArchived := fmt.Sprintf("SELECT COUNT(*) FROM order_archive WHERE id = %d", id)
		if w.moving.count(t, isArchived) != 1 {
			t.Errorf("order %d is not archived", id)
		}
		if got := w.readOrder(t, id); !reflect.DeepEqual(got, want) {
			t.Errorf("the archived order was\n%v\nand comes back as\n%v", want, got)
		}
		if w.moving.count(t, isArchived) != 0 {
			t.Errorf("order %d was read and is still archived", id)
		}
		delete(w.archived, id)
		return
	}
	t.Error("no order of the archive is left to be read")
}
