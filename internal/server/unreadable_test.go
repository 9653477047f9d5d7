package server_test

import (
	"net/http"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// A kitchen's printer takes control characters as commands: no text of a customer may have them. A name is one line on
// the ticket, whatever was typed; a comment keeps its lines.
func TestCreateOrder_writesNoCommandsToThePrinterOfTheKitchen(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		guest.fill()
		request := guest.checkout(dig(guest.ok("PUT", "/api/cart", moscow(nil)), "cart", "prices", "total"))
		for field, text := range map[string]string{
			"username": "Anna\u001b@", "order_comment": "no onion\u001dV",
		} {
			proper := request[field]
			request[field] = text
			a := guest.call("POST", "/api/order/create", request)
			if a.status != http.StatusUnprocessableEntity || dig(a.json, "errors", field) == nil {
				t.Errorf("%s %q: %d %s", field, text, a.status, a.text)
			}
			request[field] = proper
		}
		request["username"], request["order_comment"] = " Anna\r\nMaria\u2028 PAID ", "no onion\n\tring twice"
		id := idOf(guest.ok("POST", "/api/order/create", request)["order_id"])
		o := desk.readOrder(id)
		if got := dig(o, "customer", "name"); got != "Anna Maria PAID" {
			t.Errorf("the name is %q", got)
		}
		if got := dig(o, "comment"); got != "no onion\n\tring twice" {
			t.Errorf("the comment is %q", got)
		}
	})
}
