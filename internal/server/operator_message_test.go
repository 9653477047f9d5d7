package server_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// An order shows the restaurant that the outcome of a message is unknown, when the process that sent the
// message has ended. Staff can call the customer then.
func TestOperatorOrder_showsAMessageWhoseOutcomeIsUnknown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.Import(t, map[string]string{
			"sushi/brand.yaml": strings.Replace(carttest.Texts["sushi/brand.yaml"], "settings: {", "settings: {order_messages: [accepted], ", 1),
		})
		id, _ := e.browser(t).order()
		desk := e.browser(t)
		expect := func(state string) {
			t.Helper()
			messages := desk.ok("GET", fmt.Sprintf("/api/operator/orders/%d", id), nil, asOperator...)["messages"].([]any)
			if len(messages) != 1 || dig(messages[0], "occasion") != "accepted" || dig(messages[0], "state") != state {
				t.Errorf("the order shows %v, want %s", messages, state)
			}
		}
		expect("waiting")
		execSQL(t, d, "UPDATE order_message SET state = 'sending', attempts = 1, at = $1", e.Clock.Now())
		e.sweep(t)
		expect("sending")
		e.Clock.Advance(6 * time.Minute)
		e.sweep(t)
		expect("unknown")
	})
}
