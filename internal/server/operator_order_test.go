package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// readOrder returns an order as the restaurant reads it.
func (b *browser) readOrder(id int64) object {
	b.t.Helper()
	return dig(b.ok("GET", fmt.Sprintf("/api/operator/orders/%d", id), nil, asOperator...), "order").(map[string]any)
}

func TestOperatorGetOrder_hasAllThatTheRestaurantNeeds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.importOffers(t)
		guest, desk := e.browser(t), e.browser(t)
		guest.fill()
		cart := dig(guest.ok("PUT", "/api/cart/gift/apply-promocode", moscow(object{"promocode": "ten"})), "cart")
		request := guest.checkout(dig(cart, "prices", "total"))
		request["cart"].(object)["fingerprint"] = dig(cart, "fingerprint")
		request["allergens"], request["order_comment"], request["cash"] = []string{"fish"}, "no bell", 5000
		request["delivery_address"].(object)["description"] = "the green door"
		id := int64(guest.ok("POST", "/api/order/create", request)["order_id"].(float64))

		o := desk.readOrder(id)
		for path, want := range map[string]any{
			"customer.name": "Anna", "customer.phone": "79161234567", "comment": "no bell", "promocode": "TEN",
			"address.room": "7", "address.comment": "the green door", "currency": "RUB", "source": "storefront",
			"payment.type": "cash", "payment.online": false, "payment.paid": false, "payment.change_from": 5000.0,
			"payment.to_collect": dig(cart, "prices", "total"), "prices.total": dig(cart, "prices", "total"),
			"status": "accepted", "is_asap": true, "order_type": "delivery",
		} {
			if got := dig(o, strings.Split(path, ".")...); got != want {
				t.Errorf("%s is %v, not %v", path, got, want)
			}
		}
		line := o["lines"].([]any)[0]
		for name, want := range map[string]any{
			"product_id": float64(carttest.Salmon), "product_key": fmt.Sprintf("1-%d", carttest.Salmon), "alias": "salmon-roll", "count": 2.0,
		} {
			if got := dig(line, name); got != want {
				t.Errorf("%s of the line is %v, not %v", name, got, want)
			}
		}
		if key := dig(line, "key").(string); !strings.HasPrefix(key, fmt.Sprintf("1-%d~", carttest.Salmon)) {
			t.Errorf("the line's key is %s", key)
		}
		if allergens := dig(line, "allergens").([]any); len(allergens) != 1 || allergens[0] != "рыба" {
			t.Errorf("of what the customer does not eat, the line has %v", allergens)
		}
		if modifiers := dig(line, "modifiers").([]any); len(modifiers) != 1 || dig(modifiers[0], "id") != float64(carttest.SoySauce) {
			t.Errorf("the line's modifiers are %v", modifiers)
		}
		history := o["history"].([]any)
		if len(history) != 1 || dig(history[0], "actor") != "customer" || !strings.HasSuffix(dig(history[0], "at").(string), "+03:00") {
			t.Errorf("history: %v", history)
		}
		for _, status := range []string{"cooking", "sent", "done"} {
			desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": status, "actor": "kitchen 1"}, asOperator...)
		}
		o = desk.readOrder(id)
		if dig(o, "payment", "paid") != true || dig(o, "payment", "to_collect") != 0.0 {
			t.Errorf("a done order is paid so: %v", o["payment"])
		}
		if history := o["history"].([]any); len(history) != 4 || dig(history[3], "actor") != "operator:kitchen 1" {
			t.Errorf("history: %v", history)
		}
		desk.refused(http.StatusNotFound, "order_id", "GET", "/api/operator/orders/1", nil, asOperator...)
	})
}

func TestOperatorSearchOrders_findsFinalOnesByDayPhoneShopAndStatusInPages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		var ids []int64
		for i := range 3 {
			guest := e.browser(t)
			request := guest.checkout(guest.fill())
			request["phone"] = fmt.Sprintf("7916123456%d", i)
			ids = append(ids, int64(guest.ok("POST", "/api/order/create", request)["order_id"].(float64)))
			e.Clock.Advance(time.Minute)
		}
		desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", ids[1]), object{"status": "canceled"}, asOperator...)
		day := dig(desk.readOrder(ids[0]), "promised_from").(string)[:len("2026-01-02")]
		find := func(query string) (found []int64, next string) {
			answer := desk.ok("GET", "/api/operator/orders/search?site=sushi&"+query, nil, asOperator...)
			for _, o := range answer["orders"].([]any) {
				found = append(found, idOf(dig(o, "order_id")))
			}
			next, _ = answer["next"].(string)
			return found, next
		}
		expect := func(query string, want ...int64) {
			t.Helper()
			if got, next := find(query); fmt.Sprint(got) != fmt.Sprint(want) || next != "" {
				t.Errorf("%s finds %v and a next page %q, not %v", query, got, next, want)
			}
		}
		expect("day="+day, ids[2], ids[1], ids[0])
		expect("day=" + "2020-01-01")
		expect("phone=79161234561", ids[1])
		expect("phone=79161234561&day="+day, ids[1])
		expect("phone=79999999999")
		for _, spoken := range []string{"89161234561", "9161234561", "%2B7%20916%20123-45-61"} {
			expect("phone="+spoken, ids[1])
		}
		expect("day="+day+"&status=canceled", ids[1])
		expect("day=" + day + "&shop_id=999999")
		first, next := find("limit=2&day=" + day)
		if fmt.Sprint(first) != fmt.Sprint([]int64{ids[2], ids[1]}) || next == "" {
			t.Errorf("the first page has %v, and the next one begins at %q", first, next)
		}
		expect("limit=2&day="+day+"&before="+next, ids[0])
		for _, unreadable := range []string{"abc", "123", "001"} {
			desk.refused(http.StatusUnprocessableEntity, "phone", "GET", "/api/operator/orders/search?site=sushi&phone="+unreadable, nil, asOperator...)
		}
		for field, query := range map[string]string{"day": "status=done", "before": "day=" + day + "&before=x-y"} {
			desk.refused(http.StatusUnprocessableEntity, field, "GET", "/api/operator/orders/search?site=sushi&"+query, nil, asOperator...)
		}
		desk.refused(http.StatusUnprocessableEntity, "day", "GET", "/api/operator/orders/search?site=sushi&day=2026-13-01", nil, asOperator...)
		desk.refused(http.StatusNotFound, "site", "GET", "/api/operator/orders/search?site=nobody&day="+day, nil, asOperator...)
	})
}

func TestOperatorListOrders_filtersByBrandShopAndStatus(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		var ids []int64
		for range 2 {
			guest := e.browser(t)
			id, _ := guest.order()
			ids = append(ids, id)
			e.Clock.Advance(time.Minute)
		}
		desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", ids[0]), object{"status": "cooking"}, asOperator...)
		shop := fmt.Sprint(dig(desk.readOrder(ids[0]), "shop_id"))
		for query, want := range map[string][]int64{
			"":                 {ids[1], ids[0]},
			"?site=sushi":      {ids[1], ids[0]},
			"?site=pizza":      nil,
			"?shop_id=" + shop: {ids[1], ids[0]},
			"?shop_id=999999":  nil,
			"?status=cooking":  {ids[0]},
			"?status=accepted&site=sushi&shop_id=" + shop: {ids[1]},
			"?status=sent": nil,
		} {
			var got []int64
			for _, o := range desk.ok("GET", "/api/operator/orders"+query, nil, asOperator...)["orders"].([]any) {
				got = append(got, idOf(dig(o, "order_id")))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q lists %v, want %v", query, got, want)
			}
		}
	})
}

// A kitchen takes an order, undoes a mistaken move, promises the order for later, and cancels it with a
// reason. The customer reads the new time and the reason, but not the note. The feed lists all changes.
func TestOperatorMoves_areReadByCustomerAndFeed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		id, _ := guest.order()
		at := fmt.Sprintf("/api/operator/orders/%d/", id)
		begin := desk.ok("GET", "/api/operator/changes?limit=1", nil, asOperator...)
		if kind := dig(begin["changes"].([]any)[0], "kind"); kind != "placed" {
			t.Errorf("the feed begins with %v", kind)
		}
		promised, err := time.Parse(time.RFC3339, dig(desk.readOrder(id), "promised_to").(string))
		if err != nil {
			t.Fatal(err)
		}
		late := promised.Add(45 * time.Minute)

		desk.ok("POST", at+"take", object{"actor": "kitchen 1"}, asOperator...)
		desk.ok("POST", at+"status", object{"status": "cooking"}, asOperator...)
		o := dig(desk.ok("POST", at+"step-back", object{}, asOperator...), "order")
		if dig(o, "status") != "accepted" || dig(o, "can_step_back") != false || dig(o, "taken_by") != "operator:kitchen 1" {
			t.Errorf("after a step back: %v, %v, taken by %v", dig(o, "status"), dig(o, "can_step_back"), dig(o, "taken_by"))
		}
		desk.ok("POST", at+"status", object{"status": "cooking"}, asOperator...)
		desk.ok("POST", at+"delay", object{"promised_at": late.Format(time.RFC3339)}, asOperator...)
		status := func() any { return dig(guest.ok("GET", fmt.Sprintf("/api/order/%d", id), nil), "order", "status") }
		text := dig(status(), "description").(string)
		if !strings.Contains(text, late.Format("15:04")) || !strings.Contains(text, promised.Format("15:04")) || dig(status(), "can_cancel") != true {
			t.Errorf("the customer of a late order reads %q, and may cancel: %v", text, dig(status(), "can_cancel"))
		}
		desk.refused(http.StatusUnprocessableEntity, "promised_at", "POST", at+"delay", object{"promised_at": "2020-01-01T00:00:00Z"}, asOperator...)
		desk.refused(http.StatusUnprocessableEntity, "food", "POST", at+"cancel", object{"outcome": "undelivered"}, asOperator...)
		desk.refused(http.StatusUnprocessableEntity, "refund", "POST", at+"cancel", object{"outcome": "canceled", "refund": 200}, asOperator...)
		for range 2 { // a repeated call changes nothing
			desk.ok("POST", at+"cancel", object{"outcome": "canceled", "reason": "sold_out", "note": "oven broke"}, asOperator...)
		}
		got := status()
		if dig(got, "original_status") != "canceled" || !strings.Contains(dig(got, "description").(string), "run out of") {
			t.Errorf("the customer of a canceled order reads %v", got)
		}
		if body := fmt.Sprint(guest.ok("GET", fmt.Sprintf("/api/order/%d", id), nil)); strings.Contains(body, "oven") {
			t.Error("the customer reads the restaurant's note")
		}
		feed := desk.ok("GET", fmt.Sprintf("/api/operator/changes?after=%v&site=sushi", begin["last"]), nil, asOperator...)
		var kinds []string
		for _, c := range feed["changes"].([]any) {
			kinds = append(kinds, dig(c, "kind").(string))
		}
		want := []string{"taken", "moved", "stepped_back", "moved", "promised", "canceled"}
		last := feed["changes"].([]any)[len(kinds)-1]
		if !slices.Equal(kinds, want) || dig(last, "note") != "oven broke" || idOf(dig(last, "order_id")) != id {
			t.Errorf("the feed has %v, at last %v", kinds, last)
		}
	})
}

// A delay changes the promise and not the agreed time, so a late order stays late.
func TestMetrics_countOrdersByStateAndThoseThatAreLate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		inTime, _ := e.browser(t).order()
		late, _ := e.browser(t).order()
		at := fmt.Sprintf("/api/operator/orders/%d/", late)
		agreed, err := time.Parse(time.RFC3339, desk.readOrder(late)["promised_to"].(string))
		if err != nil {
			t.Fatal(err)
		}
		desk.ok("POST", at+"delay", object{"promised_at": agreed.Add(time.Hour).Format(time.RFC3339)}, asOperator...)
		finish := func(id int64) {
			for _, status := range []string{"cooking", "sent", "done"} {
				desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": status}, asOperator...)
			}
		}
		finish(inTime)
		e.Clock.Set(agreed.Add(30 * time.Minute))
		if _, err := e.Catalog.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		finish(late)
		metrics := desk.call("GET", "/metrics", nil).text
		for _, line := range []string{
			`servery_orders_total{site="sushi",status="accepted"} 2`, `servery_orders_total{site="sushi",status="done"} 2`, `servery_orders_late_total{site="sushi"} 1`,
		} {
			if !strings.Contains(metrics, line) {
				t.Errorf("the metrics lack %s", line)
			}
		}
	})
}

// The calls of docs/operator-api.md, made one after another, bring an order from the feed to its hand-over.
func TestOperatorAPI_workedExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operator-api.md")
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		id, _ := guest.order()
		promised, err := time.Parse(time.RFC3339, dig(desk.readOrder(id), "promised_to").(string))
		if err != nil {
			t.Fatal(err)
		}
		fill := strings.NewReplacer("{order}", strconv.FormatInt(id, 10), "{later}", promised.Add(time.Hour).Format(time.RFC3339))
		calls, isCall := 0, false
		var last object
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				isCall = line == "```http"
				continue
			}
			if !isCall {
				continue
			}
			method, rest, _ := strings.Cut(fill.Replace(line), " ")
			path, body, hasBody := strings.Cut(rest, " ")
			var sent any
			if hasBody {
				sent = json.RawMessage(body)
			}
			answer := desk.ok(method, path, sent, asOperator...)
			if answer["orders"] != nil {
				last = answer
			}
			calls++
		}
		if o := desk.readOrder(id); o["status"] != "done" || calls < 10 {
			t.Errorf("after %d calls the order is %v", calls, o["status"])
		}
		if found := last["orders"].([]any); len(found) != 1 || idOf(dig(found[0], "order_id")) != id {
			t.Errorf("the last search finds %v", found)
		}
	})
}
