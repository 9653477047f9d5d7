package order_test

import (
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/audittest"
	"servery/internal/pay"
)

// spoiled are what the audit has to find after one order was placed: statements, and the
// rule that is broken by them. $1 is the order.
var spoiled = map[string]struct{ rule, statement string }{
	"a dearer line":           {"I9", "UPDATE orders SET subtotal = subtotal + 100, total = total + 100 WHERE id = $1"},
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
	"a payment of another sum":     {"I3", insertPayment("'paid'", "total + 100", "0")},
	"a payment on receipt":         {"I4", insertPayment("'paid'", "total", "0")},
	"a payment for ever":           {"I12", insertPayment("'pending'", "total", "0")},
	"a refund of nothing":          {"I3", insertPayment("'paid'", "total", "1")},
	"another sum that is kept":     {"I3", insertPayment("'disputed'", "total", "0")},
	"money that the bank has not":  {"I4", insertPayment("'paid'", "total", "0")},
}

func insertPayment(state, amount, refunded string) string {
	return `INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref, reason, code, refunded, asked, next, proof, call_key,
		started_at, deadline, checks) SELECT 'p1', id, site, 'a', 'sbp', ` + amount + `, currency, ` + state + `, '', '', '', ` + refunded +
		`, '{}', '{}', '', '', created_at, created_at, 0 FROM orders WHERE id = $1`
}

// audited places an order and gives it with what its customer was told.
func audited(t *testing.T, h *house) (order.Order, audittest.Books) {
	t.Helper()
	v := h.Visitor(t, "sushi")
	r := h.takeaway(t, v, carttest.Arbat, halfPast(14))
	o := h.place(t, v, r)
	return o, audittest.Books{
		Now: h.Clock.Advance(time.Hour), Bank: []audittest.Charge{}, Settled: true,
		Told: []audittest.Told{{Key: r.CacheKey, ID: o.ID, Total: o.Prices.Total, PaymentType: r.PaymentType, Phone: o.Phone, Products: map[int64]int{carttest.Rice: 1}}},
	}
}

func TestTheAuditFindsNothingInGoodBooks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, books := audited(t, newHouse(t, d))
		audittest.Check(t, d, books)
	})
}

func TestTheAuditFindsWhatIsSpoiled(t *testing.T) {
	t.Parallel()
	for name, s := range spoiled {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, db.SQLite)
			o, books := audited(t, newHouse(t, d))
			if _, err := d.Writer().ExecContext(t.Context(), s.statement, o.ID); err != nil {
				t.Fatal(err)
			}
			expectBreach(t, d, books, s.rule)
		})
	}
}

func TestTheAuditHoldsTheBooksAgainstTheBank(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	o, books := audited(t, newHouse(t, d))
	if _, err := d.Writer().ExecContext(t.Context(), insertPayment("'failed'", "total", "0"), o.ID); err != nil {
		t.Fatal(err)
	}
	taken := audittest.Charge{Ref: "r1", ID: "p1", Sum: pay.Sum{Amount: o.Prices.Total, Currency: o.Currency}, Taken: true}
	books.Bank = []audittest.Charge{taken}
	expectBreach(t, d, books, "I4")
	taken.ID = "p2"
	books.Bank = []audittest.Charge{taken}
	expectBreach(t, d, books, "I4")
	books.Told[0].ID++
	expectBreach(t, d, books, "I1")
}

func TestTheAuditSeesWhatACustomerWasToldOtherwise(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	_, books := audited(t, newHouse(t, d))
	for rule, change := range map[string]func(*audittest.Told){
		"I1: total":    func(told *audittest.Told) { told.Total += money.Scale },
		"I1: products": func(told *audittest.Told) { told.Products = map[int64]int{carttest.Rice: 2} },
		"I1: paid":     func(told *audittest.Told) { told.Paid = true },
		"I2: key":      func(told *audittest.Told) { told.Key = "other" },
	} {
		other := books
		other.Told = []audittest.Told{books.Told[0]}
		change(&other.Told[0])
		expectBreach(t, d, other, rule[:2])
	}
}

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
