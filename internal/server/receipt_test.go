//go:build !release

package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// payOnline places an order, pays it by card and returns its number.
func (b *browser) payOnline() (id int64) {
	b.t.Helper()
	id, _ = b.orderOnline("card_online")
	if paid := b.ok("POST", "/api/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": b.cryptogram(goodCard)}); paid["reason"] != "approved" {
		b.t.Fatalf("answered %v", paid)
	}
	return id
}

func TestOperatorGetOrder_hasTheClosingReceiptOfAPrepaidOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newShop(t, d, true)
		b, desk := e.browser(t), e.browser(t)
		id := b.payOnline()
		path := fmt.Sprintf("/api/operator/orders/%d/", id)
		shown := desk.ok("GET", path+"payments", nil, asOperator...)
		if dig(shown["payments"].([]any)[0], "receipt_mode") != "full_prepayment" || len(shown["closing_receipts"].([]any)) != 0 {
			t.Errorf("once it is paid: %v", shown)
		}
		for _, status := range []string{"cooking", "sent", "done"} {
			desk.ok("POST", path+"status", object{"status": status}, asOperator...)
		}
		closing := desk.ok("GET", path+"payments", nil, asOperator...)["closing_receipts"].([]any)
		if len(closing) != 1 || dig(closing[0], "state") != "waiting" || dig(closing[0], "amount") != nil {
			t.Errorf("once it is done: %v", closing)
		}
		for range 3 {
			if err := e.orders.Sweep(t.Context(), e.Clock.Advance(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		desk.ok("POST", path+"refund", object{"key": "cold", "lines": []object{{"key": dig(shown["lines"].([]any)[0], "key"), "count": 1}}}, asOperator...)
		shown = desk.ok("GET", path+"payments", nil, asOperator...)
		closing = shown["closing_receipts"].([]any)
		payment := shown["payments"].([]any)[0]
		if len(closing) != 1 || dig(closing[0], "state") != "done" || dig(closing[0], "amount") != dig(payment, "amount") ||
			dig(closing[0], "payment_id") != dig(payment, "id") || dig(closing[0], "ref") == nil || dig(closing[0], "finished_at") == nil {
			t.Errorf("at last: %v", closing)
		}
		if refund := shown["refunds"].([]any)[0]; dig(refund, "receipt_mode") != "full_payment" {
			t.Errorf("the refund after it: %v", refund)
		}
		metrics := b.call("GET", "/metrics", nil).text
		for _, line := range []string{`servery_closing_receipts_total{account="bank",state="done"} 1`, `servery_order_alerts_total{kind="closing_receipt_failed"} 0`} {
			if !strings.Contains(metrics, line) {
				t.Errorf("not counted: %s", line)
			}
		}
	})
}

func TestCreateOrder_needsAnEmailWhereContentWantsIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newShop(t, d, false)
		files := carttest.Online(carttest.BankPage)
		files["sushi/brand.yaml"] = strings.ReplaceAll(files["sushi/brand.yaml"], "fiscal: {", "fiscal: {email: required, ")
		files["sushi/brand.yaml"] = strings.ReplaceAll(files["sushi/brand.yaml"], "takeaway: [card_online", "takeaway: [cash, card_online")
		b := e.browser(t)
		if required := dig(b.ok("GET", "/api/cities/moscow", nil), "city", "email_required_for"); required != nil {
			t.Errorf("where content does not say so: %v", required)
		}
		e.Import(t, files)
		if required, _ := dig(b.ok("GET", "/api/cities/moscow", nil), "city", "email_required_for").([]any); !slices.Equal(required, []any{"card_online", "sbp", "sberpay", "apple_pay", "google_pay"}) {
			t.Errorf("needed for %v", required)
		}
		request := b.checkout(b.fill())
		for _, payment := range []string{"card_online", "sbp"} {
			request["payment_type"], request["email"] = payment, ""
			if said := b.refused(http.StatusUnprocessableEntity, "email", "POST", "/api/order/create", request); !strings.Contains(said, "e-mail") {
				t.Errorf("%s is refused with %q", payment, said)
			}
		}
		request["email"] = "anna@example.org"
		b.ok("POST", "/api/order/create", request)
	})
}
