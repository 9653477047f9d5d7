package races_test

import (
	"fmt"
	"net/http"
	"testing"

	"servery/internal/order/audittest"
)

// check compares, at the end, the orders as the feed's reader, staff, customers and phones have them. It audits the
// books of the database and of the test bank.
func (v *evening) check(t *testing.T) {
	t.Helper()
	v.settle(t)
	v.reader.compareAll(t, v.days)
	for id, o := range v.orders {
		v.checkOrder(t, id, o)
	}
	if v.dying != nil {
		v.restart(t)
	}
	if v.unsure > v.messages/3 { // a message is being sent only for a moment, so kills hit few of them
		t.Errorf("it is unknown of %d of %d messages whether they have arrived", v.unsure, v.messages)
	}
	bank := (&killing{db: v.db}).bank(t)
	for _, c := range bank {
		if !c.Taken || c.Refunded != 100_00 {
			t.Errorf("the bank has %+v", c)
		}
	}
	if len(bank) != len(v.days) {
		t.Errorf("the bank has %d payments", len(bank))
	}
	audittest.Check(t, v.db, audittest.Books{Now: v.now, Settled: true, Bank: bank})
	t.Logf("%d orders, %d calls, %d kills; %d messages, %d of them hit", len(v.orders), v.calls, v.kills, v.messages, v.unsure)
}

// checkOrder compares an order with want, and the customer's view of it with that of staff. It checks the messages
// too. For an order by phone it signs in as a new customer with that phone.
func (v *evening) checkOrder(t *testing.T, id int64, want *ordered) {
	t.Helper()
	got := v.desk.mustCall(t, http.MethodGet, fmt.Sprint("/operator/orders/", id), nil)
	o := dig(got, "order")
	if dig(o, "status") != want.status || want.outcome != "" && dig(o, "outcome") != want.outcome {
		t.Errorf("order %d is %v, %v; want %+v", id, dig(o, "status"), dig(o, "outcome"), want)
	}
	guest := want.guest
	if guest == nil {
		guest = v.newParty(t, want.phone)
		guest.mustCall(t, http.MethodPost, "/order/status", object{"order_id": id, "phone": want.phone})
	}
	seen := dig(guest.mustCall(t, http.MethodGet, fmt.Sprint("/order/", id), nil), "order")
	for _, c := range [][2]any{
		{dig(seen, "status", "alias"), dig(o, "status")},
		{dig(seen, "cart", "prices", "total"), dig(o, "prices", "total")},
		{dig(seen, "promised_to"), dig(o, "promised_to")},
	} {
		if c[0] != c[1] {
			t.Errorf("the customer of %d sees %v, staff %v", id, c[0], c[1])
		}
	}
	v.checkMessages(t, id, want, listAt(got, "messages"))
}

// checkMessages compares the listed messages about an order with those that its phone has got and with the expected
// occasions. A message must have arrived once. When its sender was killed during the sending, its state is unknown
// and it has arrived at most once.
func (v *evening) checkMessages(t *testing.T, id int64, want *ordered, listed []any) {
	t.Helper()
	arrived := v.phones.occasions(want.phone)
	var occasions []string
	for n, m := range listed {
		occasion, state := dig(m, "occasion").(string), dig(m, "state")
		occasions = append(occasions, occasion)
		v.messages++
		count := arrived[occasion]
		delete(arrived, occasion)
		isLost := want.isLost && n == len(listed)-1
		switch {
		case state == "unknown" && isLost && count == 1, state == "sent" && !isLost && count == 1:
		case state == "unknown" && !isLost && count <= 1:
			v.unsure++
		default:
			t.Errorf("the message %s about %d is %v, and has arrived %d times", occasion, id, state, count)
		}
	}
	if fmt.Sprint(occasions) != fmt.Sprint(want.occasions) || len(arrived) > 0 {
		t.Errorf("the customer of %d is sent %v and %v, want %v", id, occasions, arrived, want.occasions)
	}
}
