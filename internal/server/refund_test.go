package server_test

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// markPaidOnline stores that the order was paid by card online, and returns the id of the payment. asked is
// JSON with what the customer entered for it.
func (e *edge) markPaidOnline(t *testing.T, id int64, asked string) (payment string) {
	t.Helper()
	payment = fmt.Sprintf("payment-%x", id)
	now := e.Clock.Now()
	execSQL(t, e.DB, `INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref, reason, code, refunded,
		asked, next, proof, call_key, started_at, deadline, checks, finished_at)
		SELECT $1, id, site, 'till', 'card_online', total, currency, 'paid', 'ref-1', '', '', 0, $2, $3, '', '', $4, $4, 0, $4 FROM orders WHERE id = $5`,
		payment, []byte(asked), []byte("{}"), now, id)
	execSQL(t, e.DB, "UPDATE orders SET payment_type = 'card_online', paid_by = $1, pay_until = $2 WHERE id = $3", payment, now, id)
	return payment
}

func TestOperator_refundsByLineWhatThePaymentsCallNames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b, desk := e.browser(t), e.browser(t)
		b.ok("POST", "/api/user/addresses/set-by-coordinates", object{"city_id": 1, "latitude": 55.75, "longitude": 37.6, "room": "7"})
		id, _ := b.order()
		e.markPaidOnline(t, id, "{}")
		payments, refund := fmt.Sprintf("/api/operator/orders/%d/payments", id), fmt.Sprintf("/api/operator/orders/%d/refund", id)
		paid := desk.ok("GET", payments, nil, asOperator...)
		lines := paid["lines"].([]any)
		if len(lines) == 0 || dig(paid["payments"].([]any)[0], "state") != "paid" || len(paid["refunds"].([]any)) != 0 {
			t.Fatalf("got %v", paid)
		}
		part := object{"key": "k1", "reason": "cold", "lines": []object{{"key": dig(lines[0], "key"), "count": 1}}}
		for range 2 {
			if dig(desk.ok("POST", refund, part, asOperator...), "order", "refunded_at") != nil {
				t.Error("a part counts as the whole")
			}
		}
		desk.refused(http.StatusUnprocessableEntity, "key", "POST", refund, object{"key": "k1", "all": true}, asOperator...)
		desk.refused(http.StatusUnprocessableEntity, "lines", "POST", refund, object{"key": "k2", "lines": []object{{"key": "soup", "count": 1}}}, asOperator...)
		after := desk.ok("GET", payments, nil, asOperator...)
		given := after["refunds"].([]any)
		if len(given) != 1 || dig(given[0], "cause") != "operator" || dig(given[0], "reason") != "cold" ||
			dig(after["lines"].([]any)[0], "refunded_count") != 1.0 || dig(after["lines"].([]any)[0], "refunded") != dig(given[0], "amount") {
			t.Errorf("got %v", after)
		}
		rest := object{"key": "rest", "all": true}
		desk.ok("POST", refund, rest, asOperator...)
		desk.ok("POST", refund, rest, asOperator...)
		desk.refused(http.StatusConflict, "", "POST", refund, object{"key": "k3", "all": true}, asOperator...)
		if given := desk.ok("GET", payments, nil, asOperator...)["refunds"].([]any); len(given) != 2 {
			t.Errorf("%d refunds", len(given))
		}
		desk.refused(http.StatusNotFound, "order_id", "GET", "/api/operator/orders/1/payments", nil, asOperator...)
	})
}

// The bonuses of an order that was refunded whole are taken back, and one that is canceled brings none: customer and
// restaurant read that neither promises any.
func TestOrder_promisesNoBonusesOnceItIsRefundedOrCanceled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		place := func() (int64, string) {
			id, _ := guest.order()
			execSQL(t, d, "UPDATE orders SET upcoming_bonuses = 317 WHERE id = $1", id)
			return id, fmt.Sprintf("/api/operator/orders/%d", id)
		}
		expect := func(id int64, at string, want float64) {
			t.Helper()
			shown, read := guest.orderOf(id), desk.ok("GET", at, nil, asOperator...)
			for who, got := range map[string]any{
				"customer": dig(shown, "cart", "prices", "upcoming_bonuses"), "restaurant": dig(read, "order", "prices", "upcoming_bonuses"),
			} {
				if got != want {
					t.Errorf("the %s reads %v bonuses, want %v", who, got, want)
				}
			}
		}
		id, at := place()
		for _, status := range []string{"cooking", "sent", "done"} {
			desk.ok("POST", at+"/status", object{"status": status}, asOperator...)
		}
		desk.ok("POST", at+"/refund", object{"key": "part", "amount": 1}, asOperator...)
		expect(id, at, 3.17)
		desk.ok("POST", at+"/refund", object{"key": "rest", "all": true}, asOperator...)
		expect(id, at, 0)
		id, at = place()
		expect(id, at, 3.17)
		guest.ok("POST", "/api/order/cancel", object{"order_id": id})
		expect(id, at, 0)
	})
}

// A refund by amount of an order that was paid in cash is owed, and then handed back. Amounts of an order that
// was paid online are refunded. The list of payments shows each refund with who bears it.
func TestOperator_refundsAnAmountThatSomebodyBears(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		place := func() (at string, id int64) {
			b := e.browser(t)
			b.ok("POST", "/api/user/addresses/set-by-coordinates", object{"city_id": 1, "latitude": 55.75, "longitude": 37.6, "room": "7"})
			id, _ = b.order()
			return fmt.Sprintf("/api/operator/orders/%d/", id), id
		}
		at, _ := place()
		for _, status := range []string{"cooking", "sent", "done"} {
			desk.ok("POST", at+"status", object{"status": status}, asOperator...)
		}
		owed := object{"key": "k", "amount": 12.34, "bearer": "courier_service", "owed": true, "actor": "Vera"}
		desk.ok("POST", at+"refund", owed, asOperator...)
		given := desk.ok("GET", at+"payments", nil, asOperator...)["hand_refunds"].([]any)
		if len(given) != 1 || dig(given[0], "state") != "owed" || dig(given[0], "amount") != 12.34 || dig(given[0], "bearer") != "courier_service" {
			t.Fatalf("owed: %v", given)
		}
		desk.ok("POST", at+"refund/handed-back", object{"key": "k", "actor": "courier 7"}, asOperator...)
		given = desk.ok("GET", at+"payments", nil, asOperator...)["hand_refunds"].([]any)
		if dig(given[0], "state") != "handed_back" || dig(given[0], "handed_back_by") != "operator:courier 7" {
			t.Errorf("handed back: %v", given)
		}
		desk.refused(http.StatusNotFound, "key", "POST", at+"refund/handed-back", object{"key": "other"}, asOperator...)
		desk.refused(http.StatusUnprocessableEntity, "amount", "POST", at+"refund", object{"key": "over", "amount": 100000}, asOperator...)

		at, id := place()
		e.markPaidOnline(t, id, "{}")
		desk.ok("POST", at+"refund", object{"key": "k", "amount": 10.01, "bearer": "platform"}, asOperator...)
		e.Clock.Advance(time.Second) // the order of two at one instant is not certain
		desk.ok("POST", at+"cancel", object{"outcome": "canceled", "refund": object{"amount": 20}}, asOperator...)
		after := desk.ok("GET", at+"payments", nil, asOperator...)
		paid, _ := dig(after["payments"].([]any)[0], "amount").(float64)
		kept, _ := after["kept"].(float64)
		if refunds := after["refunds"].([]any); len(refunds) != 2 || dig(refunds[0], "bearer") != "platform" || dig(refunds[1], "amount") != 20.0 ||
			math.Round((paid-kept)*100) != 3001 {
			t.Errorf("got %v, kept %v of %v", refunds, kept, paid)
		}
	})
}

func TestGetOrder_showsTheStateOfPaymentAndRefund(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.signIn(annasPhone)
		b.ok("POST", "/api/user/addresses/set-by-coordinates", object{"city_id": 1, "latitude": 55.75, "longitude": 37.6, "room": "7"})
		id, _ := b.order()
		path := fmt.Sprint("/api/order/", id)
		if payment := dig(b.ok("GET", path, nil), "order", "payment"); payment != nil {
			t.Errorf("of an order paid on receipt: %v", payment)
		}
		e.markPaidOnline(t, id, "{}")
		paid := dig(b.ok("GET", path, nil), "order", "payment")
		if dig(paid, "state") != "paid" || dig(paid, "message") != nil || dig(paid, "order_cache_key") == "" {
			t.Errorf("once it is paid: %v", paid)
		}
		canceled := dig(b.ok("POST", "/api/order/cancel", object{"order_id": id}), "order", "payment")
		message, _ := dig(canceled, "message").(string)
		if dig(canceled, "state") != "refunding" || !strings.Contains(message, "₽") || !strings.Contains(message, "10") {
			t.Errorf("once it is canceled: %v", canceled)
		}
		if listed := dig(b.ok("GET", "/api/user/orders", nil)["orders"].([]any)[0], "payment", "state"); listed != "refunding" {
			t.Errorf("on the customer's list it is %v", listed)
		}
		execSQL(t, d, "UPDATE refund SET state = 'done' WHERE order_id = $1", id)
		execSQL(t, d, "UPDATE payment SET refunded = amount WHERE order_id = $1", id)
		if given := dig(b.ok("GET", path, nil), "order", "payment"); dig(given, "state") != "refunded" || dig(given, "message") == message || dig(given, "refunded") == nil {
			t.Errorf("once it is given back: %v", given)
		}
	})
}
