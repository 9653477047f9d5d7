package orders_test

import (
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/audittest"
	"servery/internal/order/ordertest"
)

// spoiled are statements that break a rule after one order was placed, with the number of the
// rule that Breaches has to name. $1 is the id of the order.
var spoiled = map[string]struct{ rule, statement string }{
	"a dearer line":           {"I9", "UPDATE orders SET subtotal = subtotal + 100, total = total + 100 WHERE id = $1"},
	"bonuses of no part":      {"I9", "UPDATE orders SET bonuses = bonuses + 100, total = total - 100 WHERE id = $1"},
	"no lines":                {"I9", "DELETE FROM order_line WHERE order_id = $1"},
	"a state out of nowhere":  {"I10", "UPDATE orders SET state = 'done' WHERE id = $1"},
	"a step that is not":      {"I10", "INSERT INTO order_status (order_id, state, actor, at) SELECT id, 'sent', 'customer', created_at FROM orders WHERE id = $1"},
	"a beginning that is not": {"I10", "UPDATE order_status SET state = 'cooking' WHERE order_id = $1"},
	"another key":             {"I2", "UPDATE orders SET cache_key = 'other' WHERE id = $1"},
	"another phone":           {"I1", "UPDATE orders SET phone = '79990001122' WHERE id = $1"},
	"an unpaid online order":  {"I3", "UPDATE orders SET payment_type = 'card_online' WHERE id = $1"},
	"paid by nobody":          {"I3", "UPDATE orders SET paid_by = 'nobody' WHERE id = $1"},
	"minutes that are lost":   {"I8", "UPDATE slot SET used_minutes = used_minutes + 1 WHERE $1 > 0"},
	"an interval of nobody":   {"I8", "UPDATE slot_hold SET holder = 'order:1' WHERE holder <> '' AND $1 > 0"},
	"a count of nothing": {"I7", `INSERT INTO stock_count (site, kind, thing_id, scope, used, max_used)
		SELECT site, 'gift', 1, '', 1, 2 FROM orders WHERE id = $1`},
	"stock of nobody":              {"I7", "INSERT INTO stock_hold (holder, things) SELECT 'order:1', '[]' FROM orders WHERE id = $1"},
	"an order that waits for ever": {"I12", "UPDATE orders SET state = 'waiting_for_payment' WHERE id = $1"},
	"a payment of another sum":     {"I3", paymentInsertion("'paid'", "total + 100", "0")},
	"a payment on receipt":         {"I4", paymentInsertion("'paid'", "total", "0")},
	"a payment for ever":           {"I12", paymentInsertion("'pending'", "total", "0")},
	"a refund of nothing":          {"I3", paymentInsertion("'paid'", "total", "1")},
	"another sum that is kept":     {"I3", paymentInsertion("'disputed'", "total", "0")},
	"money that the bank has not":  {"I4", paymentInsertion("'paid'", "total", "0")},
}

// paymentInsertion returns the statement that inserts a payment of the order $1. The parameters
// are SQL expressions of its columns.
func paymentInsertion(state, amount, refunded string) string {
	return `INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref, reason, code, refunded, asked, next, proof, call_key,
		started_at, deadline, checks) SELECT 'p1', id, site, 'a', 'sbp', ` + amount + `, currency, ` + state + `, '', '', '', ` + refunded +
		`, '{}', '{}', '', '', created_at, created_at, 0 FROM orders WHERE id = $1`
}

// placeAudited places an order and returns it with what its customer saw, an hour later and with
// a bank that has no payments.
func placeAudited(t *testing.T, h *house) (order.Order, audittest.Books) {
	t.Helper()
	v := h.Visitor(t, "sushi")
	r := h.Takeaway(t, v, carttest.Arbat, ordertest.HalfPast(14))
	o := h.Place(t, v, r)
	return o, audittest.Books{
		Now: h.Clock.Advance(time.Hour), Bank: []audittest.Charge{}, Settled: true,
		Confirmed: []audittest.Confirmed{{Key: r.CacheKey, ID: o.ID, Total: o.Prices.Total, PaymentType: r.PaymentType, Phone: o.Phone, Products: map[int64]int{carttest.Rice: 1}}},
	}
}

// After an order was placed, the audit finds no breach.
func TestCheck_findsNothingInGoodBooks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, books := placeAudited(t, newHouse(t, d))
		audittest.Check(t, d, books)
	})
}

// Each case breaks one rule in the database, and Breaches names that rule.
func TestBreaches_findsEachRuleThatIsBroken(t *testing.T) {
	t.Parallel()
	for name, s := range spoiled {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, db.SQLite)
			o, books := placeAudited(t, newHouse(t, d))
			if _, err := d.Writer().ExecContext(t.Context(), s.statement, o.ID); err != nil {
				t.Fatal(err)
			}
			expectBreach(t, d, books, s.rule)
		})
	}
}

// The bank has taken money that failed or is unknown in the books, and a customer saw an order
// that does not exist. Breaches names the rules.
func TestBreaches_comparesTheBooksWithTheBank(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	o, books := placeAudited(t, newHouse(t, d))
	if _, err := d.Writer().ExecContext(t.Context(), paymentInsertion("'failed'", "total", "0"), o.ID); err != nil {
		t.Fatal(err)
	}
	taken := audittest.Charge{Ref: "r1", ID: "p1", Sum: acquiring.Sum{Amount: o.Prices.Total, Currency: o.Currency}, Taken: true}
	books.Bank = []audittest.Charge{taken}
	expectBreach(t, d, books, "I4")
	taken.ID = "p2"
	books.Bank = []audittest.Charge{taken}
	expectBreach(t, d, books, "I4")
	books.Confirmed[0].ID++
	expectBreach(t, d, books, "I1")
}

// The customer saw another total, other products, a payment or another key. Breaches names the
// rule.
func TestBreaches_comparesOrdersWithWhatCustomersSaw(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	_, books := placeAudited(t, newHouse(t, d))
	for rule, change := range map[string]func(*audittest.Confirmed){
		"I1: total":    func(shown *audittest.Confirmed) { shown.Total += money.Scale },
		"I1: products": func(shown *audittest.Confirmed) { shown.Products = map[int64]int{carttest.Rice: 2} },
		"I1: paid":     func(shown *audittest.Confirmed) { shown.Paid = true },
		"I2: key":      func(shown *audittest.Confirmed) { shown.Key = "other" },
	} {
		other := books
		other.Confirmed = []audittest.Confirmed{books.Confirmed[0]}
		change(&other.Confirmed[0])
		expectBreach(t, d, other, rule[:2])
	}
}

// Receipts that match the order are no breach. A closing receipt that is missing, doubled or of
// another sum is one, in the bank's register and in the database.
func TestBreaches_comparesClosingReceiptsWithOrders(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	c := ordertest.NewCounter(t, d)
	_, o := c.PlacePaid(t)
	c.HandOver(t, o)
	c.SweepEachMinute(t, 2*time.Minute)
	p := c.WithPayment(t, o.ID).Payment.Attempts[0]
	whole := map[string]money.Amount{"dish": o.Prices.Total}
	half := map[string]money.Amount{"dish": o.Prices.Total / 2}
	rest := map[string]money.Amount{"dish": o.Prices.Total - o.Prices.Total/2}
	prepaid := audittest.Receipt{Kind: "payment", Mode: "full_prepayment", Items: whole}
	closing := audittest.Receipt{Kind: "closing", Mode: "full_payment", Items: whole}
	refunded := audittest.Receipt{Kind: "refund", Mode: "full_prepayment", Items: half}
	closedRest, refundedLater := closing, refunded
	closedRest.Items, refundedLater.Mode = rest, "full_payment"
	books := func(receipts ...audittest.Receipt) audittest.Books {
		return audittest.Books{Now: c.Clock.Now(), Settled: true, Bank: []audittest.Charge{{Ref: p.Ref, ID: p.ID, Sum: p.Sum, Taken: true, Receipts: receipts}}}
	}
	for name, good := range map[string][]audittest.Receipt{
		"closed":              {prepaid, closing},
		"given back in part":  {prepaid, refunded, closedRest},
		"given back later":    {prepaid, closing, refundedLater},
		"settled at once":     {{Kind: "payment", Mode: "full_payment", Items: whole}},
		"no register at all":  nil,
		"settled, given back": {{Kind: "payment", Mode: "full_payment", Items: whole}, refundedLater},
	} {
		t.Run(name, func(t *testing.T) {
			breaches, err := audittest.Breaches(t.Context(), d, books(good...))
			if err != nil {
				t.Fatal(err)
			}
			for _, breach := range breaches {
				if strings.HasPrefix(breach, "I3") {
					t.Error(breach)
				}
			}
		})
	}
	for name, bad := range map[string][]audittest.Receipt{
		"never closed":                 {prepaid},
		"closed twice":                 {prepaid, closing, closing},
		"closed without what is back":  {prepaid, refunded, closing},
		"of another sum":               {prepaid, closedRest},
		"closed as a prepayment":       {prepaid, {Kind: "closing", Mode: "full_prepayment", Items: whole}},
		"given back before it is ours": {prepaid, refundedLater, closedRest},
		"two receipts of a payment":    {prepaid, prepaid, closing},
	} {
		t.Run(name, func(t *testing.T) { expectBreach(t, d, books(bad...), "I3") })
	}
	for name, statement := range map[string]string{
		"still on its way":   "UPDATE closing_receipt SET state = 'running'",
		"of another sum":     "UPDATE closing_receipt SET amount = amount - 1",
		"of nothing done":    "UPDATE orders SET state = 'sent' WHERE paid_by <> ''",
		"of another payment": "UPDATE orders SET paid_by = 'other' WHERE paid_by <> ''",
	} {
		t.Run(name, func(t *testing.T) {
			d := dbtest.Open(t, db.SQLite)
			c := ordertest.NewCounter(t, d)
			_, o := c.PlacePaid(t)
			c.HandOver(t, o)
			c.SweepEachMinute(t, 2*time.Minute)
			if _, err := d.Writer().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
			expectBreach(t, d, audittest.Books{Now: c.Clock.Now(), Settled: true}, "I3")
		})
	}
}

// expectBreach fails the test unless Breaches names the rule.
func expectBreach(t *testing.T, d *db.DB, books audittest.Books, rule string) {
	t.Helper()
	breaches, err := audittest.Breaches(t.Context(), d, books)
	if err != nil {
		t.Fatal(err)
	}
	for _, breach := range breaches {
		if strings.HasPrefix(breach, rule+":") {
			return
		}
	}
	t.Errorf("no breach of %s is found, only %q", rule, breaches)
}
