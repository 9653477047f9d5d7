package server_test

import (
	"fmt"
	"net/http"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestCustomerCalls_setNoFieldOfOthers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		other := w.callers[other]
		before := w.readState()
		mine := dig(other.ok("GET", "/api/user/get", nil), "user").(object)
		for name, value := range map[string]any{
			"id": 1, "customer_id": 1, "site": "pizza", "balance": 1e6, "bonuses": 1e6, "balances": []object{{"currency": "RUB", "balance": 1e6}},
			"is_bonus_programme": false, "created_at": "2000-01-01T00:00:00Z", "erased_at": "2000-01-01T00:00:00Z", "is_admin": true,
			"consents": []object{{"kind": "news", "is_given": true}}, "presents": []int64{w.present}, "session_id": w.session,
		} {
			a := other.call("PUT", "/api/user/update", object{name: value})
			if a.status != http.StatusOK && a.status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d %s", name, a.status, a.text)
			}
		}
		other.refused(http.StatusUnprocessableEntity, "phone", "PUT", "/api/user/update", object{"phone": ownersPhone, "name": "Boris"})
		other.ok("PUT", "/api/user/update", object{"phone": othersPhone})
		now := dig(other.ok("GET", "/api/user/get", nil), "user").(object)
		for field, value := range mine {
			if list, ok := value.([]any); ok {
				if kept, _ := now[field].([]any); len(kept) != len(list) || dig(kept[0], "is_given") != false {
					t.Errorf("%s was %v and is %v", field, value, now[field])
				}
				continue
			}
			if now[field] != value {
				t.Errorf("%s was %v and is %v", field, value, now[field])
			}
		}
		if list := other.ok("GET", "/api/user/balance", nil)["balances"].([]any); len(list) != 0 && dig(list[0], "balance") != 0.0 {
			t.Errorf("the balance is %v", list)
		}
		for what, after := range w.readState() {
			if after != before[what] {
				t.Errorf("the owner's %s was\n%s\nand is\n%s", what, before[what], after)
			}
		}
	})
}

func TestCreateOrder_belongsToTheCallerWhateverTheBodySays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		b := w.callers[other]
		request := b.checkout(b.fill())
		for name, value := range map[string]any{
			"phone": ownersPhone, "customer_id": 1, "session_id": w.session, "site": "pizza", "status": "done", "order_id": w.open, "total": 1,
		} {
			request[name] = value
		}
		id := idOf(b.ok("POST", "/api/order/create", request)["order_id"])
		if id == w.open {
			t.Error("the order has the number that was sent")
		}
		seen := w.owner.call("GET", "/api/user/orders", nil)
		if wholeWord(fmt.Sprint(id)).MatchString(seen.text) {
			t.Errorf("the order of another stands among the owner's: %s", seen.text)
		}
		placed := b.ok("GET", fmt.Sprint("/api/order/", id), nil)
		if dig(placed, "order", "phone") != othersPhone || dig(placed, "order", "status", "alias") != "accepted" {
			t.Errorf("the order is %v", placed["order"])
		}
	})
}
